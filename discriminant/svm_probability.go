package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// sigmoid maps the value f of a machine to the probability of its second class,
// 1/(1 + exp(slope·f + offset)).
type sigmoid struct{ slope, offset float64 }

// leastProbability bounds the probabilities of a pair away from 0 and 1.
const leastProbability = 1e-7

// pair returns the probabilities of the first and the second class.
func (s sigmoid) pair(f float64) (first, second float64) {
	x := math.FMA(s.slope, f, s.offset)
	return max(1/(1+f64.Exp(-x)), leastProbability), max(1/(1+f64.Exp(x)), leastProbability)
}

// risingSigmoid is fitSigmoid among the sigmoids that do not fall. Where the machine does
// worse than chance on rows that it was not trained on, the likelihood, which is concave,
// is largest at the slope 0: the probability is the mean of the targets.
func risingSigmoid(d decisions) sigmoid {
	s := fitSigmoid(d)
	if s.slope > 0 {
		l1, l2 := d.sizes()
		first := float64(l1*(l1+1))/(l1+2) + l2/(l2+2)
		second := l1/(l1+2) + float64(l2*(l2+1))/(l2+2)
		s = sigmoid{offset: f64.Log(first) - f64.Log(second)}
	}
	return s
}

// fitSigmoid fits a sigmoid to the values of rows of both classes by Newton's
// method on the likelihood of targets that are drawn to the middle by one row a
// class (Platt, "Probabilistic outputs for support vector machines", 1999; Lin, Lin
// & Weng, "A note on Platt's probabilistic outputs for support vector machines",
// Machine Learning 68, 2007, algorithm 1). It ends where the gradient is small, or
// where no step improves the likelihood.
func fitSigmoid(d decisions) sigmoid {
	fit := newSigmoidFit(d)
	l1, l2 := d.sizes()
	s := sigmoid{offset: f64.Log((l1 + 1) / (l2 + 1))}
	value := fit.objective(s)
	const (
		mostSteps = 100
		smallest  = 0x1p-33 // step
		small     = 1e-9    // gradient, per row
	)
	for range mostSteps {
		g1, g2, ds, slope := fit.newton(s)
		if limit := float64(small * (l1 + l2)); math.Abs(g1) < limit && math.Abs(g2) < limit {
			break
		}
		step, improved := 1.0, false
		for ; step >= smallest; step = float64(step * 0.5) {
			next := sigmoid{math.FMA(step, ds.slope, s.slope), math.FMA(step, ds.offset, s.offset)}
			if v := fit.objective(next); v < math.FMA(float64(1e-4*step), slope, value) {
				s, value, improved = next, v, true
				break
			}
		}
		if !improved {
			break
		}
	}
	slope := float64(s.slope * fit.scale)
	return sigmoid{slope: max(-math.MaxFloat64, min(slope, math.MaxFloat64)), offset: s.offset}
}

// sigmoidFit is the likelihood to maximise.
type sigmoidFit struct {
	f, target []float64 // by row: value times scale, and target of the second class
	scale     float64   // a power of two that brings the values below 1
	weights   fisher.Weights
	terms     [5][]float64
}

func newSigmoidFit(d decisions) *sigmoidFit {
	l1, l2 := d.sizes()
	fit := &sigmoidFit{scale: 1, weights: d.weights}
	fit.f = append(append(fit.f, d.first...), d.second...)
	largest := 0.0
	for _, f := range fit.f {
		largest = max(largest, math.Abs(f))
	}
	if largest > 0 {
		_, e := math.Frexp(largest)
		fit.scale = math.Ldexp(1, min(-e, 1000))
	}
	fit.target = make([]float64, len(fit.f))
	for i := range fit.f {
		fit.f[i] = float64(fit.f[i] * fit.scale)
		if i < len(d.first) {
			fit.target[i] = 1 / (l1 + 2)
		} else {
			fit.target[i] = (l2 + 1) / (l2 + 2)
		}
	}
	for k := range fit.terms {
		fit.terms[k] = make([]float64, len(fit.f))
	}
	return fit
}

// objective returns −Σ (t ln p + (1−t) ln(1−p)), p = 1/(1 + exp(x)), in a form in
// which nothing overflows.
func (fit *sigmoidFit) objective(s sigmoid) float64 {
	terms := fit.terms[0]
	for i, f := range fit.f {
		x, t := math.FMA(s.slope, f, s.offset), fit.target[i]
		if x < 0 {
			x, t = -x, 1-t
		}
		terms[i] = float64(fit.weights.Of(i) * math.FMA(t, x, f64.Log(1+f64.Exp(-x))))
	}
	return matrix.Sum(terms)
}

