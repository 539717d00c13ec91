package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// PreImage says how good a pre-image is.
type PreImage struct {
	// Error is the squared distance in the feature space of the pre-image's φ(x)
	// from the point with the given scores.
	Error float64
	// Steps is the number of steps that were made.
	Steps int
	// Converged says that the last step was below 2⁻³⁰ of the kernel's width 1/√γ.
	Converged bool
}

// PreImageError says that there is no method to find pre-images for a kernel.
type PreImageError struct {
	Kernel string
}

func (e *PreImageError) Error() string {
	return "discriminant: pre-images by a fixed point are for the rbf kernel, not for " + e.Kernel + ": learn a map from scores to rows with FitRegression"
}

// preImageSteps bounds the steps for one pre-image, preImageTolerance is the
// length of the last in units of 1/√γ.
const (
	preImageSteps     = 1000
	preImageTolerance = 0x1p-30
)

// PreImages writes to dst, m×Dim, rows whose images in the feature space are near
// the points with the scores z, m×Components, as Project gives them; a nil dst is
// allocated. With fewer components than there are, that takes noise away (Mika,
// Schölkopf, Smola, Müller, Scholz and Rätsch 1999).
//
// The kernel must be rbf, else the error is a *[PreImageError]. Scores so large that
// the distance of the point from all rows is not a finite number are an
// *[OverflowError]; those that Project gives are not. The point is Σ γᵢ
// φ(xᵢ), with γ from the scores, and its pre-image maximises g(x) = Σ γᵢ k(xᵢ, x).
// From the training row with the largest g on, each step goes to
//
//	Σ γᵢ k(xᵢ, x) xᵢ / Σ γᵢ k(xᵢ, x)
//
// the fixed point of which is the condition ∇g = 0, or by a half, a quarter … of
// the way to it where g would not grow, and against that direction where the
// denominator is negative.
//
// For other kernels, and for a faster map, fit the rows to their scores by kernel
// ridge regression: FitRegression(ctx, ridge, scores, rows).
//
// Cost: n² kernel values, and n a step.
func (p *PCA) PreImages(ctx context.Context, dst, z *matrix.Dense) (*matrix.Dense, []PreImage, error) {
	p.f.needs("PreImages")
	misuse.NotNil("discriminant: PreImages", "z", z)
	e := p.f.expansion()
	rbf, ok := e.evaluator.Kernel().(gram.RBF)
	if !ok {
		return nil, nil, &PreImageError{Kernel: e.evaluator.Kernel().String()}
	}
	if z.Cols != p.Components() {
		return nil, nil, &gram.ShapeError{What: "the scores", Rows: z.Rows, Cols: z.Cols, WantRows: z.Rows, WantCols: p.Components()}
	}
	if err := matrix.CheckFinite(z); err != nil {
		return nil, nil, err
	}
	if dst == nil {
		dst = matrix.New(z.Rows, p.Dim())
	}
	checkDestination("PreImages", dst, z, z.Rows, p.Dim())
	gamma := p.expansion(z)
	if e, ok := matrix.CheckFinite(gamma).(*matrix.NotFiniteError); ok {
		return nil, nil, &OverflowError{Row: e.Row, Component: largest(z.Row(e.Row))}
	}
	starts, err := nearestTraining(ctx, e.evaluator, gamma)
	if err != nil {
		return nil, nil, err
	}
	s := preImageSearch{evaluator: e.evaluator, width: 1 / math.Sqrt(rbf.Gamma), values: matrix.New(1, gamma.Cols)}
	found := make([]PreImage, z.Rows)
	for i := range found {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s.gamma = gamma.Row(i)
		x := e.evaluator.X().View(starts[i], 0, 1, p.Dim()).Clone()
		g, err := s.climb(x, &found[i])
		if err != nil {
			return nil, nil, err
		}
		// ‖φ(x)‖² − 2⟨φ(x), Σγᵢφ(xᵢ)⟩ + ‖Σγᵢφ(xᵢ)‖²
		distance := (1 - float64(2*g)) + p.squaredNorm(z.Row(i))
		if !finite(distance) {
			return nil, nil, &OverflowError{Row: i, Component: largest(z.Row(i))}
		}
		found[i].Error = math.Max(0, distance)
		copy(dst.Row(i), x.Row(0))
		if scaler := p.Scaler(); scaler != nil {
			for j, v := range dst.Row(i) {
				dst.Row(i)[j] = math.FMA(v, scaler.scale[j], scaler.shift[j])
			}
		}
	}
	return dst, found, nil
}

