package discriminant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Every golden problem of features, with its ridge and one in the RKHS: eigenvalues differ from
// those by the kernel matrix by no more than both certify. So do, of two classes and with a ridge
// in the RKHS, the projections of new rows: by √k(x,x)‖r‖/(2√ε) with the centred k, of which ‖r‖ is at most
// Forward·ε‖Z‖, and by the relative error of α = Z(1+λ)/√λ.
func TestConjugateGolden(t *testing.T) {
	fitted, refused, every := 0, 0, 1
	if testing.Short() {
		every = 3
	}
	for number, p := range slices.Concat(golden.Dir(t, "kfda"), golden.Dir(t, "medium")) {
		if !p.Input.Has("y") || !p.Input.Has("eps") || !p.Input.Has("X") || p.Input.Kernel().Type == "sigmoid" || p.Input.Matrix("X").Rows > 500 || number%every != 0 {
			continue
		}
		x, y := p.Input.Matrix("X"), p.Input.Ints("y")
		kernel := must.Get(gram.Parse(p.Input.Kernel().Text()))(t)
		given := Ridge(p.Input.Float("eps"))
		if p.Input.String("regularizer") == "rkhs" {
			given = RKHS(given.Value())
		}
		for _, reg := range []Regularizer{given, RelativeRKHS(0.1)} {
			m := KFDA{Kernel: kernel, Regularizer: reg, Classifier: NearestCentroid{}, Conjugate: &ConjugateGradients{Rank: 1 + x.Rows/8, Width: 1e-6}}
			got, err := Fit(t.Context(), m, x, y)
			if err != nil {
				t.Logf("%s, %v: %v", p.Name, reg, err)
				refused++
				continue
			}
			fitted++
			m.Conjugate, m.Regularizer = nil, Ridge(got.Details().(KFDADetails).Ridge())
			if reg.inRKHS() {
				m.Regularizer = RKHS(m.Regularizer.Value())
			}
			compareConjugate(t, p, got, mustFit(t, m, x, y))
		}
	}
	t.Logf("%d fitted, %d refused", fitted, refused)
	if fitted < 130/every {
		t.Errorf("only %d problems", fitted)
	}
}

func compareConjugate(t *testing.T, p *golden.Problem, got, want *Model[int]) {
	g, w := got.Details().(KFDADetails), want.Details().(KFDADetails)
	name := fmt.Sprintf("%s, %v", p.Name, w.Regularizer())
	must.Equal(t, name+": eigenvalues", len(g.Eigenvalues()), len(w.Eigenvalues()))
	bound := g.Certificate().EigenvalueError + w.Certificate().EigenvalueError
	for k, l := range w.Eigenvalues() {
		if off := math.Abs(g.Eigenvalues()[k]-l) / l; !(off <= bound) {
			t.Errorf("%s: eigenvalue %d is off by %.3g, certified %.3g", name, k, off, bound)
		}
	}
	if len(w.Eigenvalues()) > 1 || !w.Regularizer().inRKHS() {
		return // directions turn by more where eigenvalues are close
	}
	test := p.Input.Matrix("X_test")
	z, true := must.Get(got.Project(nil, test))(t), must.Get(want.Project(nil, test))(t)
	e := must.Get(gram.NewEvaluator(g.Kernel(), p.Input.Matrix("X")))(t)
	largest := slices.Max(e.Diag(nil))
	sign := 1.0 // which is not known where entries of α are equally large
	if matrix.Mul(nil, z, matrix.Transposed, true, matrix.NoTrans).At(0, 0) < 0 {
		sign = -1
	}
	for i := range test.Rows {
		self := must.Get(gram.Matrix(nil, g.Kernel(), test.View(i, 0, 1, test.Cols)))(t).At(0, 0)
		length := math.Sqrt(self) + math.Sqrt(largest) // of the centred image
		allowed := length*g.Certificate().Forward*math.Sqrt(g.Ridge())*matrix.NormFrobenius(w.Alpha())/2 + 2*bound*math.Abs(true.At(i, 0))
		if off := math.Abs(float64(sign*z.At(i, 0)) - true.At(i, 0)); !(off <= allowed*(1+1e-6)+1e-9*matrix.MaxAbs(true)) {
			t.Errorf("%s: row %d is projected to %v, want %v: off by %.3g, allowed %.3g", name, i, z.At(i, 0), true.At(i, 0), off, allowed)
		}
	}
}

