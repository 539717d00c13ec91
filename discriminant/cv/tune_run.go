package cv

import (
	"context"
	"math"
	"runtime"
	"runtime/metrics"
	"sync"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// tuning is a search under way.
type tuning struct {
	search     Search // with all settings of the method resolved
	x          *matrix.Dense
	codes      []int
	targets    []float64 // of a regression, which has no codes and no classes
	weights    []float64 // of the rows, or nil
	classes    int
	names      []string // of the classes
	folds      *Folds
	foldErrors []error // what is wrong with each fold whatever the candidate
	refused    map[line]error
	workers    int
	sample     int      // the number of rows where these are not all, else 0
	common     triangle // squared distances of the rows without scaling while a line shares them, or nil
	memory     memory
}

// unit is the work of one goroutine at a time: all points of one line in one fold.
type unit struct {
	fold    int
	points  grid // of one line
	results []*tested
	errs    []error
}

// try returns how the points fare.
func (t *tuning) try(ctx context.Context, points grid, round int, stage string) ([]Candidate, error) {
	total, done := len(points)*t.folds.Len(), 0
	t.search.progress(stage, done, total)
	tried := func(points int) {
		done += points
		t.search.progress(stage, done, total)
	}
	one, attempt := grid.oneLine, t.tryLine
	if _, ok := t.search.kfda(); !ok {
		one, attempt = grid.onePoint, t.tryPoint
	}
	var candidates []Candidate
	for len(points) > 0 {
		some := one(points)
		points = points[len(some):]
		if err := t.refused[some[0].line]; err != nil {
			tried(len(some) * t.folds.Len())
			candidates = append(candidates, t.failed(some, err, round)...)
			continue
		}
		outcomes, err := attempt(ctx, some, round, tried)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, outcomes...)
	}
	return candidates, nil
}

// candidate returns a point as a candidate.
func (t *tuning) candidate(p point, round int) Candidate {
	c := Candidate{Round: round, Kernel: p.kernel, Scaling: p.scaling, Gamma: Number(p.gamma), Sample: t.sample}
	if c.Parameter = t.search.Method.Parameter().Name; c.Parameter == "" {
		c.Ridge = Number(p.value)
	} else {
		c.Value = Number(p.value)
	}
	m, ok := t.search.kfda()
	if classifier := t.search.Method.Settings().Classifier; ok && m.Classifier != nil || t.search.Classifiers != nil {
		c.Classifier = classifier.String()
	}
	return c
}

// failed returns the points as candidates that have no result in any fold.
func (t *tuning) failed(points grid, err error, round int) []Candidate {
	var candidates []Candidate
	first := Failure{Fold: 0, Err: err}
	for _, p := range points {
		c := t.candidate(p, round)
		c.Balanced, c.Failed, c.Reason, c.err = Number(math.NaN()), t.folds.Len(), first.Error(), first
		candidates = append(candidates, c)
	}
	return candidates
}

// oneLine returns the leading points of one kernel and scaling.
func (g grid) oneLine() grid {
	last := 1
	for last < len(g) && g[last].line == g[0].line {
		last++
	}
	return g[:last]
}

func (g grid) onePoint() grid { return g[:1] }

// tryPoint returns how a point fares whose fits have nothing in common with others.
func (t *tuning) tryPoint(ctx context.Context, points grid, round int, tried func(folds int)) ([]Candidate, error) {
	c := t.candidate(points[0], round)
	if t.search.tunesGamma(c.Kernel) {
		if err := checkGamma(float64(c.Gamma)); err != nil {
			tried(t.folds.Len())
			return t.failed(points, err, round), nil
		}
	}
	if t.targets != nil {
		e, err := t.regress(ctx, t.search.Candidate(c), tried)
		return []Candidate{t.regressed(c, e)}, err
	}
	results, errs, err := testFolds(ctx, t.search.Candidate(c), t.x, t.codes, t.names, t.weights, t.folds, t.workers, tried)
	return []Candidate{t.outcome(c, results, errs)}, err
}

