package discriminant_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// twonorm returns rows of two normal classes of unit variance with means ∓a in 20 columns, 4 apart, that are of
// the second class with that probability, and the log odds of this for each (Breiman 1996).
func twonorm(seed uint64, n int, share float64) (x *matrix.Dense, codes []int, logOdds []float64) {
	const d = 20
	r, a := rand.New(rand.NewPCG(seed, 3)), 2/math.Sqrt(d)
	x, codes, logOdds = matrix.New(n, d), make([]int, n), make([]float64, n)
	for i := range n {
		if r.Float64() < share {
			codes[i] = 1
		}
		logOdds[i] = math.Log(share / (1 - share))
		for k := range d {
			v := r.NormFloat64() + a*float64(2*codes[i]-1)
			x.Set(i, k, v)
			logOdds[i] += 2 * a * v
		}
	}
	return x, codes, logOdds
}

// logLoss returns the mean of −ln p of the classes of rows by the log odds a·f + b of the second.
func logLoss(f []float64, codes []int, a, b float64) float64 {
	sum := 0.0
	for i, v := range f {
		sum += math.Log1p(math.Exp(-(a*v + b) * float64(2*codes[i]-1)))
	}
	return sum / float64(len(f))
}

// platt returns a and b of the least log loss (Platt 1999), by Newton's method.
func platt(f []float64, codes []int) (a, b float64) {
	a = 0.5
	for range 30 {
		var ga, gb, haa, hab, hbb float64
		for i, v := range f {
			p := 1 / (1 + math.Exp(-(a*v + b)))
			e, w := p-float64(codes[i]), p*(1-p)
			ga, gb, haa, hab, hbb = ga+e*v, gb+e, haa+w*v*v, hab+w*v, hbb+w
		}
		det := haa*hbb - hab*hab
		a, b = a-(hbb*ga-hab*gb)/det, b-(haa*gb-hab*ga)/det
	}
	return a, b
}

// calibrationError returns the mean difference of the posterior of the second class and its share in
// the rows of which that is in the same tenth.
func calibrationError(p *matrix.Dense, codes []int) float64 {
	var off [10]float64
	for i, code := range codes {
		off[min(9, int(10*p.At(i, 1)))] += p.At(i, 1) - float64(code)
	}
	sum := 0.0
	for _, v := range off {
		sum += math.Abs(v)
	}
	return sum / float64(len(codes))
}

// The posteriors of a stream are those of new rows: their log loss is within 2 % of that of the best
// scaling of the log odds by other new rows, and nearly that of the true posteriors, also of classes of
// different sizes, with priors, and with weights in place of sizes.
func TestStreamPosteriors(t *testing.T) {
	const n, test = 9000, 12000
	method := discriminant.KFDA{Kernel: gram.RBF{Gamma: 1.0 / 40}, Regularizer: discriminant.RelativeRKHS(0.3)}
	for _, c := range []struct {
		name          string
		share, new    float64 // of the second class, in the stream and in new rows
		priors, weigh bool
	}{{"equal", 0.5, 0.5, false, false}, {"rare", 0.1, 0.1, false, false}, {"priors", 0.5, 0.1, true, false}, {"weights", 0.5, 0.1, false, true}} {
		t.Run(c.name, func(t *testing.T) {
			x, codes, _ := twonorm(1, n, c.share)
			y, truth, odds := twonorm(2, test, c.new)
			var weights []float64
			m := method
			if c.weigh {
				weights = make([]float64, n)
				for i, code := range codes {
					weights[i] = []float64{1.8, 0.2}[code]
				}
			}
			if c.priors {
				m.Priors = []float64{1 - c.new, c.new}
			}
			_, model := streamed(t, m, x, codes, 2000, 200, weights...)
			m.Classifier = discriminant.Gaussian{}
			_, asTheyAre := streamed(t, m, x, codes, 2000, 200, weights...)
			decision := must.Get(model.Decision(nil, y))(t)
			least := 0.0
			for lo := 0; lo < test; lo += test / 2 {
				hi, other := lo+test/2, test/2-lo
				a, b := platt(decision[other:other+test/2], truth[other:other+test/2])
				least += logLoss(decision[lo:hi], truth[lo:hi], a, b) / 2
			}
			loss, bayes := logLoss(decision, truth, 1, 0), logLoss(odds, truth, 1, 0)
			plain := logLoss(must.Get(asTheyAre.Decision(nil, y))(t), truth, 1, 0)
			t.Logf("log loss %.5f, scaled %.5f, of the true posteriors %.5f, of projections as they are %.5f", loss, least, bayes, plain)
			if !(loss <= 1.02*least) || !(loss < 1.25*bayes) || !(plain > 1.1*least) {
				t.Errorf("log loss %v, want at most 1.02·%v, near %v and far from %v", loss, least, bayes, plain)
			}
			off, offPlain := calibrationError(must.Get(model.Posteriors(nil, y))(t), truth), calibrationError(must.Get(asTheyAre.Posteriors(nil, y))(t), truth)
			t.Logf("calibration error %.4f, of projections as they are %.4f", off, offPlain)
			if !(off <= 0.007) || !(off < offPlain/1.5) {
				t.Errorf("calibration error %v, want at most 0.007, and far below %v", off, offPlain)
			}
		})
	}
}

// Rows of a class that are all kept count as they are, however many of others are not: the mean
// posterior of a rare class in new rows is near its share.
func TestStreamPosteriorsRare(t *testing.T) {
	const n, rare = 20000, 20
	draw := func(seed uint64) (*matrix.Dense, []int) {
		r, x, codes := rand.New(rand.NewPCG(seed, 3)), matrix.New(n, 2), make([]int, n)
		for i := range n {
			if codes[i] = i % 2; i%(n/rare) == 0 {
				codes[i] = 2
			}
			mean := [][2]float64{{0, 0}, {1.5, 0}, {0.7, 2}}[codes[i]]
			x.Set(i, 0, r.NormFloat64()+mean[0])
			x.Set(i, 1, r.NormFloat64()+mean[1])
		}
		return x, codes
	}
	x, codes := draw(1)
	y, _ := draw(2)
	_, model := streamed(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.RelativeRKHS(0.1)}, x, codes, n, 40)
	p := must.Get(model.Posteriors(nil, y))(t)
	mean := matrix.Sum(matrix.Transpose(nil, p).Row(2)) / n
	if t.Logf("mean posterior %.5f, share %.5f", mean, float64(rare)/n); !(mean < 2.5*rare/n) {
		t.Errorf("a mean posterior of %v for a share of %v", mean, float64(rare)/n)
	}
}
