package solve

import (
	"context"
	"math"
	"slices"
	"testing"

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
		if _, err := FactorCholesky(context.Background(), a); err != nil {
			t.Fatal(err)
		}
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
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
