package cv

import (
	"context"
	"math"
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

// The best of methods of several kinds is the first with the fewest errors, and one
// that fails or lacks the value never wins.
func TestChoose(t *testing.T) {
	x, y := someIris(t)
	folds := mustFolds(t)(Stratified(y, 5, 0))
	methods := []discriminant.Method{
		discriminant.KernelRidge{Regularizer: discriminant.Ridge(1e9)}, // constant
		discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.25}, Regularizer: discriminant.Ridge(1e-300)},
		discriminant.LDA{},
		discriminant.KernelPCA{Components: 3, Classifier: discriminant.KNN{K: 3}},
		discriminant.SVM{C: 10},
		discriminant.LDA{},
	}
	best, all, err := Choose(context.Background(), methods, x, y, folds, ByErrors)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(methods) || len(all[1].Failures) == 0 {
		t.Fatalf("%d evaluations, failures %v", len(all), all[1].Failures)
	}
	for i, e := range all {
		if want := evaluateQuietly(t, methods[i], x, y, folds); e.Errors != want.Errors {
			t.Errorf("%v: %d errors, want %d", methods[i], e.Errors, want.Errors)
		}
		if i != 1 && (e.Errors < all[best].Errors || e.Errors == all[best].Errors && i < best) {
			t.Errorf("method %d has %d errors, the best, %d, has %d", i, e.Errors, best, all[best].Errors)
		}
	}
	best, all, err = Choose(context.Background(), methods, x, y, folds, ByLogLoss)
	if err != nil || math.IsNaN(all[best].LogLoss) {
		t.Errorf("by log loss: method %d, %v", best, err)
	}
	_, _, err = Choose(context.Background(), methods[:2], x, y, folds, ByAUC)
	fails[*NoCandidateError](t, "no AUC", err)
	_, _, err = Choose[int](context.Background(), nil, x, y, folds, ByErrors)
	fails[*ParameterError](t, "no methods", err)
	_, _, err = Choose(context.Background(), methods, x, y, folds, 9)
	fails[*ParameterError](t, "no such criterion", err)
}

func evaluateQuietly(t *testing.T, m discriminant.Method, x *matrix.Dense, y []int, f *Folds) *Evaluation[int] {
	t.Helper()
	return must.Get(Evaluate(context.Background(), m, x, y, f))(t)
}

// A search by log loss and one by AUC: the recorded score is that of Evaluate, and no
// candidate has a better one.
func TestTuneByScores(t *testing.T) {
	x, y := someIris(t)
	for _, by := range []Criterion{ByLogLoss, ByAUC} {
		s := Search{
			Method: discriminant.KFDA{Classifier: discriminant.Gaussian{}}, Criterion: by, Scalings: noScaling,
			Gammas: []float64{0.02, 0.3}, Ridges: []float64{1e-3, 1}, Folds: mustFolds(t)(Stratified(y, 3, 1)),
		}
		r := tune(t, s, x, y)
		best := r.Record.Candidates[r.Record.Best]
		for _, c := range r.Record.Candidates {
			want := by.ofScores(&evaluate(t, s.method(c), x, y, s.Folds).Scores)
			// The path's solutions have errors of the rounding of K over the ridge.
			if math.Abs(float64(c.Score)-want) > 1e-8*math.Abs(want) {
				t.Errorf("%v, %v: %v, Evaluate has %v", by, c, c.Score, want)
			}
			if by == ByLogLoss && c.Score < best.Score || by == ByAUC && c.Score > best.Score {
				t.Errorf("%v: %v has %v, the best %v", by, c, c.Score, best.Score)
			}
		}
		s.Method.Classifier = discriminant.NearestCentroid{}
		fails[*ParameterError](t, "nearest centroids by "+by.String(), tuneError(s, x, y))
	}
}

