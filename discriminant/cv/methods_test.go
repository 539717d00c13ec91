package cv

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// someIris returns the iris data, in short tests every third row.
func someIris(t *testing.T) (x *matrix.Dense, y []int) {
	iris := golden.Load(t, "medium/iris_rbf")
	x, y = iris.Input.Matrix("X"), iris.Input.Ints("y")
	if testing.Short() {
		var rows []int
		for i := 0; i < len(y); i += 3 {
			rows = append(rows, i)
		}
		x, y = part(x, rows, allColumns(x)), take(y, rows)
	}
	return x, y
}

// The candidates of every method have the errors of Evaluate, and the best is the first with the
// fewest, of the smoothest value; its model is that of a fit of its method.
func TestTuneOtherMethods(t *testing.T) {
	x, y := someIris(t)
	ctx := context.Background()
	folds := must.Get(Stratified(y, 3, 0))(t)
	standard := []discriminant.Scaling{discriminant.Standard, discriminant.NoScaling, discriminant.Standard}
	for name, c := range map[string]struct {
		search     Search
		candidates int
		first      string
		failed     int // the value in millionths of those that fail
	}{
		"svm":     {Search{Method: discriminant.SVM{}, Values: []float64{100, 0, 1}, Gammas: []float64{0.3, 0, 0.03}}, 18, "scaling none, C 0", 0},
		"ridge":   {Search{Method: discriminant.KernelRidge{}}, 2 * 7 * 6, "", -1},
		"lda":     {Search{Method: discriminant.LDA{}, Values: []float64{0, -1, 1}, Criterion: ByLogLoss}, 6, "scaling none, shrink 1", -1e6},
		"kpca":    {Search{Method: discriminant.KernelPCA{}, Values: []float64{60, 2, 2.5}, Gammas: []float64{0.1}}, 6, "scaling none, gamma 0.1, components 2", 25e5},
		"kernels": {Search{Method: discriminant.SVM{}, Values: []float64{1}, Kernels: []gram.Kernel{gram.Linear{}, gram.Laplacian{}}}, 2 + 14, "", -1},
	} {
		c.search.Folds, c.search.Scalings = folds, standard
		r := tune(t, c.search, x, y)
		all, by := r.Record.Candidates, c.search.Criterion
		best := all[r.Record.Best]
		if len(all) != c.candidates || c.first != "" && all[0].String() != c.first {
			t.Errorf("%s: %d candidates, the first %v", name, len(all), all[0])
		}
		for i, d := range all {
			if value, _ := d.value(); c.failed != -1 && value*1e6 == float64(c.failed) && d.Failed == 0 || d.Failed > 0 && d.Reason == "" {
				t.Errorf("%s: %v fails in %d folds, for %q", name, d, d.Failed, d.Reason)
			}
			if d.Failed > 0 {
				continue
			}
			e := evaluate(t, c.search.Candidate(d), x, y, folds)
			if e.Errors != d.Errors || by == ByLogLoss && e.LogLoss != float64(d.Score) {
				t.Errorf("%s, %v: %d errors and %v, Evaluate has %d and %v", name, d, d.Errors, d.Score, e.Errors, e.LogLoss)
			}
			if by.of(d) < by.of(best) || by.of(d) == by.of(best) && i < r.Record.Best {
				t.Errorf("%s: %v has %v, the best, %v, %v", name, d, by.of(d), best, by.of(best))
			}
		}
		m := must.Get(discriminant.Fit(ctx, c.search.Candidate(best), x, y))(t)
		text, _ := r.Record.MarshalText()
		want, _ := m.WithNote(RecordNote, string(text)).MarshalBinary()
		if got, err := r.Model.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the model is not that of a fit of the best, %v: %v", name, best, err)
		}
	}
	must.Fail[*NoCandidateError](t, "ridge by log loss", tuneError(Search{Method: discriminant.KernelRidge{}, Criterion: ByLogLoss, Scalings: noScaling, Values: []float64{1}}, x, y))
}

