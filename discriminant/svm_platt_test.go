package discriminant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// At the sigmoid the gradient of the likelihood vanishes, by plain sums: Σ (t − p)f
// and Σ (t − p). Newton's method stops at 1e-9 a row; the values are scaled to below
// 1 there.
func TestSigmoidIsTheMaximum(t *testing.T) {
	for _, d := range []decisions{
		{first: []float64{-1.2, -0.3, 0.4, -2}, second: []float64{0.2, 1.5, -0.1}},
		{first: []float64{-1, -1, -1}, second: []float64{1, 1, 1, 1, 1, 1}}, // separable: the targets keep it finite
		{first: []float64{1, 1}, second: []float64{-1, -1, -1}},             // the wrong way round
		{first: []float64{3, 3, 3}, second: []float64{3, 3}},                // nothing to tell
		{first: []float64{0}, second: []float64{0}},
		{first: []float64{-1e-200, 3e-200}, second: []float64{2e-200, 4e-200}},
		{first: []float64{-1e200, 3e200, 1e199}, second: []float64{2e200, 4e200}},
		{first: []float64{-0.5, math.MaxFloat64}, second: []float64{1, -math.MaxFloat64}},
	} {
		s := fitSigmoid(d)
		if math.IsNaN(s.slope) || math.IsInf(s.slope, 0) || math.IsNaN(s.offset) || math.IsInf(s.offset, 0) {
			t.Errorf("%v: %+v", d, s)
			continue
		}
		largest := math.SmallestNonzeroFloat64
		l1, l2 := float64(len(d.first)), float64(len(d.second))
		for _, f := range append(append([]float64(nil), d.first...), d.second...) {
			largest = math.Max(largest, math.Abs(f))
		}
		g1, g2 := 0.0, 0.0
		add := func(f, target float64) {
			p := 1 / (1 + math.Exp(s.slope*f+s.offset))
			g1 += (target - p) * (f / largest)
			g2 += target - p
		}
		for _, f := range d.first {
			add(f, 1/(l1+2))
		}
		for _, f := range d.second {
			add(f, (l2+1)/(l2+2))
		}
		if limit := 3e-9 * (l1 + l2); !(math.Abs(g1) < limit && math.Abs(g2) < limit) {
			t.Errorf("%v: %+v has the gradient (%g, %g), want at most %g", d, s, g1, g2, limit)
		}
	}
}

// The pairwise probabilities p_i/(p_i + p_j) of probabilities p give these back, and
// any others a p at which all entries of Qp are equal.
func TestCoupling(t *testing.T) {
	state := uint64(7)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) / (1 << 53)
	}
	for c := 2; c <= 26; c++ {
		p, sum := make([]float64, c), 0.0
		for j := range p {
			p[j] = 0.01 + uniform()
			sum += p[j]
		}
		count := c * (c - 1) / 2
		r := &voting{classes: c, sigmoids: make([]sigmoid, count)}
		values := matrix.New(2, count)
		at := 0
		for a := range c {
			for b := a + 1; b < c; b++ {
				r.sigmoids[at] = sigmoid{slope: -1}
				values.Set(0, at, math.Log(p[b]/p[a]))
				values.Set(1, at, 40*(uniform()-0.5)) // some beyond the least probability
				at++
			}
		}
		w := new(workspace)
		r.couple(w, values)
		for j, v := range w.posteriors.Row(0) {
			if want := p[j] / sum; math.Abs(v-want) > 1e-13*float64(c) { // rounding of the pairs and of a small system
				t.Errorf("%d classes: p[%d] = %v, want %v", c, j, v, want)
			}
		}
		if c == 2 {
			continue
		}
		q := matrix.New(c, c)
		r.system(q, values.Row(1))
		got := w.posteriors.Row(1)
		least, most := math.Inf(1), math.Inf(-1)
		for i := range c {
			s := 0.0
			for j := range c {
				s += (q.At(max(i, j), min(i, j)) - 1) * got[j]
			}
			least, most = math.Min(least, s), math.Max(most, s)
		}
		if most-least > 1e-12 {
			t.Errorf("%d classes: Qp between %v and %v, want all equal", c, least, most)
		}
	}
}

// The sigmoid of two classes is that of the values of rows that were left out, by
// rank in their class modulo five.
func TestProbabilitiesOfFolds(t *testing.T) {
	x, codes := blobs(43, 2, 2)
	method := SVM{Kernel: gram.RBF{Gamma: 2}, C: 2, Tolerance: 1e-10}
	var d decisions
	ranks := make([]int, 2)
	fold := make([]int, len(codes))
	for i, j := range codes {
		fold[i] = ranks[j] % 5
		ranks[j]++
	}
	for i, j := range codes {
		var rows, labels []int
		for k := range codes {
			if fold[k] != fold[i] {
				rows, labels = append(rows, k), append(labels, codes[k])
			}
		}
		v := must.Get(mustFit(t, method, selectRows(x, rows), labels).Decision(nil, x.View(i, 0, 1, 2)))(t)
		if j == 0 {
			d.first = append(d.first, v[0])
		} else {
			d.second = append(d.second, v[0])
		}
	}
	want := fitSigmoid(d)
	method.Probability = true
	m := mustFit(t, method, x, codes)
	got := m.rule.(*voting).sigmoids[0]
	if math.Abs(got.slope-want.slope) > 1e-9 || math.Abs(got.offset-want.offset) > 1e-9 { // of the order of the sums
		t.Errorf("%+v, want %+v", got, want)
	}
	p := must.Get(m.Posteriors(nil, x))(t)
	v, _ := m.Decision(nil, x)
	for i := range x.Rows {
		want := 1 / (1 + math.Exp(got.slope*v[i]+got.offset))
		if math.Abs(p.At(i, 1)-want) > 1e-14 || math.Abs(p.At(i, 0)+p.At(i, 1)-1) > 1e-15 {
			t.Errorf("row %d: %v, want %v", i, p.Row(i), want)
		}
	}
}

