package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// FeatureRegression is f(x) = Weightsᵀφ(x) + Offset, which minimises Σ wᵢ‖yᵢ − f(xᵢ)‖² + λ‖Weights‖²,
// or, with a ridge on the coefficients, + λ‖α‖² for Weights = Φᵀα.
type FeatureRegression struct {
	Ridge       float64
	Weights     *matrix.Dense // m×q
	Offset      []float64
	Certificate Certificate
}

// Regress fits the targets, or without any the indicators of the classes, with every
// regulariser: with d the contrasts and deviations of the targets as the rows [F; R] are of
// the features, one factor serves all,
//
//	[F F_Y; R R_Y; 0 R_YY] = U [R_t d; 0 ·],   [R_t d; √λ I 0] = U_λ [R_λ d_λ; 0 ·],   a = R_λ⁻¹d_λ
func (f *Moments) Regress(regularizers []Regularizer) (fits []*FeatureRegression, errs []error) {
	fits, errs = make([]*FeatureRegression, len(regularizers)), make([]error, len(regularizers))
	designs := map[bool]*design{}
	for i, reg := range regularizers {
		if coefficients := !reg.Kind.InRKHS(); designs[coefficients] == nil {
			designs[coefficients], errs[i] = f.design(coefficients)
		}
	}
	team := block.TeamFor(len(f.Means), len(f.Means), len(f.Means))
	defer team.Close()
	team.Do(min(atOnce, len(regularizers)), func(task int) {
		var joint *matrix.Dense
		for i := task; i < len(regularizers); i += atOnce {
			if d := designs[!regularizers[i].Kind.InRKHS()]; d != nil {
				fits[i], errs[i] = f.regress(d, regularizers[i], &joint)
			}
		}
	})
	return fits, errs
}

// atOnce regularisers are tried at the same time: what each takes is too small a share for many
// workers, and each has two factors of its own.
const atOnce = 2

// design is the factor [R_t d; 0 ·] of the rows with their targets.
type design struct {
	*momentRows
	lower *matrix.Dense // its transpose
	p     int           // columns of R_t
	sizes []float64     // ‖y‖ of the targets, as they are
}

func (f *Moments) design(coefficients bool) (*design, error) {
	rows, err := f.rowsFor(coefficients)
	if err != nil {
		return nil, err
	}
	c, m, q := len(f.Counts), len(f.Means), f.targets.Cols
	contrasts := matrix.Mul(nil, f.contrasts(), matrix.Transposed, f.targets.View(0, 0, c, q), matrix.NoTrans)
	parts := []*matrix.Dense{beside(rows.f, contrasts), beside(rows.deviations, f.targets.View(c, 0, m, q))}
	if left := f.targets.Rows - c - m; left > 0 {
		parts = append(parts, beside(matrix.New(left, rows.f.Cols), f.targets.View(c+m, 0, left, q)))
	}
	d := &design{momentRows: rows, p: rows.f.Cols, sizes: columnNorms(f.targets)}
	rows.r, rows.deviations = nil, nil // large, and of no further use
	if d.lower, err = lowerOf(parts...); err != nil {
		return nil, err
	}
	return d, nil
}

