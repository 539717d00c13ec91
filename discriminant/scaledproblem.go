package discriminant

import (
	"context"
	"math"
	"sync"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// scaledProblem is a problem in units in which max|K| is in [1, 2), for the summed
// scatter.
type scaledProblem struct {
	problem
	scale  binaryScale
	source solve.Source   // of the scaled matrix
	norm   float64        // ‖K‖_F
	within func() float64 // tr(N)/n, which is summed once; before K is overwritten

	q          *matrix.Dense // the contrasts
	kq         contrastProducts
	rank, take int // of KQ, and the number of directions wanted
}

// scaleProblem scales p.k in place. K = 0 is a *CoincidentMeansError.
func scaleProblem(p problem) (*scaledProblem, error) {
	scale, norm := scaleToUnit(p.k, nil)
	if norm == 0 {
		return nil, &CoincidentMeansError{}
	}
	s := &scaledProblem{problem: p, scale: scale, source: scaledSource{p.source, scale}, norm: norm}
	s.within = sync.OnceValue(func() float64 { return meanWithin(p, s.norm) })
	return s, nil
}

// findContrasts sets the contrasts, their rank and the number of directions.
func (s *scaledProblem) findContrasts() (err error) {
	s.q = contrasts(s.codes, s.counts, SummedScatter)
	s.kq = contrastsOf(s.k, s.q)
	if s.rank, err = contrastRank(s.kq.Dense, s.norm); err != nil {
		return err
	}
	s.take, err = componentsOf(s.problem, s.rank)
	return err
}

// product returns KQ in doubled precision, for contrasts that are orthogonal to the
// constant vector q₀ up to rounding: the common mode Kq₀, which may be large, is taken out
// with what they hold of q₀.
func (s *scaledProblem) product(ctx context.Context) func(q *matrix.Dense) (contrastProducts, error) {
	return func(q *matrix.Dense) (contrastProducts, error) {
		both, err := solve.Product(ctx, s.source, beside(constantColumn(q.Rows), q))
		if err != nil {
			return contrastProducts{}, err
		}
		held := matrix.New(1, q.Cols)
		for j := range q.Cols {
			held.Set(0, j, columnSum(q, j)/math.Sqrt(float64(q.Rows)))
		}
		kq := both.View(0, 1, q.Rows, q.Cols)
		matrix.SubMul(kq, both.View(0, 0, q.Rows, 1), matrix.NoTrans, held, matrix.NoTrans)
		kq = kq.Clone()
		errors := columnNorms(kq)
		for j, v := range errors {
			errors[j] = float64(4*u*v) + float64(4*u*u*float64(float64(q.Rows)*s.norm))
		}
		return contrastProducts{kq, errors}, nil
	}
}
