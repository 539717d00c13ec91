package cv

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/splitmix"
)

// A search with refinements is made in growing parts of the rows: a part has growth times the rows
// of the one before and tries the best of its kernels, one in growth, or all where the one before
// decides nothing.
const (
	growth        = 3
	fewestRows    = 150 // of the smallest part
	fewestRefined = 500 // of the last part before all rows for the refinements to be made there
	finalists     = 3   // kernels that then are tried in all rows
)

// tryParts tries the grid, its refinements and what is left of them in all rows.
func (t *tuning) tryParts(ctx context.Context, record *Record, g grid) error {
	s, parts := t.search, t.parts()
	last := len(parts) - 1
	refined := last // the part that the refinements are made in
	if last > 0 && parts[last-1].x.Rows >= fewestRefined {
		refined--
	}
	for i, some := range parts {
		from, round, by := len(record.Candidates), 0, steps{}
		switch {
		case i > refined:
			round = s.refinements() + 1
		case s.refinements() > 0:
			by = s.steps(0)
		}
		err := some.tryRound(ctx, record, from, g, round, by)
		if none := (*NoCandidateError)(nil); err != nil && (i == last || !errors.As(err, &none)) {
			return err
		}
		if i < last && (err != nil || !some.tells(record.Candidates[from:])) {
			if some.memory.free = nil; i == refined {
				refined = last
			}
			continue
		}
		for round := 1; i == refined && round <= s.refinements(); round++ {
			if err := some.tryRound(ctx, record, from, s.around(record.Candidates[record.Best], s.steps(round)), round, s.steps(round)); err != nil {
				return err
			}
		}
		if i > refined {
			by = s.steps(s.refinements()).downwards()
			return some.tryRound(ctx, record, from, s.around(record.Candidates[record.Best], by), round, by)
		}
		g = some.promoted(record.Candidates[from:], s.Criterion, i == refined)
		some.memory.free = nil
	}
	return nil
}

// tells reports whether a candidate is better than the commonest class, or than chance by its
// balanced accuracy, by more than three standard deviations of the count of that. Otherwise what
// looks best in so few rows may be what says the same of all of them.
func (t *tuning) tells(candidates []Candidate) bool {
	const deviations = 3
	counts := make([]float64, t.classes)
	for _, code := range t.codes {
		counts[code]++
	}
	n, chance := float64(len(t.codes)), 1/float64(t.classes)
	wrong := 1 - slices.Max(counts)/n
	variance := 0.0
	for _, count := range counts {
		variance += float64(chance*(1-chance)) / max(count, 1)
	}
	rate := wrong - float64(deviations*math.Sqrt(float64(wrong*(1-wrong))/n))
	balanced := chance + float64(deviations*float64(chance*math.Sqrt(variance)))
	return slices.ContainsFunc(candidates, func(c Candidate) bool {
		return c.Failed == 0 && (float64(c.Errors) < float64(rate*float64(c.Rows)) || float64(c.Balanced) > balanced)
	})
}

// downwards returns the steps to narrower kernels and smaller ridges, which more rows bear.
func (s steps) downwards() steps {
	return steps{s.gammas[slices.Index(s.gammas, 1):], s.ridges[:1+slices.Index(s.ridges, 1)]}
}

// promoted returns what the part after this one tries: the kernels with the best candidates, by the
// criterion of the search and by that of the part in turn, one in growth, each with its best ridge
// and the next below; or the finalists with their best ridges, of as many scalings as there are.
func (t *tuning) promoted(candidates []Candidate, by Criterion, final bool) grid {
	good := slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool { return c.Failed > 0 })
	slices.SortStableFunc(good, t.search.Criterion.order)
	others := slices.Clone(good)
	slices.SortStableFunc(others, by.compare)
	var best []Candidate // of each kernel
	for i := range good {
		for _, c := range []Candidate{others[i], good[i]} {
			if !slices.ContainsFunc(best, func(d Candidate) bool { return c.point().line == d.point().line && c.Gamma == d.Gamma }) {
				best = append(best, c)
			}
		}
	}
	s := t.search
	most, ridges := (len(best)+growth-1)/growth, s.steps(0).ridges[:2]
	if final {
		var first, others []Candidate // of a kernel and scaling
		for _, c := range best {
			if slices.ContainsFunc(first, func(d Candidate) bool { return c.point().line == d.point().line }) {
				others = append(others, c)
			} else {
				first = append(first, c)
			}
		}
		best = append(first, others...)
		most, ridges = min(finalists, len(best)), []float64{1}
	}
	var g grid
	for _, c := range best[:most] {
		g = append(g, s.around(c, steps{[]float64{1}, ridges})...)
	}
	slices.SortFunc(g, point.compare)
	return g
}

// parts returns the search in growing parts of the rows, of which the last has all.
func (t *tuning) parts() []*tuning {
	parts := []*tuning{t}
	if t.search.refinements() == 0 {
		return parts
	}
	for rows := t.x.Rows / growth; rows >= fewestRows; rows /= growth {
		some := t.sampled(rows)
		for k, err := range some.foldErrors {
			if err != nil && t.foldErrors[k] == nil { // the sample lacks a class that the fold has
				return parts
			}
		}
		parts = slices.Insert(parts, 0, some)
	}
	return parts
}

// sampled returns the search in a sample of some rows: of each class its share of them, rounded
// up, or all rows up to fewest, at random.
func (t *tuning) sampled(most int) *tuning {
	const fewest = 10
	random := splitmix.Random(t.search.Seed)
	byClass := make([][]int, t.classes)
	for i, code := range t.codes {
		byClass[code] = append(byClass[code], i)
	}
	var rows []int
	for _, own := range byClass {
		n := (len(own)*most + t.x.Rows - 1) / t.x.Rows
		n = min(len(own), max(n, fewest))
		random.Shuffle(own, n)
		rows = append(rows, own[:n]...)
	}
	slices.Sort(rows)
	columns := allColumns(t.x)
	if t.search.precomputed() {
		columns = rows
	}
	s := &tuning{
		search: t.search, x: part(t.x, rows, columns), codes: take(t.codes, rows), weights: takeWeights(t.weights, rows),
		classes: t.classes, names: t.names, folds: t.folds.among(rows), refused: t.refused, sample: len(rows),
	}
	s.prepareFolds()
	// Errors of few rows tell little: posteriors are compared by their log loss.
	if _, ok := s.search.Method.Settings().Classifier.(discriminant.Gaussian); ok && s.search.Criterion <= ByBalancedAccuracy {
		s.search.Criterion = ByLogLoss
	}
	return s
}