// regress fits with one regulariser; memory is for its factor, nil before the first.
func (f *Moments) regress(d *design, reg Regularizer, memory **matrix.Dense) (*FeatureRegression, error) {
	ridge, root, err := d.ridge(reg)
	if err != nil {
		return nil, err
	}
	cert := d.certificate(root, f.rounding())
	if err := cert.checkKernelRounding("√λ"); err != nil {
		return nil, err
	}
	m, q := len(f.Means), f.targets.Cols
	joint := solve.JoinRidge(*memory, d.lower, root, d.p)
	*memory = joint
	l := joint.View(0, 0, d.p, d.p)
	r := matrix.Transpose(nil, joint.View(d.p, 0, q, joint.Cols)) // the columns of the targets
	a := r.View(0, 0, d.p, q).Clone()
	matrix.SolveLowerTrans(l, a)
	fit := &FeatureRegression{Ridge: ridge, Weights: d.weights(a.Clone(), f.scale), Offset: make([]float64, q)}
	cert.Forward = d.forward(a, r, root, chainError(l.Rows), f.rounding()+contrastRounding(len(f.Counts)))
	fit.Certificate = cert
	mean := matrix.Mul(nil, &matrix.Dense{Rows: 1, Cols: m, Stride: m, Data: f.Means}, matrix.NoTrans, fit.Weights, matrix.NoTrans)
	for k := range q {
		for j, size := range f.Sizes {
			fit.Offset[k] = math.FMA(math.Sqrt(size), f.targets.At(j, k), fit.Offset[k])
		}
		fit.Offset[k] = fit.Offset[k]/f.total - mean.At(0, k)
	}
	if err := matrix.CheckFinite(fit.Weights); err != nil {
		return nil, &AccuracyError{What: "the largest weight, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	return fit, nil
}

// forward bounds the relative error of the columns of the solution a, as least squares have it: of
// an error E of the rows and e of the targets, ‖E‖(‖a‖/√λ + ‖r‖/λ) + ‖e‖/√λ for a residual r, which
// is what the ridge has left of the targets: the columns of r below order p. Where a is not above
// that, 0 up to rounding, it is relative to ‖y‖/√λ, twice what a could be for such targets.
func (d *design) forward(a, r *matrix.Dense, root, rounded, ofTargets float64) float64 {
	moved := (d.error + float64(rounded*(d.norm+root))) / root
	worst := 0.0
	for k := range a.Cols {
		size, most := matrix.NormFrobenius(a.View(0, k, a.Rows, 1)), d.sizes[k]/root
		rest := matrix.NormFrobenius(r.View(d.p, k, r.Rows-d.p, 1)) / root
		all := matrix.NormFrobenius(r.View(0, k, r.Rows, 1)) / root
		if size > 0 {
			e := float64(2*moved) + float64(moved*(rest/size)) + math.Max(float64(d.relative()*(all/size)), float64(ofTargets*(most/size)))
			if moved < 0.5 && e >= 1 {
				e = float64(2*moved) + ofTargets
			}
			worst = math.Max(worst, e)
		}
	}
	return worst
}

// relative bounds what the targets have of relative error, less their means.
func (d *design) relative() float64 { return d.error / d.norm }

// HeldOut returns, for every regulariser and target, Σ wᵢ(yᵢ − f(xᵢ))² over all rows, each with the
// fit to the rows of the other folds, and the error of a regulariser for which there is none.
// The factors of the other folds are joined, nothing is subtracted; relative ridges refer to
// them. For a fold with the factor R and a fit the sum is ‖R [T; −W; I]‖², T what the fit
// leaves of the indicators. Cost: 3(k−2) joins, of the folds before and after each, and k regressions.
// Folds that have served are given up: all is that of their rows.
func HeldOut(ctx context.Context, folds []*Part, regularizers []Regularizer) (losses *matrix.Dense, errs []error, all *Part, err error) {
	q := folds[0].shape.Targets
	if q == 0 {
		q = folds[0].shape.Classes
	}
	losses, errs = matrix.New(len(regularizers), q), make([]error, len(regularizers))
	after := make([]*Part, len(folds)+1) // the folds from each on
	for i := len(folds) - 1; i > 0; i-- {
		after[i] = folds[i].with(after[i+1])
	}
	for i, held := range folds {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		fits, failed := all.with(after[i+1]).Moments().Regress(regularizers)
		all, after[i+1], folds[i] = all.with(held), nil, nil
		moments := held.Moments()
		for k, fit := range fits {
			if errs[k] == nil {
				errs[k] = failed[k]
			}
			if fit == nil {
				continue
			}
			for j, sum := range moments.squares(fit) {
				losses.Set(k, j, losses.At(k, j)+sum)
			}
		}
	}
	return losses, errs, all, nil
}

// TargetSquares returns the sum of the squares of each target about its mean, none where the classes are
// the targets.
func (f *Moments) TargetSquares() []float64 {
	if f.shape.Targets == 0 {
		return nil
	}
	c, q := len(f.Counts), f.targets
	squares := columnNorms(stacked(matrix.Mul(nil, f.contrasts(), matrix.Transposed, q.View(0, 0, c, q.Cols), matrix.NoTrans), q.View(c, 0, q.Rows-c, q.Cols)))
	for k, size := range squares {
		squares[k] = float64(size * size)
	}
	return squares
}

// squares returns the sums of the squared errors of a fit on the rows of f, by target.
func (f *Moments) squares(fit *FeatureRegression) []float64 {
	c, m, q := len(f.Counts), len(f.Means), f.targets.Cols
	v := matrix.New(f.factor.Rows, q)
	for k := range q {
		for j := range c {
			v.Set(j, k, -fit.Offset[k])
		}
		for l := range m {
			v.Set(c+l, k, -fit.Weights.At(l, k))
		}
		if f.shape.Targets > 0 {
			v.Set(c+m+k, k, 1)
		} else {
			v.Set(k, k, 1-fit.Offset[k])
		}
	}
	sums := make([]float64, q)
	for k, size := range columnNorms(matrix.Mul(nil, f.factor, matrix.NoTrans, v, matrix.NoTrans)) {
		sums[k] = float64(size * size)
	}
	return sums
}
