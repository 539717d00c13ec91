package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// voting predicts the class that most of the pairwise machines are for, the first
// of them in a tie, from their values.
type voting struct {
	classes  int
	sigmoids []sigmoid // by pair, or nil
}

const votingKind = "vote"

func (r *voting) kind() string { return votingKind }

func (r *voting) classify(codes []int, w *workspace) error {
	r.count(codes, w, &w.z)
	return nil
}

func (r *voting) decide(values []float64, w *workspace) { decideByMachine(values, &w.z) }
func (r *voting) posteriors(w *workspace)               { r.couple(w, &w.z) }

func (r *voting) tally(dst *matrix.Dense, first int, w *workspace) error {
	return r.sum(dst, first, w, &w.z)
}

// count writes the class of each row of values to codes.
func (r *voting) count(codes []int, w *workspace, values *matrix.Dense) {
	resize(&w.votes, 1, r.classes)
	for i := range codes {
		r.vote(w.votes.Data, values.Row(i))
		codes[i] = argMax(w.votes.Data)
	}
}

// vote counts the values of the machines that are for each class.
func (r *voting) vote(votes, values []float64) {
	clear(votes)
	p := 0
	for a := range r.classes {
		for b := a + 1; b < r.classes; b++ {
			if values[p] > 0 {
				votes[b]++
			} else {
				votes[a]++
			}
			p++
		}
	}
}

// sum writes the votes on each row of values, with their shares of a third, to dst.
func (r *voting) sum(dst *matrix.Dense, first int, w *workspace, values *matrix.Dense) error {
	resize(&w.votes, 1, r.classes)
	for i := range values.Rows {
		r.vote(w.votes.Data, values.Row(i))
		sums, p := dst.Row(first+i), 0
		clear(sums)
		for a := range r.classes {
			for b := a + 1; b < r.classes; b++ {
				sums[a] -= values.At(i, p)
				sums[b] += values.At(i, p)
				p++
			}
		}
		for j, s := range sums {
			if math.IsNaN(s) || math.IsInf(s, 0) {
				return &OverflowError{Row: i, Component: j}
			}
			sums[j] = w.votes.Data[j] + s/(math.Abs(s)+1)/3
		}
	}
	return nil
}

// decideByMachine copies the values of the one machine of two classes.
func decideByMachine(dst []float64, values *matrix.Dense) {
	for i := range dst {
		dst[i] = values.At(i, 0)
	}
}

func (r *voting) fields(c *codec) {
	c.section("vote")
	n := c.count("sigmoids", len(r.sigmoids), 16)
	if c.reading() {
		r.classes = int(c.classes)
	}
	if r.sigmoids == nil && n > 0 {
		r.sigmoids = make([]sigmoid, n)
	}
	if want := c.classes * (c.classes - 1) / 2; n > 0 && uint64(n) != want {
		c.fail("sigmoids", "%d for %d classes, want %d or none", n, c.classes, want)
	}
	for p := range r.sigmoids {
		c.float64("slope", &r.sigmoids[p].slope)
		c.float64("offset", &r.sigmoids[p].offset)
	}
}
