package fisher

import (
	"context"
	"math"
)

// Shrunk solves M α = λ tI α with t = tr(N)/n, what is left when the within-class
// scatter is shrunk all the way to a multiple of I:
//
//	(KQ)ᵀKQ v = λt v,   α = KQ v/(t√λ)
//
// Cost: O(n²c).
func Shrunk(ctx context.Context, p Problem) (*Solution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := p.scaled(false)
	if err != nil {
		return nil, err
	}
	t := s.meanWithin()
	if t == 0 {
		return nil, noScatterError(p.Regularizer)
	}
	ridge := math.Ldexp(t, -2*s.scale.exp)
	if ridge == 0 || math.IsInf(ridge, 0) {
		return nil, &RidgeError{Regularizer: p.Regularizer, Ridge: ridge, Reason: "tr(N)/n is outside the range of float64: scale the kernel"}
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	cert := Certificate{Solver: "means", CondBound: 1, Growth: 1, Passes: 1, Rank: s.rank}
	// The sum of n² squares, of values with a few roundings, that t is.
	rounded := s.weighedProducts() / math.Sqrt(float64(t*s.total))
	rounded = float64(rounded * s.largestClassWeight())
	rounded = float64(2*rounded) + float64(rounded*rounded)
	pairs, err := symmetricPairs(s.kq, s.kq.Dense, 0, 1, chainError(s.rows+32)+rounded)
	if err != nil {
		return nil, err
	}
	for k := range pairs.lambda {
		pairs.lambda[k] /= t
	}
	return s.solution(pairs, func(v, lambda float64) float64 { return v / float64(t*math.Sqrt(lambda)) }, ridge, &cert)
}
