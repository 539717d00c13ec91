package discriminant

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

var probabilistic = []Classifier{Gaussian{}, Gaussian{PerClass: true}, KNN{}, KNN{K: 1}, KNN{K: 8}}

// trueGaussian evaluates the densities as they are defined, with covariances
// inverted by elimination.
func trueGaussian(z *matrix.Dense, codes []int, priors []float64, perClass bool, at []float64) []float64 {
	c, p := len(priors), z.Cols
	of := fisher.NewClasses(codes, c, nil)
	counts, means := of.Counts, of.Centroids(z)
	own := make([][][]float64, c)
	pooled := square(p)
	for j := range c {
		own[j] = square(p)
	}
	for i, j := range codes {
		for a := range p {
			for b := range p {
				v := (z.At(i, a) - means.At(j, a)) * (z.At(i, b) - means.At(j, b))
				pooled[a][b] += v / float64(len(codes)-c)
				own[j][a][b] += v / float64(counts[j]-1)
			}
		}
	}
	density := make([]float64, c)
	sum := 0.0
	for j := range c {
		s := pooled
		if perClass {
			s = own[j]
		}
		d := make([]float64, p)
		for k := range d {
			d[k] = at[k] - means.At(j, k)
		}
		det, q := eliminate(s, d)
		density[j] = priors[j] / math.Sqrt(det) * math.Exp(-q/2)
		sum += density[j]
	}
	for j := range density {
		density[j] /= sum
	}
	return density
}

func square(p int) [][]float64 {
	s := make([][]float64, p)
	for i := range s {
		s[i] = make([]float64, p)
	}
	return s
}

// eliminate returns |S| and dᵀS⁻¹d.
func eliminate(s [][]float64, d []float64) (det, q float64) {
	det = 1
	a, x := square(len(d)), slices.Clone(d)
	for i := range s {
		copy(a[i], s[i])
	}
	for k := range a {
		det *= a[k][k]
		q += x[k] * x[k] / a[k][k]
		for i := k + 1; i < len(a); i++ {
			f := a[i][k] / a[k][k]
			x[i] -= f * x[k]
			for j := k; j < len(a); j++ {
				a[i][j] -= f * a[k][j]
			}
		}
	}
	return det, q
}

// The covariances of these projections have condition numbers below 100, so that
// log densities of a few units are right to some hundred u.
func TestGaussianIsItsDefinition(t *testing.T) {
	x, codes := blobs(60, 3, 3)
	for _, priors := range [][]float64{nil, {0.2, 0.5, 0.3}} {
		for _, perClass := range []bool{false, true} {
			m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: 0.3}, Regularizer: RelativeRidge(1e-3), Classifier: Gaussian{PerClass: perClass}, Priors: priors}, x, codes)
			z, _ := m.Project(nil, x)
			got := must.Get(m.Posteriors(nil, x))(t)
			shares := priors
			if shares == nil {
				shares = []float64{1. / 3, 1. / 3, 1. / 3}
			}
			for i := range x.Rows {
				for j, want := range trueGaussian(z, codes, shares, perClass, z.Row(i)) {
					if math.Abs(got.At(i, j)-want) > 1e-11 {
						t.Fatalf("priors %v, per class %v: row %d has %v, want %v", priors, perClass, i, got.Row(i), want)
					}
				}
			}
		}
	}
}

// For two classes the pooled rule's log odds are the projection on α_b minus the
// threshold, in units of s²/(μ₂ − μ₁).
func TestGaussianIsTheThreshold(t *testing.T) {
	x, codes := blobs(31, 3, 2)
	for _, priors := range [][]float64{{0.5, 0.5}, {0.9, 0.1}} {
		method := KFDA{Kernel: gram.RBF{Gamma: 0.3}, Regularizer: RelativeRidge(1e-3), Priors: priors, Classifier: NearestCentroid{}}
		plain, _ := mustFit(t, method, x, codes).Decision(nil, x)
		method.Classifier = Gaussian{}
		odds, _ := mustFit(t, method, x, codes).Decision(nil, x)
		for i, d := range plain {
			if e := math.Abs(odds[i]/odds[0] - d/plain[0]); !(e < 1e-11*math.Abs(d/plain[0])+1e-12) || odds[i]*d < 0 {
				t.Fatalf("priors %v: row %d: log odds %v against %v, decision %v against %v", priors, i, odds[i], odds[0], d, plain[0])
			}
		}
	}
}

