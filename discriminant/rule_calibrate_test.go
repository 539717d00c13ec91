package discriminant

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// scoresOf returns d of rows whose own class's is higher by rightness on average.
func scoresOf(seed uint64, counts []int, rightness float64) (*matrix.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 8))
	var codes []int
	for j, l := range counts {
		codes = append(codes, slices.Repeat([]int{j}, l)...)
	}
	d := matrix.New(len(codes), len(counts))
	for i, code := range codes {
		for j := range counts {
			d.Set(i, j, 2*r.NormFloat64())
		}
		d.Row(i)[code] += rightness
	}
	return d, codes
}

// penalised is −ln of likelihood and prior, and its gradient by a and the b_j.
func penalised(d *matrix.Dense, codes, counts []int, c calibration) (value float64, gradient []float64) {
	value = (c.scale - 1) * (c.scale - 1) / 2
	gradient = append([]float64{c.scale - 1}, c.biases...)
	for _, b := range c.biases {
		value += b * b / 2
	}
	for i, code := range codes {
		s, top := make([]float64, d.Cols), math.Inf(-1)
		for j := range s {
			s[j] = math.Log(float64(counts[j])/float64(d.Rows)) + c.scale*d.At(i, j) + c.biases[j]
			top = math.Max(top, s[j])
		}
		sum := 0.0
		for _, v := range s {
			sum += math.Exp(v - top)
		}
		value += math.Log(sum) + top - s[code]
		for j, v := range s {
			p := math.Exp(v-top) / sum
			if j == code {
				p--
			}
			gradient[0] += p * d.At(i, j)
			gradient[1+j] += p
		}
	}
	return value, gradient
}

func mustCalibrate(t *testing.T, d *matrix.Dense, codes, counts []int) calibration {
	t.Helper()
	return must.Get(calibrate(t.Context(), d, fisher.NewClasses(codes, len(counts), nil)))(t)
}

var calibratedCounts = [][]int{{20, 20}, {57, 3}, {30, 1}, {10, 20, 30}, {1, 1, 1}, {1, 40, 2, 9}, slices.Repeat([]int{3}, 60)}

// The objective is strictly convex: where its gradient is 0 is the one optimum.
func TestCalibrationIsTheOptimum(t *testing.T) {
	for seed, counts := range calibratedCounts {
		for _, rightness := range []float64{0.3, 2, 40} {
			d, codes := scoresOf(uint64(seed), counts, rightness)
			c := mustCalibrate(t, d, codes, counts)
			_, gradient := penalised(d, codes, counts, c)
			size := matrix.MaxAbs(d) * float64(d.Rows)
			if c.scale == 0 { // at the edge of what a may be
				gradient[0] = math.Min(gradient[0], 0)
			}
			for k, g := range gradient {
				// Newton's method ends where the value, a sum over rows, can't tell.
				if math.Abs(g) > 1e-7*size {
					t.Errorf("%v, %v: gradient %d is %v at a = %v", counts, rightness, k, g, c.scale)
				}
			}
			// The gradient of the test is that of its value.
			for k := range gradient {
				const h = 1e-4
				at := func(h float64) float64 {
					moved := calibration{c.scale, slices.Clone(c.biases)}
					if k == 0 {
						moved.scale += h
					} else {
						moved.biases[k-1] += h
					}
					v, _ := penalised(d, codes, counts, moved)
					return v
				}
				_, gradient := penalised(d, codes, counts, c)
				if slope := (at(h) - at(-h)) / (2 * h); math.Abs(slope-gradient[k]) > 1e-5*size {
					t.Errorf("%v, %v: slope %d is %v, gradient %v", counts, rightness, k, slope, gradient[k])
				}
			}
		}
	}
}

// For two classes it is Platt's sigmoid of d₂ − d₁ with β = b₂ − b₁ ~ N(0, 2), here
// by Newton's method for two parameters.
func TestCalibrationOfTwoIsPlatts(t *testing.T) {
	for seed := range uint64(5) {
		counts := []int{40, 10 + 5*int(seed)}
		d, codes := scoresOf(seed, counts, 1+float64(seed))
		prior := math.Log(float64(counts[1]) / float64(counts[0]))
		a, beta := 0.0, 0.0
		for range 60 {
			ga, gb, haa, hab, hbb := a-1, beta/2, 1.0, 0.0, 0.5
			for i, code := range codes {
				f := d.At(i, 1) - d.At(i, 0)
				p := 1 / (1 + math.Exp(-(prior + a*f + beta)))
				ga += (p - float64(code)) * f
				gb += p - float64(code)
				w := p * (1 - p)
				haa, hab, hbb = haa+w*f*f, hab+w*f, hbb+w
			}
			det := haa*hbb - hab*hab
			a, beta = a-0.5*(hbb*ga-hab*gb)/det, beta-0.5*(haa*gb-hab*ga)/det
		}
		c := mustCalibrate(t, d, codes, counts)
		if math.Abs(c.scale-a) > 1e-7 || math.Abs(c.biases[1]-c.biases[0]-beta) > 1e-7 || math.Abs(c.biases[1]+c.biases[0]) > 1e-7 {
			t.Errorf("%d: a = %v, b = %v, Platt's %v and %v", seed, c.scale, c.biases, a, beta)
		}
	}
}

// Scores that point the wrong way leave the priors alone.
func TestCalibrationOfWrongScores(t *testing.T) {
	for seed, counts := range calibratedCounts {
		for _, size := range []float64{1, 1e12} {
			d, codes := scoresOf(uint64(seed), counts, 30)
			for i := range d.Data {
				d.Data[i] *= -size
			}
			if c := mustCalibrate(t, d, codes, counts); c.scale != 0 || !slices.Equal(c.biases, make([]float64, len(counts))) {
				t.Errorf("%v: a = %v, b = %v", counts, c.scale, c.biases)
			}
		}
	}
}

