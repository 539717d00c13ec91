package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// kernelEmbedding maps rows to z = Σᵢ αᵢ k(xᵢ, x), with the doubly centred
// kernel where there is a centring. Each entry is one chain of fused
// multiply-adds over the training rows.
type kernelEmbedding struct {
	evaluator *gram.Evaluator
	alpha     *matrix.Dense  // n×p
	centring  *gram.Centring // or nil
	landmarks *landmarkShare // nil where the rows are all training rows
}

// landmarkShare is the share of the trace of the kernel matrix that landmarks leave out.
type landmarkShare struct{ left float64 }

// fields names those of landmarks, and returns how many there are.
func (e *kernelEmbedding) landmarkFields(c *codec) uint64 {
	if !c.ok() || !c.optional("landmarks", e.landmarks != nil, true) {
		return c.rows
	}
	n := 0
	if c.reading() {
		e.landmarks = new(landmarkShare)
	} else {
		n = e.alpha.Rows
	}
	rows := c.number("landmarks", &n)
	if c.float64("left", &e.landmarks.left); rows == 0 || e.landmarks.left < 0 || e.landmarks.left > 1 {
		c.fail("left", "%d landmarks that leave %v", rows, e.landmarks.left)
	}
	return rows
}

const kernelEmbeddingKind = "kernel"

func (e *kernelEmbedding) kernel() gram.Kernel         { return e.evaluator.Kernel() }
func (e *kernelEmbedding) expansion() *kernelEmbedding { return e }

func (e *kernelEmbedding) kind() string    { return kernelEmbeddingKind }
func (e *kernelEmbedding) dim() int        { return e.evaluator.Dim() }
func (e *kernelEmbedding) components() int { return e.alpha.Cols }

// batch returns whole tasks of rows where the kernel values allow for that.
func (e *kernelEmbedding) batch() int {
	rows := max(1, predictionValues/e.alpha.Rows)
	if rows > taskRows {
		rows -= rows % taskRows
	}
	return rows
}

// taskRows rows are embedded by one worker at a time: few enough for their kernel
// values to stay in the caches, enough for the training rows to be worth fetching.
const taskRows = 32

func (e *kernelEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	resize(&w.kernel, rows.Rows, e.alpha.Rows)
	if w.alpha == nil && rows.Rows > 1 {
		w.alpha = block.PackB(block.Mat(*e.alpha), false)
	}
	if w.team == nil || rows.Rows <= taskRows {
		return e.embedRows(w, &w.kernel, &w.z, rows)
	}
	tasks := (rows.Rows + taskRows - 1) / taskRows
	errs := make([]error, tasks)
	w.team.Do(tasks, func(t int) {
		first := t * taskRows
		some := func(a *matrix.Dense) *matrix.Dense {
			return a.View(first, 0, min(taskRows, a.Rows-first), a.Cols)
		}
		errs[t] = e.embedRows(w, some(&w.kernel), some(&w.z), some(rows))
	})
	for t, err := range errs {
		if err != nil {
			return offsetRow(err, t*taskRows)
		}
	}
	return nil
}

// embedRows sets z to the image of rows by way of their kernel values k.
func (e *kernelEmbedding) embedRows(w *workspace, k, z, rows *matrix.Dense) error {
	if _, err := e.evaluator.Cross(k, rows); err != nil {
		return err
	}
	if e.centring != nil {
		e.centring.Cross(k, k)
	}
	block.Run(nil, block.Job{
		Op: f64.Product, C: block.Mat(*z), A: block.Mat(*k), B: block.Mat(*e.alpha), Panels: w.alpha,
	})
	return nil
}

func (e *kernelEmbedding) fields(c *codec) {
	var kernel gram.Kernel
	x, centred := matrix.New(0, 0), e.centring != nil
	if !c.reading() {
		if kernel = e.kernel(); !isPrecomputed(kernel) {
			x = e.evaluator.X()
		}
	}
	n := e.landmarkFields(c)
	c.section("kernel")
	c.kernel(&kernel)
	c.bool("centred", &centred)
	c.section("rows")
	c.matrix("rows", &x)
	switch precomputed := isPrecomputed(kernel); {
	case precomputed && (x.Rows != 0 || c.cols != n):
		c.fail("rows", "a precomputed kernel has no rows and the dimension %d, found %d rows and %d", n, x.Rows, c.cols)
	case !precomputed && (uint64(x.Rows) != n || uint64(x.Cols) != c.cols):
		c.fail("rows", "%d×%d, want %d×%d", x.Rows, x.Cols, n, c.cols)
	}
	c.section("alpha")
	c.shaped("alpha", &e.alpha, n, c.components)
	switch {
	case !c.ok() || !c.reading():
	case isPrecomputed(kernel):
		e.evaluator = gram.PrecomputedRows(e.alpha.Rows)
	default:
		e.evaluator = c.evaluator(kernel, x, "rows")
	}
	if !centred {
		return
	}
	if c.reading() {
		e.centring = new(gram.Centring)
	}
	c.section("centring")
	c.float64("shift", &e.centring.Shift)
	c.floats("means", &e.centring.Means)
	c.float64("mean", &e.centring.Mean)
	if means := e.centring.Means; uint64(len(means)) != n {
		c.fail("means", "%s for %s", plural.Count(len(means), "mean"), plural.Count(n, "row"))
	}
	weighedFields(c, e.centring)
}

