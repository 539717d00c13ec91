package fisher

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Averaged solves M α = λ(N + εI)α as the textbooks do, for either scatter: N = ZZᵀ from
// the centred and weighted columns Z = KCD, its Cholesky factorization, and
//
//	(N + εI) Y = KQ,   S = (KQ)ᵀY,   S v = λ v,   α = Y v/√λ
//
// The condition number is the square of that of [Shifted], the memory twice as large.
// Cost: 4n³/3 flops.
func Averaged(ctx context.Context, p Problem) (*Solution, error) {
	s, err := p.scaled(false)
	if err != nil {
		return nil, err
	}
	ridge, sigma, err := s.sigma(p.Regularizer)
	if err != nil {
		return nil, err
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	scatter, epsilon := s.scatterWithin(), float64(sigma*sigma)
	for i := range scatter.Rows {
		scatter.Row(i)[i] += epsilon
	}
	cert := Certificate{Solver: "normal", CondBound: matrix.NormFrobenius(scatter) / epsilon, Growth: 1, Rank: s.rank, Passes: 1}
	// N is rounded when it is formed: that governs.
	cert.KernelRounding = s.kernelRounding(cert.CondBound)
	if err := cert.checkKernelRounding("ε (N is formed)"); err != nil {
		return nil, err
	}
	weighed := s.weighedProducts()
	source, trace := solve.NewUpper(scatter), diagonalSum(scatter)
	factor, err := solve.FactorCholesky(ctx, scatter)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, &AccuracyError{What: "the condition number of N + εI times n·u", Value: float64(float64(float64(s.rows)*u) * cert.CondBound), Limit: 1, Remedy: largerRidge}
	}
	if err != nil {
		return nil, err
	}
	y := s.kq.Dense.Clone()
	factor.Solve(y)
	refined, err := factor.Refine(ctx, source, solve.Known{Shift: epsilon, Inverse: 1 / epsilon}, s.kq.Dense, y, nil, refinementSteps)
	if err != nil {
		return nil, err
	}
	cert.record(refined)
	if err := cert.checkAccuracy(s.rows); err != nil {
		return nil, err
	}
	// The chains of N have n terms, its factor's entries some roundings; class means have
	// errors that count squared.
	n := float64(s.rows)
	means := float64(n * float64(n*u*s.norm))
	// So are DKD, and √w in the means.
	rounded := float64(float64(weighed*s.largestClassWeight()) / sigma)
	formed := float64(chainError(s.rows+16)*(trace/epsilon)) + float64(means*float64(means/epsilon))
	formed += float64(2*rounded) + float64(rounded*rounded)
	pairs, err := symmetricPairs(s.kq, y, refined.Forward, 1/epsilon, formed+float64(16*u))
	if err != nil {
		return nil, err
	}
	return s.solution(pairs, unitBetween, ridge, &cert)
}

// scatterWithin overwrites K with its deviations from class means, weighted, and returns
// the product with its transpose, N.
func (s *scaledProblem) scatterWithin() *matrix.Dense {
	codes := s.Classes.Codes
	means, weights := make([]float64, len(s.Classes.Sizes)), classWeights(s.Classes.Sizes, s.Averaged)
	for j, w := range weights {
		weights[j] = math.Sqrt(w)
	}
	roots := s.weights.roots()
	for i := range s.rows {
		row := s.K.Row(i)
		s.Classes.rootMeans(means, row, roots)
		for j, v := range row {
			mean := means[codes[j]]
			if roots != nil {
				mean = float64(mean * roots[j])
			}
			row[j] = float64((v - mean) * weights[codes[j]])
		}
	}
	return matrix.SymRankK(nil, s.K, matrix.NoTrans)
}

// weighedProducts adds to the errors of KQ what the rounding of weights makes of them, and
// returns a bound of the norm of what it makes of the deviations within classes.
func (s *scaledProblem) weighedProducts() float64 {
	entries, contrasts := s.rounded()
	if entries == 0 {
		return 0
	}
	size := s.contrastSize()
	for j := range s.kq.errors {
		s.kq.errors[j] += float64(float64((entries+contrasts)*s.norm) * size)
	}
	return float64((entries + contrasts) * s.norm)
}

// contrastSize bounds the norms of the contrasts.
func (s *scaledProblem) contrastSize() float64 {
	size := 1.0
	for _, v := range columnNorms(s.q) {
		size = math.Max(size, v)
	}
	return size
}

// largestClassWeight bounds the factors of the deviations of a class.
func (s *scaledProblem) largestClassWeight() float64 {
	return math.Sqrt(slices.Max(classWeights(s.Classes.Sizes, s.Averaged)))
}
