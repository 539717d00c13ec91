package discriminant

import (
	"math"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// TestGoldenFeatures fits every problem of folder flda and compares in the tight
// tolerances of the files, where there are such.
func TestGoldenFeatures(t *testing.T) {
	var fitted []*golden.Problem
	ratios := map[string]float64{}
	for _, p := range golden.Dir(t, "flda") {
		t.Run(p.Name, func(t *testing.T) {
			goldenFeatures(t, p, ratios)
			fitted = append(fitted, p)
		})
	}
	performed, total := golden.Count(fitted)
	t.Logf("%d problems; %d of %d checks performed", len(fitted), performed, total)
	t.Logf("largest error over tolerance, by field: %v", ratios)
	if performed != total {
		t.Errorf("%d of %d checks", performed, total)
	}
}

func goldenFeatures(t *testing.T, p *golden.Problem, ratios map[string]float64) {
	x, y, test := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Matrix("X_test")
	compare := func(field string, got any) {
		t.Helper()
		if p.HasCheck(field) {
			ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, true))
		}
	}
	method := LDA{Classifier: Gaussian{}}
	if s := p.Expected.Float("shrinkage_used"); strings.Contains(p.Name, "_lw_") {
		method.Regularizer = LedoitWolf()
	} else if s > 0 {
		method.Regularizer = Shrink(s)
	}
	m := mustFit(t, method, x, y)
	if method.Regularizer == LedoitWolf() {
		compare("ledoit_wolf_intensity", m.Details().(LDADetails).Shrinkage())
	} else if p.HasCheck("ledoit_wolf_intensity") {
		compare("ledoit_wolf_intensity", mustFit(t, LDA{Regularizer: LedoitWolf()}, x, y).Details().(LDADetails).Shrinkage())
	}
	w := m.Details().(LDADetails).Weights()
	compare("eigenvalues", DetailsOf(m).Eigenvalues())
	compare("W", w)

	// The model projects centred rows; the file has the rows as they are.
	z := must.Get(m.Project(nil, test))(t)
	origin := matrix.MulVec(nil, w, matrix.Transposed, m.Details().(LDADetails).Origin())
	for i := range z.Rows {
		for k := range z.Row(i) {
			z.Row(i)[k] += origin[k]
		}
	}
	compare("proj_test", z)
	compare("lda_labels_test", predicted(t, m, test))

	// The scores are known up to what all classes have in common.
	scores := p.Expected.Matrix("lda_scores_test")
	ws := &workspace{}
	project := must.Get(m.Project(nil, test))(t)
	ws.z = *project
	m.rule.(*linearRule).scores(ws)
	got := scores.Clone()
	for i := range got.Rows {
		for j := range got.Row(i) {
			got.Set(i, j, ws.posteriors.At(i, j)-ws.posteriors.At(i, 0)+scores.At(i, 0))
		}
	}
	compare("lda_scores_test", got)

	codes, counts := mustEncode(y)
	of := fisher.NewClasses(codes, len(counts), nil)
	means := of.Centroids(x)
	a := of.Deviations(x, means)
	compare("class_means", means)
	compare("S_W", matrix.SymRankK(nil, a, matrix.Transposed))
	if len(counts) == 2 {
		goldenFeaturesBinary(t, p, method, m, z, compare)
	}
}

func goldenFeaturesBinary(t *testing.T, p *golden.Problem, method LDA, m *Model[int], z *matrix.Dense, compare func(string, any)) {
	x, y, test := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Matrix("X_test")
	l1, l2 := float64(m.Counts()[0]), float64(m.Counts()[1])
	scale := math.Sqrt(DetailsOf(m).Eigenvalues()[0] * (l1 + l2) / (l1 * l2))
	if c := DetailsOf(m).Centroids(); c.At(1, 0) < c.At(0, 0) {
		scale = -scale
	}
	w, b := make([]float64, x.Cols), make([]float64, test.Rows)
	for i, v := range m.Details().(LDADetails).Weights().Data {
		w[i] = scale * v
	}
	for i := range b {
		b[i] = scale * z.At(i, 0)
	}
	compare("w_binary", w)
	compare("proj_binary_test", b)
	threshold := func(priors []float64) float64 {
		method := method
		method.Priors, method.Classifier = priors, NearestCentroid{}
		d := must.Get(mustFit(t, method, x, y).Decision(nil, test))(t)
		return b[0] - d[0]
	}
	shares := []float64{l1 / (l1 + l2), l2 / (l1 + l2)}
	compare("binary_threshold_empirical", threshold(shares))
	compare("binary_midpoint", threshold(nil))
	if p.HasCheck("binary_threshold_priors") {
		compare("binary_threshold_priors", threshold(p.Input.Vector("priors")))
	}
	var mu [2]float64
	for i, y := range y {
		j := 0
		if y == m.Classes()[1] {
			j = 1
		}
		for k, v := range x.Row(i) {
			mu[j] += v * w[k] / float64(m.Counts()[j])
		}
	}
	if p.HasCheck("binary_threshold_empirical_ml") {
		// s² = ss/n in place of the model's ss/(n − 2).
		midpoint := threshold(nil)
		n := l1 + l2
		compare("binary_threshold_empirical_ml", midpoint+(threshold(shares)-midpoint)*(n-2)/n)
	}
	compare("binary_mu1", mu[0])
	compare("binary_mu2", mu[1])
}

