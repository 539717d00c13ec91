package cv

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// tuning is a search under way.
type tuning struct {
	search     Search
	x          *matrix.Dense
	codes      []int
	classes    int
	folds      *Folds
	foldErrors []error // what is wrong with each fold whatever the candidate
	workers    int
	common     *matrix.Dense // squared distances of the rows without scaling, or nil
}

// unit is the work of one goroutine at a time: all points of one scaling in one fold.
type unit struct {
	fold    int
	points  grid // of one scaling
	first   int  // index of the first point among all
	results []*tested
	errs    []error
}

// try returns how the points fare.
func (t *tuning) try(ctx context.Context, points grid, round int, stage string) ([]Candidate, error) {
	var units []*unit
	for first := 0; first < len(points); {
		last := first
		for last < len(points) && points[last].scaling == points[first].scaling {
			last++
		}
		if t.distancesShared(points[first].scaling) && t.common == nil {
			t.common = squaredDistances(nil, t.x)
		}
		for k := range t.folds.Len() {
			units = append(units, &unit{
				fold: k, points: points[first:last], first: first,
				results: make([]*tested, last-first), errs: make([]error, last-first),
			})
		}
		first = last
	}
	total := len(points) * t.folds.Len()
	done := 0
	t.search.progress(stage, done, total)
	err := each(ctx, len(units), t.workers, func(ctx context.Context, i int) error {
		return t.run(ctx, units[i])
	}, func(i int) {
		done += len(units[i].points)
		t.search.progress(stage, done, total)
	})
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(points))
	for i, p := range points {
		c := Candidate{Round: round, Scaling: p.scaling, Gamma: Number(p.gamma), Ridge: Number(p.ridge)}
		var folds []*tested
		for _, u := range units {
			if i < u.first || i >= u.first+len(u.points) {
				continue
			}
			folds = append(folds, u.results[i-u.first])
			if err := u.errs[i-u.first]; err != nil {
				if c.Failed == 0 {
					c.err = Failure{Fold: u.fold, Err: err}
					c.Reason = c.err.Error()
				}
				c.Failed++
			}
		}
		s := newScores(folds, t.classes)
		c.Errors, c.Rows, c.Balanced = s.Errors, s.Rows, Number(s.BalancedAccuracy())
		candidates[i] = c
	}
	return candidates, nil
}

// distancesShared reports whether all folds take parts of one matrix of squared
// distances.
func (t *tuning) distancesShared(scaling discriminant.Scaling) bool {
	return t.search.tunesGamma() && scaling == discriminant.NoScaling
}

