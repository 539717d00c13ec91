package fisher

import (
	"context"
	"math"
	"math/bits"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Regression is kernel ridge regression: with C = (K + λI)⁻¹ or, with a fitted intercept,
// H(HKH + λI)⁻¹H,
//
//	a = C t,   f(xᵢ) without row i = tᵢ − aᵢ/Cᵢᵢ
//
// in units in which max|K| is in [1, 2) and the columns of the targets t have been scaled
// by powers of two, so that their size plays no part. With weights a and t are √w a and √w t,
// and K stands for DKD.
type Regression struct {
	Ridge       float64 // λ as the caller has it
	Certificate Certificate

	unitMatrix
	factored *ridgeFactor
	scales   []binaryScale // of the columns of the targets
	targets  *matrix.Dense // n×p, scaled
	means    []float64     // of their columns; zeros without an intercept
	a        *matrix.Dense // n×p
}

// Regress fits the targets, n×p. It overwrites k.
func Regress(ctx context.Context, k *matrix.Dense, reg Regularizer, intercept bool, targets *matrix.Dense, weights Weights) (*Regression, error) {
	r := &Regression{unitMatrix: newUnitMatrix(k, intercept, weights)}
	var lambda float64
	var err error
	if r.Ridge, lambda, err = r.ridge(reg); err != nil {
		return nil, err
	}
	if r.factored, err = r.factor(ctx, k, reg, r.Ridge, lambda); err != nil {
		return nil, err
	}
	r.Certificate = r.certificate("ridge", lambda, r.factored.inverse)
	f := r.scaleTargets(targets)
	var refined solve.Refinement
	if r.a, _, refined, err = r.factored.solve(ctx, f); err != nil {
		return nil, err
	}
	r.Certificate.record(refined)
	return r, r.Certificate.checkAccuracy(r.rows)
}

// scaleTargets sets the scaled targets, and returns them less their means.
func (r *Regression) scaleTargets(targets *matrix.Dense) *matrix.Dense {
	n, p := targets.Rows, targets.Cols
	r.scales, r.targets, r.means = make([]binaryScale, p), matrix.New(n, p), make([]float64, p)
	f := matrix.New(n, p)
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
		if r.centring != nil {
			r.means[j] = subtractMean(column, r.weights)
		}
		for i, v := range column {
			f.Set(i, j, v)
		}
	}
	return r.weights.TimesRoots(f)
}

// Centring returns that of the kernel values, or nil without an intercept.
func (r *Regression) Centring() *gram.Centring { return r.unscaledCentring() }

// Expansion returns the coefficients a, n×p, of the kernel and the targets as they
// are, and what is added to the expansion with the centred kernel: the means of the
// targets, or zeros.
func (r *Regression) Expansion() (a *matrix.Dense, offset []float64, err error) {
	a = r.weights.TimesRoots(r.a.Clone())
	r.scale.matrix(a)
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
func (r *Regression) lost(a *matrix.Dense, j int) float64 {
	if matrix.MaxAbs(a) > 0x1p-968 || matrix.MaxAbs(r.targets.View(0, j, a.Rows, 1)) == 0 {
		return 0
	}
	// max|Kᵢⱼ| is below 2^(1−scale.exp), the largest target at least 2^−scales[j].exp.
	exp := bits.Len(uint(a.Rows)) - 1075 + 1 - r.scale.exp + r.scales[j].exp
	return math.Ldexp(1, min(exp, 0))
}

// subtractMean subtracts the mean from x and returns it. The mean of what is left is
// subtracted, too: it is the rounding error of the first.
func subtractMean(x []float64, weights Weights) float64 {
	mean := 0.0
	for range 2 {
		m := weights.Mean(x)
		for i := range x {
			x[i] -= m
		}
		mean += m
	}
	return mean
}

// LeaveOneOut returns the values at the training rows of the fits without each of
// them, tᵢ − aᵢ/Cᵢᵢ, exact for the penalised least squares. All of it is scaled, so that a does not underflow.
func (r *Regression) LeaveOneOut(ctx context.Context) (*matrix.Dense, error) {
	diagonal, err := r.factored.inverseDiagonal(ctx)
	if err != nil {
		return nil, err
	}
	f := matrix.New(r.a.Rows, r.a.Cols)
	for i, c := range diagonal {
		if r.weights != nil {
			c = float64(c * r.weights.root(i))
		}
		for j, v := range r.a.Row(i) {
			f.Set(i, j, scaleBy(-r.scales[j].exp).value(r.targets.At(i, j)-v/c))
		}
	}
	if err := matrix.CheckFinite(f); err != nil {
		return nil, &AccuracyError{What: "the largest leave-one-out value, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	return f, nil
}