// spread returns what the scores of component k were divided by.
func (p *PCA) spread(k int) float64 {
	n := float64(p.f.training.Rows)
	if c := p.f.expansion().centring; c.Shares != nil {
		n = c.Total
	}
	return p.Whitening().spread(p.f.lambda[k], n)
}

// largest returns the index of the value that is the largest in magnitude.
func largest(values []float64) int {
	at := 0
	for j, v := range values {
		if math.Abs(v) > math.Abs(values[at]) {
			at = j
		}
	}
	return at
}

// coordinates returns the scores without whitening: along unit axes.
func (p *PCA) coordinates(z []float64) []float64 {
	y := make([]float64, len(z))
	for k, v := range z {
		y[k] = float64(v * p.spread(k))
	}
	return y
}

// expansion returns, m×n, the γ of the points Σ γᵢ φ(xᵢ) with the given scores: with
// c = Σ_k y_k v_k/√λ_k over the axes, the point is the mean plus Σ cᵢ(φ(xᵢ) − mean),
// and γᵢ = cᵢ + (1 − Σc)/n, or times the row's share of the weights.
func (p *PCA) expansion(z *matrix.Dense) *matrix.Dense {
	alpha, shares := p.f.expansion().alpha, p.f.expansion().centring.Shares
	y := matrix.New(z.Rows, z.Cols)
	for i := range z.Rows {
		// α is v/√λ over the spread, the coordinate the score times the spread.
		for k, v := range p.coordinates(z.Row(i)) {
			y.Set(i, k, float64(v*p.spread(k)))
		}
	}
	gamma := matrix.Mul(nil, y, matrix.NoTrans, alpha, matrix.Transposed)
	for i := range gamma.Rows {
		row := gamma.Row(i)
		left := 1 - matrix.Sum(row)
		rest := left / float64(len(row))
		for j := range row {
			if shares != nil {
				rest = float64(left * shares[j])
			}
			row[j] += rest
		}
	}
	return gamma
}

// squaredNorm returns the squared norm of the point with the scores z: that of
// the mean, mean K, plus twice its product with the rest plus Σ y². The product
// of the mean with axis k is Σᵢ v_ki meanⱼ Kᵢⱼ/√λ_k.
func (p *PCA) squaredNorm(z []float64) float64 {
	e := p.f.expansion()
	s := e.centring.Shift + e.centring.Mean
	for k, y := range p.coordinates(z) {
		onMean := 0.0
		for i, m := range e.centring.Means {
			onMean = math.FMA(e.alpha.At(i, k), m, onMean)
		}
		onMean = float64(onMean * p.spread(k))
		s = math.FMA(y, y+float64(2*onMean), s)
	}
	return s
}

// nearestTraining returns for each row of gamma the training row with the largest
// Σ γᵢ k(xᵢ, x), the first of them.
func nearestTraining(ctx context.Context, e *gram.Evaluator, gamma *matrix.Dense) ([]int, error) {
	n := e.Order()
	best, at := make([]float64, gamma.Rows), make([]int, gamma.Rows)
	tile := matrix.New(min(n, max(1, batchValues/n)), n)
	for first := 0; first < n; first += tile.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k := tile.View(0, 0, min(tile.Rows, n-first), n)
		e.Rows(k, first)
		g := matrix.Mul(nil, gamma, matrix.NoTrans, k, matrix.Transposed)
		for i := range g.Rows {
			for j, v := range g.Row(i) {
				if first+j == 0 || v > best[i] {
					best[i], at[i] = v, first+j
				}
			}
		}
	}
	return at, nil
}

// preImageSearch climbs g(x) = Σ γᵢ k(xᵢ, x).
type preImageSearch struct {
	evaluator *gram.Evaluator
	width     float64
	gamma     []float64
	values    *matrix.Dense // 1×n: k(xᵢ, x)
}

