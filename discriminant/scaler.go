package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Scaling names how the features are scaled before the kernel sees them.
type Scaling uint8

const (
	// NoScaling leaves the features as they are.
	NoScaling Scaling = iota
	// Standard subtracts each column's mean and divides by its population
	// standard deviation. A column without spread becomes 0.
	Standard
	// MinMax maps each column's range to [0, 1]. A column without spread
	// becomes 0.
	MinMax
	// AutoScaling is, for [KFDA] and [KernelRidge], Standard or NoScaling, whichever
	// predicts rows that are left out better, see there. A model has one of the two.
	AutoScaling
)

// String returns "none", "standard", "minmax" or "auto".
func (s Scaling) String() string {
	switch s {
	case NoScaling:
		return "none"
	case Standard:
		return "standard"
	case MinMax:
		return "minmax"
	case AutoScaling:
		return "auto"
	}
	return "invalid"
}

// validate returns a *[ParameterError] for a kind of scaling that there is not, or that is
// still to be chosen.
func (s Scaling) validate() error {
	if s > MinMax {
		return &ParameterError{Field: "Scaling", Value: s.String(), Reason: "want NoScaling, Standard or MinMax"}
	}
	return nil
}

// Scaler is a fitted column-wise map (x − Shift)/Scale. It is immutable and safe
// for concurrent use.
type Scaler struct {
	kind         Scaling
	shift, scale []float64
}

// FitScaler measures the columns of x, n rows of d features. A column all of
// whose values are equal has the scale 1, so that it becomes exactly 0; a new
// row's other value in it is only shifted. Cost: O(nd).
//
// The errors are *[RowsError] for no rows, *[ParameterError] for a kind that
// there is not, *[matrix.NotFiniteError] for a value that is not finite, and
// *[ColumnRangeError] for a column whose spread overflows.
func FitScaler(kind Scaling, x *matrix.Dense) (*Scaler, error) {
	notNil("FitScaler", "x", x)
	if err := kind.validate(); err != nil {
		return nil, err
	}
	if x.Rows == 0 {
		return nil, &RowsError{}
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	s := &Scaler{kind: kind, shift: make([]float64, x.Cols), scale: make([]float64, x.Cols)}
	column := make([]float64, x.Rows)
	for j := range x.Cols {
		for i := range x.Rows {
			column[i] = x.Row(i)[j]
		}
		shift, scale := 0.0, 1.0
		switch kind {
		case Standard:
			shift, scale = standardise(column)
		case MinMax:
			shift, scale = rangeOf(column)
		}
		if !(scale > 0) || math.IsInf(scale, 1) {
			return nil, &ColumnRangeError{Col: j}
		}
		s.shift[j], s.scale[j] = shift, scale
	}
	return s, nil
}

// standardise returns the mean and the population standard deviation of
// values, which it overwrites. Where all are equal it returns their value and 1.
func standardise(values []float64) (mean, sd float64) {
	lo, width := rangeOf(values)
	if allEqual(values) {
		return lo, 1
	}
	// The values are taken relative to the range first, so that neither the sum
	// of the values nor that of their squares can overflow or underflow.
	n := float64(len(values))
	for i, v := range values {
		values[i] = (v - lo) / width
	}
	m := matrix.Sum(values) / n
	for i := range values {
		values[i] -= m
	}
	// The mean of the deviations is the rounding error of m: removing it makes
	// the two-pass variance right to the last bits (Chan, Golub, LeVeque 1983).
	correction := matrix.Sum(values) / n
	sd = math.Sqrt(matrix.SumSquares(values)/n - float64(correction*correction))
	return math.FMA(m, width, lo), float64(sd * width)
}

// rangeOf returns the least value and the distance to the greatest, or 1 where
// that is 0.
func rangeOf(values []float64) (lo, width float64) {
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	if lo == hi {
		return lo, 1
	}
	return lo, hi - lo
}

func allEqual(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// Kind returns how the columns are scaled.
func (s *Scaler) Kind() Scaling {
	s.needs("Kind")
	return s.kind
}

// Shift returns a copy of what is subtracted from each column.
func (s *Scaler) Shift() []float64 {
	s.needs("Shift")
	return append([]float64(nil), s.shift...)
}

// Scale returns a copy of what each shifted column is divided by.
func (s *Scaler) Scale() []float64 {
	s.needs("Scale")
	return append([]float64(nil), s.scale...)
}

// Transform writes (x − Shift)/Scale to dst, which may be x itself; a nil dst is
// allocated. A row with another number of columns is a *[FeatureError], a value
// that is not finite, before or after, a *[matrix.NotFiniteError].
func (s *Scaler) Transform(dst, x *matrix.Dense) (*matrix.Dense, error) {
	s.needs("Transform")
	notNil("Transform", "x", x)
	if x.Cols != len(s.shift) {
		return nil, &FeatureError{Got: x.Cols, Want: len(s.shift)}
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	if dst == nil {
		dst = matrix.New(x.Rows, x.Cols)
	}
	checkShape("Transform", dst, x.Rows, x.Cols)
	s.apply(dst, x)
	if err := matrix.CheckFinite(dst); err != nil {
		return nil, err
	}
	return dst, nil
}

func (s *Scaler) apply(dst, x *matrix.Dense) {
	for i := range x.Rows {
		from, to := x.Row(i), dst.Row(i)
		for j, v := range from {
			to[j] = (v - s.shift[j]) / s.scale[j]
		}
	}
}