func mustEncode(y []int) (codes, counts []int) {
	classes, codes := encode(y)
	return codes, fisher.NewClasses(codes, len(classes), nil).Counts
}

func predicted(t *testing.T, m *Model[int], x *matrix.Dense) []int {
	t.Helper()
	return must.Get(m.Predict(nil, x))(t)
}

// The definition with all d×d and n matrices written out.
func TestLedoitWolfIsItsDefinition(t *testing.T) {
	for _, shape := range [][2]int{{30, 4}, {8, 20}, {12, 12}} {
		n, d := shape[0], shape[1]
		x, codes := blobs(n, d, 3)
		a := matrix.New(n, d) // the rows less their class means
		for i := range n {
			for k := range d {
				mean, count := 0.0, 0.0
				for other, code := range codes {
					if code == codes[i] {
						mean += x.At(other, k)
						count++
					}
				}
				a.Set(i, k, x.At(i, k)-mean/count)
			}
		}
		c := square(d)
		for i := range n {
			for j := range d {
				for k := range d {
					c[j][k] += a.At(i, j) * a.At(i, k) / float64(n)
				}
			}
		}
		mu, delta, beta := 0.0, 0.0, 0.0
		for j := range d {
			mu += c[j][j] / float64(d)
		}
		for j := range d {
			for k := range d {
				v := c[j][k]
				if j == k {
					v -= mu
				}
				delta += v * v / float64(d)
				for i := range n {
					e := a.At(i, j)*a.At(i, k) - c[j][k]
					beta += e * e / float64(n*n*d)
				}
			}
		}
		want := math.Min(beta, delta) / delta
		if got := mustFit(t, LDA{Regularizer: LedoitWolf()}, x, codes).Details().(LDADetails).Shrinkage(); math.Abs(got-want) > 1e-12 { // rounding of n·d² terms
			t.Errorf("%d×%d: intensity %v, want %v", n, d, got, want)
		}
		// A constant feature more counts in μ and δ.
		wide := matrix.New(n, d+1)
		wide.View(0, 0, n, d).CopyFrom(x)
		mixed := mustFit(t, LDA{Regularizer: LedoitWolf()}, wide, codes).Details().(LDADetails).Shrinkage()
		muWide := mu * float64(d) / float64(d+1)
		deltaWide := (delta*float64(d) + mu*mu*float64(d) - muWide*muWide*float64(d+1)) / float64(d+1)
		betaWide := beta * float64(d) / float64(d+1)
		if want := math.Min(betaWide, deltaWide) / deltaWide; math.Abs(mixed-want) > 1e-11 {
			t.Errorf("%d×%d and a constant: intensity %v, want %v", n, d, mixed, want)
		}
	}
}

func TestLDAPosteriorsAgreeWithPredictions(t *testing.T) {
	rows := 34_000 // 10⁵ for each classifier
	if testing.Short() {
		rows = 1000
	}
	for _, classifier := range probabilistic {
		for c := 2; c <= 4; c++ {
			x, codes := blobs(40, 3, c)
			posteriorsAgree(t, mustFit(t, LDA{Regularizer: LedoitWolf(), Scaling: Standard, Classifier: classifier}, x, codes), 3, rows)
		}
	}
}

// The posteriors of LDA with Gaussian{} are those of normal distributions with the
// covariance S/(n − c) in all features.
func TestLDAPosteriorsInFeatureSpace(t *testing.T) {
	x, codes := blobs(50, 4, 3)
	priors := []float64{0.2, 0.5, 0.3}
	m := mustFit(t, LDA{Classifier: Gaussian{}, Priors: priors}, x, codes)
	p := must.Get(m.Posteriors(nil, x))(t)
	for i := range x.Rows {
		for j, want := range trueGaussian(x, codes, priors, false, x.Row(i)) {
			if math.Abs(p.At(i, j)-want) > 1e-12 {
				t.Fatalf("row %d has %v, want %v", i, p.Row(i), want)
			}
		}
	}
}