// Kernels and classifiers of a kernel discriminant and of kernel PCA: those of a search of one
// kernel by itself, and the other classifiers at the best.
func TestTuneKernelsAndClassifiers(t *testing.T) {
	x, y := someIris(t)
	classifiers := []discriminant.Classifier{discriminant.NearestCentroid{}, discriminant.KNN{K: 3}}
	s := Search{Kernels: []gram.Kernel{gram.RBF{}, gram.Laplacian{}, gram.NewPolynomial(2)}, Classifiers: classifiers, Scalings: noScaling, Values: []float64{1e-2, 1}}
	for _, m := range []discriminant.Method{nil, discriminant.KernelPCA{}} {
		if s.Method = m; m != nil {
			s.Values = []float64{1, 3}
		}
		r := tune(t, s, x, y)
		all := r.Record.Candidates
		if len(all) != 3*7*2+1 || all[len(all)-1].Classifier != "knn(k=3)" || all[0].Classifier != "centroid" {
			t.Fatalf("%v: %d candidates, the last %v", m, len(all), all[len(all)-1])
		}
		for _, kernel := range s.Kernels {
			alone := s
			alone.Kernels = []gram.Kernel{kernel}
			of := slices.DeleteFunc(slices.Clone(all[:len(all)-1]), func(c Candidate) bool { return c.Kernel != kernel.String() })
			for i, c := range tune(t, alone, x, y).Record.Candidates[:14] {
				if c != of[i] {
					t.Errorf("%v among others, %v alone", of[i], c)
				}
			}
		}
		best := all[r.Record.Best]
		if e := evaluate(t, s.withClassifier(classifiers[0]).Candidate(best), x, y, must.Get(DefaultFolds(y, 0))(t)); best.Classifier == "centroid" && e.Errors != best.Errors {
			t.Errorf("%v has %d errors, Evaluate %d", best, best.Errors, e.Errors)
		}
		var back Record
		text, err := r.Record.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back.Candidates[0].Kernel != all[0].Kernel {
			t.Errorf("the record reads as %v, %v", back, err)
		}
	}
	for what, s := range map[string]Search{
		"kernels of lda":      {Method: discriminant.LDA{}, Kernels: s.Kernels},
		"classifiers of svm":  {Method: discriminant.SVM{}, Classifiers: classifiers},
		"refinements of svm":  {Method: discriminant.SVM{}, Refinements: 1},
		"precomputed, listed": {Kernels: []gram.Kernel{gram.Precomputed{}}},
		"no kernels":          {Kernels: []gram.Kernel{}},
		"no classifiers":      {Classifiers: []discriminant.Classifier{}},
	} {
		must.Fail[*ParameterError](t, what, tuneError(s, x, y))
	}
}

// Points of other methods: smoother values first, then by the step of γ, then by line.
func TestListedPoints(t *testing.T) {
	a, b := line{"", discriminant.NoScaling}, line{"", discriminant.MinMax}
	gammas := func(l line) []float64 { return map[line][]float64{a: {10, 20}, b: {3, 1}}[l] }
	want := grid{{a, 10, 9}, {b, 1, 9}, {a, 20, 9}, {b, 3, 9}, {a, 10, 2}, {b, 1, 2}, {a, 20, 2}, {b, 3, 2}}
	if g := product([]line{b, a, b}, gammas, []float64{2, 9}).listed(false); !slices.Equal(g, want) {
		t.Errorf("%v, want %v", g, want)
	}
	if g := product([]line{a}, gammas, []float64{2, 9}).listed(true); g[0] != (point{a, 10, 2}) || g[3] != (point{a, 20, 9}) {
		t.Errorf("small values first: %v", g)
	}
}

// A search by log loss and one by AUC: the recorded score is that of Evaluate, and no
// candidate has a better one.
func TestTuneByScores(t *testing.T) {
	x, y := someIris(t)
	for _, by := range []Criterion{ByLogLoss, ByAUC} {
		s := Search{
			Method: discriminant.KFDA{Classifier: discriminant.Gaussian{}}, Criterion: by, Scalings: noScaling,
			Gammas: []float64{0.02, 0.3}, Values: []float64{1e-3, 1}, Folds: must.Get(Stratified(y, 3, 1))(t),
		}
		r := tune(t, s, x, y)
		best := r.Record.Candidates[r.Record.Best]
		for _, c := range r.Record.Candidates {
			want := by.ofScores(&evaluate(t, s.Candidate(c), x, y, s.Folds).Scores)
			// The path's solutions have errors of the rounding of K over the ridge.
			if math.Abs(float64(c.Score)-want) > 1e-8*math.Abs(want) {
				t.Errorf("%v, %v: %v, Evaluate has %v", by, c, c.Score, want)
			}
			if by == ByLogLoss && c.Score < best.Score || by == ByAUC && c.Score > best.Score {
				t.Errorf("%v: %v has %v, the best %v", by, c, c.Score, best.Score)
			}
		}
		s.Classifiers = []discriminant.Classifier{discriminant.NearestCentroid{}}
		must.Fail[*ParameterError](t, "nearest centroids by "+by.String(), tuneError(s, x, y))
	}
}

// The ridges of a search come from a path, which must not refuse what single fits
// answer: where it does, the candidate has its own fits.
func TestPathsFallBack(t *testing.T) {
	x, y := someIris(t)
	for i := range 12 { // two at least in each training part: a singular matrix
		copy(x.Row(i), x.Row(0))
	}
	s := Search{Scalings: noScaling, Gammas: []float64{0.3}, Values: []float64{-1, 1e-40, 1e-6, 1}, Folds: must.Get(Stratified(y, 3, 1))(t)}
	r := tune(t, s, x, y)
	for i, failed := range []bool{true, true, false, false} {
		c := r.Record.Candidates[i]
		if (c.Failed == 3) != failed || failed && c.Reason == "" {
			t.Errorf("%v fails in %d folds, for %q", c, c.Failed, c.Reason)
		}
	}
	alone := s
	alone.Values = []float64{1e-6}
	if a, b := r.Record.Candidates[2], tune(t, alone, x, y).Record.Candidates[0]; a.Errors != b.Errors || a.Balanced != b.Balanced {
		t.Errorf("on the path %v, alone %v", a, b)
	}
}