// tryLine returns how points of one kernel and scaling fare.
func (t *tuning) tryLine(ctx context.Context, points grid, round int, tried func(points int)) ([]Candidate, error) {
	if t.distancesShared(points[0].line) {
		t.common = distancesOf(nil, t.x)
		defer func() { t.common = nil }()
	}
	units := make([]*unit, t.folds.Len())
	for k := range units {
		units[k] = &unit{fold: k, points: points, results: make([]*tested, len(points)), errs: make([]error, len(points))}
	}
	err := each(ctx, len(units), t.workers, func(ctx context.Context, k int, tick func(int)) error {
		return t.run(ctx, units[k], tick)
	}, tried)
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(points))
	results, errs := make([]*tested, len(units)), make([]error, len(units))
	for i, p := range points {
		for k, u := range units {
			results[k], errs[k] = u.results[i], u.errs[i]
		}
		candidates[i] = t.outcome(t.candidate(p, round), results, errs)
	}
	return candidates, nil
}

// outcome returns the candidate with what its folds say.
func (t *tuning) outcome(c Candidate, results []*tested, errs []error) Candidate {
	for k, err := range errs {
		if err != nil {
			c.fail(Failure{Fold: k, Err: err})
		}
	}
	s := newScores(results, t.classes)
	c.Errors, c.Rows, c.Balanced = s.Errors, s.Rows, Number(s.BalancedAccuracy())
	if t.weights != nil {
		total, wrong := s.Weight()
		c.Weight, c.Wrong = Number(total), Number(wrong)
	}
	if by := t.search.Criterion; by > ByBalancedAccuracy && c.Failed == 0 {
		if c.Score = Number(by.ofScores(s)); math.IsNaN(float64(c.Score)) {
			c.Score, c.Failed, c.err = 0, len(results), by.missing()
			c.Reason = c.err.Error()
		}
	}
	return c
}

// fail adds a fold without a result.
func (c *Candidate) fail(f Failure) {
	if c.Failed++; c.Failed == 1 {
		c.err, c.Reason = f, f.Error()
	}
}

// distancesShared reports whether all folds take parts of one matrix of squared
// distances.
func (t *tuning) distancesShared(l line) bool {
	_, prepared := t.search.base().(discriminant.Prepared) // by the training rows of each fold
	return t.distancesKept(l.kernel) && l.scaling == discriminant.NoScaling && !prepared
}

// distancesKept reports whether squared distances are kept for several γ. For n rows of
// d features it takes n²d steps to find them, half of them by symmetry, beside 4n³/3 for a
// fit; where that is little it takes less than to gather them and half of their memory.
func (t *tuning) distancesKept(kernel string) bool {
	const few = 64
	k, tuned := t.search.kernelOf(kernel, 0)
	_, rbf := k.(gram.RBF)
	return rbf && tuned && t.x.Cols > max(few, t.x.Rows/16)
}

// run fits and tests the unit's points, and ticks with the numbers of those that are
// done. What a fit refuses goes to the point; the error is that of ctx.
func (t *tuning) run(ctx context.Context, u *unit, tick func(int)) error {
	if err := t.foldErrors[u.fold]; err != nil {
		u.fail(err)
		tick(len(u.points))
		return nil
	}
	m := t.memory.take()
	defer t.memory.give(m)
	train, test := t.folds.Train(u.fold), t.folds.tests[u.fold]
	if len(test) == 0 { // of a sample
		tick(len(u.points))
		return nil
	}
	source, err := t.source(m, u.points[0].line, train, test)
	if err != nil {
		u.fail(err)
		tick(len(u.points))
		return nil
	}
	own := tested{truth: take(t.codes, test), weights: takeWeights(t.weights, test)}
	trainCodes, trainWeights := take(t.codes, train), takeWeights(t.weights, train)
	for first := 0; first < len(u.points); {
		last := first + 1
		for last < len(u.points) && sameGamma(u.points[first], u.points[last]) {
			last++
		}
		some := &unit{fold: u.fold, points: u.points[first:last], results: u.results[first:last], errs: u.errs[first:last]}
		if err := t.runGamma(ctx, some, source, trainCodes, trainWeights, own); err != nil {
			return err
		}
		tick(last - first)
		first = last
	}
	return nil
}

