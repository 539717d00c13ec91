package inference

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// normal returns about a normal number: a sum of twelve uniform ones.
func normal(r *splitmix.Random) float64 {
	sum := -6.0
	for range 12 {
		sum += math.Ldexp(float64(r.Next()>>11), -53)
	}
	return sum
}

// afterRows returns after which rows there are changes, for the test's kernel and ridge on columns of unit
// spread.
func afterRows(t *testing.T, x *matrix.Dense, set Settings, o ChangeOptions) (after []int, r *ChangePoints) {
	t.Helper()
	r = must.Get(Changes(context.Background(), must.Get(NewSample(context.Background(), set, x))(t), o))(t)
	for _, c := range r.Changes {
		after = append(after, c.After)
	}
	return after, r
}

// near reports whether there are as many changes as wanted, each within so many rows.
func near(got, want []int, rows int) bool {
	return slices.EqualFunc(got, want, func(a, b int) bool { return a >= b-rows && a <= b+rows })
}

// The annual flow of the Nile at Aswan, 1871 to 1970, in 10⁸ m³ (Durbin and Koopman, Time Series Analysis by
// State Space Methods, 2001), falls after 1898.
func TestChangesOfTheNile(t *testing.T) {
	var nile []float64
	for _, line := range strings.Fields(string(must.Get(os.ReadFile("testdata/nile.csv"))(t)))[1:] {
		nile = append(nile, must.Get(strconv.ParseFloat(line[len("1871,"):], 64))(t))
	}
	must.Equal(t, "years", len(nile), 100)
	for _, gamma := range []float64{0.001, 0.01, 0.1} {
		set := Settings{Kernel: gram.RBF{Gamma: 1.0 / (170 * 170)}, Ridge: gamma * 100}
		after, r := afterRows(t, matrix.Column(nile), set, ChangeOptions{Permutations: 999})
		must.EqualSlices(t, "changes", after, []int{1898 - 1870})
		must.Equal(t, "best", r.Best, 28)
		must.Equal(t, "p", r.Permuted.P, 0.001)
		// The flow falls: so does what is larger in the later segment rise.
		if z := r.Changes[0].Projections; !(slices.Max(z[:28]) < slices.Max(z[28:])) || !(correlationOf(z, nile) < -0.5) {
			t.Errorf("the flow has the correlation %v with the direction", correlationOf(z, nile))
		}
	}
}

func correlationOf(x, y []float64) float64 {
	n := float64(len(x))
	mx, my := matrix.Sum(x)/n, matrix.Sum(y)/n
	var xx, yy, xy float64
	for i := range x {
		xx, yy, xy = xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my), xy+(x[i]-mx)*(y[i]-my)
	}
	return xy / math.Sqrt(xx*yy)
}

// Segments of other means, correlations and frequencies, after those of ruptures (pw_constant, pw_normal,
// pw_wavy): every change is found, and no other.
func TestChangesOfSeries(t *testing.T) {
	steady := 0
	for seed := range uint64(problems()/100 + 1) {
		r := splitmix.Random(seed)
		constant := matrix.New(200, 3)
		for i := range constant.Rows {
			segment := i / 50
			for j := range 3 {
				constant.Set(i, j, float64(segment*(segment+j)%5)/2+0.5*normal(&r))
			}
		}
		after, _ := afterRows(t, constant, Settings{Kernel: gram.RBF{}, Ridge: 0.001 * 200}, ChangeOptions{Permutations: 199})
		if !near(after, []int{50, 100, 150}, 2) {
			t.Errorf("seed %d: means change after %v", seed, after)
		}
		pairs := matrix.New(300, 2)
		for i := range pairs.Rows {
			a, b := normal(&r), normal(&r)
			sign := float64(1 - 2*(i/100%2))
			pairs.Row(i)[0], pairs.Row(i)[1] = a, 0.9*sign*a+math.Sqrt(1-0.81)*b
		}
		after, _ = afterRows(t, pairs, Settings{Kernel: gram.RBF{}, Ridge: 0.001 * 300}, ChangeOptions{Permutations: 199})
		if !near(after, []int{100, 200}, 4) {
			t.Errorf("seed %d: correlations change after %v", seed, after)
		}
		after, _ = afterRows(t, lagged(&r, 600, 300), Settings{Kernel: gram.Polynomial{Degree: 2, Gamma: 0.2, Coef0: 1}, Ridge: 0.1, Relative: true}, ChangeOptions{Permutations: 199, Block: 40})
		if !near(after, []int{300 - 2}, 10) {
			t.Errorf("seed %d: frequencies change after %v", seed, after)
		}
		after, p := afterRows(t, lagged(&r, 600, 600), Settings{Kernel: gram.Polynomial{Degree: 2, Gamma: 0.2, Coef0: 1}, Ridge: 0.1, Relative: true}, ChangeOptions{Permutations: 199, Block: 40})
		if after != nil {
			steady++
			t.Logf("seed %d: a steady wave changes after %v, p = %v", seed, after, p.Permuted.P)
		}
	}
	if steady > 1 { // of four, at a level of 5 %
		t.Errorf("%d steady waves change", steady)
	}
}

