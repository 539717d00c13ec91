package assess

import (
	"math"

	"github.com/seed92411348/kfda/internal/wilson"
)

// z95 is the number of standard deviations on either side of the mean of a normal
// distribution between which 95 % of it lie.
var z95 = math.Sqrt2 * math.Erfinv(0.95)

// Unit is what is observed by itself: a row, or rows that belong together. Hits are those of its
// Size that count.
type Unit struct{ Size, Hits float64 }

// Alike are rows with weights of which no more is known than the share of hits in all.
func Alike(share float64, weights []float64) []Unit {
	units := make([]Unit, len(weights))
	for i, w := range weights {
		units[i] = Unit{w, share * w}
	}
	return units
}

// Share returns the share of hits in all units and its 95 % interval, which is Wilson's for the
// effective number of observations (Korn and Graubard 1998): as many as have the variance of the
// share between units, but no more than rows, or Kish's number, (Σw)²/Σw² (1965), where all
// units have the same share.
func Share(rows int, units []Unit) (share float64, within Interval) {
	var size, hits, squares, spread float64
	for _, u := range units {
		size, hits, squares = size+u.Size, hits+u.Hits, squares+u.Size*u.Size
	}
	if size == 0 {
		return math.NaN(), Interval{0, 1}
	}
	share = hits / size
	for _, u := range units {
		d := u.Hits - share*u.Size
		spread += d * d
	}
	n := size * size / squares
	if spread > 1e-12*squares {
		n = min(float64(rows), share*(1-share)*size*size/spread)
	}
	low, high := wilson.Share(share, n)
	return share, Interval{low, high}
}

// Sign returns the two-sided p of the exact sign test that of two sides, of which one was better
// so many times and the other that many, both are as good: McNemar's test where each time is a
// row.
func Sign(one, other int) float64 {
	n := float64(one + other)
	of := func(v float64) float64 { g, _ := math.Lgamma(v + 1); return g }
	p := 0.0
	for k := range min(one, other) + 1 {
		p += math.Exp(of(n) - of(float64(k)) - of(n-float64(k)) - n*math.Ln2)
	}
	return min(1, 2*p)
}
