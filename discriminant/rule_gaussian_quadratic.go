package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// quadraticRule is the Gaussian rule with a covariance C_j for each class: with
// W_jᵀW_j = C_j⁻¹, the standardised projection t has the scores
//
//	s_j = ln π_j − ½ ln|C_j| − ½‖W_j(t − μ_j)‖²
type quadraticRule struct {
	centroids *matrix.Dense // of the projections as they are
	scaling   standardised
	constants []float64     // ln π_j − ½ ln|C_j|, up to a common term
	at        *matrix.Dense // μ_j, c×p
	whitening *matrix.Dense // W_j one below the other, (c·p)×p
}

const quadraticRuleKind = "gaussian per class"

func (r *quadraticRule) correct(c calibration, logPriors []float64) {
	for j, prior := range logPriors {
		r.constants[j] = math.FMA(c.scale, r.constants[j], prior) + c.biases[j]
	}
	root := math.Sqrt(c.scale)
	for i := range r.whitening.Rows {
		row := r.whitening.Row(i)
		for k := range row {
			row[k] = float64(row[k] * root)
		}
	}
}

func (r *quadraticRule) kind() string           { return quadraticRuleKind }
func (r *quadraticRule) classifier() Classifier { return Gaussian{PerClass: true} }
func (r *quadraticRule) means() *matrix.Dense   { return r.centroids }

func (r *quadraticRule) classify(codes []int, w *workspace) error {
	classifyByPosteriors(r, codes, w)
	return nil
}

func (r *quadraticRule) hasPosteriors() bool { return true }

func (r *quadraticRule) posteriors(w *workspace) {
	r.scores(w)
	logistic(w)
}

func (r *quadraticRule) decide(values []float64, w *workspace) {
	r.scores(w)
	logOdds(values, w)
}

func (r *quadraticRule) scores(w *workspace) {
	r.scaling.apply(&w.standard, &w.z)
	resize(&w.posteriors, w.z.Rows, len(r.constants))
	components := r.at.Cols
	for i := range w.z.Rows {
		t, to := w.standard.Row(i), w.posteriors.Row(i)
		for j := range to {
			mean := r.at.Row(j)
			squares := 0.0
			for l := range components {
				y := 0.0
				for k, v := range r.whitening.Row(j*components + l) {
					y = math.FMA(v, t[k]-mean[k], y)
				}
				squares = math.FMA(y, y, squares)
			}
			to[j] = r.constants[j] - float64(0.5*squares)
		}
	}
}

func (r *quadraticRule) fields(c *codec) {
	centroidFields(c, &r.centroids)
	c.section("gaussian")
	r.scaling.fields(c)
	scoreFields(c, "constants", &r.constants)
	c.shaped("means", &r.at, c.classes, c.components)
	c.bounded("means", r.at.Data, farthest)
	// classes·components doesn't overflow: the centroids have as many entries.
	c.shaped("whitening", &r.whitening, c.classes*c.components, c.components)
	c.bounded("whitening", r.whitening.Data, 0x1p100)
}

// scoreFields are one number a class that a fit keeps in range.
func scoreFields(c *codec, field string, scores *[]float64) {
	if c.floats(field, scores); uint64(len(*scores)) != c.classes {
		c.fail(field, "not one for each class")
	}
	c.bounded(field, *scores, 0x1p600)
}
