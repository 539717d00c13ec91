package inference

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// KernelWeights are the weights of kernels in a sum that separates classes best, see [WeighKernels].
type KernelWeights struct {
	Kernels []gram.Kernel // with their parameters resolved
	Weights []float64     // wⱼ ≥ 0, together 1, exactly 0 for kernels that are left out

	// Useless says which kernels have the weight 0 in every optimum, as the gap proves. Another of
	// weight 0 is at the border: it may have a small weight in an optimum.
	Useless []bool

	// Kernel is Σ wⱼn/tr(HKⱼH)·kⱼ over the kernels of positive weight: tr(HKH) = n.
	Kernel gram.Kernel

	Ridge     float64 // ε
	Objective float64 // f(w), of c classes from 0 to c − 1; the least is at most Gap below it
	Gap       float64
	Steps     int // factorizations of an n×n matrix
}

// weighGap is the relative gap at which a search for weights ends, and weighSteps the
// factorizations after which it ends in any case.
const (
	weighGap   = 1e-6
	weighSteps = 200
)

// WeighKernels minimises over the weights w ≥ 0, Σw = 1,
//
//	f(w) = Σ 1/(1 + λ) = ε tr QᵀA⁻¹Q,   A = H(Σ wⱼKⱼ)H + εI,
//
// λ being the eigenvalues of kernel Fisher discriminant analysis with the ridge ε in the RKHS, Q the
// orthonormal contrasts of the labels, and each kernel scaled so that tr(HKⱼH) = n, whose ε is
// relative to the mean eigenvalue then. f is convex for positive semidefinite kernels, as tr QᵀA⁻¹Q is
// (Boyd and Vandenberghe, Convex Optimization, example 3.4): with Z = A⁻¹Q and sⱼ = tr ZᵀKⱼZ
//
//	∂f/∂wⱼ = −ε sⱼ,   ∂²f/∂wᵢ∂wⱼ = 2ε tr ZᵀKᵢA⁻¹KⱼZ,   f(w) − min f ≤ ε(max s − Σ wⱼsⱼ) = gap.
//
// The small weights vanish as in the group lasso, to which this is equivalent (Bach, JMLR 9, 2008,
// section 2), and more of them the larger ε is. The weights are those of Newton steps, whose quadratic
// problem is solved by exact steps in pairs of weights, with a line search, until the gap is 1e-6 of f.
//
// The dual problem is 2ε²-strongly concave, so that Z is within √gap/ε of its optimum Z*, and √sⱼ within
// δ = √(n·gap)/ε of its own. In every optimum the kernels of positive weight are those of the largest
// s: a kernel with √sⱼ + δ < max √s − δ has the weight 0 in all of them.
//
// A kernel that is constant on the rows has the weight 0. One that is seen not to be positive
// semidefinite, no kernel or no kernel that varies is a *[discriminant.ParameterError]; other errors are
// those of [Test]. Cost of a step: n³/3 + 2n²m + nJm flops, m = J(c−1) for J kernels, and all kernel
// values twice; memory: two n×n matrices, n×m and J×J. progress, which may be nil, is called after each
// step with the gap relative to f. The bits do not depend on the number of workers.
func WeighKernels[L discriminant.Label](ctx context.Context, kernels []gram.Kernel, ridge float64, x *matrix.Dense, labels []L, progress func(step int, gap float64)) (*KernelWeights, error) {
	misuse.NotNil("inference: WeighKernels", "ctx", ctx, "x", x)
	if !(ridge > 0) || math.IsInf(ridge, 0) {
		return nil, &discriminant.ParameterError{Field: "Ridge", Value: fmt.Sprint(ridge), Reason: "want a number above 0"}
	}
	if len(labels) != x.Rows {
		return nil, &discriminant.RowsError{Rows: x.Rows, Labels: len(labels)}
	}
	classes, of := encode(labels)
	if len(classes) < 2 {
		return nil, tooFew(classes)
	}
	w := &weighing{ridge: ridge, x: x, q: fisher.Contrasts(of), progress: progress}
	if err := w.prepare(ctx, kernels); err != nil {
		return nil, err
	}
	return w.search(ctx)
}

// weighing is a search for weights under way.
type weighing struct {
	ridge    float64
	x, q     *matrix.Dense
	kernels  []gram.Kernel
	parts    []weighedPart // those that vary
	second   *matrix.Dense // derivatives
	progress func(step int, gap float64)
	steps    int
	ended    bool // rounding leaves no fall
}

// weighedPart is a kernel that varies on the rows.
type weighedPart struct {
	at     int // among all
	values *gram.Evaluator
	scale  float64 // n/tr(HKH)
}

