package cv

import (
	"context"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// A search with refinements is made in growing parts of the rows: a part has growth times the rows
// of the one before and tries the best of its kernels, one in growth.
const (
	growth     = 3
	fewestRows = 150 // that a part tests
	finalists  = 3   // kernels that are tried in all folds of all rows
)

// tryParts tries the grid, its refinements and what is left of them in all rows.
func (t *tuning) tryParts(ctx context.Context, record *Record, g grid) error {
	s, parts := t.search, t.parts()
	last := len(parts) - 1
	refined := last // the part that the refinements are made in
	if last > 0 && parts[last-1].x == t.x {
		refined--
	}
	for i, some := range parts {
		from, round := len(record.Candidates), 0
		if i > refined {
			round = s.refinements() + 1
		}
		if err := some.tryRound(ctx, record, from, g, round, s.steps(0)); err != nil {
			return err
		}
		for round := 1; i == refined && round <= s.refinements(); round++ {
			if err := some.tryRound(ctx, record, from, s.around(record.Candidates[record.Best], s.steps(round)), round, s.steps(round)); err != nil {
				return err
			}
		}
		if i > refined {
			by := steps{[]float64{1}, s.steps(s.refinements()).ridges}
			return some.tryRound(ctx, record, from, s.around(record.Candidates[record.Best], by), round, by)
		}
		g = some.search.promoted(record.Candidates[from:], i == refined)
		some.memory.free = nil
	}
	return nil
}

// promoted returns what the next part tries: the kernels with the best candidates, one in growth,
// each with its best ridge and the next below, for more rows bear a smaller one; or the finalists
// with their best ridges, of as many scalings as there are.
func (s Search) promoted(candidates []Candidate, final bool) grid {
	var best []Candidate // of each kernel
	for _, c := range candidates {
		at := slices.IndexFunc(best, func(d Candidate) bool { return c.point().line == d.point().line && c.Gamma == d.Gamma })
		switch {
		case c.Failed > 0:
		case at < 0:
			best = append(best, c)
		case s.Criterion.order(c, best[at]) < 0:
			best[at] = c
		}
	}
	slices.SortStableFunc(best, s.Criterion.order)
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

// parts returns the search in growing parts of the rows, then in all rows of which one fold is
// tested, then in all. Small parts are left out.
func (t *tuning) parts() []*tuning {
	parts := []*tuning{t}
	if t.search.refinements() == 0 || t.x.Rows < growth*fewestRows {
		return parts
	}
	if one := t.oneFold(); one != nil {
		parts = slices.Insert(parts, 0, one)
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

// oneFold returns the search in all rows, of which the first fold with a result is tested, or nil
// where no fold tests some of the rows, but enough.
func (t *tuning) oneFold() *tuning {
	one := &Folds{rows: t.folds.rows, text: t.folds.text, tests: make([][]int, t.folds.Len()), trains: t.folds.trains}
	for k, test := range t.folds.tests {
		if t.foldErrors[k] == nil && len(test) >= fewestRows && len(test) < t.x.Rows {
			one.tests[k] = test
			return t.among(t.x, t.codes, t.weights, one, len(test))
		}
	}
	return nil
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
	return t.among(part(t.x, rows, columns), take(t.codes, rows), takeWeights(t.weights, rows), t.folds.among(rows), len(rows))
}

// among returns the search in those rows, of which so many are tested. Errors of few rows tell
// little: posteriors are compared by their log loss in their place.
func (t *tuning) among(x *matrix.Dense, codes []int, weights []float64, folds *Folds, tested int) *tuning {
	s := &tuning{search: t.search, x: x, codes: codes, weights: weights, classes: t.classes, names: t.names, folds: folds, refused: t.refused, sample: tested}
	s.prepareFolds()
	if _, ok := s.search.Method.Settings().Classifier.(discriminant.Gaussian); ok && s.search.Criterion <= ByBalancedAccuracy {
		s.search.Criterion = ByLogLoss
	}
	return s
}
