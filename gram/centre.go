package gram

import (
	"fmt"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Centring moves the origin of the feature space to the mean of the training
// rows (Schölkopf, Smola & Müller 1998, appendix A). With means over the
// training rows,
//
//	(HKH)ᵢⱼ  = Kᵢⱼ − meanⱼ Kᵢⱼ − meanᵢ Kᵢⱼ + mean K,                       H = I − 11ᵀ/n
//	k_c(x)ᵢ = k(xᵢ,x) − meanⱼ k(xᵢ,xⱼ) − meanⱼ k(xⱼ,x) + meanⱼₗ k(xⱼ,xₗ)
//
// A constant that is added to a kernel drops out of both. Therefore all means
// are taken of K − Shift, with Shift about the mean of K: what a large common
// part of the entries costs is only the rounding of the entries themselves.
//
// Where the training rows have weights, all means are weighted.
type Centring struct {
	Shift  float64   // the mean of the entries of K, rounded
	Means  []float64 // mean of each row of K − Shift
	Mean   float64   // mean of Means
	Shares []float64 // the training rows' shares in a mean; nil: 1/n each
	Total  float64   // their weights together; 0 without Shares
}

// NewCentring takes the means of the symmetric n×n kernel matrix k. All means
// are sums as in matrix.Sum, over n; the sum of k's entries must not overflow.
// It reads k twice.
func NewCentring(k *matrix.Dense) *Centring {
	misuse.NotNil("gram: NewCentring", "k", k)
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("gram: NewCentring: kernel matrix is %d×%d", k.Rows, k.Cols))
	}
	return newCentring(k, matrix.RowMeans(nil, k))
}

// WeightedCentring is [NewCentring] with rows of those weights, positive and as many as k has.
func WeightedCentring(k *matrix.Dense, weights []float64) *Centring {
	misuse.NotNil("gram: WeightedCentring", "k", k)
	n := len(weights)
	if k.Rows != n || k.Cols != n {
		panic(fmt.Sprintf("gram: WeightedCentring: kernel matrix is %d×%d, with %d weights", k.Rows, k.Cols, n))
	}
	c := &Centring{Means: make([]float64, n), Shares: make([]float64, n), Total: matrix.Sum(weights)}
	for i, w := range weights {
		c.Shares[i] = w / c.Total
	}
	rowMeans := make([]float64, n)
	eachRows(n, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rowMeans[i] = c.RowMean(k.Row(i))
		}
	})
	c.Shift = c.RowMean(rowMeans)
	c.takeMeans(k)
	return c
}

// RowMean returns the mean of values of the training rows.
func (c *Centring) RowMean(values []float64) float64 {
	if c.Shares == nil {
		return matrix.Sum(values) / float64(len(values))
	}
	return matrix.Dot(values, c.Shares)
}

// CentreInPlace overwrites the kernel matrix k, whose rows have the given means, by HKH, as
// [NewCentring] and [Centring.Matrix] do, and calls each with every row of that, on
// several goroutines at the same time. It reads k twice.
func CentreInPlace(k *matrix.Dense, rowMeans []float64, each func(i int, row []float64)) *Centring {
	misuse.NotNil("gram: CentreInPlace", "k", k, "each", each)
	if k.Rows != k.Cols || len(rowMeans) != k.Rows {
		panic(fmt.Sprintf("gram: CentreInPlace: kernel matrix is %d×%d, with %d means", k.Rows, k.Cols, len(rowMeans)))
	}
	c := newCentring(k, rowMeans)
	c.matrix(k, k, each)
	return c
}

// newCentring takes the means of k, those of its rows being known.
func newCentring(k *matrix.Dense, rowMeans []float64) *Centring {
	n := k.Rows
	c := &Centring{Shift: matrix.Sum(rowMeans) / float64(n), Means: make([]float64, n)}
	c.takeMeans(k)
	return c
}