// Classes of one or two rows leave folds without one of the classes, or without
// any row.
func TestProbabilitiesOfSmallClasses(t *testing.T) {
	x, _ := blobs(9, 2, 2)
	for _, labels := range [][]int{
		{0, 1, 2, 2, 2, 2, 2, 2, 2},
		{0, 0, 1, 1, 1, 1, 1, 2, 2},
		{0, 1, 2, 3, 4, 5, 6, 7, 8},
	} {
		m := mustFit(t, SVM{Kernel: gram.RBF{Gamma: 1}, Probability: true}, x, labels)
		p := must.Get(m.Posteriors(nil, x))(t)
		for i := range p.Rows {
			sum := 0.0
			for _, v := range p.Row(i) {
				sum += v
				if !(v >= 0) {
					t.Errorf("%v: row %d: %v", labels, i, p.Row(i))
				}
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Errorf("%v: row %d sums to %v", labels, i, sum)
			}
		}
	}
}

// The posteriors of machines sum to one on 10⁵ random rows; of two classes the later
// one is the more probable exactly where the sigmoid of the machine's value says so,
// and the prediction follows the value itself.
func TestMachinePosteriors(t *testing.T) {
	rows := 9000 // 10⁵ in all
	if testing.Short() {
		rows = 1000
	}
	for c := 2; c <= 4; c++ {
		x, codes := blobs(40, 3, c)
		for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{Gamma: 1}} {
			machine := SVM{Kernel: kernel, Probability: true}
			for _, method := range []Method{machine, KFDA{Kernel: gram.RBF{Gamma: 0.5}, Classifier: machine}} {
				m := mustFit(t, method, x, codes)
				eachRandomBatch(t, m, 3, rows, func(x, p *matrix.Dense) {
					if c != 2 {
						return
					}
					f := must.Get(m.Decision(nil, x))(t)
					y := must.Get(m.Predict(nil, x))(t)
					s := sigmoidsOf(m)[0]
					for i, v := range f {
						if at := math.FMA(s.slope, v, s.offset); math.Abs(at) > 1e-12 && (p.At(i, 1) > 0.5) != (at < 0) {
							t.Fatalf("value %v, sigmoid %+v: posteriors %v", v, s, p.Row(i))
						}
						if (v > 0) != (y[i] == m.Classes()[1]) {
							t.Fatalf("value %v but class %v", v, y[i])
						}
					}
				})
			}
		}
	}
}

// sigmoidsOf returns the sigmoids of the machines of a model.
func sigmoidsOf(m *Model[int]) []sigmoid {
	if r, ok := m.rule.(*machineRule); ok {
		return r.voting.sigmoids
	}
	return m.rule.(*voting).sigmoids
}

// The probability of the later of two classes never falls where the decision rises, not by
// a bit, whatever the held-out values are.
func TestProbabilityNeverFalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		d := decisions{first: make([]float64, 1+rng.IntN(9)), second: make([]float64, 1+rng.IntN(9))}
		shift := 3 * rng.NormFloat64()
		for i := range d.first {
			d.first[i] = rng.NormFloat64()
		}
		for i := range d.second {
			d.second[i] = rng.NormFloat64() + shift
		}
		s := risingSigmoid(d)
		r, w := &voting{classes: 2, sigmoids: []sigmoid{s}}, new(workspace)
		values := matrix.New(4000, 1)
		at := 4 * rng.NormFloat64()
		for i := range values.Data { // neighbours, then far ones
			values.Data[i] = at
			if at = math.Nextafter(at, math.Inf(1)); i >= 2000 {
				at += math.Ldexp(0.03, i%7-3)
			}
		}
		r.couple(w, values)
		for i := 1; i < values.Rows; i++ {
			if w.posteriors.At(i, 1) < w.posteriors.At(i-1, 1) || w.posteriors.At(i, 0) > w.posteriors.At(i-1, 0) {
				t.Fatalf("%+v: from the decision %v to %v the posteriors go from %v to %v", s, values.Data[i-1], values.Data[i], w.posteriors.Row(i-1), w.posteriors.Row(i))
			}
		}
	}
}

// Where the sigmoid that rises fits best as a constant, that is the mean of the targets, and
// the likelihood falls to both sides of its offset.
func TestSigmoidOfReversedValues(t *testing.T) {
	d := decisions{first: []float64{1, 2, 0.5, 3}, second: []float64{-1, -2}}
	if s := fitSigmoid(d); !(s.slope > 0) {
		t.Fatalf("%+v: the values are not reversed", s)
	}
	s := risingSigmoid(d)
	_, p := s.pair(17)
	if want := (4.0/6 + 2*3.0/4) / 6; s.slope != 0 || math.Abs(p-want) > 1e-15 {
		t.Errorf("%+v: probability %v, want %v", s, p, want)
	}
	fit := newSigmoidFit(d)
	for _, other := range []sigmoid{{offset: s.offset + 1e-3}, {offset: s.offset - 1e-3}, {slope: -1e-3, offset: s.offset}} {
		if fit.objective(other) <= fit.objective(s) {
			t.Errorf("%+v is better than %+v", other, s)
		}
	}
}