// prepare resolves and scales the kernels.
func (w *weighing) prepare(ctx context.Context, kernels []gram.Kernel) error {
	n := w.x.Rows
	ones := matrix.New(n, 1)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	for at, k := range kernels {
		e, err := gram.NewEvaluator(k, w.x)
		if err != nil {
			return err
		}
		w.kernels = append(w.kernels, e.Kernel())
		sums, err := e.Product(ctx, ones, nil)
		if err != nil {
			return err
		}
		all := matrix.Sum(e.Diag(nil))
		trace := all - matrix.Sum(sums.Data)/float64(n)
		rounding := float64(8 * float64(float64(n)*f64.Roundoff) * math.Abs(all))
		switch {
		case trace < -rounding || all < 0:
			return w.indefinite(at)
		case trace > rounding:
			w.parts = append(w.parts, weighedPart{at, e, float64(n) / trace})
		}
	}
	if w.parts == nil {
		return &discriminant.ParameterError{Field: "Kernels", Value: fmt.Sprint(len(kernels)), Reason: "none varies on the rows"}
	}
	return nil
}

func (w *weighing) indefinite(at int) error {
	return &discriminant.ParameterError{Field: "Kernels", Value: fmt.Sprint(w.kernels), Reason: fmt.Sprintf("%v is not positive semidefinite: leave it out", w.kernels[at])}
}

// sum returns the kernel of weights of the parts.
func (w *weighing) sum(weights []float64) gram.Kernel {
	var all gram.Sum
	for j, v := range weights {
		if p := w.parts[j]; v > 0 {
			all.Terms = append(all.Terms, gram.Scaled{Factor: float64(v * p.scale), Kernel: w.kernels[p.at]})
		}
	}
	return all
}

// weighedPoint is what is known at some weights.
type weighedPoint struct {
	weights   []float64
	sample    *Sample
	y         *matrix.Dense // εA⁻¹Q
	objective float64

	products *matrix.Dense // HKⱼHY: column k of part j is column kJ + j
	slopes   []float64     // −∂f/∂wⱼ
	gap      float64
}

// at factors A.
func (w *weighing) at(ctx context.Context, weights []float64) (p *weighedPoint, err error) {
	p = &weighedPoint{weights: weights, y: w.q.Clone()}
	if p.sample, err = NewSample(ctx, Settings{Kernel: w.sum(weights), Ridge: w.ridge}, w.x); err != nil {
		return nil, err
	}
	w.steps++
	p.sample.rows.Inverse(p.y)
	p.objective = inner(w.q, p.y)
	return p, nil
}

// inner returns tr AᵀB.
func inner(a, b *matrix.Dense) float64 {
	sums := make([]float64, a.Rows)
	for i := range sums {
		sums[i] = matrix.Dot(a.Row(i), b.Row(i))
	}
	return matrix.Sum(sums)
}

// measure finds the slopes and the gap.
func (w *weighing) measure(ctx context.Context, p *weighedPoint) error {
	parts, columns := len(w.parts), w.q.Cols
	p.products, p.slopes = matrix.New(w.x.Rows, parts*columns), make([]float64, parts)
	for j, part := range w.parts {
		ky, err := part.values.Product(ctx, p.y, nil)
		if err != nil {
			return err
		}
		means := make([]float64, columns)
		for k := range means {
			means[k] = matrix.Sum(matrix.Transpose(nil, ky.View(0, k, ky.Rows, 1)).Data) / float64(ky.Rows)
		}
		for i := range ky.Rows {
			row := ky.Row(i)
			for k, v := range row {
				row[k] = float64((v - means[k]) * part.scale)
				p.products.Set(i, k*parts+j, row[k])
			}
		}
		if p.slopes[j] = inner(p.y, ky) / w.ridge; p.slopes[j] < -float64(p.rounding()*p.objective) {
			return w.indefinite(part.at)
		}
	}
	p.gap = slices.Max(p.slopes) - matrix.Dot(p.weights, p.slopes)
	p.gap = math.Max(p.gap, float64(p.rounding()*p.objective))
	return nil
}

// rounding is about the relative error of the slopes.
func (p *weighedPoint) rounding() float64 {
	return float64(float64(p.sample.Rows()) * (f64.Roundoff + p.sample.rows.Rounding()))
}

// curvature returns the J×J matrix of second derivatives, in the memory of the former; the products
// are overwritten.
func (w *weighing) curvature(p *weighedPoint) *matrix.Dense {
	parts := len(w.parts)
	p.sample.rows.Whiten(p.products)
	if w.second == nil {
		w.second = matrix.New(parts, parts)
	}
	h := w.second
	clear(h.Data)
	for k := range w.q.Cols {
		matrix.AddSymRankK(h, p.products.View(0, k*parts, w.x.Rows, parts), matrix.Transposed)
	}
	for i := range h.Data {
		h.Data[i] = float64(2 * h.Data[i] / float64(w.ridge*w.ridge))
	}
	return h
}