// fail sets the error of all points.
func (u *unit) fail(err error) {
	for i := range u.errs {
		u.errs[i] = err
	}
}

// runGamma is run for points of one γ. Ridges go together, see TestPath; those that
// are refused there, or that are none, have fits of their own.
func (t *tuning) runGamma(ctx context.Context, u *unit, source kernelSource, trainCodes []int, weights []float64, test tested) error {
	t.collect(len(trainCodes), runtime.GC)
	own, other, err := source(u.points[0].gamma)
	if err != nil {
		u.fail(err)
		return nil
	}
	m, _ := t.search.kfda()
	m.Kernel = gram.Precomputed{}
	var at []int // the points on the path
	var regs []discriminant.Regularizer
	for i, p := range u.points {
		m = m.Parameter().Set(p.value).(discriminant.KFDA)
		if m.Validate() == nil {
			at, regs = append(at, i), append(regs, m.Regularizer)
		}
	}
	if t.pathPays(len(regs)) {
		tests, err := discriminant.TestPath(ctx, m, own, trainCodes, other, regs, weights...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			for k, i := range at {
				if p := tests[k]; p.Err == nil {
					u.results[i] = t.testedIn(u.fold, p)
				}
			}
		}
		own = nil // overwritten
	}
	for i, p := range u.points {
		if u.results[i] != nil {
			continue
		}
		if own == nil {
			if own, other, err = source(p.gamma); err != nil {
				u.fail(err)
				return nil
			}
		}
		m = m.Parameter().Set(p.value).(discriminant.KFDA)
		u.results[i], u.errs[i] = fitAndTest(ctx, m, own, other, trainCodes, test.truth, weights)
		u.results[i].weighed(test.weights)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// pathPays reports whether TestPath takes that many ridges, for less than fits of their own.
func (t *tuning) pathPays(ridges int) bool {
	if m, _ := t.search.kfda(); m.Scatter != discriminant.SummedScatter {
		return false // there is no path of those
	}
	return ridges > 1 || ridges == 1 && t.search.inRKHS()
}

func sameGamma(p, q point) bool { return math.Float64bits(p.gamma) == math.Float64bits(q.gamma) }

// collect calls runtime.GC, or debug.FreeOSMemory, where the kernel matrices of n rows that
// workers hold are much of the memory that is in use. Go by itself would let garbage grow
// until there is as much as what is in use, so that a search takes twice its memory; and
// what is in use, mostly numbers, takes no time to look through.
func (t *tuning) collect(n int, garbage func()) {
	const large = 4 << 20
	ours := uint64(8*n) * uint64(n*t.workers)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(live); ours >= large && live[0].Value.Kind() == metrics.KindUint64 && live[0].Value.Uint64() <= 4*ours {
		garbage()
	}
}

// memory holds the matrices that no worker uses at the moment, so that there are as
// many as workers in all.
type memory struct {
	mu   sync.Mutex
	free []*matrices
}

// matrices are what a worker needs for a fold: rows are those of the training rows
// or the test rows, columns the training rows.
type matrices struct {
	train, test    matrix.Dense // kernel values
	trainDistances triangle
	testDistances  matrix.Dense
}

func (m *memory) take() *matrices {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := len(m.free) - 1
	if last < 0 {
		return new(matrices)
	}
	taken := m.free[last]
	m.free = m.free[:last]
	return taken
}

func (m *memory) give(taken *matrices) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free = append(m.free, taken)
}

// sized returns a as rows×cols, in its own memory where that is large enough; where it is
// not, a gets as much as most, for matrices that are somewhat larger.
func sized(a *matrix.Dense, rows, cols, most int) *matrix.Dense {
	if cap(a.Data) < rows*cols {
		a.Data = pages.Floats(max(rows*cols, most))
	}
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, cols, a.Data[:rows*cols]
	return a
}

// kernelSource returns the kernel matrix of a fold's training rows and the kernel
// values of its test rows, for γ. They may be overwritten, and are good until the next
// call.
type kernelSource func(gamma float64) (train, test *matrix.Dense, err error)

// source prepares in m what all kernels of a fold have in common.
func (t *tuning) source(m *matrices, l line, train, test []int) (kernelSource, error) {
	mostTrain, mostTest := t.folds.largest()
	own, other := sized(&m.train, len(train), len(train), mostTrain), sized(&m.test, len(test), len(train), mostTest)
	if t.search.precomputed() {
		return func(float64) (*matrix.Dense, *matrix.Dense, error) {
			fillPart(own, t.x, train, train)
			fillPart(other, t.x, test, train)
			return own, other, nil
		}, nil
	}
	if t.common != nil {
		return func(gamma float64) (*matrix.Dense, *matrix.Dense, error) {
			if err := checkGamma(gamma); err != nil {
				return nil, nil, err
			}
			t.common.fill(own, train, train)
			t.common.fill(other, test, train)
			expNeg(own, gamma)
			expNeg(other, gamma)
			return own, other, nil
		}, nil
	}
	trainRows, testRows, learnt, err := t.rows(l.scaling, train, test)
	if err != nil {
		return nil, err
	}
	if t.distancesKept(l.kernel) {
		m.trainDistances = distancesOf(m.trainDistances, trainRows)
		ownDistances, all := m.trainDistances, allRows(trainRows)
		otherDistances := squaredDistances(sized(&m.testDistances, len(test), len(train), mostTest), testRows, trainRows)
		return func(gamma float64) (*matrix.Dense, *matrix.Dense, error) {
			if err := checkGamma(gamma); err != nil {
				return nil, nil, err
			}
			ownDistances.fill(own, all, all)
			other.CopyFrom(otherDistances)
			expNeg(own, gamma)
			expNeg(other, gamma)
			return own, other, nil
		}, nil
	}
	return func(gamma float64) (*matrix.Dense, *matrix.Dense, error) {
		kernel, tuned := t.search.kernelOf(l.kernel, gamma)
		if tuned {
			if err := checkGamma(gamma); err != nil {
				return nil, nil, err
			}
		}
		if learnt != nil {
			if kernel, err = learnt.Kernel(kernel); err != nil {
				return nil, nil, err
			}
		}
		e, err := gram.NewEvaluator(kernel, trainRows)
		if err != nil {
			return nil, nil, learnt.OfTable(err)
		}
		if _, err := e.Matrix(own); err != nil {
			return nil, nil, err
		}
		_, err = e.Cross(other, testRows)
		return own, other, learnt.OfTable(err)
	}, nil
}

// rows returns training and test rows as the kernel sees them, and what was learnt
// of the columns for that.
func (t *tuning) rows(scaling discriminant.Scaling, train, test []int) (trainRows, testRows *matrix.Dense, learnt *discriminant.Preparation, err error) {
	columns := allColumns(t.x)
	trainRows, testRows, learnt, err = t.search.prepared(part(t.x, train, columns), part(t.x, test, columns), takeWeights(t.weights, train))
	if err != nil || scaling == discriminant.NoScaling {
		return trainRows, testRows, learnt, err
	}
	scaler, err := discriminant.FitScaler(scaling, trainRows, takeWeights(t.weights, train)...)
	if err != nil {
		return nil, nil, nil, learnt.OfTable(err)
	}
	if _, err := scaler.Transform(trainRows, trainRows); err != nil {
		return nil, nil, nil, learnt.OfTable(err)
	}
	if _, err := scaler.Transform(testRows, testRows); err != nil {
		return nil, nil, nil, learnt.OfTable(err)
	}
	return trainRows, testRows, learnt, nil
}

// checkGamma refuses a γ that is no parameter of a kernel; 0, its default, is
// none either where γ is searched.
func checkGamma(gamma float64) error {
	if gamma == 0 {
		return &ParameterError{Field: "Gamma", Value: "0", Reason: "the kernel is constant: want a γ above 0"}
	}
	return gram.RBF{Gamma: gamma}.Validate()
}