// weighedFields names those of the weights that rows have in the means.
func weighedFields(c *codec, centring *gram.Centring) {
	if !c.ok() || !c.optional("weights", centring.Shares != nil, true) {
		return
	}
	c.float64("total", &centring.Total)
	c.floats("shares", &centring.Shares)
	if uint64(len(centring.Shares)) != c.rows {
		c.fail("shares", "%s for %s", plural.Count(len(centring.Shares), "share"), plural.Count(c.rows, "row"))
	}
	for _, v := range append([]float64{centring.Total}, centring.Shares...) {
		if v <= 0 {
			c.fail("shares", "not a positive weight")
		}
	}
}

func isPrecomputed(k gram.Kernel) bool {
	_, precomputed := k.(gram.Precomputed)
	return precomputed
}

// startKernel scales the rows of x and prepares the kernel, gram.RBF{} for nil, on
// them, with defaults for their weights. It keeps no part of x, except a precomputed matrix.
func startKernel(kernel gram.Kernel, scaling Scaling, x *matrix.Dense, weights fisher.Weights) (*pipeline, *gram.Evaluator, error) {
	p := &pipeline{}
	rows, err := p.fitScaler(scaling, x, weights)
	if err != nil {
		return nil, nil, err
	}
	kernel = kernelOr(kernel)
	if weights != nil {
		if kernel, err = gram.Resolve(kernel, rows, weights...); err != nil {
			return nil, nil, err
		}
	}
	if rows == x && !isPrecomputed(kernel) {
		rows = x.Clone() // the model keeps the rows
	}
	evaluator, err := gram.NewEvaluator(kernel, rows)
	return p, evaluator, err
}

// kernelMatrix returns the kernel matrix of the evaluator's rows. Its memory is for fits that
// follow once release is called.
func kernelMatrix(ctx context.Context, e *gram.Evaluator) (k *matrix.Dense, release func(), err error) {
	n := e.Order()
	memory := pages.Take(n * n)
	k = &matrix.Dense{Rows: n, Cols: n, Stride: n, Data: (*memory)[: n*n : n*n]}
	if _, err := e.MatrixContext(ctx, k); err != nil {
		return nil, nil, err
	}
	return k, func() { pages.Leave(memory) }, nil
}

// withoutMatrix returns the evaluator for a model: without the kernel matrix, if
// that was precomputed.
func withoutMatrix(e *gram.Evaluator) *gram.Evaluator {
	if isPrecomputed(e.Kernel()) {
		return gram.PrecomputedRows(e.Order())
	}
	return e
}

// offsetEmbedding adds a number to each component of a kernel embedding.
type offsetEmbedding struct {
	kernelEmbedding
	offset []float64
}

const offsetEmbeddingKind = "kernel+offset"

func (e *offsetEmbedding) kind() string { return offsetEmbeddingKind }

func (e *offsetEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	if err := e.kernelEmbedding.embed(w, rows); err != nil {
		return err
	}
	for i := range w.z.Rows {
		z := w.z.Row(i)
		for j, b := range e.offset {
			z[j] += b
		}
	}
	return nil
}

func (e *offsetEmbedding) fields(c *codec) {
	e.kernelEmbedding.fields(c)
	c.section("offset")
	if c.floats("offset", &e.offset); uint64(len(e.offset)) != c.components {
		c.fail("offset", "%s for %s", plural.Count(len(e.offset), "offset"), plural.Count(c.components, "component"))
	}
}

// intercepts returns the b of f(x) = Σᵢ aᵢ k(xᵢ, x) + b for the kernel as it is: with
// 1ᵀa = 0 the centred kernel's expansion has the constant −Σᵢ aᵢ meanⱼ Kᵢⱼ more.
func (e *offsetEmbedding) intercepts() []float64 {
	b := append([]float64(nil), e.offset...)
	if e.centring == nil {
		return b
	}
	for j := range b {
		for i, m := range e.centring.Means {
			b[j] = math.FMA(-e.alpha.At(i, j), m, b[j])
		}
	}
	return b
}

// linearEmbedding maps rows to z = Wᵀ(x − origin). Each entry is one chain of
// fused multiply-adds over the features.
type linearEmbedding struct {
	origin  []float64
	weights *matrix.Dense // d×p
}

const linearEmbeddingKind = "linear"

func (e *linearEmbedding) kind() string    { return linearEmbeddingKind }
func (e *linearEmbedding) dim() int        { return e.weights.Rows }
func (e *linearEmbedding) components() int { return e.weights.Cols }
func (e *linearEmbedding) batch() int      { return max(1, batchValues/e.weights.Rows) }

func (e *linearEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	resize(&w.kernel, rows.Rows, rows.Cols)
	for i := range rows.Rows {
		to := w.kernel.Row(i)
		for j, v := range rows.Row(i) {
			to[j] = v - e.origin[j]
		}
	}
	matrix.Mul(&w.z, &w.kernel, matrix.NoTrans, e.weights, matrix.NoTrans)
	return nil
}

func (e *linearEmbedding) fields(c *codec) {
	c.section("linear")
	c.floats("origin", &e.origin)
	c.shaped("weights", &e.weights, c.cols, c.components)
	if uint64(len(e.origin)) != c.cols {
		c.fail("origin", "%s for %s", plural.Count(len(e.origin), "number"), plural.Count(c.cols, "column"))
	}
}