// useless reports which parts the gap proves to have the weight 0 in every optimum.
func (w *weighing) useless(p *weighedPoint) []bool {
	// √s = √(slope/ε): all is times √ε.
	delta := math.Sqrt(float64(float64(w.x.Rows)*p.gap) / w.ridge)
	least := math.Sqrt(slices.Max(p.slopes)) - delta
	proved := make([]bool, len(w.parts))
	for j, v := range p.slopes {
		proved[j] = math.Sqrt(math.Max(v, 0))+delta < least
	}
	return proved
}

// search minimises the objective.
func (w *weighing) search(ctx context.Context) (*KernelWeights, error) {
	weights := make([]float64, len(w.parts))
	for j := range weights {
		weights[j] = 1 / float64(len(weights))
	}
	p, err := w.at(ctx, weights)
	for ; err == nil; p, err = w.step(ctx, p) {
		if err = w.measure(ctx, p); err != nil {
			break
		}
		if w.progress != nil {
			w.progress(w.steps, p.gap/p.objective)
		}
		if p.gap > float64(weighGap*p.objective) && w.steps < weighSteps && !w.ended {
			continue
		}
		proved := w.useless(p)
		if !without(p.weights, proved) {
			return w.result(p, proved), nil
		}
		if p, err = w.at(ctx, p.weights); err == nil {
			err = w.measure(ctx, p)
		}
		if err == nil {
			return w.result(p, proved), nil
		}
	}
	return nil, err
}

// without sets weights to 0, those that are left to a sum of 1, and reports whether any was not.
func without(weights []float64, out []bool) (changed bool) {
	for j, v := range weights {
		if out[j] && v > 0 {
			weights[j], changed = 0, true
		}
	}
	if sum := matrix.Sum(weights); changed {
		for j := range weights {
			weights[j] /= sum
		}
	}
	return changed
}

// step returns the point after a Newton step, shortened until the objective falls as it should. Where
// rounding leaves no fall, the search ends.
func (w *weighing) step(ctx context.Context, p *weighedPoint) (*weighedPoint, error) {
	target := leastQuadratic(w.curvature(p), p.slopes, p.weights)
	p.sample, p.products = nil, nil
	fall := matrix.Dot(target, p.slopes) - matrix.Dot(p.weights, p.slopes)
	for t := 1.0; t > 0x1p-20 && w.steps < weighSteps; t /= 2 {
		weights := target
		if t < 1 {
			weights = make([]float64, len(target))
			for j, v := range target {
				weights[j] = float64(t*v) + float64((1-t)*p.weights[j])
			}
		}
		next, err := w.at(ctx, weights)
		if err != nil || next.objective <= p.objective-float64(0.1*float64(t*fall)) {
			return next, err
		}
	}
	w.ended = true
	return w.at(ctx, p.weights)
}

// leastQuadratic returns the w ≥ 0, Σw = 1, with the least ½dᵀHd − slopesᵀd, d = w − from, by exact steps
// in the pair of weights that promises most.
func leastQuadratic(h *matrix.Dense, slopes, from []float64) []float64 {
	w, falls := slices.Clone(from), slices.Clone(slopes) // falls: minus the gradient
	limit := float64(1e-12 * slices.Max(slopes))
	for range 100 * (len(w) + 10) {
		up, down := 0, -1
		for j, v := range falls {
			if v > falls[up] {
				up = j
			}
			if w[j] > 0 && (down < 0 || v < falls[down]) {
				down = j
			}
		}
		fall := falls[up] - falls[down]
		if fall <= limit {
			break
		}
		t := w[down]
		if bend := h.At(up, up) + h.At(down, down) - float64(2*h.At(up, down)); float64(t*bend) > fall {
			t = fall / bend
		}
		w[up] += t
		if w[down] -= t; t == 0 {
			break
		}
		a, b := h.Row(up), h.Row(down)
		for j := range falls {
			falls[j] = math.FMA(t, b[j]-a[j], falls[j])
		}
	}
	return w
}

func (w *weighing) result(p *weighedPoint, proved []bool) *KernelWeights {
	r := &KernelWeights{
		Kernels: w.kernels, Weights: make([]float64, len(w.kernels)), Useless: make([]bool, len(w.kernels)),
		Kernel: w.sum(p.weights), Ridge: w.ridge, Objective: p.objective, Gap: p.gap, Steps: w.steps,
	}
	for j := range r.Useless {
		r.Useless[j] = true
	}
	for j, part := range w.parts {
		r.Weights[part.at], r.Useless[part.at] = p.weights[j], proved[j]
	}
	return r
}
