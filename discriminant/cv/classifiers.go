package cv

import (
	"context"
	"runtime"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// tryClassifiers tries others at the best of the grid, and returns the one with the best
// criterion; in a tie that of the grid, and then the first.
func (t *tuning) tryClassifiers(ctx context.Context, record *Record, others []discriminant.Classifier) (discriminant.Classifier, error) {
	chosen := t.search.Method.Settings().Classifier
	best, round := record.Candidates[record.Best], t.search.refinements()+1
	together, err := t.tryTogether(ctx, best.point(), round, others)
	if err != nil {
		return nil, err
	}
	for i, c := range others {
		t.search = t.search.withClassifier(c)
		outcomes := together[min(i, len(together)):]
		if len(outcomes) == 0 || outcomes[0].Failed > 0 {
			if outcomes, err = t.try(ctx, grid{best.point()}, round, "classifier "+c.String()); err != nil {
				return nil, err
			}
		}
		if outcomes[0].Failed == 0 && t.search.Criterion.compare(outcomes[0], record.Candidates[record.Best]) < 0 {
			chosen, record.Best = c, len(record.Candidates)
		}
		record.Candidates = append(record.Candidates, outcomes[0])
	}
	return chosen, nil
}

// tryTogether returns how a point of a KFDA fares with each of the classifiers, which share its
// projections; nil where they need fits of their own.
func (t *tuning) tryTogether(ctx context.Context, p point, round int, classifiers []discriminant.Classifier) ([]Candidate, error) {
	m, ok := t.search.kfda()
	if !ok || m.Scatter != discriminant.SummedScatter || len(classifiers) == 0 {
		return nil, nil
	}
	m = m.Parameter().Set(p.value).(discriminant.KFDA)
	m.Kernel = gram.Precomputed{}
	tests := make([][]discriminant.PathTest[int], t.folds.Len())
	errs := slices.Clone(t.foldErrors)
	done := 0
	t.search.progress("classifiers", done, len(tests))
	err := each(ctx, len(tests), t.workers, func(ctx context.Context, k int, tick func(int)) error {
		defer tick(1)
		if errs[k] == nil {
			tests[k], errs[k] = t.testClassifiers(ctx, k, m, p, classifiers)
		}
		return ctx.Err()
	}, func(int) {
		done++
		t.search.progress("classifiers", done, len(tests))
	})
	if err != nil {
		return nil, err
	}
	var candidates []Candidate
	for i, c := range classifiers {
		results, own := make([]*tested, len(tests)), slices.Clone(errs)
		for k, test := range tests {
			if test != nil && test[i].Err != nil {
				own[k] = test[i].Err
			} else if test != nil {
				results[k] = t.testedIn(k, test[i])
			}
		}
		candidate := t.candidate(p, round)
		candidate.Classifier = c.String()
		candidates = append(candidates, t.outcome(candidate, results, own))
	}
	return candidates, nil
}

// testClassifiers is tryTogether in a fold; a fold of a sample that tests nothing has no tests.
func (t *tuning) testClassifiers(ctx context.Context, fold int, m discriminant.KFDA, p point, classifiers []discriminant.Classifier) ([]discriminant.PathTest[int], error) {
	train, test := t.folds.Train(fold), t.folds.tests[fold]
	if len(test) == 0 {
		return nil, nil
	}
	memory := t.memory.take()
	defer t.memory.give(memory)
	t.collect(len(train), runtime.GC)
	source, err := t.source(memory, p.line, train, test)
	if err != nil {
		return nil, err
	}
	own, other, err := source(p.gamma)
	if err != nil {
		return nil, err
	}
	return discriminant.TestClassifiers(ctx, m, own, take(t.codes, train), other, classifiers, takeWeights(t.weights, train)...)
}

// testedIn returns what a fit says of the test rows of a fold.
func (t *tuning) testedIn(fold int, p discriminant.PathTest[int]) *tested {
	rows := t.folds.tests[fold]
	one := &tested{truth: take(t.codes, rows), predicted: p.Predictions, posteriors: p.Posteriors, weights: takeWeights(t.weights, rows)}
	one.setValues(p.Decision)
	return one
}
