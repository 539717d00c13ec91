package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ridgeFactor is the factored matrix K + λI or, of the centred one,
//
//	A = HKH + λI + (τ/n) 11ᵀ,   τ = ‖HKH‖_F
//
// which has the same solutions as HKH + λI for right-hand sides that sum to zero,
// and the inverse
//
//	A⁻¹ = C + 11ᵀ/(n(λ + τ)),   C = H(HKH + λI)⁻¹H
//
// so that C is known without cancellation, however small λ is.
type ridgeFactor struct {
	*solve.Cholesky
	source    solve.Source // HKH + λI or K + λI
	lambda    float64
	inverse   float64   // bounds the norm of the inverse: 1/λ, or what the factor says
	alongOnes float64   // λ + τ, or 0 where it is not centred
	along     []float64 // with weights, √w/√Σw in place of 1/√n

	roots, rootsLow []float64 // √w, and what is rounded off
}

// factor overwrites the lower triangle and the diagonal of k, which holds the matrix,
// by the factor. The ridge is λ as the caller has it.
func (m *unitMatrix) factor(ctx context.Context, k *matrix.Dense, reg Regularizer, ridge, lambda float64) (*ridgeFactor, error) {
	f := &ridgeFactor{lambda: lambda, inverse: 1 / lambda}
	for i := range k.Rows {
		k.Row(i)[i] += lambda
	}
	f.source = solve.NewUpper(k)
	if m.centring != nil {
		f.alongOnes = lambda + m.norm
		m.addAlong(k, f)
	}
	trace := diagonalSum(k)
	var err error
	if f.Cholesky, err = solve.FactorCholesky(ctx, k); err != nil {
		refused := m.singular(reg, ridge, lambda, f.inverse)
		if e := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &e) && refused != nil && e.Value > -float64(float64(float64(m.rows)*u)*m.normK) {
			return nil, refused // the pivot is no more than rounding
		}
		return nil, m.indefinite(err, ridge)
	}
	if m.singular(reg, ridge, lambda, f.inverse) == nil {
		return f, nil
	}
	if err := f.measure(ctx, trace); err != nil {
		return nil, err
	}
	return f, m.singular(reg, ridge, lambda, f.inverse)
}

// addAlong adds (τ/n)11ᵀ, or (τ/Σw)√w√wᵀ, to the lower triangle of k.
func (m *unitMatrix) addAlong(k *matrix.Dense, f *ridgeFactor) {
	if m.weights == nil {
		eachRow(k, func(i int, row []float64) { f64.Shift(row[:i+1], m.norm/float64(k.Rows)) })
		return
	}
	f.along = m.weights.axis(k.Rows)
	f.roots, f.rootsLow = m.weights.doubledRoots()
	eachRow(k, func(i int, row []float64) {
		share := float64(m.norm * f.along[i])
		for j, q := range f.along[:i+1] {
			row[j] = math.FMA(share, q, row[j])
		}
	})
}

// measure bounds the norm of the inverse by its trace: where K itself is far from
// singular, a ridge may be as small as it likes. Cost: n³/3 flops.
func (f *ridgeFactor) measure(ctx context.Context, trace float64) error {
	diagonal, err := f.inverseDiagonal(ctx)
	if err != nil {
		return err
	}
	inverse := matrix.Sum(diagonal)
	if lost := float64(float64(chainError(len(diagonal))*trace) * inverse); lost < 0.5 {
		f.inverse = math.Min(f.inverse, inverse/(1-lost))
	}
	return nil
}

// solve returns (HKH + λI)⁻¹b for b whose columns sum to zero, or (K + λI)⁻¹b, refined
// with residuals in doubled precision, and its product with HKH or K.
func (f *ridgeFactor) solve(ctx context.Context, b *matrix.Dense) (z, kz *matrix.Dense, refined solve.Refinement, err error) {
	z, kz = b.Clone(), matrix.New(b.Rows, b.Cols)
	f.Solve(z)
	refined, err = f.Refine(ctx, f.source, solve.Known{Shift: f.lambda, Inverse: f.inverse, Common: f.alongOnes, Along: f.roots, AlongLow: f.rootsLow}, b, z, kz, refinementSteps)
	return z, kz, refined, err
}

// indefinite returns the error of a factorization.
func (m *unitMatrix) indefinite(err error, ridge float64) error {
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return &IndefiniteKernelError{Ridge: ridge, Pivot: pivot.Pivot, Value: scaleBy(-m.scale.exp).value(pivot.Value)}
	}
	return err
}

// inverseDiagonal returns the diagonal of C = H(HKH + λI)⁻¹H, or of (K + λI)⁻¹. Of a
// single centred row there is nothing but rounding, an *AccuracyError.
// Cost: n³/3 flops.
func (f *ridgeFactor) inverseDiagonal(ctx context.Context) ([]float64, error) {
	diagonal, err := f.InverseDiagonal(ctx)
	if err != nil {
		return nil, err
	}
	common := 0.0
	if f.alongOnes != 0 {
		common = 1 / float64(float64(len(diagonal))*f.alongOnes)
	}
	for i := range diagonal {
		if f.along != nil {
			common = float64(f.along[i]*f.along[i]) / f.alongOnes
		}
		diagonal[i] -= common
		if least := float64(float64(4*len(diagonal)) * float64(u*common)); !(diagonal[i] > least) {
			return nil, &AccuracyError{What: "the rounding of a leave-one-out value, relative to it", Value: least / diagonal[i], Limit: 1, Remedy: largerRidge}
		}
	}
	return diagonal, nil
}

// certificate returns what is known of a solution with the ridge λ beforehand, for a
// matrix whose inverse has a norm of at most inverse.
func (m *unitMatrix) certificate(solver string, lambda, inverse float64) Certificate {
	return Certificate{
		Solver:         solver,
		CondBound:      float64((m.norm + lambda) * inverse),
		Growth:         1, // of a Cholesky factorization, by its diagonal
		KernelRounding: float64(m.kernelRounding(m.normK) * inverse),
		Passes:         1,
	}
}

// singular returns the error for a ridge for which the matrix is singular to working
// accuracy, or nil.
func (m *unitMatrix) singular(reg Regularizer, ridge, lambda, inverse float64) error {
	c := m.certificate("", lambda, inverse)
	if err := c.checkKernelRounding("the ridge"); err == nil || lambda > float64(float64(float64(m.rows)*u)*m.normK) {
		return err
	}
	return &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "K + λI is singular up to rounding, with a condition number of up to 1/(n·u): the ridge must be above n·u·‖K‖"}
}
