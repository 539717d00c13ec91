package cv

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

func tune[L discriminant.Label](t testing.TB, s Search, x *matrix.Dense, labels []L) *Tuned[L] {
	t.Helper()
	r := must.Get(Tune(context.Background(), s, x, labels))(t)
	return r
}

func tuneError[L discriminant.Label](s Search, x *matrix.Dense, labels []L) error {
	_, err := Tune(context.Background(), s, x, labels)
	return err
}

func rotated[T any](v []T, k int) []T { return append(slices.Clone(v[k:]), v[:k]...) }

var noScaling = []discriminant.Scaling{discriminant.NoScaling}

// Candidates that fail are recorded with their reason and never win, wherever
// they stand in the list.
func TestCase90FailingCandidates(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "90-nan-score-wins-the-grid/train.csv")
	gammas, ridges := []float64{0.1, -1, math.NaN(), 0, 1e308}, []float64{0.001, -1}
	for k := range gammas {
		r := tune(t, Search{
			Scalings: noScaling, Gammas: rotated(gammas, k), Values: rotated(ridges, k%2),
			Folds: must.Get(LeaveOneOut(x.Rows))(t),
		}, x, labels)
		best := r.Record.Candidates[r.Record.Best]
		if best.Gamma != 0.1 || best.Ridge != 0.001 || best.Accuracy() != 1 {
			t.Errorf("rotation %d: the best is %v with accuracy %v", k, best, best.Accuracy())
		}
		for _, c := range r.Record.Candidates {
			legal := c.Gamma > 0 && c.Ridge > 0
			if legal == (c.Failed > 0) || (c.Failed > 0) != (c.Reason != "") {
				t.Errorf("rotation %d: %v fails in %d folds, for %q", k, c, c.Failed, c.Reason)
			}
			if c.Gamma > 1e300 && legal && c.Accuracy() > 0.5 {
				t.Errorf("rotation %d: the identity for a kernel has accuracy %v", k, c.Accuracy())
			}
		}
		if len(r.Record.Candidates) != 10+3 { // and the other classifiers
			t.Errorf("%d candidates, want 13", len(r.Record.Candidates))
		}
	}
	must.Fail[*NoCandidateError](t, "no legal candidate", tuneError(Search{Scalings: noScaling, Gammas: []float64{-1, 0}, Values: []float64{1}}, x, labels))
}

// A candidate with fewer failed folds is not better than one with none, whatever
// its errors.
func TestFailedFoldsNeverWin(t *testing.T) {
	candidates := []Candidate{{Errors: 0, Rows: 1, Failed: 1}, {Errors: 5, Rows: 10, Gamma: 1}, {Rows: 0, Balanced: Number(math.NaN()), Failed: 2}}
	for k := range candidates {
		for _, by := range []Criterion{ByErrors, ByBalancedAccuracy} {
			c := rotated(candidates, k)
			if at, err := best(c, by.order); err != nil || c[at].Gamma != 1 {
				t.Errorf("rotation %d, by %v: %v, %v", k, by, at, err)
			}
		}
	}
}

func TestCase92TiesFollowNoOrder(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "92-ties-follow-list-order/train.csv")
	gammas, ridges := []float64{0.01, 0.05, 0.1}, []float64{0.001, 0.01}
	for k := range 6 {
		for _, workers := range []int{1, 8} {
			r := tune(t, Search{Scalings: noScaling, Gammas: rotated(gammas, k%3), Values: rotated(ridges, k%2), Workers: workers}, x, labels)
			best := r.Record.Candidates[r.Record.Best]
			for _, c := range r.Record.Candidates {
				if c.Accuracy() != 1 && c.Classifier != "knn(k=5)" { // which 8 training rows are too few for
					t.Errorf("%v has accuracy %v", c, c.Accuracy())
				}
			}
			if best.Gamma != 0.01 || best.Ridge != 0.01 {
				t.Errorf("order %d, %d workers: the best is %v", k, workers, best)
			}
			middle := matrix.New(1, 1)
			middle.Set(0, 0, 11)
			first := must.Get(r.Model.Predict(nil, middle))(t)
			again, _ := r.Model.Predict(nil, middle)
			if first[0] != again[0] {
				t.Errorf("x = 11 is %v, and then %v", first, again)
			}
		}
	}
}