// The plain definition: sort all distances.
func TestKNNIsItsDefinition(t *testing.T) {
	x, codes := blobs(40, 3, 3)
	priors := []float64{0.2, 0.5, 0.3}
	for _, k := range []int{1, 2, 7, 40} {
		m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: 0.3}, Classifier: KNN{K: k}, Priors: priors}, x, codes)
		z, _ := m.Project(nil, x)
		scaler := must.Get(FitScaler(Standard, z))(t)
		s, _ := scaler.Transform(nil, z)
		got := must.Get(m.Posteriors(nil, x))(t)
		for i := range x.Rows {
			order := make([]int, x.Rows)
			for l := range order {
				order[l] = l
			}
			slices.SortFunc(order, func(a, b int) int {
				if squaredDistance(s.Row(a), s.Row(i)) < squaredDistance(s.Row(b), s.Row(i)) {
					return -1
				}
				return 1
			})
			votes, sum := make([]float64, 3), 0.0
			for _, l := range order[:k] {
				v := priors[codes[l]] / float64(m.Counts()[codes[l]])
				votes[codes[l]] += v
				sum += v
			}
			for j := range votes {
				if math.Abs(got.At(i, j)-votes[j]/sum) > 1e-14 {
					t.Fatalf("k = %d: row %d has %v, want votes %v", k, i, got.Row(i), votes)
				}
			}
		}
	}
}

// Rows at the distance of the k-th share the votes that are left, in whatever
// order they stand.
func TestKNNTies(t *testing.T) {
	rule := &knnRule{k: 3, codes: []int{0, 1, 1, 2, 0}, weights: []float64{1, 1, 1}}
	p := make([]float64, 3)
	// One row at 1; four at 2 for the two votes left: half a vote each.
	distances := []float64{2, 1, 2, 2, 2}
	heap := make([]float64, 3)
	kth := kthSmallest(heap, distances)
	rule.vote(p, distances, kth)
	for j, want := range []float64{1. / 3, 0.5, 0.5 / 3} {
		if math.Abs(p[j]-want) > 1e-15 {
			t.Fatalf("k-th distance %v, shares %v", kth, p)
		}
	}
	values := []float64{5, 3, 9, 3, 0, 7, 1, 1}
	sorted := slices.Sorted(slices.Values(values))
	for k := 1; k <= len(values); k++ {
		must.Equal(t, fmt.Sprintf("value %d of %v", k, values), kthSmallest(make([]float64, k), values), sorted[k-1])
	}

	x, codes := blobs(12, 2, 2)
	double := matrix.New(24, 2)
	double.View(0, 0, 12, 2).CopyFrom(x)
	double.View(12, 0, 12, 2).CopyFrom(x)
	flipped := slices.Clone(codes)
	for i := range flipped {
		flipped[i] = 1 - flipped[i]/2
	}
	labels := append(slices.Clone(codes), flipped...)
	backward, labelsBackward := matrix.New(24, 2), make([]int, 24)
	for i := range 24 {
		copy(backward.Row(i), double.Row(23-i))
		labelsBackward[i] = labels[23-i]
	}
	method := KFDA{Kernel: gram.Linear{}, Classifier: KNN{K: 3}}
	a := must.Get(mustFit(t, method, double, labels).Posteriors(nil, x))(t)
	b := must.Get(mustFit(t, method, backward, labelsBackward).Posteriors(nil, x))(t)
	for i, v := range a.Data {
		if math.Abs(v-b.Data[i]) > 1e-14 {
			t.Fatalf("shares %v, rows in reverse %v", a.Data, b.Data)
		}
	}
}

// posteriorsAgree checks random rows, most of them far from all training rows:
// posteriors sum to one, their first arg max is the prediction, and for two classes
// the decision is positive exactly for the second.
func posteriorsAgree(t *testing.T, m *Model[int], dim, rows int) {
	t.Helper()
	eachRandomBatch(t, m, dim, rows, func(x, p *matrix.Dense) {
		y := must.Get(m.Predict(nil, x))(t)
		for i := range y {
			if row := p.Row(i); y[i] != m.Classes()[argMax(row)] {
				t.Fatalf("posteriors %v but class %v", row, y[i])
			}
		}
		if len(m.Classes()) != 2 {
			return
		}
		d := must.Get(m.Decision(nil, x))(t)
		for i, v := range d {
			if !finite(v) || (v > 0) != (y[i] == m.Classes()[1]) {
				t.Fatalf("decision %v but class %v", v, y[i])
			}
		}
	})
}

