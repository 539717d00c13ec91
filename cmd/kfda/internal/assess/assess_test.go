package assess

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/wilson"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Of rows by themselves the interval is Wilson's, for any weight that they all have; of whole
// groups, which are right or wrong together, it is that of the groups; and no other is narrower
// than that of rows.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		k, n, each, rows int
		weight           float64
	}{{8, 10, 1, 10, 1}, {0, 12, 1, 12, 3}, {50, 100, 1, 100, 0.25}, {3, 20, 7, 140, 1}} {
		var units []Unit
		for i := range c.n {
			u := Unit{Size: float64(c.each) * c.weight}
			if i < c.k {
				u.Hits = u.Size
			}
			units = append(units, u)
		}
		share, within := Share(c.rows, units)
		low, high := wilson.Of(c.k, c.n)
		near(t, "share", share, float64(c.k)/float64(c.n), 1e-15)
		near(t, "low", within.Low, low, 1e-12)
		near(t, "high", within.High, high, 1e-12)
	}
	_, within := Share(30, []Unit{{10, 3}, {10, 3}, {10, 3.001}})
	low, _ := wilson.Of(9, 30)
	near(t, "groups alike", within.Low, low, 1e-4)
}

// The p of the sign test is the share of all 2ⁿ outcomes that are as far from even.
func TestSign(t *testing.T) {
	for n := range 12 {
		for one := range n + 1 {
			as := 0
			for outcome := range 1 << n {
				if k := bits.OnesCount(uint(outcome)); max(k, n-k) >= max(one, n-one) {
					as++
				}
			}
			near(t, "p", Sign(one, n-one), float64(as)/float64(int(1)<<n), 1e-12)
		}
	}
	near(t, "p of many", Sign(1000, 1100), 0.030720707864242296, 1e-12) // in rational numbers
}

// sample returns scores with ties that tell positive rows from others, but not well.
func sample(n int) (scores []float64, positive []bool) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := r.IntN(3) == 0
		s := math.Round(4 * r.NormFloat64())
		if p {
			s += 3
		}
		scores, positive = append(scores, s), append(positive, p)
	}
	return scores, positive
}

// Areas, errors and points are those of the definitions, pair by pair and threshold by threshold.
func TestCurve(t *testing.T) {
	scores, positive := sample(230)
	c := NewCurve(scores, positive)
	psi := func(a, b float64) float64 {
		switch {
		case a > b:
			return 1
		case a == b:
			return 0.5
		}
		return 0
	}
	var of [2][]float64 // the share of the others that a row is in order with
	auc := 0.0
	m, n := float64(c.Positives), float64(c.Negatives)
	for i, p := range positive {
		share := 0.0
		for j, q := range positive {
			if p && !q {
				share += psi(scores[i], scores[j]) / n
			} else if q && !p {
				share += psi(scores[j], scores[i]) / m
			}
		}
		k := 0
		if p {
			k, auc = 1, auc+share/m
		}
		of[k] = append(of[k], share)
	}
	near(t, "AUC", c.AUC, auc, 1e-12)
	variance := 0.0
	for _, shares := range of {
		k := float64(len(shares))
		for _, s := range shares {
			variance += (s - auc) * (s - auc) / (k - 1) / k
		}
	}
	near(t, "its error", c.AUCError, math.Sqrt(variance), 1e-12)

	x, y := c.Rates()
	thresholds := slices.Compact(slices.Sorted(slices.Values(scores)))
	slices.Reverse(thresholds)
	precision, last := 0.0, 0.0
	for k, at := range thresholds {
		var yes, no float64
		for i, s := range scores {
			if s >= at && positive[i] {
				yes++
			} else if s >= at {
				no++
			}
		}
		near(t, "false positives", x[k+1], no/n, 1e-15)
		near(t, "true positives", y[k+1], yes/m, 1e-15)
		precision, last = precision+(yes/m-last)*yes/(yes+no), yes/m
	}
	near(t, "average precision", c.AveragePrecision, precision, 1e-12)
	recall, precisions := c.Precisions()
	area := 0.0
	for k := 1; k < len(recall); k++ {
		area += (recall[k] - recall[k-1]) * precisions[k]
	}
	near(t, "area below the precisions", area, precision, 1e-12)
	if NewCurve([]float64{1, 2}, []bool{true, true}) != nil {
		t.Error("a curve of one class")
	}
}

// The ellipse is where the squared Mahalanobis distance is the 95 % quantile of χ² with two
// degrees of freedom, and holds 95 % of normal points.
func TestEllipse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40000
	x, y := make([]float64, n), make([]float64, n)
	var mx, my float64
	for i := range x {
		u, v := r.NormFloat64(), r.NormFloat64()
		x[i], y[i] = 3+2*u, -1+1.5*u+0.5*v
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	var xx, xy, yy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx) / (n - 1)
		xy += (x[i] - mx) * (y[i] - my) / (n - 1)
		yy += (y[i] - my) * (y[i] - my) / (n - 1)
	}
	distance := func(a, b float64) float64 {
		a, b = a-mx, b-my
		return (yy*a*a - 2*xy*a*b + xx*b*b) / (xx*yy - xy*xy)
	}
	e, ok := NewEllipse(x, y)
	if !ok {
		t.Fatal("no ellipse")
	}
	for k := range 20 {
		a, b := e.At(float64(k))
		near(t, "squared distance", distance(a, b), 5.991464547107979, 1e-8)
	}
	inside := 0.0
	for i := range x {
		if distance(x[i], y[i]) < 5.991464547107979 {
			inside += 1.0 / n
		}
	}
	near(t, "share inside", inside, 0.95, 0.004)
	if _, ok := NewEllipse([]float64{0, 1, 2}, []float64{0, 2, 4}); ok {
		t.Error("an ellipse of points on a line")
	}
}

func TestDensity(t *testing.T) {
	values := []float64{-1, 0, 0.5, 2, 2.5, 7}
	var at []float64
	for x := -20.0; x < 30; x += 0.01 {
		at = append(at, x)
	}
	sum := 0.0
	for _, d := range Density(values, at) {
		sum += 0.01 * d
	}
	near(t, "integral", sum, 1, 1e-6)
	for _, d := range Density([]float64{3, 3, 3}, []float64{3, 4}) {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			t.Errorf("density %v of equal values", d)
		}
	}
}

func TestReliability(t *testing.T) {
	bins := Reliability([]float64{0, 0.05, 0.05, 0.95, 1}, []bool{false, true, false, true, true})
	want := []Bin{{3, 1, 0.1 / 3, 0.05}, {2, 2, 0.975, 0.95}}
	if len(bins) != 2 {
		t.Fatalf("bins %v", bins)
	}
	for k, b := range bins {
		if b.Rows != want[k].Rows || b.Hits != want[k].Hits || math.Abs(b.Probability-want[k].Probability) > 1e-15 || b.Middle != want[k].Middle {
			t.Errorf("bin %+v, want %+v", b, want[k])
		}
	}
}
