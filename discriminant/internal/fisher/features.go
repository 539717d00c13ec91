package fisher

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// features is a table that is centred and scaled by columns. Features that are
// constant up to rounding are left out. x = (feature − mean)·2^(−exp), exactly but
// for the subtraction, so that no square overflows or underflows.
type features struct {
	x     *matrix.Dense // n×k, or rows that stand for n others: see stand
	rows  int           // n
	stand bool          // x are the class means, times the roots of their sizes, and below them rows of the within-class scatter
	exp   []int
	sizes []float64 // norms of the columns, in units of x, before their means were subtracted
	at    []int     // which feature a column is
	means []float64 // of all features, as they are

	weights Weights // of the rows
	error   float64 // of rows that stand for others, relative to x
}

// centreFeatures centres the n×d rows. A feature is constant where its deviations
// have a norm of at most n·u times its own. Means and norms are weighted.
func centreFeatures(rows *matrix.Dense, weights Weights) *features {
	n, d := rows.Rows, rows.Cols
	f := &features{x: matrix.New(n, d), rows: n, means: make([]float64, d), weights: weights}
	column := make([]float64, n)
	for j := range d {
		for i := range column {
			column[i] = rows.At(i, j)
		}
		exp, size, mean := Centre(column, weights)
		f.means[j] = math.Ldexp(mean, exp)
		if Norm(column, weights) > ColumnRounding(n, size) {
			f.add(j, column, exp, size)
		}
	}
	f.x = f.x.View(0, 0, n, len(f.at))
	return f
}

// add makes feature j, in those units and of that size, the next column of x.
func (f *features) add(j int, column []float64, exp int, size float64) {
	for i, v := range column {
		f.x.Set(i, len(f.at), v)
	}
	f.exp, f.sizes, f.at = append(f.exp, exp), append(f.sizes, size), append(f.at, j)
}

// centred returns rows that stand for those of the moments. The factor has an error of its own in every
// column, relative to that before means are subtracted; where that is all, the feature is constant.
func (f *Moments) centred() *features {
	between, within := f.features()
	c, d := between.Rows, between.Cols
	t := &features{x: matrix.New(c+d, d), rows: f.rows, stand: true, means: f.Means}
	column := make([]float64, c+d)
	for l := range d {
		for i := range column {
			if i < c {
				column[i] = between.At(i, l)
			} else {
				column[i] = within.At(i-c, l)
			}
		}
		exp := toUnit(column)
		size, mean := Norm(column, nil), math.Ldexp(f.Means[l], -exp)
		for j, weight := range f.Sizes {
			column[j] = math.FMA(-math.Sqrt(weight), mean, column[j])
		}
		rounding := float64(f.rounding() * size)
		if norm := Norm(column, nil); norm > math.Max(rounding, ColumnRounding(f.rows, size)) {
			t.error = math.Max(t.error, rounding/norm)
			t.add(l, column, exp, size)
		}
	}
	t.x = t.x.View(0, 0, c+d, len(t.at))
	return t
}

// classes returns the class means, and the deviations from them times the roots of weights.
func (f *features) classes(of *Classes) (means, deviations *matrix.Dense) {
	if !f.stand {
		means = of.Centroids(f.x)
		return means, of.Deviations(f.x, means)
	}
	c, k := len(of.Sizes), f.x.Cols
	means = f.x.View(0, 0, c, k).Clone()
	for j, size := range of.Sizes {
		divideBy(means.View(j, 0, 1, k), math.Sqrt(size))
	}
	return means, f.x.View(c, 0, f.x.Rows-c, k).Clone()
}

// ColumnRounding returns n·u·size: a column of n values of that norm is constant where the
// norm of its deviations is at most that.
func ColumnRounding(n int, size float64) float64 { return float64(float64(float64(n)*u) * size) }

// Norm returns √(Σ wᵢvᵢ²).
func Norm(values []float64, weights Weights) float64 { return math.Sqrt(weights.SumSquares(values)) }

// Centre scales the values by the power of two 2^(−exp) that brings the largest
// into [1/2, 1), and subtracts their mean, in two passes. It returns the norm before
// that and the mean, both of the scaled values.
func Centre(values []float64, weights Weights) (exp int, size, mean float64) {
	exp = toUnit(values)
	if size = Norm(values, weights); size == 0 {
		return 0, 0, 0
	}
	return exp, size, subtractMean(values, weights)
}

// toUnit scales values by 2^(−exp), which brings the largest into [1/2, 1).
func toUnit(values []float64) (exp int) {
	largest := 0.0
	for _, v := range values {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0
	}
	_, exp = math.Frexp(largest)
	scale := scaleBy(-exp)
	for i, v := range values {
		values[i] = scale.value(v)
	}
	return exp
}

// unify makes the unit of all columns the same, 2^exp with the largest exp that a column has.
func (f *features) unify() (exp int) {
	exp = slices.Max(f.exp)
	by := make([]int, len(f.exp))
	for j, e := range f.exp {
		by[j] = exp - e
	}
	f.rescale(by)
	return exp
}

func (f *features) clone() *features {
	g := *f
	g.x, g.exp, g.sizes = f.x.Clone(), slices.Clone(f.exp), slices.Clone(f.sizes)
	return &g
}

// rescale changes the unit of the columns of f and of the other matrices, which
// have the same columns, by 2^by[j].
func (f *features) rescale(by []int, others ...*matrix.Dense) {
	for j, e := range by {
		s := scaleBy(-e)
		for _, a := range append(others, f.x) {
			s.matrix(a.View(0, j, a.Rows, 1))
		}
		f.exp[j] += e
		f.sizes[j] = s.value(f.sizes[j])
	}
}

// weighed returns the rows times the roots of their weights.
func (f *features) weighed() *matrix.Dense { return f.weights.Rooted(f.x) }

// rounded bounds the relative error that weights make in sums of rows, or that rows have which stand
// for others.
func (f *features) rounded() float64 {
	if f.weights == nil {
		return f.error
	}
	return 2 * entryRounding
}

// column returns which feature column j of x is, −1 where it is not one.
func (f *features) column(j int) int {
	if f.at == nil {
		return -1
	}
	return f.at[j]
}

// unscaled returns, for all d features as they are, the weights w of the columns
// of x.
func (f *features) unscaled(w *matrix.Dense) (*matrix.Dense, error) {
	all := matrix.New(len(f.means), w.Cols)
	for l, j := range f.at {
		scale := scaleBy(-f.exp[l])
		for k, v := range w.Row(l) {
			v = scale.value(v)
			if math.IsInf(v, 0) {
				return nil, &ColumnRangeError{Col: j}
			}
			all.Set(j, k, v)
		}
	}
	return all, nil
}

// size is the norm of the table, before its means were subtracted.
func (f *features) size() float64 {
	s := 0.0
	for _, v := range f.sizes {
		s = math.FMA(v, v, s)
	}
	return math.Sqrt(s)
}

// noise is the norm of what rounding the features may have changed in x, times n
// or the number of columns: singular values below that are taken for 0.
func (f *features) noise() float64 {
	return float64(float64(float64(max(f.rows, f.x.Cols))*u) * f.size())
}

// contrastsOfMeans returns (QᵀX)ᵀ, k×(c−1), for rows X with the c×k class means
// and the contrasts Q.
func contrastsOfMeans(means *matrix.Dense, sizes []float64) *matrix.Dense {
	q := classContrasts(sizes)
	for j, l := range sizes {
		row := q.Row(j)
		for k, v := range row {
			row[k] = float64(v * l)
		}
	}
	return matrix.Mul(nil, means, matrix.Transposed, q, matrix.NoTrans)
}
