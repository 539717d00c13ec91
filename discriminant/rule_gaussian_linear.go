package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// linearRule is the Gaussian rule with one covariance C for all classes. In the
// scores ln π_j − ½(t − μ_j)ᵀC⁻¹(t − μ_j) the quadratic term cancels; what is left,
// less the score of the first class, is linear in the standardised projection t:
//
//	s_j = ln(π_j/π₁) + (μ_j − μ₁)ᵀC⁻¹(t − (μ_j + μ₁)/2)
//
// s₁ = 0.
type linearRule struct {
	centroids    *matrix.Dense // of the projections as they are
	scaling      standardised
	coefficients *matrix.Dense // C⁻¹(μ_j − μ₁), c×p
	offsets      []float64
}

const linearRuleKind = "gaussian"

func newLinearRule(p projections, centroids, means *matrix.Dense, scaling standardised, c *covariance) *linearRule {
	classes, components := means.Rows, means.Cols
	w := matrix.New(components, components)
	c.whitening(w)
	differences := matrix.New(classes, components)
	for j := range classes {
		for k := range components {
			differences.Set(j, k, means.At(j, k)-means.At(0, k))
		}
	}
	white := matrix.Mul(nil, differences, matrix.NoTrans, w, matrix.Transposed)
	r := &linearRule{
		centroids:    centroids,
		scaling:      scaling,
		coefficients: matrix.Mul(nil, white, matrix.NoTrans, w, matrix.NoTrans),
		offsets:      make([]float64, classes),
	}
	for j := range classes {
		s := f64.Log(p.prior(j)) - f64.Log(p.prior(0))
		for k, a := range r.coefficients.Row(j) {
			s = math.FMA(-a, float64(0.5*(means.At(j, k)+means.At(0, k))), s)
		}
		r.offsets[j] = s
	}
	return r
}

func (r *linearRule) correct(c calibration, logPriors []float64) {
	for j := range r.offsets {
		row := r.coefficients.Row(j)
		for k := range row {
			row[k] = float64(row[k] * c.scale)
		}
		r.offsets[j] = math.FMA(c.scale, r.offsets[j], logPriors[j]-logPriors[0]) + (c.biases[j] - c.biases[0])
	}
}

func (r *linearRule) kind() string           { return linearRuleKind }
func (r *linearRule) classifier() Classifier { return Gaussian{} }
func (r *linearRule) means() *matrix.Dense   { return r.centroids }

func (r *linearRule) classify(codes []int, w *workspace) error {
	classifyByPosteriors(r, codes, w)
	return nil
}

func (r *linearRule) hasPosteriors() bool { return true }

func (r *linearRule) posteriors(w *workspace) {
	r.scores(w)
	logistic(w)
}

func (r *linearRule) decide(values []float64, w *workspace) {
	r.scores(w)
	logOdds(values, w)
}

func (r *linearRule) scores(w *workspace) {
	r.scaling.apply(&w.standard, &w.z)
	resize(&w.posteriors, w.z.Rows, r.coefficients.Rows)
	for i := range w.z.Rows {
		t, to := w.standard.Row(i), w.posteriors.Row(i)
		for j := range to {
			s := r.offsets[j]
			for k, a := range r.coefficients.Row(j) {
				s = math.FMA(a, t[k], s)
			}
			to[j] = s
		}
	}
}

func (r *linearRule) fields(c *codec) {
	centroidFields(c, &r.centroids)
	c.section("gaussian")
	r.scaling.fields(c)
	c.shaped("coefficients", &r.coefficients, c.classes, c.components)
	c.bounded("coefficients", r.coefficients.Data, farthest)
	scoreFields(c, "offsets", &r.offsets)
}
