package solve

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The rows are those of the matrix, whatever has become of its lower triangle.
func TestUpper(t *testing.T) {
	for _, n := range []int{1, 2, 7, 24, 61} {
		a := matrix.New(n, n+3).View(0, 0, n, n)
		for i := range n {
			for j := range n {
				a.Set(i, j, 1/(1+math.Abs(float64(i-j)))+float64(i*j))
			}
			a.Data[i*a.Stride+i] += float64(n)
		}
		want := a.Clone()
		u := NewUpper(a)
		must.Get(FactorCholesky(context.Background(), a))(t)
		for rows := 1; rows <= n; rows = 2*rows + 1 {
			got := matrix.New(rows, n+2).View(0, 0, rows, n)
			for i0 := 0; i0+rows <= n; i0++ {
				u.Rows(got, i0)
				for r := range rows {
					if !slices.Equal(got.Row(r), want.Row(i0+r)) {
						t.Fatalf("n = %d: row %d of %d from %d on is %v, want %v", n, r, rows, i0, got.Row(r), want.Row(i0+r))
					}
				}
			}
		}
	}
}

func TestUpperMisuse(t *testing.T) {
	u := NewUpper(matrix.New(3, 3))
	for name, f := range map[string]func(){
		"not square":   func() { NewUpper(matrix.New(3, 2)) },
		"columns":      func() { u.Rows(matrix.New(1, 2), 0) },
		"beyond":       func() { u.Rows(matrix.New(2, 3), 2) },
		"before first": func() { u.Rows(matrix.New(1, 3), -1) },
	} {
		must.Panic(t, name, f)
	}
}

// The panels are the rows, transposed, wherever they begin and end.
func TestUpperPanels(t *testing.T) {
	const n = 61
	a := randomGram(newRand(3), n, 2*n)
	want := a.Clone()
	u := NewUpper(a)
	must.Get(FactorCholesky(context.Background(), a))(t)
	for _, rows := range []int{1, 5, panelRows} {
		for i := 0; i+rows <= n; i++ {
			bound := u.bound(i)
			for _, span := range [][2]int{{0, n}, {0, 1}, {7, 20}, {20, 41}, {n - 1, n}} {
				k0, k1 := span[0], span[1]
				got := make([]float64, panelRows*(k1-k0))
				u.panel(got, i, rows, k0, k1)
				for at, v := range got {
					k, r, element := k0+at/panelRows, at%panelRows, 0.0
					if r < rows {
						element = want.At(i+r, k)
					}
					if v != element {
						t.Fatalf("row %d of %d from %d on, column %d: %v, want %v", r, rows, i, k, v, element)
					}
					if r == 0 && math.Abs(v) > bound*(1+4*unit) { // of two roots and their product
						t.Errorf("row %d: element %g, bound %g", i, v, bound)
					}
				}
			}
		}
	}
}
