package discriminant

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// plattFolds is the number of folds from which probabilities are estimated.
const plattFolds = 5

// trainer fits the machines of one SVM.
type trainer struct {
	SVM
	entries trainingEntries
	byClass [][]int // the rows of each class, ascending
	weights fisher.Weights
	pairs   [][2]int
	cache   int64 // bytes for each of the solvers that run at the same time
}

// train fits the machines of m, whose defaults are resolved, to the rows.
func (m SVM) train(ctx context.Context, rows *matrix.Dense, of *fisher.Classes) (*machines, *voting, error) {
	classes := len(of.Counts)
	if m.Weights != nil && len(m.Weights) != classes {
		return nil, nil, &ParameterError{Field: "Weights", Value: fmt.Sprint(m.Weights), Reason: fmt.Sprintf("want one for each of the %d classes", classes)}
	}
	t := &trainer{SVM: m, byClass: make([][]int, classes), pairs: pairsOf(classes), weights: of.Weights}
	for i, j := range of.Codes {
		t.byClass[j] = append(t.byClass[j], i)
	}
	if of.Weights != nil {
		var err error
		if t.Kernel, err = gram.Resolve(m.Kernel, rows, of.Weights...); err != nil {
			return nil, nil, err
		}
	}
	evaluator, err := gram.NewEvaluator(t.Kernel, rows)
	if err != nil {
		return nil, nil, err
	}
	t.Kernel = evaluator.Kernel()
	if err := t.prepare(evaluator); err != nil {
		return nil, nil, err
	}
	solved, sigmoids, err := t.solveAll(ctx)
	if err != nil {
		return nil, nil, err
	}
	return t.assemble(rows, solved), &voting{classes: classes, sigmoids: sigmoids}, nil
}

// prepare decides where kernel values come from. Where several solvers want the
// same rows, the kernel matrix of all rows is made once, if it leaves room for that
// of the largest of the solvers' problems.
func (t *trainer) prepare(evaluator *gram.Evaluator) error {
	rows := evaluator.X()
	n := int64(rows.Rows)
	largest := int64(0) // problem
	for _, pair := range t.pairs {
		largest = max(largest, int64(len(t.byClass[pair[0]])+len(t.byClass[pair[1]])))
	}
	t.cache = t.CacheBytes
	switch several := t.tasks() > 1; {
	case isPrecomputed(t.Kernel):
		t.entries = &storedEntries{k: rows}
	case several && 8*(n*n+largest*largest) <= t.CacheBytes:
		// By class, so that a machine finds its columns side by side.
		order, places := slices.Concat(t.byClass...), make([]int, n)
		for place, i := range order {
			places[i] = place
		}
		k, err := gram.Matrix(nil, t.Kernel, selectRows(rows, order))
		if err != nil {
			if e, ok := err.(*gram.NotFiniteError); ok {
				err = &gram.NotFiniteError{What: e.What, Row: order[e.Row], Col: order[e.Col], Value: e.Value}
			}
			return err
		}
		stored := &storedEntries{k: k, places: places}
		if _, linear := t.Kernel.(gram.Linear); linear {
			stored.x = rows
		}
		t.entries = stored
		t.cache -= 8 * n * n
	default:
		diag := evaluator.Diag(nil)
		for i, v := range diag {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &gram.NotFiniteError{What: "kernel value", Row: i, Col: i, Value: v}
			}
		}
		t.entries = &evaluatedEntries{kernel: t.Kernel, x: rows, diag: diag}
	}
	t.cache /= int64(min(block.Workers(), t.tasks()))
	return nil
}

// tasks returns the number of problems to solve: the machines and, for each, those
// that leave out a fold.
func (t *trainer) tasks() int {
	if t.Probability {
		return len(t.pairs) * (1 + plattFolds)
	}
	return len(t.pairs)
}

