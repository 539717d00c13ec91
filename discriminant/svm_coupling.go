package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// couple fills w.posteriors from the probabilities r_ij = P(class i | i or j) that
// the machines' values give: the p with Σ p_i = 1 that minimises
//
//	Σ_{i<j} (r_ji p_i − r_ij p_j)² = ½ pᵀQp,  Q_ii = Σ_j r_ji²,  Q_ij = −r_ji r_ij
//
// (Wu, Lin & Weng, "Probability estimates for multi-class classification by pairwise
// coupling", JMLR 5, 2004, second approach). At the minimum all entries of Qp are
// equal, so p is the solution of (Q + eeᵀ)y = e, e all ones, divided by its sum; the
// matrix is positive definite (their theorem 3) and is factored by Cholesky. All p_i are
// positive, far above rounding: the r_ij are bounded away from 0. For two
// classes p is r, and so rises with the value of the machine to the last bit.
func (r *voting) couple(w *workspace, values *matrix.Dense) {
	c := r.classes
	resize(&w.posteriors, values.Rows, c)
	resize(&w.coupling, c, c)
	for i := range values.Rows {
		p := w.posteriors.Row(i)
		if c == 2 {
			first, second := r.sigmoids[0].pair(values.At(i, 0))
			p[0], p[1] = min(first, 1-leastProbability), min(second, 1-leastProbability)
			continue
		}
		r.system(&w.coupling, values.Row(i))
		solveOnes(p, &w.coupling)
		sum := 0.0
		for _, v := range p { // positive: no pair's probability is below 1e-7
			sum += v
		}
		for j := range p {
			p[j] /= sum
		}
	}
}

// system makes the lower triangle of q that of Q + eeᵀ.
func (r *voting) system(q *matrix.Dense, values []float64) {
	for i := range q.Rows {
		clear(q.Row(i))
		q.Set(i, i, 1)
	}
	p := 0
	for a := range r.classes {
		for b := a + 1; b < r.classes; b++ {
			first, second := r.sigmoids[p].pair(values[p])
			q.Set(a, a, math.FMA(second, second, q.At(a, a)))
			q.Set(b, b, math.FMA(first, first, q.At(b, b)))
			q.Set(b, a, math.FMA(-first, second, 1))
			p++
		}
	}
}

// solveOnes solves Ay = e for a small positive definite A, of which it reads the
// lower triangle and overwrites it.
func solveOnes(y []float64, a *matrix.Dense) {
	n := len(y)
	for j := range n {
		for i := j; i < n; i++ {
			s := a.At(i, j)
			for k := range j {
				s = math.FMA(-a.At(i, k), a.At(j, k), s)
			}
			if i == j {
				a.Set(j, j, math.Sqrt(s))
			} else {
				a.Set(i, j, s/a.At(j, j))
			}
		}
	}
	for i := range n {
		s := 1.0
		for k := range i {
			s = math.FMA(-a.At(i, k), y[k], s)
		}
		y[i] = s / a.At(i, i)
	}
	for i := n - 1; i >= 0; i-- {
		s := y[i]
		for k := i + 1; k < n; k++ {
			s = math.FMA(-a.At(k, i), y[k], s)
		}
		y[i] = s / a.At(i, i)
	}
}