// eachRandomBatch checks that posteriors are between 0 and 1 and sum to one, up to
// half a unit in the last place for each term, and calls also with batches of rows,
// some of them far out, and their posteriors.
func eachRandomBatch(t *testing.T, m *Model[int], dim, rows int, also func(x, p *matrix.Dense)) {
	t.Helper()
	const batch = 1000
	state := uint64(99)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11)/(1<<52) - 1
	}
	x := matrix.New(batch, dim)
	for first := 0; first < rows; first += batch {
		for i := range batch {
			reach := 2.0
			if i%4 == 3 {
				reach = math.Ldexp(1, i%500)
			}
			for j := range dim {
				x.Set(i, j, reach*uniform())
			}
		}
		p := must.Get(m.Posteriors(nil, x))(t)
		for i := range batch {
			row, sum := p.Row(i), 0.0
			for _, v := range row {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("row %v has posteriors %v", x.Row(i), row)
				}
				sum += v
			}
			if math.Abs(sum-1) > float64(len(row))*u {
				t.Fatalf("posteriors %v sum to %v", row, sum)
			}
		}
		also(x, p)
	}
}

func TestPosteriorsAgreeWithPredictions(t *testing.T) {
	rows := 17_000 // 10⁵ for each classifier
	if testing.Short() {
		rows = 1000
	}
	for _, classifier := range probabilistic {
		for c := 2; c <= 4; c++ {
			for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{Gamma: 1}} {
				t.Run(fmt.Sprint(classifier, c, kernel), func(t *testing.T) {
					x, codes := blobs(40, 3, c)
					posteriorsAgree(t, mustFit(t, KFDA{Kernel: kernel, Classifier: classifier}, x, codes), 3, rows)
				})
			}
		}
	}
}

// Classes of one row, classes whose rows are all equal, and as many classes as
// rows have no covariance of their own; each rule has its way.
func TestPosteriorsOfDegenerateClasses(t *testing.T) {
	x, _ := blobs(9, 2, 2)
	for i := 6; i < 9; i++ {
		copy(x.Row(i), x.Row(6))
	}
	for _, labels := range [][]int{
		{0, 0, 0, 0, 0, 1, 2, 2, 2},
		{0, 0, 0, 1, 1, 1, 2, 2, 2},
		{0, 1, 2, 3, 4, 5, 6, 6, 6},
	} {
		for _, classifier := range probabilistic {
			m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: 4}, Regularizer: Ridge(1e-3), Classifier: classifier}, x, labels)
			posteriorsAgree(t, m, 2, 1000)
			if _, isKNN := classifier.(KNN); isKNN {
				continue
			}
			y, err := m.Predict(nil, x)
			if err != nil || !slices.Equal(y, labels) {
				t.Errorf("%v: predicted %v of training rows %v, error %v", classifier, y, labels, err)
			}
		}
	}
}

func TestNoPosteriors(t *testing.T) {
	x, codes := blobs(10, 2, 2)
	for _, c := range []struct {
		method       Method
		rule, remedy string
	}{
		{KFDA{Classifier: NearestCentroid{}}, "centroid", "the classifier Gaussian"},
		{KernelRidge{}, "ridge", "the classifier Gaussian"},
		{SVM{}, "vote", "the SVM's Probability"},
		{KernelPCA{Classifier: SVM{}}, "svm", "the SVM's Probability"},
	} {
		var none *PosteriorsError
		if _, err := mustFit(t, c.method, x, codes).Posteriors(nil, x); !errors.As(err, &none) || none.Rule != c.rule || !strings.Contains(err.Error(), c.remedy) {
			t.Errorf("%T: error %v, want a *PosteriorsError of the rule %q", c.method, err, c.rule)
		}
	}
}

func TestNeighborsOutOfRange(t *testing.T) {
	x, codes := blobs(4, 2, 2)
	for _, k := range []int{-1, 5} {
		_, err := Fit(t.Context(), KFDA{Classifier: KNN{K: k}}, x, codes)
		if parameter, ok := errors.AsType[*ParameterError](err); !ok || parameter.Field != "Classifier" {
			t.Errorf("K = %d: error %v, want a *ParameterError", k, err)
		} else {
			t.Log(err)
		}
	}
	if got := DetailsOf(mustFit(t, KFDA{Classifier: KNN{}}, x, codes)).Classifier(); got != (KNN{K: 4}) {
		t.Errorf("the default of 4 rows is %v", got)
	}
}

// Without a threshold of the method's own the decision is the difference of the
// squared distances from the centroids: its sign is the prediction.
func TestCentroidDecisionWithoutThreshold(t *testing.T) {
	r := &centroidRule{centroids: &matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{0, 0, 4, 2}}}
	w := &workspace{z: matrix.Dense{Rows: 4, Cols: 2, Stride: 2, Data: []float64{1, 0, 3, 3, 2, 1, 1e300, 1e300}}}
	values, codes := make([]float64, 4), make([]int, 4)
	r.decide(values, w)
	must.EqualSlices(t, "decisions", values, []float64{1 - 13, 18 - 2, 0, 0})
	if err := r.classify(codes, w); err != nil || !slices.Equal(codes, []int{0, 1, 0, 0}) {
		t.Errorf("classes %v, error %v", codes, err)
	}
}