// newton returns the gradient of the objective, Newton's step and the slope of the
// objective along it. The Hessian is Σ w (f, 1)(f, 1)ᵀ plus 1e-12 on its diagonal,
// w = p(1−p), and is eliminated about the weighted mean m of f.
func (fit *sigmoidFit) newton(s sigmoid) (g1, g2 float64, step sigmoid, slope float64) {
	const ridge = 1e-12
	w, wf, wff, d, df := fit.terms[0], fit.terms[1], fit.terms[2], fit.terms[3], fit.terms[4]
	for i, f := range fit.f {
		x := math.FMA(s.slope, f, s.offset)
		p := 1 / (1 + f64.Exp(x))
		w[i] = float64(fit.weights.Of(i) * float64(p*(1/(1+f64.Exp(-x)))))
		wf[i] = float64(w[i] * f)
		d[i] = float64(fit.weights.Of(i) * (fit.target[i] - p))
		df[i] = float64(d[i] * f)
	}
	g1, g2 = matrix.Sum(df), matrix.Sum(d)
	h := matrix.Sum(w) + ridge
	m := matrix.Sum(wf) / h
	for i, f := range fit.f {
		wff[i] = float64(float64(w[i]*(f-m)) * (f - m))
	}
	step.slope = -math.FMA(-m, g2, g1) / (matrix.Sum(wff) + ridge)
	step.offset = math.FMA(-m, step.slope, -g2/h)
	return g1, g2, step, math.FMA(g1, step.slope, float64(g2*step.offset))
}

// couple fills w.posteriors from the probabilities r_ij = P(class i | i or j) that
// the machines' values give: the p with Σ p_i = 1 that minimises
//
//	Σ_{i<j} (r_ji p_i − r_ij p_j)² = ½ pᵀQp,  Q_ii = Σ_j r_ji²,  Q_ij = −r_ji r_ij
//
// (Wu, Lin & Weng, "Probability estimates for multi-class classification by pairwise
// coupling", JMLR 5, 2004, second approach). At the minimum all entries of Qp are
// equal, so p is the solution of (Q + eeᵀ)y = e, e all ones, divided by its sum; the
// matrix is positive definite (their theorem 3) and is factored by Cholesky. All p_i are
// positive, far above rounding: the r_ij are bounded away from 0. For two
// classes p is r, and so rises with the value of the machine to the last bit.
func (r *voting) couple(w *workspace, values *matrix.Dense) {
	c := r.classes
	resize(&w.posteriors, values.Rows, c)
	resize(&w.coupling, c, c)
	for i := range values.Rows {
		p := w.posteriors.Row(i)
		if c == 2 {
			first, second := r.sigmoids[0].pair(values.At(i, 0))
			p[0], p[1] = min(first, 1-leastProbability), min(second, 1-leastProbability)
			continue
		}
		r.system(&w.coupling, values.Row(i))
		solveOnes(p, &w.coupling)
		sum := 0.0
		for _, v := range p { // positive: no pair's probability is below 1e-7
			sum += v
		}
		for j := range p {
			p[j] /= sum
		}
	}
}

// system makes the lower triangle of q that of Q + eeᵀ.
func (r *voting) system(q *matrix.Dense, values []float64) {
	for i := range q.Rows {
		clear(q.Row(i))
		q.Set(i, i, 1)
	}
	p := 0
	for a := range r.classes {
		for b := a + 1; b < r.classes; b++ {
			first, second := r.sigmoids[p].pair(values[p])
			q.Set(a, a, math.FMA(second, second, q.At(a, a)))
			q.Set(b, b, math.FMA(first, first, q.At(b, b)))
			q.Set(b, a, math.FMA(-first, second, 1))
			p++
		}
	}
}

// solveOnes solves Ay = e for a small positive definite A, of which it reads the
// lower triangle and overwrites it.
func solveOnes(y []float64, a *matrix.Dense) {
	n := len(y)
	for j := range n {
		for i := j; i < n; i++ {
			s := a.At(i, j)
			for k := range j {
				s = math.FMA(-a.At(i, k), a.At(j, k), s)
			}
			if i == j {
				a.Set(j, j, math.Sqrt(s))
			} else {
				a.Set(i, j, s/a.At(j, j))
			}
		}
	}
	for i := range n {
		s := 1.0
		for k := range i {
			s = math.FMA(-a.At(i, k), y[k], s)
		}
		y[i] = s / a.At(i, i)
	}
	for i := n - 1; i >= 0; i-- {
		s := y[i]
		for k := i + 1; k < n; k++ {
			s = math.FMA(-a.At(k, i), y[k], s)
		}
		y[i] = s / a.At(i, i)
	}
}
