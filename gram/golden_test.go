package gram

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Kernel matrices, those of new rows, and their centred forms against 150
// decimal digits. Where a file has no check for a field, 4096 u of the largest
// magnitude is as much as the widest of the checks allows for K.
func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{"kfda", "kpca", "krr"} {
		for _, p := range golden.Dir(t, dir) {
			t.Run(p.Name, func(t *testing.T) {
				kernel := must.Get(Parse(p.Input.Kernel().Text()))(t)
				if p.Input.Kernel().Type == "circle_map" {
					kernel = circle
				}
				seen[p.Input.Kernel().Type] = true
				compare := func(field string, got *matrix.Dense) {
					t.Helper()
					switch {
					case p.HasCheck(field):
						p.Compare(t, field, got, true)
					case p.Expected.Has(field):
						within(t, field, got, p.Expected.Matrix(field), 4096*0x1p-53)
					}
				}
				rows, newRows := "X", "X_test"
				if _, ok := kernel.(Precomputed); ok {
					rows, newRows = "K", "K_test"
				}
				e := must.Get(NewEvaluator(kernel, p.Input.Matrix(rows)))(t)
				y := p.Input.Matrix(newRows)
				if rows == "K" {
					y = matrix.Transpose(nil, y) // the files have one column per new row
				}
				k := must.Get(e.Matrix(nil))(t)
				cross := must.Get(e.Cross(nil, y))(t)
				compare("K", k)
				compare("K_test", matrix.Transpose(nil, cross))

				c := NewCentring(k)
				compare("K_centred", c.Matrix(nil, k))
				compare("K_test_centred", matrix.Transpose(nil, c.Cross(nil, cross)))
			})
		}
	}
	if len(seen) != 9 {
		t.Errorf("the golden files have the kernels %v, want all nine", seen)
	}
}

// within fails the test if entries differ by more than tol times the largest
// magnitude of want.
func within(t testing.TB, what string, got, want *matrix.Dense, tol float64) {
	t.Helper()
	if got.Rows != want.Rows || got.Cols != want.Cols {
		t.Fatalf("%s: %d×%d, want %d×%d", what, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	scale := matrix.MaxAbs(want)
	for i := range got.Rows {
		for j := range got.Cols {
			if diff := math.Abs(got.At(i, j) - want.At(i, j)); !(diff <= tol*scale) {
				t.Fatalf("%s: entry (%d, %d) is %v, want %v: off by %.3g of %.3g", what, i, j, got.At(i, j), want.At(i, j), diff, scale)
			}
		}
	}
}