// A model by conjugate gradients has the same bytes for one worker and two, and when it is
// loaded and saved again; with all rows as landmarks its leverages are exact, and with an
// eighth of them posteriors are near those of the exact ones.
func TestConjugateModel(t *testing.T) {
	iris := tableOf(t, "medium/wine_std_rbf")
	m := KFDA{Regularizer: RelativeRKHS(0.1), Conjugate: &ConjugateGradients{Rank: iris.x.Rows / 8, Width: 1e-8, Seed: 3}}
	var files [][]byte
	for workers := range 2 {
		withWorkers(1+workers, func() {
			files = append(files, must.Get(mustFit(t, m, iris.x, iris.y).MarshalBinary())(t))
		})
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("one worker and two make other models")
	}
	loaded := must.Get(Load[int](bytes.NewReader(files[0])))(t)
	checkBytes(t, loaded, files[0])
	d := loaded.Details().(KFDADetails)
	if c := d.Certificate(); c.Solver != "conjugate gradients" || !d.LeaveOneOut() || d.Classifier() != (Gaussian{}) || c.Refinements == 0 {
		t.Errorf("certificate %+v, left out %v, classifier %v", c, d.LeaveOneOut(), d.Classifier())
	}
	direct := m
	direct.Conjugate = nil
	want := must.Get(mustFit(t, direct, iris.x, iris.y).Posteriors(nil, iris.x))(t)
	for _, c := range []struct {
		rank int
		most float64
	}{{iris.x.Rows / 8, 0.1}, {iris.x.Rows, 1e-5}} {
		m.Conjugate.Rank = c.rank
		got := must.Get(mustFit(t, m, iris.x, iris.y).Posteriors(nil, iris.x))(t)
		off := 0.0
		for i, v := range want.Data {
			off = math.Max(off, math.Abs(v-got.Data[i]))
		}
		t.Logf("rank %d: posteriors are off by %.2g at most", c.rank, off)
		if off > c.most {
			t.Errorf("rank %d: posteriors are off by %.2g", c.rank, off)
		}
	}
}

// What conjugate gradients do not do is refused with the field, and a width that rounding does
// not allow with figures.
func TestConjugateRefusals(t *testing.T) {
	iris := tableOf(t, "medium/iris_rbf")
	cg := &ConjugateGradients{}
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 1}, iris.x))(t)
	refuse := func(what string, x *matrix.Dense, m KFDA, weights ...float64) {
		must.Refuse[*ParameterError](Fit(t.Context(), m, x, iris.y, weights...))(t, what)
	}
	refuse("rank", iris.x, KFDA{Conjugate: &ConjugateGradients{Rank: -1}})
	refuse("width", iris.x, KFDA{Conjugate: &ConjugateGradients{Width: math.NaN()}})
	refuse("a multiple of I", iris.x, KFDA{Conjugate: cg, Regularizer: Shrink(1)})
	refuse("an indefinite kernel in the RKHS", iris.x, KFDA{Conjugate: cg, Kernel: gram.NewSigmoid(), Regularizer: RKHS(1)})
	refuse("a scatter", iris.x, KFDA{Conjugate: cg, Scatter: AveragedScatter})
	refuse("a precomputed kernel", k, KFDA{Conjugate: cg, Kernel: gram.Precomputed{}})
	refuse("weights", iris.x, KFDA{Conjugate: cg}, append(slices.Repeat([]float64{1}, len(iris.y)-1), 2)...)
	_, err := FitPath(t.Context(), KFDA{Conjugate: cg}, iris.x, iris.y, []Regularizer{RKHS(1)})
	must.Refuse[*ParameterError]((*Path[int])(nil), err)(t, "a path")
	_, err = NewStream(t.Context(), KFDA{Conjugate: cg}, iris.x, iris.y, Landmarks{Count: 5})
	must.Refuse[*ParameterError]((*Stream[int])(nil), err)(t, "a stream")
	wide := must.Refuse[*IntervalError](Fit(t.Context(), KFDA{Conjugate: &ConjugateGradients{Rank: 10, Width: 1e-17}, Regularizer: RKHS(1)}, iris.x, iris.y))(t, "a width below rounding")
	if !wide.Rounding || !(wide.Width > wide.Limit) {
		t.Errorf("%+v", wide)
	}
	huge := must.Refuse[*IntervalError](Fit(t.Context(), KFDA{Conjugate: cg, Regularizer: RKHS(1e30)}, iris.x, iris.y))(t, "a ridge that leaves nothing but rounding")
	if text := huge.Error(); !strings.HasSuffix(text, "a smaller ridge") {
		t.Error(text)
	}
}

// A fit that is cancelled ends within the tiles that are being made.
func TestConjugateCancelled(t *testing.T) {
	const n, tile = 1300, 256
	x, codes := matrix.New(n, 2), make([]int, n)
	for i := range n {
		codes[i] = i % 2
		x.Set(i, 0, math.Sin(float64(i))+float64(codes[i]))
		x.Set(i, 1, math.Cos(float64(7*i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int64
	const after = 40*n + tile*tile // beyond the factor, in the first product
	kernel := gram.Func{Name: "counted", K: func(a, b []float64) float64 {
		if calls.Add(1) == after {
			cancel()
		}
		return math.Exp(-(a[0]-b[0])*(a[0]-b[0]) - (a[1]-b[1])*(a[1]-b[1]))
	}}
	_, err := Fit(ctx, KFDA{Kernel: kernel, Regularizer: RelativeRKHS(0.1), Conjugate: &ConjugateGradients{Rank: 20}}, x, codes)
	if late := calls.Load() - after; !errors.Is(err, context.Canceled) || late < 0 || late > 4*tile*tile {
		t.Errorf("error %v, %d kernel values later", err, late)
	}
}
