package assess

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Curve is how one class is told from the rest at every threshold of a score. Its points
// begin above all scores and end below them.
type Curve struct {
	Positives, Negatives int
	True, False          []int // positives and negatives at or above the threshold of each point

	AUC, AUCError    float64 // with its standard error (DeLong, DeLong and Clarke-Pearson 1988)
	AveragePrecision float64

	order    []int // rows by descending score
	ends     []int // where rows of the same score end in it
	positive []bool
}

// NewCurve returns the curve of scores that are larger for rows that are positive, nil where
// there are none or nothing else.
func NewCurve(scores []float64, positive []bool) *Curve {
	c := &Curve{positive: positive, order: make([]int, len(scores))}
	for i := range c.order {
		c.order[i] = i
		if positive[i] {
			c.Positives++
		}
	}
	if c.Negatives = len(scores) - c.Positives; c.Positives == 0 || c.Negatives == 0 {
		return nil
	}
	slices.SortStableFunc(c.order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	for k := 1; k <= len(c.order); k++ {
		if k == len(c.order) || scores[c.order[k]] != scores[c.order[k-1]] {
			c.ends = append(c.ends, k)
		}
	}
	ones := make([]int, len(scores))
	for i := range ones {
		ones[i] = 1
	}
	c.True, c.False = c.walk(ones)
	c.areas()
	return c
}

// walk counts rows as often as times says from the largest score on.
func (c *Curve) walk(times []int) (yes, no []int) {
	yes, no = make([]int, 1, len(c.ends)+1), make([]int, 1, len(c.ends)+1)
	y, n, from := 0, 0, 0
	for _, end := range c.ends {
		for _, i := range c.order[from:end] {
			if c.positive[i] {
				y += times[i]
			} else {
				n += times[i]
			}
		}
		yes, no, from = append(yes, y), append(no, n), end
	}
	return yes, no
}

// areas computes the areas and DeLong's error: the variances, over the rows of either kind, of
// the share of the other kind that a row is in the right order with.
func (c *Curve) areas() {
	m, n := float64(c.Positives), float64(c.Negatives)
	var sumP, squareP, squareN float64
	for k := 1; k < len(c.True); k++ {
		y, x := float64(c.True[k]-c.True[k-1]), float64(c.False[k]-c.False[k-1])
		below := (n - float64(c.False[k]) + x/2) / n // of a positive row here
		above := (float64(c.True[k-1]) + y/2) / m    // of a negative row here
		sumP, squareP = sumP+y*below, squareP+y*below*below
		squareN += x * above * above
		if y > 0 {
			c.AveragePrecision += y / m * float64(c.True[k]) / float64(c.True[k]+c.False[k])
		}
	}
	c.AUC = sumP / m
	variance := 0.0
	if m > 1 {
		variance += max(0, squareP-m*c.AUC*c.AUC) / (m - 1) / m
	}
	if n > 1 {
		variance += max(0, squareN-n*c.AUC*c.AUC) / (n - 1) / n
	}
	c.AUCError = math.Sqrt(variance)
}

// Interval returns the 95 % interval of the AUC.
func (c *Curve) Interval() (low, high float64) {
	return max(0, c.AUC-z95*c.AUCError), min(1, c.AUC+z95*c.AUCError)
}

// Band is a 95 % band around a curve.
type Band struct{ At, Low, High []float64 }

// Bands returns the pointwise bootstrap bands of the true positive rate over the false positive
// rate, and of the precision over the recall: 500 samples, drawn from either kind of rows, with
// a fixed seed.
func (c *Curve) Bands() (roc, precision Band) {
	const samples, steps = 500, 100
	r := rand.New(rand.NewPCG(0, 0))
	kinds := [2][]int{}
	for _, i := range c.order {
		k := 0
		if c.positive[i] {
			k = 1
		}
		kinds[k] = append(kinds[k], i)
	}
	values := [2][steps + 1][]float64{}
	for range samples {
		times := make([]int, len(c.order))
		for _, rows := range kinds {
			for range rows {
				times[rows[r.IntN(len(rows))]]++
			}
		}
		yes, no := c.walk(times)
		a, b := 0, 0
		for s := range steps + 1 {
			at := float64(s) / steps
			for a+1 < len(no) && float64(no[a+1]) <= at*float64(c.Negatives) {
				a++
			}
			for b+1 < len(yes) && (float64(yes[b]) < at*float64(c.Positives) || yes[b]+no[b] == 0) {
				b++
			}
			values[0][s] = append(values[0][s], float64(yes[a])/float64(c.Positives))
			values[1][s] = append(values[1][s], float64(yes[b])/max(1, float64(yes[b]+no[b])))
		}
	}
	return bandOf(values[0][:]), bandOf(values[1][:])
}

// bandOf takes from the values at each step those that 2.5 % lie below and above.
func bandOf(values [][]float64) (b Band) {
	for s, v := range values {
		slices.Sort(v)
		cut := len(v) / 40
		b.At = append(b.At, float64(s)/float64(len(values)-1))
		b.Low, b.High = append(b.Low, v[cut]), append(b.High, v[len(v)-1-cut])
	}
	return b
}

// Rates returns the points of the ROC curve.
func (c *Curve) Rates() (falsePositive, truePositive []float64) {
	for k := range c.True {
		falsePositive = append(falsePositive, float64(c.False[k])/float64(c.Negatives))
		truePositive = append(truePositive, float64(c.True[k])/float64(c.Positives))
	}
	return falsePositive, truePositive
}

// Precisions returns the corners of the precision-recall curve, a staircase: up to a recall the
// precision is that of the threshold which reaches it.
func (c *Curve) Precisions() (recall, precision []float64) {
	before := 0.0
	for k := 1; k < len(c.True); k++ {
		r := float64(c.True[k]) / float64(c.Positives)
		if r == before && k > 1 {
			continue
		}
		p := float64(c.True[k]) / float64(c.True[k]+c.False[k])
		recall, precision = append(recall, before, r), append(precision, p, p)
		before = r
	}
	return recall, precision
}