// climb moves x, 1×d, to a local maximum of g and returns g there.
func (s *preImageSearch) climb(x *matrix.Dense, found *PreImage) (float64, error) {
	g, err := s.at(x)
	if err != nil {
		return 0, err
	}
	direction, next := make([]float64, x.Cols), matrix.New(1, x.Cols)
	for found.Steps = 0; found.Steps < preImageSteps; found.Steps++ {
		s.direction(direction, x.Row(0), g)
		length := math.Sqrt(matrix.SumSquares(direction))
		if length <= float64(preImageTolerance*s.width) {
			found.Converged = true
			break
		}
		grown := false
		for step := 1.0; float64(step*length) > float64(preImageTolerance*s.width); step /= 2 {
			for j, v := range direction {
				next.Row(0)[j] = math.FMA(step, v, x.Row(0)[j])
			}
			h, err := s.at(next)
			if err != nil {
				return 0, err
			}
			if h > g {
				g, grown = h, true
				x.CopyFrom(next)
				break
			}
		}
		if !grown { // g is at its maximum up to rounding
			found.Converged = true
			if g, err = s.at(x); err != nil {
				return 0, err
			}
			break
		}
	}
	return g, nil
}

// at evaluates the kernel at x and returns g.
func (s *preImageSearch) at(x *matrix.Dense) (float64, error) {
	if _, err := s.evaluator.Cross(s.values, x); err != nil {
		return 0, err
	}
	g := 0.0
	for i, v := range s.values.Row(0) {
		g = math.FMA(s.gamma[i], v, g)
	}
	return g, nil
}

// direction sets d to Σ γᵢ k(xᵢ, x)(xᵢ − x)/|g|, along the gradient of g.
func (s *preImageSearch) direction(d, x []float64, g float64) {
	clear(d)
	for i, v := range s.values.Row(0) {
		w := float64(s.gamma[i] * v)
		for j, xi := range s.evaluator.X().Row(i) {
			d[j] = math.FMA(w, xi-x[j], d[j])
		}
	}
	if g == 0 {
		clear(d)
		return
	}
	for j := range d {
		d[j] /= math.Abs(g)
	}
}

// ReconstructionErrors writes to dst, for each row of x, the squared distance in
// the feature space of φ(x) from its projection on the components: what they do
// not explain of the row, small for rows like those of training (Hoffmann, Pattern
// Recognition 40, 2007). A nil dst is allocated. For a precomputed kernel the
// values k(x, x) are not known, and the error is a *[PreImageError]; the other
// errors are those of Project.
func (p *PCA) ReconstructionErrors(dst []float64, x *matrix.Dense) ([]float64, error) {
	p.f.needs("ReconstructionErrors")
	misuse.NotNil("discriminant: ReconstructionErrors", "x", x)
	e := p.f.expansion()
	if isPrecomputed(e.evaluator.Kernel()) {
		return nil, &PreImageError{Kernel: e.evaluator.Kernel().String()}
	}
	if dst == nil {
		dst = make([]float64, x.Rows)
	}
	checkValues("ReconstructionErrors", dst, x)
	err := p.f.each(x, func(first int, w *workspace) error {
		rows := &w.rows
		if p.Scaler() != nil {
			rows = &w.scaled
		}
		diagonal, err := gram.Diag(nil, e.evaluator.Kernel(), rows)
		if err != nil {
			return err
		}
		cross, err := e.evaluator.Cross(nil, rows)
		if err != nil {
			return err
		}
		for i := range rows.Rows {
			k := cross.Row(i)
			for j := range k {
				k[j] -= e.centring.Shift
			}
			mean := e.centring.RowMean(k)
			rest := ((diagonal[i] - e.centring.Shift) - float64(2*mean)) + e.centring.Mean
			for _, y := range p.coordinates(w.z.Row(i)) {
				rest = math.FMA(-y, y, rest)
			}
			if !finite(rest) {
				return &OverflowError{Row: i, Component: largest(w.z.Row(i))}
			}
			dst[first+i] = math.Max(0, rest)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}