// takeMeans sets the means of the rows of k − Shift.
func (c *Centring) takeMeans(k *matrix.Dense) {
	n := k.Rows
	buffers := sync.Pool{New: func() any {
		b := make([]float64, n)
		return &b
	}}
	eachRows(n, n, func(lo, hi int) {
		shifted := buffers.Get().(*[]float64)
		defer buffers.Put(shifted)
		for i := lo; i < hi; i++ {
			c.Means[i] = c.shift(*shifted, k.Row(i))
		}
	})
	c.Mean = c.RowMean(c.Means)
}

// eachRows calls f for some of n rows after the other, on workers where rows of that
// many columns are worth it.
func eachRows(n, cols int, f func(lo, hi int)) {
	team := block.TeamFor(n, cols)
	defer team.Close()
	team.Rows(n, f)
}

// shift sets dst to row − Shift and returns the mean of that.
func (c *Centring) shift(dst, row []float64) float64 {
	copy(dst, row)
	f64.Shift(dst, -c.Shift)
	return c.RowMean(dst)
}

// row sets dst to the centred row, given the mean of row − Shift.
func (c *Centring) row(dst, row []float64, mean float64) {
	copy(dst, row)
	f64.Shift(dst, -c.Shift)
	c.centre(dst, mean)
}

// centre overwrites row − Shift, whose mean is given, by the centred row.
//
//	fl(fl(fl(row[j] − Shift) − fl(mean + Means[j])) + Mean)
//
// is symmetric in the two rows that meet in an entry of K.
func (c *Centring) centre(shifted []float64, mean float64) {
	f64.Centre(shifted, c.Means, mean, c.Mean)
}

// Order returns n, the number of training rows.
func (c *Centring) Order() int { return len(c.Means) }

// Matrix sets dst to HKH, exactly symmetric if k is, and returns it. k is the
// matrix whose means c holds; dst may be k, must not overlap it otherwise, and
// nil allocates it.
func (c *Centring) Matrix(dst, k *matrix.Dense) *matrix.Dense {
	misuse.NotNil("gram: Centring.Matrix", "k", k)
	dst = c.destination("Matrix", dst, k, c.Order())
	c.matrix(dst, k, func(int, []float64) {})
	return dst
}

func (c *Centring) matrix(dst, k *matrix.Dense, each func(i int, row []float64)) {
	eachRows(len(c.Means), len(c.Means), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.row(dst.Row(i), k.Row(i), c.Means[i])
			each(i, dst.Row(i))
		}
	})
}

// Cross sets dst to the centred kernel values of new rows, k_c(x), one row of
// dst for each row of k, and returns it. k is m×n, as from Evaluator.Cross; for
// the training rows themselves the result has the bits of Matrix. dst may be
// k, must not overlap it otherwise, and nil allocates it.
func (c *Centring) Cross(dst, k *matrix.Dense) *matrix.Dense {
	misuse.NotNil("gram: Centring.Cross", "k", k)
	dst = c.destination("Cross", dst, k, k.Rows)
	for i := range k.Rows {
		row := dst.Row(i)
		c.centre(row, c.shift(row, k.Row(i)))
	}
	return dst
}

func (c *Centring) destination(op string, dst, k *matrix.Dense, rows int) *matrix.Dense {
	n := c.Order()
	if k.Rows != rows || k.Cols != n {
		panic(fmt.Sprintf("gram: Centring.%s: kernel values are %d×%d, the means are those of %d×%d", op, k.Rows, k.Cols, n, n))
	}
	if dst == nil {
		return matrix.New(rows, n)
	}
	if dst.Rows != rows || dst.Cols != n {
		panic(fmt.Sprintf("gram: Centring.%s: destination %d×%d for a %d×%d result", op, dst.Rows, dst.Cols, rows, n))
	}
	if dst != k && matrix.Overlap(dst, k) {
		panic(fmt.Sprintf("gram: Centring.%s: destination %d×%d overlaps the kernel values %d×%d", op, dst.Rows, dst.Cols, k.Rows, k.Cols))
	}
	return dst
}
