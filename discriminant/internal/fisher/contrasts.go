package fisher

import (
	"context"
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// contrasts returns the n×(c−1) Helmert contrasts Q of the classes: orthonormal,
// orthogonal to the constant vector, constant on each class. With
// L_k = l₁ + … + l_k, column k is
//
//	−√(l_{k+1} / (L_k L_{k+1}))  on rows of classes ≤ k,
//	+√(L_k / (l_{k+1} L_{k+1}))  on rows of class k+1,  and 0 elsewhere,
//
// so that (KQ)(KQ)ᵀ is the between-class scatter M. For the class-averaged
// scatter they are those of c rows, times √c/l for a class of l rows, which are
// not orthonormal. With weights l is a sum of weights, and rows are times √w.
func contrasts(of *Classes, averaged bool) *matrix.Dense {
	perClass := classContrasts(of.Sizes)
	if averaged {
		perClass = averagedContrasts(of.Sizes)
	}
	q := matrix.New(len(of.Codes), perClass.Cols)
	for i, j := range of.Codes {
		copy(q.Row(i), perClass.Row(j))
	}
	return of.Weights.TimesRoots(q)
}

// classContrasts returns the entries of the contrasts on the rows of each class, c×(c−1), for
// classes of those sizes.
func classContrasts(sizes []float64) *matrix.Dense {
	c := len(sizes)
	below, own := make([]float64, c), make([]float64, c) // of column k−1, by class k
	before := 0.0
	for k, l := range sizes {
		total := before + l
		if k > 0 {
			below[k] = -math.Sqrt(l / float64(before*total))
			own[k] = math.Sqrt(before / float64(l*total))
		}
		before = total
	}
	q := matrix.New(c, c-1)
	for j := range c {
		row := q.Row(j)
		if j > 0 {
			row[j-1] = own[j]
		}
		for k := j + 1; k < c; k++ {
			row[k-1] = below[k]
		}
	}
	return q
}

// averagedContrasts is classContrasts for the class-averaged scatter.
func averagedContrasts(sizes []float64) *matrix.Dense {
	c := len(sizes)
	q := classContrasts(repeated(1, c))
	for j, l := range sizes {
		f := math.Sqrt(float64(c)) / l
		row := q.Row(j)
		for k, v := range row {
			row[k] = float64(f * v)
		}
	}
	return q
}

// contrastsOf returns KQ, n×(c−1), for the symmetric k. The columns of Q sum to
// zero, so that taking its mean off a row of K changes nothing, but for the
// rounding: where the kernel's values have a large mean, KQ would be what is left
// of it after cancellation, with an error of u times the mean. With weights they have no share
// of √w, nor have the rows then.
func contrastsOf(k, q *matrix.Dense, weights Weights) contrastProducts {
	n := k.Rows
	var axis []float64
	if weights != nil {
		axis = weights.axis(n)
	}
	squares := make([]float64, n) // of the norms of the rows less their means
	kq := matrix.New(n, q.Cols)
	rows := min(n, contrastsRows)
	tiles := sync.Pool{New: func() any { return matrix.New(rows, n) }}
	packed := block.PackB(block.Mat(*q), false)
	team := block.TeamFor(n, n, q.Cols)
	defer team.Close()
	team.Do((n+rows-1)/rows, func(task int) {
		tile := tiles.Get().(*matrix.Dense)
		defer tiles.Put(tile)
		i := task * rows
		t := tile.View(0, 0, min(rows, n-i), n)
		t.CopyFrom(k.View(i, 0, t.Rows, n))
		for r := range t.Rows {
			row := t.Row(r)
			if axis == nil {
				f64.Shift(row, -matrix.Sum(row)/float64(n))
			} else {
				takeOut(row, axis)
			}
			squares[i+r] = matrix.SumSquares(row)
		}
		block.Run(nil, block.Job{
			Op: f64.Product, C: block.Mat(*kq.View(i, 0, t.Rows, q.Cols)), A: block.Mat(*t), B: block.Mat(*q), Panels: packed,
		})
	})
	norm, size := math.Sqrt(matrix.Sum(squares)), 0.0
	for _, v := range columnNorms(q) {
		size = math.Max(size, v)
	}
	return contrastProducts{kq, repeated(float64(chainError(n+1)*float64(norm*size)), q.Cols)}
}

// takeOut takes its share of a unit vector out of row.
func takeOut(row, axis []float64) {
	share := matrix.Dot(row, axis)
	for j, q := range axis {
		row[j] = math.FMA(-share, q, row[j])
	}
}

// contrastsRows is the number of rows of kernel values less their means that a worker
// holds at a time.
const contrastsRows = 8

// exactContrasts are products of K with contrasts in doubled precision.
type exactContrasts struct {
	ctx    context.Context
	source solve.Source // of K
	of     *unitMatrix  // K
}

// product returns KQ, exactly but for its last rounding, for contrasts that are orthogonal
// to the constant vector q₀ up to rounding: the common mode Kq₀, which may be large, is
// taken out with what they hold of q₀.
func (e *exactContrasts) product(q *matrix.Dense) (contrastProducts, error) {
	both, err := solve.Product(e.ctx, e.source, beside(e.of.q0(), q))
	if err != nil {
		return contrastProducts{}, err
	}
	held := matrix.New(1, q.Cols)
	for j := range q.Cols {
		held.Set(0, j, meanOf(q, j, e.of.weights))
	}
	kq := both.View(0, 1, q.Rows, q.Cols)
	matrix.SubMul(kq, both.View(0, 0, q.Rows, 1), matrix.NoTrans, held, matrix.NoTrans)
	kq = kq.Clone()
	errors := columnNorms(kq)
	for j, v := range errors {
		errors[j] = float64(4*u*v) + float64(4*u*u*float64(float64(q.Rows)*e.of.norm))
	}
	return contrastProducts{kq, errors}, nil
}

// constantColumn returns the n×1 matrix q₀ of entries 1/√n.
func constantColumn(n int) *matrix.Dense {
	q := matrix.New(n, 1)
	for i := range q.Data {
		q.Data[i] = 1 / math.Sqrt(float64(n))
	}
	return q
}

// withConstant returns [q₀ Q].
func (s *scaledProblem) withConstant() *matrix.Dense { return beside(s.q0(), s.q) }

// meanOf returns q₀ᵀf of column j of F, in doubled precision.
func meanOf(f *matrix.Dense, j int, weights Weights) float64 {
	if weights == nil {
		return columnSums(f.View(0, j, f.Rows, 1))[0] / math.Sqrt(float64(f.Rows))
	}
	sum, low := 0.0, 0.0
	for i := range f.Rows {
		sum, low = f64.AddProduct(sum, low, weights.root(i), f.At(i, j))
	}
	return (sum + low) / math.Sqrt(weights.Total(f.Rows))
}
