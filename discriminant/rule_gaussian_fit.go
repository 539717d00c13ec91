package discriminant

import (
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// gaussianRule is a linearRule or a quadraticRule.
type gaussianRule interface {
	posteriorRule
	// scores sets w.posteriors to the scores of the rows of w.z, up to a number a row.
	scores(w *workspace)
	// correct takes scores without priors to those of a calibration with them.
	correct(c calibration, logPriors []float64)
}

func (Gaussian) wanted(int) fisher.Wanted { return fisher.Wanted{} }

func (g Gaussian) fitRule(ctx context.Context, p projections) (rule, error) {
	if p.fitted == nil && p.held == nil {
		return g.plugIn(p)
	}
	logPriors := make([]float64, len(p.classes.Counts))
	for j := range logPriors {
		logPriors[j] = f64.Log(p.prior(j))
	}
	p.priors = slices.Repeat([]float64{1}, len(p.classes.Counts)) // they play no part in the calibration
	r, err := g.plugIn(p)
	if err != nil {
		return nil, err
	}
	z, of := p.z, p.classes
	if p.held != nil {
		z, of = p.held.z, p.held.classes
	}
	w := &workspace{z: *z}
	r.scores(w)
	c, err := calibrate(ctx, &w.posteriors, of)
	if err != nil {
		return nil, err
	}
	r.correct(c, logPriors)
	return r, nil
}

// plugIn returns the rule with the estimates in place of means and covariances.
func (g Gaussian) plugIn(p projections) (gaussianRule, error) {
	scaling, t, err := standardiseProjections(p.z, p.classes.Weights)
	if err != nil {
		return nil, err
	}
	centroids := p.classes.Centroids(p.z)
	means := new(matrix.Dense)
	scaling.apply(means, centroids)

	pooled, err := pooledCovariance(p, scaling, t, means)
	if err != nil {
		return nil, err
	}
	at := means
	if p.fitted != nil {
		at = means.Clone()
		flattenReversed(at, p.classes.Centroids(p.fitted), p.classes.Sizes)
	}
	if !g.PerClass {
		return newLinearRule(p, centroids, at, scaling, pooled), nil
	}
	r := &quadraticRule{
		centroids: centroids,
		scaling:   scaling,
		constants: make([]float64, len(p.classes.Counts)),
		whitening: matrix.New(len(p.classes.Counts)*t.Cols, t.Cols),
		at:        at,
	}
	least := float64(float64(len(p.classes.Codes)) * u)
	if p.fitted != nil {
		least = leastSpread
	}
	for j, size := range p.classes.Sizes {
		own := pooled
		if size > float64(t.Cols) {
			c, err := newCovariance(classDeviations(t, means, p.classes, j), math.Max(1, size-1), least)
			if err != nil {
				return nil, err
			}
			if !c.raised {
				own = c
			}
		}
		r.constants[j] = f64.Log(p.prior(j)) - own.halfLogDet()
		own.whitening(r.whitening.View(j*t.Cols, 0, t.Cols, t.Cols))
	}
	return r, nil
}

// flattenReversed makes the class means of rows that are left out equal in each coordinate
// in which their order is rather the reverse of that of the means with the rows: there
// it says nothing of a row that it is not fitted to.
func flattenReversed(means, fitted *matrix.Dense, sizes []float64) {
	for k := range means.Cols {
		sum, n := 0.0, 0.0
		for j, l := range sizes {
			sum = math.FMA(l, means.At(j, k), sum)
			n += l
		}
		agreement := 0.0
		for j, l := range sizes {
			agreement = math.FMA(float64(l*(means.At(j, k)-sum/n)), fitted.At(j, k), agreement)
		}
		if agreement <= 0 {
			for j := range sizes {
				means.Set(j, k, sum/n)
			}
		}
	}
}

// pooledCovariance returns the within-class covariance of the standardised
// projections t about the class means.
func pooledCovariance(p projections, scaling standardised, t, means *matrix.Dense) (*covariance, error) {
	freedom := math.Max(1, p.classes.Total()-float64(len(p.classes.Counts)))
	switch d := p.classes.Deviations(t, means); {
	case p.fitted != nil:
		return newCovariance(withPriorRows(d, freedom), float64(freedom+float64(t.Cols)), leastSpread)
	case !p.unitScatter:
		return newCovariance(d, freedom, float64(float64(t.Rows)*u))
	}
	unit := matrix.New(t.Cols, t.Cols)
	for k, s := range scaling.scaler.scale {
		unit.Set(k, k, 1/s)
	}
	return newCovariance(unit, freedom, float64(float64(t.Rows)*u))
}

// leastSpread is the least variance within classes, relative to that of all rows, that is
// believed of rows that are left out. Rows that no class is near to would else be decided
// by rounding.
const leastSpread = 0x1p-20

// withPriorRows returns deviations d, n×p of that freedom, and below them p rows that are
// orthogonal and have the mean square of d: a covariance of few degrees of freedom for many
// classes is shrunk to a multiple of the unit matrix (Friedman 1989).
func withPriorRows(d *matrix.Dense, freedom float64) *matrix.Dense {
	all := matrix.New(d.Rows+d.Cols, d.Cols)
	all.View(0, 0, d.Rows, d.Cols).CopyFrom(d)
	size := matrix.NormFrobenius(d) / math.Sqrt(float64(freedom*float64(d.Cols)))
	for k := range d.Cols {
		all.Set(d.Rows+k, k, float64(size*math.Sqrt(float64(d.Cols))))
	}
	return all
}

// classDeviations returns those of the rows of class j.
func classDeviations(t, means *matrix.Dense, of *fisher.Classes, j int) *matrix.Dense {
	var own []int
	for i, code := range of.Codes {
		if code == j {
			own = append(own, i)
		}
	}
	same := fisher.NewClasses(make([]int, len(own)), 1, of.Weights.Some(own))
	return same.Deviations(selectRows(t, own), means.View(j, 0, 1, t.Cols))
}

// covariance is C = V diag(values) Vᵀ, all values positive.
type covariance struct {
	values  []float64
	vectors *matrix.Dense // p×p
	raised  bool          // values were raised to the least
}

// newCovariance returns DᵀD/freedom with its eigenvalues raised to a least one.
func newCovariance(d *matrix.Dense, freedom, least float64) (*covariance, error) {
	s := matrix.SymRankK(nil, d, matrix.Transposed)
	values, vectors, err := solve.Jacobi(s)
	if err != nil {
		return nil, err
	}
	c := &covariance{values: values, vectors: vectors}
	for k, v := range values {
		values[k] = v / freedom
		if !(values[k] >= least) {
			values[k], c.raised = least, true
		}
	}
	return c, nil
}

// halfLogDet returns ½ ln |C|.
func (c *covariance) halfLogDet() float64 {
	sum := 0.0
	for _, v := range c.values {
		sum += f64.Log(v)
	}
	return float64(0.5 * sum)
}

// whitening writes W = diag(values)^(−½)Vᵀ to w, so that WᵀW = C⁻¹.
func (c *covariance) whitening(w *matrix.Dense) {
	for k, v := range c.values {
		for i := range w.Cols {
			w.Set(k, i, c.vectors.At(i, k)/math.Sqrt(v))
		}
	}
}

// logistic fills each row of w.posteriors, scores s_j, with exp(s_j)/Σ exp(s_k).
func logistic(w *workspace) {
	for i := range w.posteriors.Rows {
		row := w.posteriors.Row(i)
		largest := row[argMax(row)]
		sum := 0.0
		for j, s := range row {
			row[j] = f64.Exp(s - largest)
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}
}

// logOdds writes ln(p₂/p₁) from the scores of two classes: the difference, and 0
// where the posteriors are equal as float64.
func logOdds(values []float64, w *workspace) {
	for i := range values {
		values[i] = w.posteriors.At(i, 1) - w.posteriors.At(i, 0)
	}
	logistic(w)
	for i := range values {
		if w.posteriors.At(i, 0) == w.posteriors.At(i, 1) {
			values[i] = 0
		}
	}
}