// lagged are sums of two waves and noise, of which the frequencies change after some rows, each row with the
// four before it.
func lagged(r *splitmix.Random, n, change int) *matrix.Dense {
	series := make([]float64, n)
	for i := range series {
		a, b := 0.075, 0.1
		if i >= change {
			a, b = 0.1, 0.125
		}
		series[i] = math.Sin(2*math.Pi*a*float64(i)) + math.Sin(2*math.Pi*b*float64(i)) + 0.2*normal(r)
	}
	x := matrix.New(n-4, 5)
	for i := range x.Rows {
		copy(x.Row(i), series[i:])
	}
	return x
}

// Rows that depend on those before are told from others, also beside changes.
func TestChangesOfDependentRows(t *testing.T) {
	sum, squares, sets, missed := 0.0, 0.0, 40, 0
	for seed := range uint64(sets) {
		r := splitmix.Random(seed)
		x := matrix.New(80, 2)
		for i := range x.Rows {
			x.Row(i)[0], x.Row(i)[1] = normal(&r)+float64(i/40*4), normal(&r)
		}
		set := Settings{Kernel: gram.RBF{}, Ridge: 0.8}
		_, p := afterRows(t, x, set, ChangeOptions{Permutations: 19})
		sum, squares = sum+p.Neighbours, squares+p.Neighbours*p.Neighbours
		for i := 1; i < x.Rows; i++ {
			for j, before := range x.Row(i - 1) {
				x.Row(i)[j] = 0.7*before + normal(&r)
			}
		}
		if _, p := afterRows(t, x, set, ChangeOptions{}); !(p.Neighbours > 4) {
			t.Errorf("seed %d: %v for dependent rows", seed, p.Neighbours)
		}
		wandering := make([]float64, 50) // in which changes are found that take most of it
		for i := 1; i < len(wandering); i++ {
			wandering[i] = 0.9*wandering[i-1] + normal(&r)
		}
		if after, p := afterRows(t, matrix.Column(wandering), Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: 0.05}, ChangeOptions{Permutations: 39}); after != nil && p.Reach == 0 {
			missed++
		}
	}
	if missed > sets/10 {
		t.Errorf("%d of %d series of 50 dependent rows do not show it", missed, sets)
	}
	n := float64(sets)
	if mean, variance := sum/n, squares/n; math.Abs(mean) > 5/math.Sqrt(n) || variance > 2.5 || variance < 0.4 {
		t.Errorf("for independent rows the mean is %v and the mean square %v, want 0 and 1", mean, variance)
	}
}

// Where nothing changes, changes are found about as often as the level says.
func TestChangesOfNoise(t *testing.T) {
	sets := 200
	if testing.Short() {
		sets = 40
	}
	found := 0
	for seed := range uint64(sets) {
		r := splitmix.Random(seed)
		x := matrix.New(30, 2)
		for i := range x.Data {
			x.Data[i] = normal(&r)
		}
		after, p := afterRows(t, x, Settings{Kernel: gram.RBF{}, Ridge: 0.03}, ChangeOptions{Permutations: 19, Seed: seed})
		if (after != nil) != (p.Permuted.P <= 0.05) || (p.Score > p.Threshold) != (p.Permuted.P <= 0.05) {
			t.Errorf("changes %v with a p-value of %v, score %v, threshold %v", after, p.Permuted.P, p.Score, p.Threshold)
		}
		if after != nil {
			found++
		}
	}
	if most := sets/20 + int(4*math.Sqrt(float64(sets)*0.05*0.95)); found > most { // four standard deviations
		t.Errorf("changes in %d of %d series of noise", found, sets)
	}
}

// One sample has the same bits for any number of workers.
func TestChangesOfAnyWorkers(t *testing.T) {
	defer matrix.SetWorkers(matrix.SetWorkers(1))
	x, _ := randomRows(9, 260, 3, 1)
	for i := 130; i < 260; i++ {
		x.Row(i)[1] += 1
	}
	var first string
	for _, workers := range []int{1, 2, 5} {
		matrix.SetWorkers(workers)
		_, r := afterRows(t, x, Settings{Kernel: gram.RBF{}, Ridge: 0.3}, ChangeOptions{Permutations: 150, Seed: 3})
		permuted := *r.Permuted
		r.Permuted = nil // a pointer
		if got := fmt.Sprint(*r, permuted); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d workers find something else", workers)
		}
	}
}

// Likeness is that of a plain sum over the pairs of rows of a segment.
func TestLikeness(t *testing.T) {
	for seed := range uint64(5) {
		r := splitmix.Random(seed)
		x := matrix.New(12, 1)
		for i := range x.Data {
			x.Data[i] = normal(&r)
		}
		after := 5 + int(seed%3)
		s := must.Get(NewSample(context.Background(), Settings{Kernel: gram.Linear{}, Ridge: 1}, x))(t)
		got := must.Get(s.rows.alike(context.Background(), []int{after, 12}))(t)
		for h := 1; h < 4; h++ {
			more, variance := 0.0, 0.0
			for _, ends := range [][2]int{{0, after}, {after, 12}} {
				part := x.Data[ends[0]:ends[1]]
				centre := matrix.Sum(part) / float64(len(part))
				var mean, squares, pairs float64
				for i := range part {
					for j := range i {
						v := (part[i] - centre) * (part[j] - centre)
						mean, squares, pairs = mean+v, squares+v*v, pairs+1
					}
				}
				mean, squares = mean/pairs, squares/pairs
				for i := h; i < len(part); i++ {
					more += (part[i]-centre)*(part[i-h]-centre) - mean
					variance += squares - mean*mean
				}
			}
			within(t, "likeness", apart(got, h), more/math.Sqrt(variance), 1e-10)
		}
	}
}
