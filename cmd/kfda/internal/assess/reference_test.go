package assess

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/wilson"
)

// plainRate returns the largest true positive rate of a threshold with at most that false positive
// rate, and plainPrecision the precision of the largest threshold with that recall, by counting.
func plainRate(scores []float64, positive []bool, most float64) (rate float64) {
	for _, at := range append(slices.Clone(scores), math.Inf(1)) {
		if yes, no, p, n := counted(scores, positive, at); no <= most*n {
			rate = max(rate, yes/p)
		}
	}
	return rate
}

func plainPrecision(scores []float64, positive []bool, recall float64) float64 {
	order := slices.Clone(scores)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(b, a) })
	for _, at := range order {
		if yes, no, p, _ := counted(scores, positive, at); yes >= recall*p {
			return yes / (yes + no)
		}
	}
	return math.NaN()
}

func counted(scores []float64, positive []bool, at float64) (yes, no, p, n float64) {
	for i, s := range scores {
		if positive[i] {
			p++
		} else {
			n++
		}
		if s >= at && positive[i] {
			yes++
		} else if s >= at {
			no++
		}
	}
	return yes, no, p, n
}

// The bands are the percentiles of the curves of samples of either kind of rows, each of which is
// drawn as a list and counted threshold by threshold.
func TestBandsAreThoseOfSamples(t *testing.T) {
	scores, positive := sample(40)
	c := NewCurve(scores, positive)
	roc, precision := c.Bands()
	var kinds [2][]int
	for _, i := range c.order {
		k := 0
		if positive[i] {
			k = 1
		}
		kinds[k] = append(kinds[k], i)
	}
	r := rand.New(rand.NewPCG(0, 0))
	steps := []int{0, 7, 25, 50, 100}
	var rates, precisions [5][]float64
	for range 500 {
		var s []float64
		var p []bool
		for k, rows := range kinds {
			for range rows {
				s, p = append(s, scores[rows[r.IntN(len(rows))]]), append(p, k == 1)
			}
		}
		for k, step := range steps {
			rates[k] = append(rates[k], plainRate(s, p, float64(step)/100))
			precisions[k] = append(precisions[k], plainPrecision(s, p, float64(step)/100))
		}
	}
	for k, step := range steps {
		for _, b := range []struct {
			band   Band
			values []float64
		}{{roc, rates[k]}, {precision, precisions[k]}} {
			slices.Sort(b.values)
			near(t, "low", b.band.Low[step], b.values[12], 1e-15)
			near(t, "high", b.band.High[step], b.values[487], 1e-15)
			near(t, "at", b.band.At[step], float64(step)/100, 1e-15)
		}
	}
}

// Of rows whose scores are normal, with the means 0 and 1.5, the true positive rate where the false
// one is 0.2 is Φ(1.5 − z₀.₈), and the area Φ(1.5/√2): as many bands and intervals hold them as
// they should.
func TestCoverage(t *testing.T) {
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	rate, area := phi(1.5-0.8416212335729143), phi(1.5/math.Sqrt2)
	r := rand.New(rand.NewPCG(7, 8))
	const trials, rows = 200, 200
	rates, areas, means := 0, 0, 0
	for range trials {
		scores, positive := make([]float64, rows), make([]bool, rows)
		for i := range scores {
			scores[i] = r.NormFloat64()
			if positive[i] = i%2 == 0; positive[i] {
				scores[i] += 1.5
			}
		}
		c := NewCurve(scores, positive)
		if b, _ := c.Bands(); b.Low[20] <= rate && rate <= b.High[20] {
			rates++
		}
		if low, high := c.Interval(); low <= area && area <= high {
			areas++
		}
		within := Bootstrap(rows, func(times []float64) []float64 {
			sum := 0.0
			for i, n := range times {
				sum += n * scores[i]
			}
			return []float64{sum / rows}
		})
		if within[0].Low <= 0.75 && 0.75 <= within[0].High {
			means++
		}
	}
	// 190 of 200 are expected, with a deviation of 3.1.
	for what, n := range map[string]int{"bands": rates, "intervals of the area": areas, "bootstrap intervals of the mean": means} {
		if n < 178 || n > 199 {
			t.Errorf("%d of %d %s hold the truth", n, trials, what)
		}
	}
}