// Each candidate's errors are those of Evaluate for its method, which fits every
// fold from the features.
func TestTuneIsEvaluate(t *testing.T) {
	if testing.Short() {
		t.Skip("whole searches")
	}
	iris := golden.Load(t, "medium/iris_rbf")
	x, y := iris.Input.Matrix("X"), iris.Input.Ints("y")
	kernel := must.Get(gram.Matrix(nil, gram.Laplacian{Gamma: 0.5}, x))(t)
	for name, c := range map[string]struct {
		search Search
		x      *matrix.Dense
	}{
		"default":  {Search{}, x},
		"ridge":    {Search{Method: discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1)}}, x},
		"rkhs":     {Search{Method: discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(1), Classifier: discriminant.NearestCentroid{}}}, x},
		"gaussian": {Search{Method: discriminant.KFDA{Classifier: discriminant.Gaussian{}, Components: 1}, Criterion: ByBalancedAccuracy}, x},
		// The tolerance leaves machines no room to differ. Their γ heeds the signs of components.
		"machines":    {Search{Method: discriminant.KFDA{Classifier: discriminant.SVM{Tolerance: 1e-9}}}, x},
		"polynomial":  {Search{Method: discriminant.KFDA{Kernel: gram.NewPolynomial(2)}}, x},
		"precomputed": {Search{Method: discriminant.KFDA{Kernel: gram.Precomputed{}}}, kernel},
	} {
		t.Run(name, func(t *testing.T) {
			c.search.Values = []float64{1e-4, 1}
			if c.search.tunesGamma("") {
				c.search.Gammas = []float64{0.03, 0.7}
			}
			c.search.Folds = must.Get(Stratified(y, 4, 3))(t)
			r := tune(t, c.search, c.x, y)
			resolved, others := c.search.resolved(3, false)
			all := append(others, resolved.Method.Settings().Classifier)
			for _, candidate := range r.Record.Candidates {
				at := slices.IndexFunc(all, func(c discriminant.Classifier) bool { return c.String() == candidate.Classifier })
				e := evaluate(t, resolved.withClassifier(all[at]).Candidate(candidate), c.x, y, c.search.Folds)
				if candidate.Errors != e.Errors || candidate.Rows != e.Rows || float64(candidate.Balanced) != e.BalancedAccuracy() {
					t.Errorf("%v: %d errors in %d rows, balanced %v; Evaluate has %d in %d, %v", candidate,
						candidate.Errors, candidate.Rows, candidate.Balanced, e.Errors, e.Rows, e.BalancedAccuracy())
				}
			}
		})
	}
}

// The record and the bytes of the model are the same for any number of workers,
// and the record travels with the model.
func TestTuneIsDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("whole searches")
	}
	wine := golden.Load(t, "medium/wine_std_rbf")
	x, y := wine.Input.Matrix("X"), wine.Input.Ints("y")
	before := x.Clone()
	var files [][]byte
	var records []Record
	for _, workers := range []int{1, 2, 7} {
		s := Search{Seed: 5, Workers: workers, Scalings: []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard}}
		if testing.Short() {
			s.Gammas, s.Values, s.Refinements = []float64{0.01, 0.1}, []float64{1e-3, 1}, 2
		}
		r := tune(t, s, x, y)
		file := must.Get(r.Model.MarshalBinary())(t)
		files, records = append(files, file), append(records, r.Record)
	}
	for i := range files[1:] {
		if !bytes.Equal(files[0], files[i+1]) || !reflect.DeepEqual(records[0], records[i+1]) {
			t.Errorf("run %d differs from the first", i+1)
		}
	}
	if !reflect.DeepEqual(x, before) {
		t.Error("the search changed the rows")
	}
	m := must.Get(discriminant.Load[int](bytes.NewReader(files[0])))(t)
	note, ok := m.Note(RecordNote)
	var record Record
	if err := record.UnmarshalText([]byte(note)); !ok || err != nil {
		t.Fatal(note, err)
	}
	if !reflect.DeepEqual(record, records[0]) {
		t.Errorf("the model's record is %+v, want %+v", record, records[0])
	}
	best := record.Candidates[record.Best]
	if m.Details().(discriminant.KFDADetails).Kernel() != (gram.RBF{Gamma: float64(best.Gamma)}) || m.Details().(discriminant.KFDADetails).Regularizer() != discriminant.RelativeRKHS(float64(best.Ridge)) {
		t.Errorf("the model has %v and %v, the best candidate is %v", m.Details().(discriminant.KFDADetails).Kernel(), m.Details().(discriminant.KFDADetails).Regularizer(), best)
	}
	if best.Accuracy() < 0.97 { // 174 of 178 right is well within what the literature has for wine
		t.Errorf("the best candidate %v has the accuracy %v", best, best.Accuracy())
	}
}

