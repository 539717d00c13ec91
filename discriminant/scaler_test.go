package discriminant

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestScaler(t *testing.T) {
	cases := []struct {
		name         string
		kind         Scaling
		values       []float64
		shift, scale float64
	}{
		{"standard", Standard, []float64{1, 2, 3, 4, 5}, 3, math.Sqrt2},
		{"offset", Standard, []float64{1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4, 1e15 + 5}, 1e15 + 3, math.Sqrt2},
		{"constant", Standard, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.1, 1},
		{"large", Standard, []float64{-1e307, 1e307}, 0, 1e307},
		{"small", Standard, []float64{-3e-300, 3e-300}, 0, 3e-300},
		{"minmax", MinMax, []float64{3, -1, 7}, -1, 8},
		{"minmax constant", MinMax, []float64{0.1, 0.1}, 0.1, 1},
		{"one row", Standard, []float64{42}, 42, 1},
	}
	for _, c := range cases {
		s, err := FitScaler(c.kind, matrix.Column(c.values))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		// A handful of roundings of values of the size of the scale.
		if d := math.Abs(s.Shift()[0] - c.shift); d > 8*u*math.Max(math.Abs(c.shift), c.scale) {
			t.Errorf("%s: shift = %v, want %v", c.name, s.Shift()[0], c.shift)
		}
		if d := math.Abs(s.Scale()[0] - c.scale); d > 8*u*c.scale {
			t.Errorf("%s: scale = %v, want %v", c.name, s.Scale()[0], c.scale)
		}
	}
}

// InverseTransform gives the rows back within the bound of its comment, in place too,
// and from 0 the shift of a constant column.
func TestScalerInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 1))
	x := matrix.New(50, 4)
	for i := range x.Rows {
		copy(x.Row(i), []float64{rng.NormFloat64(), 1e6 + rng.NormFloat64(), 1e-200 * rng.Float64(), 0.1})
	}
	for _, kind := range []Scaling{NoScaling, Standard, MinMax} {
		s := must.Get(FitScaler(kind, x))(t)
		z := must.Get(s.Transform(nil, x))(t)
		if back, err := s.InverseTransform(z, z); err != nil || back != z {
			t.Fatalf("%v: in place: %p for %p, error %v", kind, back, z, err)
		}
		for i := range x.Rows {
			for j, v := range x.Row(i) {
				bound := u * (math.Abs(v) + 2*math.Abs(v-s.Shift()[j])) * (1 + 4*u)
				if kind == NoScaling || j == 3 {
					bound = 2 * u * math.Abs(s.Shift()[j]) // the mean of equal values is rounded
				}
				if got := z.At(i, j); math.Abs(got-v) > bound {
					t.Errorf("%v: (%d, %d) comes back as %v, is %v", kind, i, j, got, v)
				}
			}
		}
	}
	s := must.Get(FitScaler(Standard, matrix.Column([]float64{-1e300, 1e300})))(t)
	var inf *matrix.NotFiniteError
	if _, err := s.InverseTransform(nil, matrix.Column([]float64{0, 1e9})); !errors.As(err, &inf) || inf.Row != 1 {
		t.Errorf("beyond the range: error %v", err)
	}
	must.Refuse[*FeatureError](s.InverseTransform(nil, matrix.New(1, 2)))(t, "two columns")
}

// A column of ten times 0.1 has no spread: it must become 0, not ±1 by the
// rounding of its mean, and a new row is only shifted.
func TestScalerConstantColumn(t *testing.T) {
	x := matrix.New(10, 2)
	for i := range 10 {
		x.Set(i, 0, 0.1)
		x.Set(i, 1, float64(i))
	}
	s := must.Get(FitScaler(Standard, x))(t)
	z := must.Get(s.Transform(nil, x))(t)
	for i := range 10 {
		must.Equal(t, fmt.Sprintf("row %d", i), z.At(i, 0), 0)
	}
	row := must.Get(s.Transform(nil, &matrix.Dense{Rows: 1, Cols: 2, Stride: 2, Data: []float64{0.3, 0}}))(t)
	if got := row.At(0, 0); math.Abs(got-0.2) > 2*u {
		t.Errorf("new row: %v, want 0.2", got)
	}
}

func TestScalerErrors(t *testing.T) {
	var finite *matrix.NotFiniteError
	if _, err := FitScaler(Standard, matrix.Column([]float64{1, math.NaN()})); !errors.As(err, &finite) || finite.Row != 1 {
		t.Errorf("NaN: %v", err)
	}
	must.Refuse[*ColumnRangeError](FitScaler(MinMax, matrix.Column([]float64{-1.7e308, 1.7e308})))(t, "overflowing range")
	must.Refuse[*RowsError](FitScaler(Standard, matrix.New(0, 3)))(t, "no rows")
	must.Refuse[*ParameterError](FitScaler(Scaling(9), matrix.Column([]float64{1})))(t, "unknown kind")
	s := must.Get(FitScaler(Standard, matrix.Column([]float64{1, 2})))(t)
	var features *FeatureError
	if _, err := s.Transform(nil, matrix.New(1, 2)); !errors.As(err, &features) || features.Got != 2 || features.Want != 1 {
		t.Errorf("two columns: %v", err)
	}
}

// Finite values that a scaling takes out of range are refused by their place, in Transform
// and in a model.
func TestScaledOutOfRange(t *testing.T) {
	x := &matrix.Dense{Rows: 4, Cols: 2, Stride: 2, Data: []float64{0, 1e-300, 1, 2e-300, 2, 4e-300, 4, 3e-300}}
	row := &matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, 2e-300, 1, 1e300}}
	for _, kind := range []Scaling{Standard, MinMax} {
		s := must.Get(FitScaler(kind, x))(t)
		var refused *matrix.NotFiniteError
		if z, err := s.Transform(nil, row); !errors.As(err, &refused) || refused.Row != 1 || refused.Col != 1 {
			t.Errorf("%v: %v, error %v", kind, z, err)
		}
		m := mustFit(t, KFDA{Scaling: kind}, x, []int{0, 0, 1, 1})
		if z, err := m.Project(nil, row); !errors.As(err, &refused) || refused.Row != 1 || refused.Col != 1 {
			t.Errorf("%v: projections %v, error %v", kind, z, err)
		}
	}
}