// The bootstrap draws as many rows as there are, its mean lies where a normal distribution of the
// known deviation √Σ(v−m)²/n has it, and what is NaN for a sample is left out.
func TestBootstrap(t *testing.T) {
	values := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}
	mean, deviation, n := 0.0, 0.0, float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	deviation = math.Sqrt(deviation) / n
	lacking := 0
	within := Bootstrap(len(values), func(times []float64) []float64 {
		total, sum := 0.0, 0.0
		for i, k := range times {
			total, sum = total+k, sum+k*values[i]
		}
		if total != n {
			t.Fatalf("a sample of %v rows", total)
		}
		some := sum / n
		if times[0] == 0 {
			some, lacking = math.NaN(), lacking+1
		}
		return []float64{sum / n, 7, some, math.NaN()}
	})
	near(t, "low", within[0].Low, mean-z95*deviation, 0.25*deviation)
	near(t, "high", within[0].High, mean+z95*deviation, 0.25*deviation)
	if within[1] != (Interval{7, 7}) || lacking == 0 || math.IsNaN(within[2].Low) || !math.IsNaN(within[3].Low) {
		t.Errorf("intervals %v", within)
	}
	// Of one row all samples are the same; of no two is any beyond the rows.
	if one := Bootstrap(1, func(times []float64) []float64 { return times[:1:1] }); one[0] != (Interval{1, 1}) {
		t.Errorf("of one row %v", one)
	}
}

// Rows of one weight are the rows; Kish's number of others is that of the weights' variation.
func TestShareOfAlike(t *testing.T) {
	of := func(share float64, weights []float64) (low, high float64) {
		_, within := Share(len(weights), Alike(share, weights))
		return within.Low, within.High
	}
	low, high := wilson.Of(3, 12)
	for _, w := range []float64{1, 0.1, 7} {
		a, b := of(0.25, slices.Repeat([]float64{w}, 12))
		near(t, "low", a, low, 1e-14)
		near(t, "high", b, high, 1e-14)
	}
	a, b := of(0.25, []float64{1, 0, 1, 1, 1, 0})
	low, high = wilson.Of(1, 4)
	near(t, "low", a, low, 1e-14)
	near(t, "high", b, high, 1e-14)
	// Weights 1 and 3 as often: (4m)²/(10·2m) = 1.6 of each 2 rows.
	a, b = of(0.5, slices.Repeat([]float64{1, 3}, 10))
	low, high = wilson.Of(8, 16)
	near(t, "low", a, low, 1e-14)
	near(t, "high", b, high, 1e-14)
}

// The means of tenths are those of the rows in their order, the interval 1.96 standard errors.
func TestTenths(t *testing.T) {
	var x, y, twice, ones []float64
	for i := range 20 {
		x, y = append(x, float64(i*7%20)), append(y, float64((i*7%20)*(i*7%20)))
		twice, ones = append(twice, 2), append(ones, 1)
	}
	for _, weights := range [][]float64{nil, ones, twice} {
		for k, m := range Tenths(x, y, weights) {
			a, b := float64(2*k), float64(2*k+1)
			half := 1.959963984540054 * math.Abs(b*b-a*a) / 2 // √(Σ(y−ȳ)²/(n−1)/n)
			near(t, "x", m.X, a+0.5, 1e-12)
			near(t, "y", m.Y, (a*a+b*b)/2, 1e-12)
			near(t, "low", m.Low, m.Y-half, 1e-9)
			near(t, "high", m.High, m.Y+half, 1e-9)
		}
	}
	few := Tenths([]float64{2, 1}, []float64{5, 6}, []float64{1, 3})
	if len(few) != 2 || few[0] != (Mean{1, 6, 6, 6}) || few[1] != (Mean{2, 5, 5, 5}) {
		t.Errorf("of two rows %v", few)
	}
}