func TestTuneProgress(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "92-ties-follow-list-order/train.csv")
	var stages []string
	last := map[string]int{}
	tune(t, Search{Scalings: noScaling, Refinements: 2, Workers: 4, Progress: func(stage string, done, total int) {
		if done < last[stage] || done > total {
			t.Errorf("%s: %d of %d after %d", stage, done, total, last[stage])
		}
		last[stage] = done
		if done == total {
			stages = append(stages, stage)
		}
	}}, x, labels)
	must.EqualSlices(t, "stages", stages, []string{"search", "refinement 1", "refinement 2", "classifiers", "fit"})
}

func TestTuneCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("whole searches")
	}
	iris := golden.Load(t, "medium/iris_rbf")
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Tune(ctx, Search{Workers: 1, Progress: func(string, int, int) {
		if calls++; calls == 3 {
			cancel()
		}
	}}, iris.Input.Matrix("X"), iris.Input.Ints("y"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestTuneErrors(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "90-nan-score-wins-the-grid/train.csv")
	for what, s := range map[string]Search{
		"shrinkage":        {Method: discriminant.KFDA{Regularizer: discriminant.Shrink(0.5)}},
		"method's scaling": {Method: discriminant.KFDA{Scaling: discriminant.Standard}},
		"γ of linear":      {Method: discriminant.KFDA{Kernel: gram.Linear{}}, Gammas: []float64{1}},
		"criterion":        {Criterion: 7},
		"refinements":      {Refinements: -2},
		"no scalings":      {Scalings: []discriminant.Scaling{}},
		"no γ":             {Gammas: []float64{}},
		"no ridges":        {Values: []float64{}},
		"scaled kernel":    {Method: discriminant.KFDA{Kernel: gram.Precomputed{}}, Scalings: []discriminant.Scaling{discriminant.Standard}},
	} {
		must.Fail[*ParameterError](t, what, tuneError(s, x, labels))
	}
	equal := matrix.New(len(labels), 2)
	err := tuneError(Search{}, equal, labels)
	must.Fail[*ScalingError](t, "equal rows", err)
	must.Fail[*gram.ParameterError](t, "equal rows", err)
	must.Fail[*NoCandidateError](t, "equal rows", err)
	labels[0] = "solo"
	must.Fail[*RareClassError](t, "a class of one row", tuneError(Search{}, x, labels))
	x.Set(1, 0, math.NaN())
	labels[0] = "p"
	must.Fail[*matrix.NotFiniteError](t, "a NaN", tuneError(Search{}, x, labels))
}

// GammaScale follows the variance: ten times the rows, a hundredth of γ, and the
// same search.
func TestCase93RangesFollowTheVariance(t *testing.T) {
	centre := func(name string) float64 {
		x := matrixtest.Case(t, "93-gamma-from-variance/"+name)
		gamma := must.Get(scaleOf(gram.RBF{}, discriminant.NoScaling, x, nil))(t)
		return gamma
	}
	gamma, gamma10 := centre("X.csv"), centre("X10.csv")
	// A few roundings of u = 2⁻⁵³ in the variance and the quotient.
	if want := 0.018072289156626505; math.Abs(gamma-want) > 4*0x1p-53*want || math.Abs(100*gamma10-gamma) > 8*0x1p-53*gamma {
		t.Errorf("γ₀ = %v, of ten times the rows %v, want %v and a hundredth", gamma, gamma10, want)
	}

	iris := golden.Load(t, "medium/iris_rbf")
	x, y := iris.Input.Matrix("X"), iris.Input.Ints("y")
	scaled := x.Clone()
	for i := range scaled.Data {
		scaled.Data[i] *= 1024 // exact
	}
	s := Search{Scalings: noScaling, Refinements: -1, Values: []float64{1e-2}}
	a, b := tune(t, s, x, y).Record, tune(t, s, scaled, y).Record
	for i, c := range a.Candidates {
		if d := b.Candidates[i]; float64(d.Gamma*1024*1024) != float64(c.Gamma) || c.Errors != d.Errors {
			t.Errorf("γ = %v with %d errors, scaled %v with %d", c.Gamma, c.Errors, d.Gamma, d.Errors)
		}
	}
}

// The neighbourhood of a small grid, by hand: rows are γ = 1, 2, 4, columns the
// ridges 10, 30, 100.
//
//	2  2  0
//	2  0  1
//	9  1  1
func TestNeighbourhood(t *testing.T) {
	g := product([]line{{}}, func(line) []float64 { return []float64{4, 1, 2} }, []float64{30, 10, 100})
	errors := []int{2, 2, 0, 2, 0, 1, 9, 1, 1}
	var c []Candidate
	for i, p := range g {
		c = append(c, Candidate{Gamma: Number(p.gamma), Ridge: Number(p.value), Errors: errors[i], Rows: 10})
	}
	c[3].Failed = 1
	lookAround(c, 0, g, ByErrors)
	for i, want := range map[int]float64{0: 4.0 / 2, 2: 3.0 / 3, 4: 4.0 / 4, 8: 3.0 / 3, 7: (9.0 + 1 + 1 + 0) / 4} {
		if float64(c[i].Around) != want {
			t.Errorf("around γ = %v, ridge %v: %v, want %v", c[i].Gamma, c[i].Ridge, c[i].Around, want)
		}
	}
	// A tie in errors and around them goes to the larger ridge.
	if at, err := best(c, ByErrors.order); err != nil || at != 2 {
		t.Errorf("the best is %d, %v", at, err)
	}
	c[8].Errors = 0
	lookAround(c, 0, g, ByErrors)
	if at, err := best(c, ByErrors.order); err != nil || at != 8 {
		t.Errorf("the best is %d of %v, %v", at, c, err)
	}
}

// Rows of a few values repeat, some with another label, and neighbours are then tied to
// the last bit; and the γ of machines depends on the signs of the components. A search
// counts the errors of single fits all the same.
func TestTuneOfEqualRows(t *testing.T) {
	random := splitmix.Random(1)
	x, labels := matrix.New(60, 2), make([]int, 60)
	for i := range x.Rows {
		a, b, noise := random.Next()%3, random.Next()%3, random.Next()%4
		x.Set(i, 0, float64(a))
		x.Set(i, 1, float64(b))
		if labels[i] = int(a); noise == 0 {
			labels[i] = int(b)
		}
	}
	folds := must.Get(Stratified(labels, 3, 0))(t)
	for _, s := range []Search{
		{Method: discriminant.KFDA{Classifier: discriminant.KNN{}}},
		{Method: discriminant.KFDA{Classifier: discriminant.KNN{K: 4}, Regularizer: discriminant.RelativeRKHS(1)}},
		{Method: discriminant.KFDA{Classifier: discriminant.SVM{Tolerance: 1e-9}}},
	} {
		s.Folds, s.Scalings, s.Gammas = folds, noScaling, []float64{0.1, 1}
		s.Values = []float64{1e-4, 1e-2, 0.1, 1, 10, 100}
		for _, c := range tune(t, s, x, labels).Record.Candidates {
			if e := evaluate(t, s.Candidate(c), x, labels, folds); e.Errors != c.Errors {
				t.Errorf("%v, %v: %d errors, single fits have %d", s.Method, c, c.Errors, e.Errors)
			}
		}
	}
}

// A scaling that has no γ to begin with is recorded, and the search goes on with the
// others, as if it were not in the list.
func TestTuneGoesOnWithoutAScaling(t *testing.T) {
	x := matrix.New(8, 1)
	labels := make([]string, x.Rows)
	for i := range labels {
		labels[i] = "pq"[i%2 : i%2+1]
		x.Set(i, 0, math.Ldexp(1+float64(i%2)+float64(i)/32, 1000)) // whose squares overflow
	}
	s := Search{Scalings: []discriminant.Scaling{discriminant.NoScaling, discriminant.MinMax}, Values: []float64{1e-3, 1}}
	done := 0
	s.Progress = func(stage string, n, total int) {
		if stage == "search" {
			if n < done || total != (2+2*7)*4 {
				t.Errorf("%d of %d after %d", n, total, done)
			}
			done = n
		}
	}
	tuned := must.Get(Tune(t.Context(), s, x, labels))(t)
	if done != (2+2*7)*4 {
		t.Errorf("%d fits are done", done)
	}
	s.Scalings = s.Scalings[1:]
	s.Progress = nil
	without := must.Get(Tune(t.Context(), s, x, labels))(t)
	all := tuned.Record.Candidates
	for i, c := range all[:2] {
		if c.Scaling != discriminant.NoScaling || c.Gamma != 0 || float64(c.Ridge) != s.Values[i] || c.Failed != 4 || c.Reason != c.Err().Error() {
			t.Errorf("candidate %+v", c)
		}
		must.Fail[*ScalingError](t, "a candidate", c.Err())
	}
	if tuned.Record.Best != without.Record.Best+2 || len(all) != len(without.Record.Candidates)+2 {
		t.Errorf("the best is %v, without the scaling %v", tuned.Record.Best, without.Record.Best)
	}
	for i, c := range without.Record.Candidates {
		if c != all[i+2] || c.Err() != nil {
			t.Errorf("candidate %v, without the scaling %v", all[i+2], c)
		}
	}
}
