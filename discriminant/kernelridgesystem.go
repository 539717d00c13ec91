package discriminant

import (
	"context"
	"errors"
	"math"
	"math/bits"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ridgeSystem is the factored matrix of kernel ridge regression, scaled by a power
// of two so that max|K| is in [1, 2): K + λI or, with a fitted intercept,
//
//	A = HKH + λI + (τ/n) 11ᵀ,   τ = ‖HKH‖_F
//
// which has the same solutions as HKH + λI for right-hand sides that sum to zero,
// and the inverse
//
//	A⁻¹ = C + 11ᵀ/(n(λ + τ)),   C = H(HKH + λI)⁻¹H
//
// so that C is known without cancellation.
type ridgeSystem struct {
	reg         Regularizer
	ridge       float64 // λ as the caller has it
	scale       binaryScale
	centring    *gram.Centring // of the scaled kernel matrix, or nil
	lambda      float64        // scaled, as is all that follows
	common      float64        // τ/n, or 0
	source      solve.Source
	factor      *solve.Cholesky
	certificate Certificate
}

func newRidgeSystem(ctx context.Context, evaluator *gram.Evaluator, reg Regularizer, intercept bool) (*ridgeSystem, error) {
	k, err := evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	n := k.Rows
	s := &ridgeSystem{reg: reg}
	var normK, norm float64 // of K and of the matrix that λ is added to
	if intercept {
		s.scale, s.centring, normK, norm = centreInUnits(k)
		s.common = norm / float64(n)
	} else {
		s.scale, normK = scaleToUnit(k, nil)
		norm = normK
	}
	if err := s.resolve(diagonalSum(k)/float64(n), normK, n); err != nil {
		return nil, err
	}
	s.certificate = Certificate{
		Solver:         "ridge",
		CondBound:      (norm + s.lambda) / s.lambda,
		Growth:         1, // of a Cholesky factorization, by its diagonal
		KernelRounding: float64(u*normK) / s.lambda,
		Passes:         1,
	}
	if err := s.certificate.checkKernelRounding("λ"); err != nil {
		return nil, err
	}
	s.complete(k)
	s.source = solve.NewUpper(k)
	s.factor, err = solve.FactorCholesky(ctx, k)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, &IndefiniteKernelError{Ridge: s.ridge, Pivot: pivot.Pivot, Value: scaleBy(-s.scale.exp).value(pivot.Value)}
	}
	return s, err
}

// resolve finds λ, given the mean of the diagonal of the matrix and the Frobenius
// norm of K.
func (s *ridgeSystem) resolve(mean, norm float64, n int) error {
	rounding := float64(float64(float64(n)*u) * norm)
	if s.reg.kind == relativeRidge {
		if mean <= rounding {
			return &RidgeError{Regularizer: s.reg, Reason: "the kernel matrix has no positive trace above rounding, so that a relative ridge has no meaning: give an absolute one"}
		}
		s.lambda = float64(s.reg.value * mean)
		s.ridge = math.Ldexp(s.lambda, -s.scale.exp)
	} else {
		s.ridge = s.reg.value
		s.lambda = math.Ldexp(s.ridge, s.scale.exp)
	}
	switch {
	case s.ridge == 0 || math.IsInf(s.ridge, 0) || math.IsInf(s.lambda, 0):
		return &RidgeError{Regularizer: s.reg, Ridge: s.ridge, Reason: "the ridge comes to a value outside the range of float64, absolutely or relative to the kernel values"}
	case s.lambda <= rounding:
		return &RidgeError{Regularizer: s.reg, Ridge: s.ridge, Reason: "K + λI is singular up to rounding, with a condition number of up to 1/(n·u): the ridge must be above n·u·‖K‖"}
	}
	return nil
}

// complete turns the scaled K, centred where there is an intercept, into A.
func (s *ridgeSystem) complete(k *matrix.Dense) {
	eachRow(k, func(i int, row []float64) {
		if s.common != 0 {
			f64.Shift(row, s.common)
		}
		row[i] += s.lambda
	})
}

// unscaledCentring returns the centring of the kernel values as they are, or nil.
func (s *ridgeSystem) unscaledCentring() *gram.Centring {
	if s.centring == nil {
		return nil
	}
	return unscaled(s.centring, s.scale)
}

// ridgeSolution is what a ridgeSystem has for targets, in its units: the columns of
// the targets are scaled by powers of two, so that their size plays no part.
type ridgeSolution struct {
	system  *ridgeSystem
	scales  []binaryScale // of the columns of the targets
	targets *matrix.Dense // n×p, scaled
	means   []float64     // of their columns; zeros without an intercept
	a       *matrix.Dense // n×p, of the scaled kernel matrix and targets
}