// Scores that are far too sure, and far too unsure, come to the calibration of the same
// scores in another unit, but for what a's prior says.
func TestCalibrationOfSureScores(t *testing.T) {
	counts := []int{30, 20, 10}
	for _, size := range []float64{1e4, 1e8, 1e12, 1e20, 1e100} {
		d, codes := scoresOf(3, counts, 1)
		for i := range d.Data {
			d.Data[i] *= size
		}
		c := mustCalibrate(t, d, codes, counts)
		least, _ := penalised(d, codes, counts, c)
		for _, factor := range []float64{0, 0.5, 0.9, 0.999, 1.001, 1.1, 2, 100} {
			if v, _ := penalised(d, codes, counts, calibration{factor * c.scale, c.biases}); v < least-1e-9*least {
				t.Errorf("scores of %g: %v at a = %v, %v at %v times it", size, least, c.scale, v, factor)
			}
		}
		if !(c.scale > 0.01/size && c.scale < 10/size) {
			t.Errorf("scores of %g: a = %v", size, c.scale)
		}
	}
}

// A model's posteriors sum to one, given priors shift the log odds by their ratio exactly, and
// labels that are noise leave the priors.
func TestCalibratedPosteriors(t *testing.T) {
	compared := 0
	for c := 2; c <= 5; c++ {
		x, codes := overlapping(uint64(c), 60, 3, c, 0.8)
		fresh, _ := overlapping(uint64(c)+50, 40, 3, c, 2)
		priors, sum := make([]float64, c), 0.0
		for j := range priors {
			priors[j] = 1 / float64(1+j)
			sum += priors[j]
		}
		for j := range priors {
			priors[j] /= sum
		}
		for _, classifier := range []Classifier{nil, Gaussian{PerClass: true}} {
			method := KFDA{Classifier: classifier, LeaveOneOut: true}
			m := mustFit(t, method, x, codes)
			method.Priors = priors
			given := mustFit(t, method, x, codes)
			p := must.Get(m.Posteriors(nil, fresh))(t)
			q := must.Get(given.Posteriors(nil, fresh))(t)
			counts := m.Counts()
			for i := range p.Rows {
				sum := 0.0
				for j, v := range p.Row(i) {
					sum += v
					if math.Min(v, p.At(i, 0)) < 1e-3 || math.Min(q.At(i, j), q.At(i, 0)) < 1e-3 {
						continue // posteriors have an absolute accuracy
					}
					compared++
					shift := math.Log(priors[j]/priors[0]) - math.Log(float64(counts[j])/float64(counts[0]))
					if got := math.Log(q.At(i, j)/q.At(i, 0)) - math.Log(v/p.At(i, 0)); math.Abs(got-shift) > 1e-11 {
						t.Fatalf("%d classes, %v: priors shift the log odds by %v, want %v", c, classifier, got, shift)
					}
				}
				if math.Abs(sum-1) > 1e-14 {
					t.Fatalf("posteriors %v sum to %v", p.Row(i), sum)
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d posteriors compared", compared)
	}
}

// Labels that the rows say nothing of: posteriors of new rows are, in the mean over tables,
// hardly worse than the priors, for balanced classes and others, and rows that are
// predicted the other way round are not learned from.
func TestPosteriorsOfNoise(t *testing.T) {
	for _, share := range []float64{0.5, 0.3, 0.1} {
		excess := 0.0
		const tables = 12
		for seed := range uint64(tables) {
			r := rand.New(rand.NewPCG(seed, 5))
			table := func(n int) (*matrix.Dense, []int) {
				x, y := matrix.New(n, 5), make([]int, n)
				for i := range n {
					if r.Float64() < share {
						y[i] = 1
					}
					for j := range 5 {
						x.Set(i, j, r.NormFloat64())
					}
				}
				return x, y
			}
			x, y := table(100)
			fresh, truth := table(400)
			m := mustFit(t, KFDA{}, x, y)
			p := must.Get(m.Posteriors(nil, fresh))(t)
			for i, code := range truth {
				excess += math.Log(float64(m.Counts()[code])/100/p.At(i, code)) / (400 * tables)
			}
		}
		t.Logf("share %v: mean log loss above that of the priors: %.4f", share, excess)
		if excess > 0.02 {
			t.Errorf("share %v: mean log loss %v above that of the priors", share, excess)
		}
	}
}

// Models whose calibration leaves the priors alone are kept in files.
func TestSaveCalibratedNoise(t *testing.T) {
	x, _ := overlapping(1, 24, 2, 2, 1)
	noise := make([]int, 24)
	alone := 0
	for _, classifier := range []Classifier{Gaussian{}, Gaussian{PerClass: true}} {
		for shift := range 12 {
			for i := range noise {
				noise[i] = (i + shift) / 6 % 2
			}
			m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: 1}, Regularizer: RelativeRKHS(100), Classifier: classifier, LeaveOneOut: true}, x, noise)
			data := must.Get(m.MarshalBinary())(t)
			var again Model[int]
			must.Do(t, again.UnmarshalBinary(data))
			want := must.Get(m.Posteriors(nil, x))(t)
			if got, err := again.Posteriors(nil, x); err != nil || !slices.Equal(got.Data, want.Data) {
				t.Errorf("%v: posteriors %v, error %v; want %v", classifier, got, err, want)
			}
			if !slices.ContainsFunc(want.Data, func(v float64) bool { return math.Abs(v-0.5) > 1e-15 }) {
				alone++
			}
		}
	}
	if alone < 4 {
		t.Errorf("only %d models leave the priors alone", alone)
	}
}
