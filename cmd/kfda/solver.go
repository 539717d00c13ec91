package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/trust"
	"github.com/seed92411348/kfda/matrix"
)

// conjugateSolver is how a certificate calls conjugate gradients.
const conjugateSolver = trust.ConjugateSolver

// mostFolds is the number of folds in which a model can be cross-validated: by kernel matrices, so that
// it is 0 for one that is by conjugate gradients.
func mostFolds(m *model) int {
	if certificateOf(m).Solver == conjugateSolver {
		return 0
	}
	return slices.Min(m.Counts())
}

// slower is how much longer the operations of conjugate gradients take, products with few columns,
// than those of a factorization.
const slower = 1.5

// longDirect is the number of floating-point operations, some quarter of a minute's, up to which a fit
// whose kernel matrix fits the memory is by that, to the last digits and with exact leave-one-out projections.
var longDirect = 2e12

// fewLandmarks is the number that is named as another way.
const fewLandmarks = 2000

// leastLandmarks are worth to be named.
const leastLandmarks = 100

// landmarksFor returns that for a model.
func landmarksFor(model string) int {
	if model == "lda" {
		return 0
	}
	return fewLandmarks
}

// solved returns the method with the solver of --solver, and the plan of its fit to t, which it
// refuses where the memory does not suffice. Of auto that is conjugate gradients where the kernel
// matrix does not fit the memory, or where a fit by it is very long and its operations are predicted
// to take longer, wherever it runs.
func (f *fitFlags) solved(s streams, t *table.Table, m method, classes int, weights []float64, limit float64) (method, discriminant.Plan, error) {
	direct, err := checkPlan(t, m, classes, limit)
	other, refused := conjugated(m, weights != nil)
	plan, tooLarge := checkPlan(t, other, classes, limit)
	w := ways{rows: t.X.Rows, direct: direct, conjugate: plan, possible: refused == nil && tooLarge == nil}
	_, most := memoryLimit(limit)
	for w.count = landmarksFor(f.model); ; w.count /= 2 {
		w.landmarks, w.streams = landmarksPlan(t, m, classes, w.count)
		if !w.streams || most == 0 || w.landmarks.Bytes <= most {
			break
		}
		if w.count < leastLandmarks {
			w.streams = false
			break
		}
	}
	long := direct.Flops > longFit
	switch why := ""; {
	case f.solver == "conjugate":
		if refused != nil {
			return nil, plan, usage("--solver conjugate %v", refused)
		}
		w.possible = false // besides
		return other, plan, w.remedy(tooLarge)
	case f.solver == "direct" || refused != nil || tooLarge != nil:
	case err != nil:
		why = "for the kernel matrix does not fit the memory"
		fallthrough
	case direct.Flops > longDirect && slower*plan.Flops < direct.Flops:
		notice(s.err, "the fit is by conjugate gradients, %s: %s", cmp.Or(why, "which take less time"), w.text())
		return other, plan, nil
	case long:
		notice(s.err, "the fit is direct, by the kernel matrix, which fits the memory: %s", w.text())
	}
	return m, direct, w.remedy(err)
}

// conjugated returns m, by conjugate gradients, or why it can't be so.
func conjugated(m method, weighed bool) (method, error) {
	p, wrapped := m.(discriminant.Prepared)
	bare := m
	if wrapped {
		bare = p.Method
	}
	k, ok := bare.(discriminant.KFDA)
	k.Conjugate = &discriminant.ConjugateGradients{}
	switch {
	case !ok:
		return m, fmt.Errorf("is for --model kfda")
	case weighed:
		return m, fmt.Errorf("is not for rows with weights")
	case k.Validate() != nil:
		return m, fmt.Errorf("goes with a ridge, --scatter sum and a kernel of columns, no sigmoid with --regularizer rkhs")
	case wrapped:
		p.Method = k
		return p, nil
	}
	return k, nil
}

// landmarksPlan returns the plan of a fit by --landmarks, where the method has one.
func landmarksPlan(t *table.Table, m method, classes, count int) (plan discriminant.Plan, ok bool) {
	if p, wrapped := m.(discriminant.Prepared); wrapped {
		m = p.Method
	}
	switch k := m.(type) {
	case discriminant.KFDA:
		ok = k.Scatter == discriminant.SummedScatter
	case discriminant.KernelRidge, discriminant.KernelPCA:
		ok = true
	case discriminant.LDA:
		ok = k.Regularizer != discriminant.LedoitWolf()
	}
	if ok {
		plan = planLandmarks(m, t.X.Rows, t.X.Cols, classes, count)
	}
	return plan, ok
}

// ways are those in which a fit can be done.
type ways struct {
	rows, count                  int // of landmarks
	direct, conjugate, landmarks discriminant.Plan
	possible, streams            bool // the second and the third
}

// text says what each takes.
func (w ways) text() string {
	rate := flopsPerSecond()
	one := func(name string, p discriminant.Plan, times float64) string {
		return fmt.Sprintf("%s %s, about %s", name, bytesText(p.Bytes), aboutText(times*p.Flops/rate))
	}
	all := []string{one("direct", w.direct, 1), one("conjugate gradients", w.conjugate, slower)}
	if w.streams && w.rows > fewLandmarks {
		all = append(all, one(fmt.Sprintf("--landmarks %d", w.count), w.landmarks, 1))
	}
	return strings.Join(all, "; ")
}

// aboutText shows a time that is not known well.
func aboutText(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(1, seconds))
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}

// remedy adds to an error of a plan what other ways there are.
func (w ways) remedy(err error) error {
	if err == nil || w.rows <= fewLandmarks {
		return err
	}
	if w.possible && w.conjugate.Bytes < w.direct.Bytes {
		err = fmt.Errorf("%w; conjugate gradients need %s, with --solver conjugate", err, bytesText(w.conjugate.Bytes))
	}
	if w.streams && w.landmarks.Bytes < min(w.direct.Bytes, w.conjugate.Bytes) {
		err = fmt.Errorf("%w; in parts the fit needs %s, with --landmarks %d", err, bytesText(w.landmarks.Bytes), w.count)
	}
	return err
}

// flopsPerSecond is the speed at which this machine multiplies matrices.
func flopsPerSecond() float64 {
	const n, times = 384, 4
	a, b := matrix.New(n, n), matrix.New(n, n)
	matrix.Mul(b, a, matrix.NoTrans, a, matrix.NoTrans) // the first is slower
	start := time.Now()
	for range times {
		matrix.Mul(b, a, matrix.NoTrans, a, matrix.NoTrans)
	}
	return times * 2 * n * n * n / time.Since(start).Seconds()
}
