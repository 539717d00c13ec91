package cv

import (
	"cmp"
	"slices"
)

// best returns the index of the best candidate, of equal ones the first.
func best(candidates []Candidate, order func(c, d Candidate) int) (int, error) {
	at := -1
	for i, c := range candidates {
		if c.Failed == 0 && (at < 0 || order(c, candidates[at]) < 0) {
			at = i
		}
	}
	if at < 0 {
		return 0, &NoCandidateError{Candidates: len(candidates), First: candidates[0].err}
	}
	return at, nil
}

// order compares two candidates of a KFDA without failures, the better first.
func (by Criterion) order(c, d Candidate) int {
	sign := 1.0
	if by.larger() {
		sign = -1
	}
	return cmp.Or(
		by.compare(c, d),
		cmp.Compare(float64(sign*float64(c.Around)), float64(sign*float64(d.Around))),
		cmp.Compare(d.Ridge, c.Ridge),
		cmp.Compare(c.Gamma, d.Gamma),
		cmp.Compare(c.Scaling, d.Scaling),
		cmp.Compare(c.Kernel, d.Kernel),
	)
}

// lookAround sets Around of the candidates from first on, the latest round's, whose
// grid is given: it holds points of earlier rounds, too.
func lookAround(candidates []Candidate, first int, g grid, by Criterion) {
	for i := range candidates[first:] {
		c := &candidates[first+i]
		sum, count := 0.0, 0
		for _, p := range g.neighbourhood(c.point()) {
			at := slices.IndexFunc(candidates, func(d Candidate) bool { return d.point().compare(p) == 0 })
			if d := candidates[at]; d.Failed == 0 {
				sum += by.of(d)
				count++
			}
		}
		if count > 0 {
			c.Around = Number(sum / float64(count))
		}
	}
}
