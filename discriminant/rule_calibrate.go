package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// calibration corrects scores s_j = ln π_j + d_j(z) of classes, whose d_j come from a
// model that may be wrong, to
//
//	ln π_j + a d_j(z) + b_j,   a ≥ 0
//
// by maximum likelihood of rows that had no part in z, a priori with a ~ N(1, 1) and
// b_j ~ N(0, 1): for two classes that is Platt's sigmoid (1999), for more temperature
// scaling with biases (Guo, Pleiss, Sun and Weinberger 2017).
type calibration struct {
	scale  float64 // a
	biases []float64
}

// calibrationFit is what a calibration is fitted to.
type calibrationFit struct {
	logPriors  []float64
	d          *matrix.Dense // n×c
	classes    *fisher.Classes
	posteriors *matrix.Dense // of the last objective, n×c
	terms      []float64
}

// calibrate fits a calibration to d, n×c, with the classes' shares of the rows for
// priors. Newton's method ends where no more than rounding is to be gained.
func calibrate(ctx context.Context, d *matrix.Dense, of *fisher.Classes) (calibration, error) {
	fit := &calibrationFit{d: d, classes: of, posteriors: matrix.New(d.Rows, d.Cols), terms: make([]float64, d.Rows)}
	for _, l := range of.Sizes {
		fit.logPriors = append(fit.logPriors, f64.Log(l/of.Total()))
	}
	c := calibration{scale: 1, biases: make([]float64, d.Cols)}
	least := fit.objective(c)
	for a := 0.5; ; a = float64(a * 0.5) { // scores that are far too sure leave no curvature at 1
		v := fit.objective(calibration{a, c.biases})
		if !(v < least) {
			break // it is convex
		}
		c.scale, least = a, v
	}
	const mostSteps = 100
	fit.objective(c)
	for range mostSteps {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		next, value, err := fit.improve(c, least)
		if err != nil || !(value < least) {
			return c.orNone(), err
		}
		c, least = next, value
	}
	return c.orNone(), nil
}

// orNone returns c or, where scores are more likely the other way round than as they are,
// the calibration that leaves the priors alone.
func (c calibration) orNone() calibration {
	if c.scale < 0 {
		return calibration{biases: make([]float64, len(c.biases))}
	}
	return c
}

// objective returns −ln of the likelihood of c and of its prior, up to a constant, and
// leaves the posteriors of the rows.
func (fit *calibrationFit) objective(c calibration) float64 {
	for i, code := range fit.classes.Codes {
		d, p := fit.d.Row(i), fit.posteriors.Row(i)
		for j := range p {
			p[j] = f64.FMA(c.scale, d[j], fit.logPriors[j]+c.biases[j])
		}
		top := p[argMax(p)]
		for j := range p {
			p[j] -= top
		}
		fit.terms[i] = p[code]
	}
	f64.ExpNegScale(fit.posteriors.Data, -1)
	for i, own := range fit.terms {
		p, sum := fit.posteriors.Row(i), 0.0
		for _, v := range p {
			sum += v
		}
		for j := range p {
			p[j] /= sum
		}
		fit.terms[i] = float64(fit.classes.Weights.Of(i) * (f64.Log(sum) - own))
	}
	off := c.scale - 1
	return matrix.Sum(fit.terms) + float64(0.5*float64(off*off)) + float64(0.5*matrix.SumSquares(c.biases))
}

// improve returns the best of Newton's step from c, of which fit holds the posteriors,
// and its halves, with its objective.
func (fit *calibrationFit) improve(c calibration, value float64) (calibration, float64, error) {
	step, err := fit.newton(c)
	if err != nil {
		return c, value, err
	}
	for share := 1.0; share > 0x1p-40; share = float64(share * 0.5) {
		next := calibration{f64.FMA(-share, step[0], c.scale), make([]float64, len(c.biases))}
		for j, b := range c.biases {
			next.biases[j] = f64.FMA(-share, step[1+j], b)
		}
		if v := fit.objective(next); v < value {
			return next, v, nil
		}
	}
	return c, value, nil
}

// newton returns H⁻¹g, with the gradient g and the Hessian H of the objective at c by a and
// the b_j.
func (fit *calibrationFit) newton(c calibration) ([]float64, error) {
	n, classes := fit.d.Rows, fit.d.Cols
	p := fit.posteriors
	h := matrix.New(classes+1, classes+1)
	byBiases := h.View(1, 1, classes, classes)
	weighed := fit.classes.Weights.Rooted(p)
	matrix.SubMul(byBiases, weighed, matrix.Transposed, weighed, matrix.NoTrans)
	g := matrix.New(classes+1, 1)
	g.Set(0, 0, c.scale-1)
	h.Set(0, 0, 1)
	for j, b := range c.biases {
		g.Set(1+j, 0, b)
		byBiases.Row(j)[j] += 1
	}
	spread := make([]float64, n) // of a row's d, weighed by its posteriors
	slope := make([]float64, n)
	for i, code := range fit.classes.Codes {
		d, row, w := fit.d.Row(i), p.Row(i), fit.classes.Weights.Of(i)
		mean := 0.0
		for j, v := range row {
			mean = f64.FMA(v, d[j], mean)
		}
		for j, v := range row {
			off := d[j] - mean
			v = float64(w * v)
			spread[i] = f64.FMA(float64(v*off), off, spread[i])
			h.Row(1 + j)[0] = f64.FMA(v, off, h.At(1+j, 0))
			byBiases.Row(j)[j] += v
			g.Row(1 + j)[0] += v
		}
		slope[i] = float64(w * (mean - d[code]))
		g.Row(1 + code)[0] -= w
	}
	g.Row(0)[0] += matrix.Sum(slope)
	h.Row(0)[0] += matrix.Sum(spread)
	factor, err := solve.FactorCholesky(context.Background(), h)
	if err != nil {
		return nil, err
	}
	factor.Solve(g)
	return g.Data, nil
}
