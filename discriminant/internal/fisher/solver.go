package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// columns are solutions W of a system: complex ones as two real matrices, and where it is
// known the product of K, or HKH, and the real part.
type columns struct {
	re, im, kre *matrix.Dense
	forward     float64 // bounds the relative error of each column, as it was solved for
}

// solver solves (K − iσI)W = F or (HKH + εI)W = F.
type solver interface {
	solve(f *matrix.Dense) (columns, error)
}

// view returns cols of the columns from j on.
func (a columns) view(j, cols int) columns {
	v := columns{re: a.re.View(0, j, a.re.Rows, cols), im: a.im.View(0, j, a.im.Rows, cols), forward: a.forward}
	if a.kre != nil {
		v.kre = a.kre.View(0, j, a.kre.Rows, cols)
	}
	return v
}

// add adds b, of which all parts are known, to a.
func (a columns) add(b columns) {
	for _, parts := range [][2]*matrix.Dense{{a.re, b.re}, {a.im, b.im}, {a.kre, b.kre}} {
		for i := range parts[0].Rows {
			row := parts[0].Row(i)
			for j, v := range parts[1].Row(i) {
				row[j] += v
			}
		}
	}
}

// inner returns the real inner products Re(aᴴb) of the columns.
func (a columns) inner(b columns) *matrix.Dense {
	p := matrix.Mul(nil, a.re, matrix.Transposed, b.re, matrix.NoTrans)
	matrix.AddMul(p, a.im, matrix.Transposed, b.im, matrix.NoTrans)
	return p
}

func (a columns) norms() []float64 {
	norms := columnNorms(a.re)
	for j, im := range columnNorms(a.im) {
		re := norms[j]
		norms[j] = math.Sqrt(math.FMA(re, re, float64(im*im)))
	}
	return norms
}

// columnSums returns the sums of the columns of a, in doubled precision.
func columnSums(a *matrix.Dense) []float64 {
	sums, low := make([]float64, a.Cols), make([]float64, a.Cols)
	team := block.TeamFor(a.Rows, a.Cols)
	defer team.Close()
	team.Rows(a.Cols, func(lo, hi int) {
		for i := range a.Rows {
			for j, v := range a.Row(i)[lo:hi] {
				sums[lo+j], low[lo+j] = f64.AddProduct(sums[lo+j], low[lo+j], 1, v)
			}
		}
		for j := lo; j < hi; j++ {
			sums[j] += low[j]
		}
	})
	return sums
}

// scaled returns f·a.
func scaled(a *matrix.Dense, f float64) *matrix.Dense { return scaledIn(nil, a, f) }

// scaledIn returns f·a in b, or in memory of its own where b is nil.
func scaledIn(b, a *matrix.Dense, f float64) *matrix.Dense {
	if b == nil {
		b = matrix.New(a.Rows, a.Cols)
	}
	for i := range a.Rows {
		to := b.Row(i)
		for j, v := range a.Row(i) {
			to[j] = float64(v * f)
		}
	}
	return b
}

// beside returns [a b].
func beside(a, b *matrix.Dense) *matrix.Dense {
	both := matrix.New(a.Rows, a.Cols+b.Cols)
	both.View(0, 0, a.Rows, a.Cols).CopyFrom(a)
	both.View(0, a.Cols, a.Rows, b.Cols).CopyFrom(b)
	return both
}

// scaledBy returns f times the values.
func scaledBy(values []float64, f float64) []float64 {
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = float64(f * v)
	}
	return scaled
}

// symmetrize replaces a, symmetric up to rounding, by (a + aᵀ)/2.
func symmetrize(a *matrix.Dense) {
	for i := range a.Rows {
		for j := range i {
			v := float64(0.5 * (a.At(i, j) + a.At(j, i)))
			a.Set(i, j, v)
			a.Set(j, i, v)
		}
	}
}

// columnNorms returns the norms of the columns.
func columnNorms(a *matrix.Dense) []float64 {
	norms := make([]float64, a.Cols)
	for j := range norms {
		norms[j] = matrix.NormFrobenius(a.View(0, j, a.Rows, 1))
	}
	return norms
}
