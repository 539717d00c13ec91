package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// ledoitWolf returns the intensity s = β²/δ² at which shrinking C = AᵀA/n towards
// μI, μ = tr(C)/d, is nearest to the covariance in expectation (Ledoit and Wolf,
// "A well-conditioned estimator for large-dimensional covariance matrices", J.
// Multivariate Anal. 88, 2004), with
//
//	d δ² = ‖C − μI‖² = ‖C‖² − d μ²
//	d β² = (1/n²) Σᵢ ‖aᵢaᵢᵀ − C‖² = (1/n²) Σᵢ ‖aᵢ‖⁴ − ‖C‖²/n, at most d δ²
//
// for the rows aᵢ of the n×k matrix a, the other d − k features being constant. It
// does not depend on the unit of a. With weights a holds √wᵢaᵢ, and n is Σw. Cost:
// nk·min(n, k) flops.
func ledoitWolf(a *matrix.Dense, d int, weights Weights) float64 {
	n := weights.Total(a.Rows)
	gram := matrix.SymRankK(nil, a, matrix.Trans(a.Cols <= a.Rows))
	normC := matrix.NormFrobenius(gram) / n
	squareC := float64(normC * normC)
	fourth := make([]float64, a.Rows)
	trace := make([]float64, a.Rows)
	for i := range fourth {
		s := matrix.SumSquares(a.Row(i))
		trace[i] = s
		fourth[i] = float64(s*s) / weights.Of(i)
	}
	traceC := matrix.Sum(trace) / n
	delta := math.Max(0, squareC-float64(traceC*traceC)/float64(d))
	beta := math.Min(math.Max(0, matrix.Sum(fourth)/float64(n*n)-squareC/n), delta)
	if beta == 0 {
		return 0 // also where C = μI, which shrinking does not change
	}
	return beta / delta
}
