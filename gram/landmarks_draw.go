package gram

import (
	"math"

	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// proposals is the number of rows that are drawn at a time. What is drawn depends on it.
const proposals = 128

// draw draws the pivots of a factorization.
type draw struct {
	*partial
	method LandmarkMethod
	random splitmix.Random
	near   []float64 // squared distances from the nearest landmark, for KMeansPlusPlus
	sums   []float64 // of the weights up to each row
}

func newDraw(p *partial, method LandmarkMethod, seed uint64) *draw {
	n := p.e.Order()
	d := &draw{partial: p, method: method, random: splitmix.Random(seed), near: make([]float64, n), sums: make([]float64, n)}
	for i := range d.near {
		d.near[i] = math.Inf(1)
	}
	return d
}

// weight returns the weight of row i, of which the landmarks leave so much and which is so
// near to them.
func (d *draw) weight(i int, left, near float64) float64 {
	switch {
	case d.dependent(i, left):
		return 0
	case d.method == RPCholesky:
		return left
	case d.method == KMeansPlusPlus && len(d.pivots) > 0:
		return near
	}
	return 1
}

// propose draws rows by their weights, with replacement; none where all weights are 0.
func (d *draw) propose() ([]int, error) {
	sum := 0.0
	for i, left := range d.left {
		if err := d.definite(i, left); err != nil {
			return nil, err
		}
		sum += d.weight(i, left, d.near[i])
		d.sums[i] = sum
	}
	if sum == 0 {
		return nil, nil
	}
	rows := make([]int, proposals)
	if d.method == KMeansPlusPlus && len(d.pivots) == 0 {
		rows = rows[:1] // the first weights do not bound those that follow
	}
	for r := range rows {
		rows[r] = firstAbove(d.sums, float64(uniform(&d.random)*sum))
	}
	return rows, nil
}

// firstAbove returns the first place of ascending sums that is above at, which is less than
// the last: one with a weight that is not 0.
func firstAbove(sums []float64, at float64) int {
	lo, hi := 0, len(sums)-1
	for lo < hi {
		if mid := (lo + hi) / 2; sums[mid] > at {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// accept makes at most so many of the proposed rows landmarks. Each is kept with the
// probability to which those before it have made its weight shrink.
func (d *draw) accept(rows []int, most int) error {
	c, err := d.candidates(rows)
	if err != nil {
		return err
	}
	for r, i := range rows {
		if len(c.taken) == most {
			break
		}
		near := d.near[i]
		for _, t := range c.taken {
			near = min(near, squaredDistance(d.diagonal[i], d.diagonal[rows[t]], c.kernel.At(r, t)))
		}
		left, err := c.leaves(r)
		if err != nil {
			return err
		}
		was := d.weight(i, d.left[i], d.near[i])
		now := d.weight(i, left, near)
		if float64(uniform(&d.random)*was) < now {
			c.take(r, left)
		}
	}
	return c.extend(0, d.approach)
}

// approach updates near of the rows from lo on by their kernel values with new landmarks.
func (d *draw) approach(lo int, values *matrix.Dense, landmarks []int) {
	if d.method != KMeansPlusPlus {
		return
	}
	for i := range values.Rows {
		near := d.near[lo+i]
		for t, v := range values.Row(i) {
			near = min(near, squaredDistance(d.diagonal[lo+i], d.diagonal[landmarks[t]], v))
		}
		d.near[lo+i] = near
	}
}

// squaredDistance returns ‖φ(x) − φ(y)‖² from k(x, x), k(y, y) and k(x, y).
func squaredDistance(xx, yy, xy float64) float64 { return max(math.FMA(-2, xy, xx+yy), 0) }
