package gram

import (
	"errors"
	"reflect"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A kernel of some columns is that of a table of these, with its defaults and its errors.
func TestColumns(t *testing.T) {
	x := random(5, 70, 4, true)
	at := []int{1, 3}
	some := matrix.New(x.Rows, len(at))
	for i := range x.Rows {
		for j, from := range at {
			some.Set(i, j, x.At(i, from))
		}
	}
	for _, of := range []Kernel{RBF{}, Laplacian{}, NewPolynomial(2), Cosine{}, ChiSquared{}, Scaled{2, RBF{}}} {
		k := Columns{at, of}
		e := must.Get(NewEvaluator(k, x))(t)
		want := must.Get(NewEvaluator(of, some))(t)
		if got := (Columns{at, want.Kernel()}); !reflect.DeepEqual(e.Kernel(), Kernel(got)) {
			t.Errorf("%v became %v, want %v", k, e.Kernel(), got)
		}
		matrixtest.SameBits(t, k.String(), must.Get(e.Matrix(nil))(t), must.Get(want.Matrix(nil))(t))
		matrixtest.SameBits(t, k.String()+", new rows", must.Get(e.Cross(nil, x))(t), must.Get(want.Matrix(nil))(t))
	}
	var out *ParameterError
	if _, err := NewEvaluator(Columns{[]int{2, 4}, Linear{}}, x); !errors.As(err, &out) || out.Value != 4 {
		t.Errorf("column 4 of 4: %v", err)
	}
	x.Set(6, 3, -1)
	var domain *DomainError
	if _, err := NewEvaluator(Columns{at, ChiSquared{}}, x); !errors.As(err, &domain) || domain.Row != 6 || domain.Col != 3 {
		t.Errorf("a negative feature: %v", err)
	}
}

func TestEachColumns(t *testing.T) {
	one := func(at ...int) Kernel { return Columns{at, RBF{1}} }
	k := Sum{[]Kernel{Scaled{2, one(0, 2)}, Product{[]Kernel{one(1), Linear{}}}}}
	got := EachColumns(k, func(at int) []int { return [][]int{{0, 1}, nil, {1, 2}}[at] })
	if want := (Sum{[]Kernel{Scaled{2, one(0, 1, 2)}, Product{[]Kernel{one(), Linear{}}}}}); got.String() != want.String() {
		t.Errorf("%v, want %v", got, want)
	}
}