// solve solves for the targets, n×p.
func (s *ridgeSystem) solve(ctx context.Context, targets *matrix.Dense) (*ridgeSolution, error) {
	n, p := targets.Rows, targets.Cols
	r := &ridgeSolution{system: s, scales: make([]binaryScale, p), targets: matrix.New(n, p), means: make([]float64, p)}
	f := matrix.New(n, p) // the targets less their means
	column := make([]float64, n)
	for j := range p {
		r.scales[j] = scaleBy(0)
		if top := matrix.MaxAbs(targets.View(0, j, n, 1)); top > 0 {
			r.scales[j] = unitScale(top)
		}
		for i := range column {
			column[i] = r.scales[j].value(targets.At(i, j))
			r.targets.Set(i, j, column[i])
		}
		if s.centring != nil {
			r.means[j] = subtractMean(column)
		}
		for i, v := range column {
			f.Set(i, j, v)
		}
	}
	r.a = f.Clone()
	s.factor.Solve(r.a)
	refined, err := s.factor.Refine(ctx, s.source, f, r.a, refinementSteps)
	if err != nil {
		return nil, err
	}
	s.certificate.record(refined)
	return r, s.certificate.checkAccuracy(n)
}

// expansion returns the coefficients a, n×p, of the kernel and the targets as they
// are, and what is added to the expansion with the centred kernel: the means of the
// targets, or zeros.
func (r *ridgeSolution) expansion() (a *matrix.Dense, offset []float64, err error) {
	a = r.a.Clone()
	r.system.scale.matrix(a)
	offset = make([]float64, len(r.means))
	for j, mean := range r.means {
		back := scaleBy(-r.scales[j].exp)
		back.matrix(a.View(0, j, a.Rows, 1))
		offset[j] = back.value(mean)
		if lost := r.lost(a.View(0, j, a.Rows, 1), j); lost > u {
			return nil, nil, &AccuracyError{What: "the rounding of coefficients below the range of float64 (of large kernel values and small targets, which scale), relative to the targets,", Value: lost, Limit: u}
		}
	}
	if err := matrix.CheckFinite(a); err != nil {
		return nil, nil, &AccuracyError{What: "the largest coefficient, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	return a, offset, nil
}

// lost bounds what the rounding of the coefficients a of targets j to multiples of
// 2⁻¹⁰⁷⁴ may change a value Σᵢ aᵢ k(xᵢ, x) by, relative to the largest target; it is 1
// at most. It is 0 where the largest coefficient is far above such rounding.
func (r *ridgeSolution) lost(a *matrix.Dense, j int) float64 {
	if matrix.MaxAbs(a) > 0x1p-968 || matrix.MaxAbs(r.targets.View(0, j, a.Rows, 1)) == 0 {
		return 0
	}
	// max|Kᵢⱼ| is below 2^(1−scale.exp), the largest target at least 2^−scales[j].exp.
	exp := bits.Len(uint(a.Rows)) - 1075 + 1 - r.system.scale.exp + r.scales[j].exp
	return math.Ldexp(1, min(exp, 0))
}

// subtractMean subtracts the mean from x and returns it. The mean of what is left is
// subtracted, too: it is the rounding error of the first.
func subtractMean(x []float64) float64 {
	mean := 0.0
	for range 2 {
		m := matrix.Sum(x) / float64(len(x))
		for i := range x {
			x[i] -= m
		}
		mean += m
	}
	return mean
}

// leaveOneOut returns the values at the training rows of the fits without each of
// them, tᵢ − aᵢ/Cᵢᵢ, exact for the penalised least squares: C is A⁻¹ without the
// part of the intercept. All of it is scaled, so that a does not underflow.
func (r *ridgeSolution) leaveOneOut(ctx context.Context) (*matrix.Dense, error) {
	s, a := r.system, r.a
	diagonal, err := s.factor.InverseDiagonal(ctx)
	if err != nil {
		return nil, err
	}
	n := a.Rows
	f := matrix.New(n, a.Cols)
	for i, c := range diagonal {
		if s.centring != nil {
			common := 1 / float64(float64(n)*math.FMA(float64(n), s.common, s.lambda))
			c -= common
			if least := float64(float64(4*n) * float64(u*common)); !(c > least) { // of a single row
				return nil, &AccuracyError{What: "the rounding of a leave-one-out value, relative to it", Value: least / c, Limit: 1}
			}
		}
		for j, v := range a.Row(i) {
			f.Set(i, j, scaleBy(-r.scales[j].exp).value(r.targets.At(i, j)-v/c))
		}
	}
	if err := matrix.CheckFinite(f); err != nil {
		return nil, &AccuracyError{What: "the largest leave-one-out value, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	return f, nil
}
