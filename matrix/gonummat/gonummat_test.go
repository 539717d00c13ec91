package gonummat_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/matrix/gonummat"
)

func Example() {
	x := mat.NewDense(6, 2, []float64{1, 2, 2, 3, 3, 3, 6, 5, 7, 8, 8, 7})
	labels := []string{"a", "a", "a", "b", "b", "b"}
	model, err := discriminant.Fit(context.Background(), discriminant.LDA{}, gonummat.FromMat(x), labels)
	if err != nil {
		log.Fatal(err)
	}
	z, err := model.Project(nil, gonummat.FromMat(x))
	if err != nil {
		log.Fatal(err)
	}
	rows, cols := gonummat.ToMat(z).Dims()
	fmt.Println(rows, cols)
	// Output: 6 1
}

// The entries are those of the other matrix, and where they can be, the same memory.
func TestFromMat(t *testing.T) {
	whole := mat.NewDense(4, 5, nil)
	whole.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, whole)
	part := whole.Slice(1, 4, 2, 4)
	for name, c := range map[string]struct {
		a      mat.Matrix
		shared bool
	}{
		"dense":         {whole, true},
		"slice":         {part, true},
		"column":        {whole.ColView(3), true},
		"vector":        {mat.NewVecDense(3, []float64{1, 2, 3}), true},
		"row":           {whole.RowView(2).T(), false},
		"transpose":     {part.T(), false},
		"symmetric":     {mat.NewSymDense(2, []float64{1, 2, 2, 3}), false},
		"triangular":    {mat.NewTriDense(2, mat.Upper, []float64{1, 2, 0, 3}), false},
		"diagonal":      {mat.NewDiagDense(2, []float64{1, 2}), false},
		"without shape": {&mat.Dense{}, false},
		"no values":     {&mat.VecDense{}, false},
	} {
		got := gonummat.FromMat(c.a)
		rows, cols := c.a.Dims()
		if got.Rows != rows || got.Cols != cols {
			t.Fatalf("%s: %d×%d, want %d×%d", name, got.Rows, got.Cols, rows, cols)
		}
		for i := range rows {
			for j := range cols {
				must.Equal(t, fmt.Sprintf("%s: (%d, %d)", name, i, j), got.At(i, j), c.a.At(i, j))
			}
		}
		if rows == 0 {
			continue
		}
		old := c.a.At(0, 0)
		got.Set(0, 0, -1)
		if shared := c.a.At(0, 0) == -1; shared != c.shared {
			t.Errorf("%s: shared is %v", name, shared)
		}
		got.Set(0, 0, old)
	}
}

func TestToMat(t *testing.T) {
	whole := matrix.New(4, 5)
	for i := range whole.Data {
		whole.Data[i] = float64(i)
	}
	part := whole.View(1, 2, 3, 2)
	m := gonummat.ToMat(part)
	matrixtest.SameBits(t, "there and back", gonummat.FromMat(m), part)
	m.Set(2, 1, -1)
	if part.At(2, 1) != -1 {
		t.Error("the data are not shared")
	}
	// gonum computes with a matrix that has gaps between its rows.
	var product mat.Dense
	product.Mul(m, m.T())
	matrixtest.SameBits(t, "a product of small integers", gonummat.FromMat(&product), matrix.Mul(nil, part, matrix.NoTrans, part, matrix.Transposed))
	if empty := gonummat.ToMat(matrix.New(0, 3)); !empty.IsEmpty() {
		t.Errorf("no rows: %v", empty)
	}
}
