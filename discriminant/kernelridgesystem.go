package discriminant

import (
	"context"
	"math"
	"math/bits"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ridgeSystem is the factored matrix of kernel ridge regression: K + λI or, with a
// fitted intercept, that of HKH.
type ridgeSystem struct {
	ridgeMatrix
	reg         Regularizer
	lambda      float64 // λ as the caller has it
	factored    *ridgeFactor
	certificate Certificate
}

func newRidgeSystem(ctx context.Context, evaluator *gram.Evaluator, reg Regularizer, intercept bool) (*ridgeSystem, error) {
	k, err := evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	s := &ridgeSystem{ridgeMatrix: newRidgeMatrix(k, intercept), reg: reg}
	var lambda float64
	if s.lambda, lambda, err = s.ridge(reg); err != nil {
		return nil, err
	}
	if s.factored, err = s.factor(ctx, k, reg, s.lambda, lambda); err != nil {
		return nil, err
	}
	s.certificate = s.ridgeMatrix.certificate("ridge", lambda, s.factored.inverse)
	return s, nil
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
	var refined solve.Refinement
	var err error
	r.a, _, refined, err = s.factored.solve(ctx, f)
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
// them, tᵢ − aᵢ/Cᵢᵢ, exact for the penalised least squares. All of it is scaled, so that a does not underflow.
func (r *ridgeSolution) leaveOneOut(ctx context.Context) (*matrix.Dense, error) {
	diagonal, err := r.system.factored.inverseDiagonal(ctx)
	if err != nil {
		return nil, err
	}
	f := matrix.New(r.a.Rows, r.a.Cols)
	for i, c := range diagonal {
		for j, v := range r.a.Row(i) {
			f.Set(i, j, scaleBy(-r.scales[j].exp).value(r.targets.At(i, j)-v/c))
		}
	}
	if err := matrix.CheckFinite(f); err != nil {
		return nil, &AccuracyError{What: "the largest leave-one-out value, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	return f, nil
}
