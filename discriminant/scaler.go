package discriminant

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// Scaling names how the features are scaled before the kernel sees them.
type Scaling uint8

const (
	// NoScaling leaves the features as they are.
	NoScaling Scaling = iota
	// Standard subtracts each column's mean and divides by its population
	// standard deviation. A column that is constant, see [Scaler], becomes 0.
	Standard
	// MinMax maps each column's range to [0, 1]. A column that is constant
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
//
// A column of n values is constant where its deviations from its mean have a norm of
// at most n·u times its own, u = 2⁻⁵³: what rounding alone can make, as of shares that
// sum to one. Any larger spread is information, however small beside the values: 1e-9
// about 1 is scaled like any other. A constant column has the scale 1, and a value
// whose distance from the shift is within twice that bound, as all those of the fit are,
// becomes exactly 0; another value of a new row is only shifted.
type Scaler struct {
	kind         Scaling
	shift, scale []float64
	rounding     []float64 // of a constant column: distances from the shift that count as 0; else −1
}

// FitScaler measures the columns of x, n rows of d features. Cost: O(nd). Rows may have
// weights, as in [Fit]: means and standard deviations are weighted, and a row of weight 0 is
// absent.
//
// The errors are *[RowsError] for no rows, *[ParameterError] for a kind that
// there is not, *[matrix.NotFiniteError] for a value that is not finite, and
// *[ColumnRangeError] for a column whose spread overflows.
func FitScaler(kind Scaling, x *matrix.Dense, weights ...float64) (*Scaler, error) {
	misuse.NotNil("discriminant: FitScaler", "x", x)
	if err := kind.validate(); err != nil {
		return nil, err
	}
	if x.Rows == 0 {
		return nil, &RowsError{}
	}
	t, err := newWeighed(x, weights, false)
	if err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(t.x); err != nil {
		return nil, err
	}
	return newScaler(kind, t.x, t.weights)
}

// newScaler is FitScaler for rows that have been checked.
func newScaler(kind Scaling, x *matrix.Dense, weights fisher.Weights) (*Scaler, error) {
	s := &Scaler{kind: kind, shift: make([]float64, x.Cols), scale: make([]float64, x.Cols), rounding: make([]float64, x.Cols)}
	column, centred := make([]float64, x.Rows), make([]float64, x.Rows)
	for j := range x.Cols {
		for i := range x.Rows {
			column[i] = x.Row(i)[j]
		}
		copy(centred, column)
		exp, size, mean := fisher.Centre(centred, weights)
		shift, scale, rounding := 0.0, 1.0, -1.0
		switch limit := fisher.ColumnRounding(len(column), size); {
		case kind == NoScaling:
		case fisher.Norm(centred, weights) <= limit:
			shift, rounding = math.Ldexp(mean, exp), math.Ldexp(limit, exp+1)
		case kind == Standard:
			shift, scale = standardise(column, weights)
		default:
			shift, scale = rangeOf(column)
		}
		if !(scale > 0) || math.IsInf(scale, 1) {
			return nil, &ColumnRangeError{Col: j}
		}
		s.shift[j], s.scale[j], s.rounding[j] = shift, scale, rounding
	}
	return s, nil
}

// standardise returns the mean and the population standard deviation of values, not all
// equal, which it overwrites.
func standardise(values []float64, weights fisher.Weights) (mean, sd float64) {
	lo, width := rangeOf(values)
	// The values are taken relative to the range first, so that neither the sum
	// of the values nor that of their squares can overflow or underflow.
	n := weights.Total(len(values))
	for i, v := range values {
		values[i] = (v - lo) / width
	}
	m := weights.Mean(values)
	for i := range values {
		values[i] -= m
	}
	sd = math.Sqrt(weights.SumSquares(values) / n)
	return math.FMA(m, width, lo), float64(sd * width)
}

// rangeOf returns the least value and the distance to the greatest.
func rangeOf(values []float64) (lo, width float64) {
	lo, hi := slices.Min(values), slices.Max(values)
	return lo, hi - lo
}

// Constant returns the columns, ascending, that are constant up to rounding, and so
// have no part in a projection.
func (s *Scaler) Constant() []int {
	s.needs("Constant")
	var columns []int
	for j, bound := range s.rounding {
		if bound >= 0 {
			columns = append(columns, j)
		}
	}
	return columns
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

// Transform writes (x − Shift)/Scale to dst, which may be x itself but may not overlap
// it otherwise; a nil dst is allocated. A row with another number of columns is a
// *[FeatureError], a value that is not finite, before or after, a *[matrix.NotFiniteError].
func (s *Scaler) Transform(dst, x *matrix.Dense) (*matrix.Dense, error) {
	s.needs("Transform")
	return s.transform("Transform", dst, x, s.apply)
}

// InverseTransform writes z·Scale + Shift, rounded once, to dst, as Transform does with
// the same errors. What it returns for the Transform of x differs, in a column that is not
// constant, from x by at most
// u|x| + 2u|x − Shift|, to first order in u = 2⁻⁵³: it need not have the bits of x. The
// value 0 of a constant column comes back as its shift.
func (s *Scaler) InverseTransform(dst, z *matrix.Dense) (*matrix.Dense, error) {
	s.needs("InverseTransform")
	return s.transform("InverseTransform", dst, z, func(dst, z *matrix.Dense) {
		for i := range z.Rows {
			to := dst.Row(i)
			for j, v := range z.Row(i) {
				to[j] = math.FMA(v, s.scale[j], s.shift[j])
			}
		}
	})
}

// transform checks the arguments of a method, and what it writes.
func (s *Scaler) transform(name string, dst, x *matrix.Dense, apply func(dst, x *matrix.Dense)) (*matrix.Dense, error) {
	misuse.NotNil("discriminant: "+name, "x", x)
	if x.Cols != len(s.shift) {
		return nil, &FeatureError{Got: x.Cols, Want: len(s.shift)}
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	if dst == nil {
		dst = matrix.New(x.Rows, x.Cols)
	}
	if dst != x {
		checkDestination(name, dst, x, x.Rows, x.Cols)
	}
	apply(dst, x)
	if err := matrix.CheckFinite(dst); err != nil {
		return nil, err
	}
	return dst, nil
}

func (s *Scaler) apply(dst, x *matrix.Dense) {
	for i := range x.Rows {
		from, to := x.Row(i), dst.Row(i)
		for j, v := range from {
			v -= s.shift[j]
			if math.Abs(v) <= s.rounding[j] {
				v = 0
			}
			to[j] = v / s.scale[j]
		}
	}
}

// fields names those of the scaling of a table.
func (s *Scaler) fields(c *codec) {
	c.section("scaler")
	s.shiftScale(c, c.cols)
	var constant []int
	if !c.reading() {
		constant = s.Constant()
	}
	if !c.ok() || !c.optional("constant", constant != nil, true) {
		return
	}
	last, n := -1, c.count("columns", len(constant), 16)
	for i := range n {
		j, rounding := 0, 0.0
		if !c.reading() {
			j, rounding = constant[i], s.rounding[constant[i]]
		}
		c.int("column", &j)
		c.float64("rounding", &rounding)
		if j <= last || j >= len(s.scale) || s.scale[j] != 1 || rounding < 0 {
			c.fail("column", "%d is not a constant column", j)
			break
		}
		if last = j; c.reading() {
			s.rounding[j] = rounding
		}
	}
}

// shiftScale names the two fields of a scaling of dim columns.
func (s *Scaler) shiftScale(c *codec, dim uint64) {
	c.floats("shift", &s.shift)
	c.floats("scale", &s.scale)
	if uint64(len(s.shift)) != dim || uint64(len(s.scale)) != dim {
		c.fail("scale", "%s and %s for %s", plural.Count(len(s.shift), "shift"), plural.Count(len(s.scale), "scale"), plural.Count(dim, "column"))
	}
	for _, v := range s.scale {
		if v <= 0 {
			c.fail("scale", "%v is not positive", v)
		}
	}
	if c.reading() {
		s.rounding = slices.Repeat([]float64{-1}, len(s.scale))
	}
}

// needs panics where s is nil, as for a model without scaling.
func (s *Scaler) needs(method string) {
	if s == nil {
		panic("discriminant: " + method + " of a nil Scaler: Scaler returns nil for a model that does not scale its features")
	}
}