// run fits and tests the unit's points. What a fit refuses goes to the point; the
// error is that of ctx.
func (t *tuning) run(ctx context.Context, u *unit) error {
	fail := func(err error, at ...int) {
		for _, i := range at {
			u.errs[i] = err
		}
	}
	all := make([]int, len(u.points))
	for i := range all {
		all[i] = i
	}
	if err := t.foldErrors[u.fold]; err != nil {
		fail(err, all...)
		return nil
	}
	train, test := t.folds.Train(u.fold), t.folds.tests[u.fold]
	source, err := t.source(u.points[0].scaling, train, test)
	if err != nil {
		fail(err, all...)
		return nil
	}
	trainCodes, testCodes := take(t.codes, train), take(t.codes, test)
	for first := 0; first < len(all); {
		last := first
		for last < len(all) && sameGamma(u.points[first], u.points[last]) {
			last++
		}
		own, other, err := source(u.points[first].gamma)
		if err != nil {
			fail(err, all[first:last]...)
			first = last
			continue
		}
		for i := first; i < last; i++ {
			m := t.search.Method
			m.Kernel = gram.Precomputed{}
			m.Regularizer = t.search.regularizer(u.points[i].ridge)
			u.results[i], u.errs[i] = fitAndTest(ctx, m, own, other, trainCodes, testCodes, t.classes)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		first = last
	}
	return nil
}

func sameGamma(p, q point) bool { return math.Float64bits(p.gamma) == math.Float64bits(q.gamma) }

// kernelSource returns the kernel matrix of a fold's training rows and the kernel
// values of its test rows, for γ. They are good until the next call.
type kernelSource func(gamma float64) (train, test *matrix.Dense, err error)

// source prepares what all kernels of a fold have in common.
func (t *tuning) source(scaling discriminant.Scaling, train, test []int) (kernelSource, error) {
	if t.search.precomputed() {
		return func(float64) (*matrix.Dense, *matrix.Dense, error) {
			return part(t.x, train, train), part(t.x, test, train), nil
		}, nil
	}
	if t.distancesShared(scaling) {
		return rbfParts(t.common, train, test), nil
	}
	columns := allColumns(t.x)
	own, other := part(t.x, train, columns), part(t.x, test, columns)
	if scaling != discriminant.NoScaling {
		scaler, err := discriminant.FitScaler(scaling, own)
		if err != nil {
			return nil, err
		}
		if _, err := scaler.Transform(own, own); err != nil {
			return nil, err
		}
		if _, err := scaler.Transform(other, other); err != nil {
			return nil, err
		}
	}
	if t.search.tunesGamma() {
		return rbfMaps(squaredDistances(nil, own), squaredDistances(other, own)), nil
	}
	return func(float64) (*matrix.Dense, *matrix.Dense, error) {
		e, err := gram.NewEvaluator(t.search.Method.Kernel, own)
		if err != nil {
			return nil, nil, err
		}
		k, err := e.Matrix(nil)
		if err != nil {
			return nil, nil, err
		}
		cross, err := e.Cross(nil, other)
		return k, cross, err
	}, nil
}

// rbfParts maps the squared distances of a fold's rows, which are part of those of
// all rows.
func rbfParts(distances *matrix.Dense, train, test []int) kernelSource {
	own, other := matrix.New(len(train), len(train)), matrix.New(len(test), len(train))
	return func(gamma float64) (*matrix.Dense, *matrix.Dense, error) {
		if err := checkGamma(gamma); err != nil {
			return nil, nil, err
		}
		fillPart(own, distances, train, train)
		fillPart(other, distances, test, train)
		expNeg(own, gamma)
		expNeg(other, gamma)
		return own, other, nil
	}
}

// rbfMaps maps the squared distances of a fold's rows.
func rbfMaps(train, test *matrix.Dense) kernelSource {
	own, other := matrix.New(train.Rows, train.Cols), matrix.New(test.Rows, test.Cols)
	return func(gamma float64) (*matrix.Dense, *matrix.Dense, error) {
		if err := checkGamma(gamma); err != nil {
			return nil, nil, err
		}
		own.CopyFrom(train)
		other.CopyFrom(test)
		expNeg(own, gamma)
		expNeg(other, gamma)
		return own, other, nil
	}
}

// checkGamma refuses a γ that is no parameter of an rbf kernel; 0, its default, is
// none either where γ is searched.
func checkGamma(gamma float64) error {
	if gamma == 0 {
		return &ParameterError{Field: "Gamma", Value: "0", Reason: "the kernel is constant: want a γ above 0"}
	}
	return gram.RBF{Gamma: gamma}.Validate()
}

// expNeg replaces the squared distances by the rbf kernel's values, which have the
// bits of gram.RBF.
func expNeg(d *matrix.Dense, gamma float64) {
	for i := range d.Rows {
		f64.ExpNegScale(d.Row(i), gamma)
	}
}

// squaredDistances returns the squared distances of the rows of y from those of x,
// or of the rows of x from each other for a nil y.
func squaredDistances(y, x *matrix.Dense) *matrix.Dense {
	part := block.Whole
	if y == nil {
		part, y = block.Symmetric, x
	}
	d := matrix.New(y.Rows, x.Rows)
	team := block.TeamFor(y.Rows, x.Rows, x.Cols)
	defer team.Close()
	block.Run(team, block.Job{Op: f64.SquaredDistance, Part: part, C: mat(d), TransB: true, A: mat(y), B: mat(x)})
	return d
}

func mat(a *matrix.Dense) block.Mat {
	return block.Mat{Rows: a.Rows, Cols: a.Cols, Stride: a.Stride, Data: a.Data}
}
