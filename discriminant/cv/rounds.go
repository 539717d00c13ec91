package cv

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// mostShifts is how often the grid of a round is centred anew on a best at its edge.
const mostShifts = 4

// tryRound tries the grid of a round and adds it to the record, whose candidates from that one
// on have been tried on the same rows. Where there are steps and the best is at an edge,
// it goes on with the grid of them around it.
func (t *tuning) tryRound(ctx context.Context, record *Record, from int, g grid, round int, by steps) error {
	criterion := t.search.Criterion
	name := "search"
	if round > 0 {
		name = fmt.Sprintf("refinement %d", round)
	}
	if t.sample > 0 {
		name += fmt.Sprintf(" in %d rows", t.sample)
	}
	stage := name
	for shift := range mostShifts + 1 {
		fresh := g.without(record.Candidates[from:])
		if shift > 0 {
			stage = fmt.Sprintf("%s, shift %d", name, shift)
		}
		if shift == 0 || len(fresh) > 0 {
			outcomes, err := t.try(ctx, fresh, round, stage)
			if err != nil {
				return err
			}
			record.Candidates = append(record.Candidates, outcomes...)
		}
		comparable := record.Candidates[from:]
		order := criterion.compare // the first of equal ones
		if _, ok := t.search.kfda(); ok {
			lookAround(comparable, len(comparable)-len(fresh), g, criterion)
			order = criterion.order
		}
		at, err := best(comparable, order)
		if err != nil {
			return err
		}
		record.Best = from + at
		if len(by.ridges) == 0 || len(fresh) == 0 || len(edges(comparable, at, criterion)) == 0 {
			break
		}
		g = t.search.around(comparable[at], by)
	}
	return nil
}

// resolved returns the search with the method's classifier and priors made explicit, and the
// classifiers that are tried at the best of its grid.
func (s Search) resolved(classes int, weighed bool) (_ Search, others []discriminant.Classifier) {
	s.Method = s.base()
	all := s.Classifiers
	if m, ok := s.kfda(); ok && all == nil && m.Classifier == nil {
		m.LeaveOneOut = s.inRKHS()
		all = []discriminant.Classifier{discriminant.NearestCentroid{}, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}, discriminant.KNN{}}
		if weighed { // neighbours have no weights
			all = all[:len(all)-1]
		}
		switch {
		case s.Criterion.needsPosteriors(classes):
			all = all[1:]
		case m.LeaveOneOut:
			all[0], all[1] = all[1], all[0]
		}
		s = s.withInner(m)
	}
	if len(all) > 0 {
		s, others = s.withClassifier(all[0]), all[1:]
	}
	if settings := s.Method.Settings(); s.Criterion == ByBalancedAccuracy && settings.Priors == nil {
		settings.Priors = equalPriors(classes)
		s.Method = s.Method.With(settings)
	}
	return s, others
}

// equalPriors returns the priors with which a classifier takes classes for equally frequent.
func equalPriors(classes int) []float64 {
	priors := make([]float64, classes)
	for j := range priors {
		priors[j] = 1 / float64(classes)
	}
	return priors
}

// newTuning returns a search in all rows.
func newTuning[L discriminant.Label](s Search, x *matrix.Dense, codes []int, weights []float64, folds *Folds, classes []L, refused map[line]error) *tuning {
	names := make([]string, len(classes))
	for j, c := range classes {
		names[j] = fmt.Sprint(c)
	}
	t := &tuning{search: s, x: x, codes: codes, weights: weights, folds: folds, names: names, classes: len(classes), refused: refused}
	t.prepareFolds()
	return t
}

// prepareFolds finds the number of workers, and the folds that have no result.
func (t *tuning) prepareFolds() {
	t.workers, t.foldErrors = workersFor(t.search.Workers, t.x.Rows), nil
	for k := range t.folds.Len() {
		t.foldErrors = append(t.foldErrors, checkTrain(t.folds.Train(k), t.codes, t.names))
	}
}
