package matrix_test

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

func TestFromRows(t *testing.T) {
	a, err := matrix.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
	if err != nil || a.Rows != 2 || a.Cols != 3 || a.At(1, 2) != 6 {
		t.Fatalf("%+v, %v", a, err)
	}
	_, err = matrix.FromRows([][]float64{{1, 2}, {3}})
	if ragged, ok := errors.AsType[*matrix.RaggedError](err); !ok || *ragged != (matrix.RaggedError{Row: 1, Got: 1, Want: 2}) {
		t.Errorf("ragged rows: %v", err)
	}
	if a, err := matrix.FromRows(nil); err != nil || a.Rows != 0 {
		t.Errorf("no rows: %+v, %v", a, err)
	}
}

func TestViewsShareData(t *testing.T) {
	a := matrix.New(4, 5)
	v := a.View(1, 2, 2, 3)
	v.Set(1, 2, 7)
	if a.At(2, 4) != 7 {
		t.Error("a view does not share its matrix's data")
	}
	v.View(1, 1, 1, 2).Set(0, 0, 8)
	if a.At(2, 3) != 8 {
		t.Error("a view of a view does not")
	}
	c := v.Clone()
	c.Set(0, 0, 9)
	if a.At(1, 2) == 9 || c.Stride != 3 {
		t.Error("a clone shares data")
	}
	v.Zero()
	if a.At(2, 4) != 0 {
		t.Error("Zero left an element")
	}
	row := a.Row(0)
	if row = append(row, 5); a.At(1, 0) == 5 {
		t.Errorf("appending to a row overwrote the next one: %v", row)
	}
	values := []float64{1, 2, 3}
	column := matrix.Column(values)
	if values[2] = 4; column.Rows != 3 || column.Cols != 1 || column.At(2, 0) != 4 {
		t.Errorf("a column of 3 values is %d×%d, its last entry %v", column.Rows, column.Cols, column.At(2, 0))
	}
}

// Every index that is legal for a matrix without rows or columns works.
func TestEmptyMatrices(t *testing.T) {
	for _, s := range [][2]int{{0, 0}, {0, 3}, {3, 0}} {
		a := matrix.New(s[0], s[1])
		for i := range s[0] {
			if got := a.Row(i); len(got) != s[1] {
				t.Errorf("%v: row %d is %v", s, i, got)
			}
		}
		for _, v := range []*matrix.Dense{a.View(0, 0, s[0], s[1]), a.View(s[0], s[1], 0, 0), a.Clone()} {
			v.Zero()
			if err := matrix.CheckFinite(v); err != nil {
				t.Errorf("%v: %v", s, err)
			}
		}
	}
	a := matrix.New(3, 4)
	for j := range 5 {
		v := a.View(0, j, 3, 0) // columns j to j: none, but three rows
		for i := range 3 {
			if len(v.Row(i)) != 0 {
				t.Errorf("row %d of a view without columns at %d", i, j)
			}
		}
		w := v.View(1, 0, 2, 0)
		w.CopyFrom(matrix.New(2, 0))
		w.Zero()
	}
	a.View(3, 0, 0, 4).CopyFrom(matrix.New(0, 4))
	(&matrix.Dense{}).View(0, 0, 0, 0).Zero()
	(&matrix.Dense{Rows: 2}).Row(1)
}

func TestCheckFinite(t *testing.T) {
	a := padCopy(random(generator(11), 3, 4), 2)
	if err := matrix.CheckFinite(a.Dense); err != nil {
		t.Errorf("finite: %v", err)
	}
	a.Set(2, 0, math.NaN())
	a.Set(1, 3, math.Inf(-1))
	var bad *matrix.NotFiniteError
	if err := matrix.CheckFinite(a.Dense); !errors.As(err, &bad) || bad.Row != 1 || bad.Col != 3 || !math.IsInf(bad.Value, -1) {
		t.Errorf("%v", err)
	}
}

// The messages say what is wrong, where, and what is wanted.
func TestErrorMessages(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&matrix.RaggedError{Row: 3, Got: 2, Want: 4}, "matrix: row 3 has 2 values, the rows before it have 4"},
		{&matrix.NotFiniteError{Row: 1, Col: 2, Value: math.Inf(1)}, "matrix: element (1, 2) is +Inf; every value must be finite"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