// solveAll solves all problems, in parallel, and returns the machines by pair and
// the sigmoids, or nil. The error is that of the first problem that has one.
func (t *trainer) solveAll(ctx context.Context) ([]*solve.Machine, []sigmoid, error) {
	solved := make([]*solve.Machine, len(t.pairs))
	leftOut := make([]decisions, len(t.pairs))
	for p, pair := range t.pairs {
		leftOut[p] = newDecisions(t.byClass[pair[0]], t.byClass[pair[1]], t.weights)
	}
	errs := make([]error, t.tasks())
	team := block.NewTeam()
	defer team.Close()
	team.Do(len(errs), func(task int) {
		p, fold := task%len(t.pairs), task/len(t.pairs)-1
		if pair := t.pairs[p]; fold < 0 {
			solved[p], errs[task] = t.solve(ctx, pair, t.byClass[pair[0]], t.byClass[pair[1]])
		} else {
			errs[task] = t.leaveOut(ctx, pair, fold, leftOut[p])
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	if !t.Probability {
		return solved, nil, nil
	}
	sigmoids := make([]sigmoid, len(t.pairs))
	for p, d := range leftOut {
		sigmoids[p] = risingSigmoid(d)
	}
	return solved, sigmoids, nil
}

// solve trains the machine of a pair of classes on the given rows of each.
func (t *trainer) solve(ctx context.Context, pair [2]int, first, second []int) (*solve.Machine, error) {
	rows := slices.Concat(first, second)
	positive, c := make([]bool, len(rows)), make([]float64, len(rows))
	for i := range rows {
		j := pair[0]
		if positive[i] = i >= len(first); positive[i] {
			j = pair[1]
		}
		c[i] = t.C
		if t.Weights != nil {
			c[i] = float64(t.C * t.Weights[j])
		}
		c[i] = float64(c[i] * t.weights.Of(rows[i]))
	}
	m, err := solve.SMO(ctx, t.entries.of(rows), positive, c, solve.SMOOptions{
		Tolerance: t.Tolerance, MaxIterations: t.MaxIterations, CacheBytes: t.cache,
	})
	if _, ok := err.(*solve.IterationLimitError); ok {
		err = &MachineError{First: pair[0], Second: pair[1], Err: err}
	}
	return m, err
}

// decisions holds a machine's values for rows of its first and its second class.
type decisions struct {
	first, second []float64
	weights       fisher.Weights // of the rows of the first, then of the second
}

func newDecisions(first, second []int, weights fisher.Weights) decisions {
	return decisions{make([]float64, len(first)), make([]float64, len(second)), weights.Some(slices.Concat(first, second))}
}

// sizes returns what the rows of each class weigh.
func (d decisions) sizes() (l1, l2 float64) {
	first, second := d.weights, d.weights
	if d.weights != nil {
		first, second = d.weights[:len(d.first)], d.weights[len(d.first):]
	}
	return first.Total(len(d.first)), second.Total(len(d.second))
}

// leaveOut trains the machine of a pair without the rows of a fold and writes its
// values for these.
func (t *trainer) leaveOut(ctx context.Context, pair [2]int, fold int, d decisions) error {
	first, firstOut := withoutFold(t.byClass[pair[0]], fold)
	second, secondOut := withoutFold(t.byClass[pair[1]], fold)
	out := slices.Concat(firstOut, secondOut)
	values := make([]float64, len(out))
	switch {
	case len(out) == 0:
	case len(first) > 0 && len(second) > 0:
		m, err := t.solve(ctx, pair, first, second)
		if err != nil {
			return err
		}
		if err := t.evaluate(values, m, slices.Concat(first, second), out); err != nil {
			return err
		}
	case len(first) > 0:
		fill(values, -1)
	case len(second) > 0:
		fill(values, 1)
	}
	for i, v := range values[:len(firstOut)] {
		d.first[fold+i*plattFolds] = v
	}
	for i, v := range values[len(firstOut):] {
		d.second[fold+i*plattFolds] = v
	}
	return nil
}

// withoutFold splits the rows of a class into those to train on and those of the
// fold: every fifth.
func withoutFold(rows []int, fold int) (in, out []int) {
	for rank, i := range rows {
		if rank%plattFolds == fold {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	return in, out
}

func fill(values []float64, v float64) {
	for i := range values {
		values[i] = v
	}
}

// evaluate writes f of the rows out, for a machine trained on the rows in: one
// chain over these in their order, then the bias.
func (t *trainer) evaluate(values []float64, m *solve.Machine, in, out []int) error {
	cols := make([]int, len(out))
	for i := range cols {
		cols[i] = len(in) + i
	}
	columns := t.entries.of(slices.Concat(in, out)).Columns(cols)
	k, request := matrix.New(1, len(out)), make([]int, 1)
	for s, u := range m.U {
		if u == 0 {
			continue
		}
		request[0] = s
		if err := columns.Rows(k, request); err != nil {
			return err
		}
		for i, v := range k.Data {
			values[i] = math.FMA(u, v, values[i])
		}
	}
	for i := range values {
		values[i] += m.Bias
	}
	return nil
}

// assemble gathers the rows that support any machine, by class.
func (t *trainer) assemble(rows *matrix.Dense, solved []*solve.Machine) *machines {
	classes := len(t.byClass)
	m := &machines{
		svm:     SVM{Kernel: t.Kernel, C: t.C, Weights: slices.Clone(t.Weights), Tolerance: t.Tolerance},
		classes: classes,
		dim:     rows.Cols,
		counts:  make([]int, classes),
		fits:    make([]machineFit, len(t.pairs)),
	}
	var coefficients []float64
	for j, ids := range t.byClass {
		for rank, id := range ids {
			row := make([]float64, classes-1)
			supports := false
			for p, pair := range t.pairs {
				u := 0.0
				switch j {
				case pair[0]:
					u = solved[p].U[rank]
				case pair[1]:
					u = solved[p].U[len(t.byClass[pair[0]])+rank]
				default:
					continue
				}
				row[coefficientOf(j, pair)] = u
				supports = supports || u != 0
			}
			if supports {
				m.support = append(m.support, id)
				m.counts[j]++
				coefficients = append(coefficients, row...)
			}
		}
	}
	m.coefficients = &matrix.Dense{Rows: len(m.support), Cols: classes - 1, Stride: classes - 1, Data: coefficients}
	for p, s := range solved {
		m.fits[p] = machineFit{bias: s.Bias, objective: s.Objective, gap: s.Gap, iterations: s.Iterations}
	}
	if !isPrecomputed(t.Kernel) {
		m.evaluator = mustEvaluate(t.Kernel, selectRows(rows, m.support))
	}
	return m
}