// The ridges of a search come from a path, which must not refuse what single fits
// answer: where it does, the candidate has its own fits.
func TestPathsFallBack(t *testing.T) {
	x, y := someIris(t)
	for i := range 12 { // two at least in each training part: a singular matrix
		copy(x.Row(i), x.Row(0))
	}
	s := Search{Scalings: noScaling, Gammas: []float64{0.3}, Ridges: []float64{-1, 1e-40, 1e-6, 1}, Folds: mustFolds(t)(Stratified(y, 3, 1))}
	r := tune(t, s, x, y)
	for i, failed := range []bool{true, true, false, false} {
		c := r.Record.Candidates[i]
		if (c.Failed == 3) != failed || failed && c.Reason == "" {
			t.Errorf("%v fails in %d folds, for %q", c, c.Failed, c.Reason)
		}
	}
	alone := s
	alone.Ridges = []float64{1e-6}
	if a, b := r.Record.Candidates[2], tune(t, alone, x, y).Record.Candidates[0]; a.Errors != b.Errors || a.Balanced != b.Balanced {
		t.Errorf("on the path %v, alone %v", a, b)
	}
}

// Best and Candidate of evaluations are what Choose, Tune and Evaluate say.
func TestBestAndCandidate(t *testing.T) {
	x, y := someIris(t)
	folds := mustFolds(t)(DefaultFolds(y, 0))
	if got, want := folds.String(), mustFolds(t)(Stratified(y, 5, 0)).String(); got != want {
		t.Errorf("default folds %q, want %q", got, want)
	}
	s := Search{Scalings: []discriminant.Scaling{discriminant.Standard}, Ridges: []float64{1e-300, 1e-3}, Criterion: ByAUC}
	s.Method.Classifier = discriminant.Gaussian{}
	tuned := must.Get(Tune(context.Background(), s, x, y))(t)
	gammas, err := DefaultGammas(discriminant.Standard, x)
	if err != nil || len(gammas) != 7 {
		t.Fatalf("%v, %v", gammas, err)
	}
	failed := 0
	var evaluations []*Evaluation[int]
	for i, want := range tuned.Record.Candidates {
		if float64(want.Gamma) != gammas[i/2] {
			t.Errorf("candidate %d has γ = %v, want %v", i, want.Gamma, gammas[i/2])
		}
		e := evaluateQuietly(t, s.method(want), x, y, folds)
		evaluations = append(evaluations, e)
		got := e.Candidate(ByAUC)
		if got.Errors != want.Errors || got.Rows != want.Rows || want.Failed == 0 && got.Balanced != want.Balanced || got.Failed != want.Failed || (got.Reason == "") != (want.Reason == "") {
			t.Errorf("%v: %+v, want %+v", want, got, want)
		}
		// The path and the fit differ by their rounding, which can swap a pair of rows.
		if math.Abs(float64(got.Score-want.Score)) > 0.01 {
			t.Errorf("%v: AUC %v, want %v", want, got.Score, want.Score)
		}
		if want.Failed > 0 {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no candidate fails")
	}
	at := must.Get(Best(evaluations, ByAUC))(t)
	for i, e := range evaluations {
		if a, b := e.Candidate(ByAUC), evaluations[at].Candidate(ByAUC); a.Failed == 0 && (a.Score > b.Score || a.Score == b.Score && i < at) {
			t.Errorf("evaluation %d has AUC %v, the best, %d, %v", i, a.Score, at, b.Score)
		}
	}
	ridge := evaluateQuietly(t, discriminant.KernelRidge{}, x, y, folds)
	if c := ridge.Candidate(ByLogLoss); c.Failed != folds.Len() || c.Score != 0 || c.Reason == "" {
		t.Errorf("without posteriors: %+v", c)
	}
	_, err = Best([]*Evaluation[int]{ridge}, ByLogLoss)
	fails[*NoCandidateError](t, "no log loss", err)
	_, err = Best[int](nil, ByErrors)
	fails[*ParameterError](t, "no evaluations", err)
	text, err := Candidate{Parameter: "C", Value: 10, Gamma: 0.5}.MarshalJSON()
	var back Candidate
	if err != nil || back.UnmarshalJSON(text) != nil || back.String() != "scaling none, gamma 0.5, C 10" {
		t.Errorf("%s reads as %v", text, back)
	}
}
