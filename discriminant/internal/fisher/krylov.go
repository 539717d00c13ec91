package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/solve"
)

// KrylovRows is the number of rows from which a fit tries whether a Krylov space
// does. Tests lower it.
var KrylovRows = 4000

// krylovRounding is the largest KernelRounding for which a fit tries that: the
// residuals of the Krylov method are of the size of the rounding of K and seldom
// refined, so that this is the error of its solutions too.
const krylovRounding = 0x1p-36

// krylovShare is the largest cost, as a share of that of the factorization, that
// the Krylov method may be predicted to have still ahead.
const krylovShare = 0.55

// KrylovVectors bounds the vectors of a Krylov space: n over it is the most.
const KrylovVectors = 7

// krylovBackward is the largest backward error of a solution by the Krylov method
// that is accepted.
const krylovBackward = 0x1p-50

// krylovCoefficients is the largest error of α by the Krylov method that is accepted
// where it is not refined. Where K is not simple outside of the space, as with more equal
// eigenvalues than right-hand sides, and nearly singular, Forward leaves α far more.
const krylovCoefficients = 0x1p-30

// coefficientError returns about the largest relative error of a column of α that the
// error Forward of W makes: α is Re W √((1+λ)/λ), whose norm is ‖α‖√λ/(1+λ), and that of
// W is 1/(σ√(1+λ)).
func (s *Solution) coefficientError() float64 {
	share := 1.0
	for k, size := range columnNorms(s.Alpha) {
		l := s.Lambda[k]
		share = math.Max(share, math.Sqrt((1+l)/l)/float64(math.Sqrt(s.Ridge)*size))
	}
	return float64(s.Certificate.Forward * share)
}

// krylov solves for σ in a Krylov space of [q₀ Q], where that is predicted to
// cost much less than the factorization; the prediction depends on the sizes and on
// how the residuals fall. Where it does not, and where the result is not accurate,
// it returns nil, with K as before.
func (s *scaledProblem) krylov(ctx context.Context, ridge, sigma float64, cert Certificate) (*Solution, error) {
	n := float64(s.K.Rows)
	if s.K.Rows < KrylovRows || cert.KernelRounding > krylovRounding {
		return nil, nil
	}
	limit := solve.LanczosLimit{Cost: float64(krylovShare * float64(float64(n*n)*n) * 4 / 3), Vectors: s.K.Rows / KrylovVectors}
	r, err := solve.Lanczos(ctx, s.K, s.withConstant(), []solve.Shift{{Imag: sigma}}, limit)
	if slow := (*solve.NotConvergedError)(nil); errors.As(err, &slow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	cert.Growth = 1
	found, err := s.reducedShifted(ctx, r, ridge, sigma, cert)
	if err == nil && found.Certificate.Backward <= krylovBackward &&
		(found.Certificate.Refinements > 0 || found.coefficientError() <= krylovCoefficients) {
		return found, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.rowsOfK().Rows(s.K, 0)
	return nil, nil
}
