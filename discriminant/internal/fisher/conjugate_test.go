package fisher

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// goldenEvaluator returns the training rows of a golden file with its kernel.
func goldenEvaluator(t *testing.T, p *golden.Problem) *gram.Evaluator {
	x := p.Input
	switch x.Kernel().Type {
	case "precomputed":
		return must.Get(gram.NewEvaluator(gram.Precomputed{}, x.Matrix("K")))(t)
	case "circle_map":
		return must.Get(gram.NewEvaluator(gram.Precomputed{}, p.Expected.Matrix("K")))(t)
	}
	return must.Get(gram.NewEvaluator(must.Get(gram.Parse(x.Kernel().Text()))(t), x.Matrix("X")))(t)
}

// goldenClasses returns the classes of the rows of a golden file.
func goldenClasses(p *golden.Problem) *Classes {
	y := p.Input.Ints("y")
	classes := slices.Clone(y)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	codes := make([]int, len(y))
	for i, v := range y {
		codes[i], _ = slices.BinarySearch(classes, v)
	}
	return NewClasses(codes, len(classes), nil)
}

// Every golden problem, with its ridge in the RKHS or one of 0.1: the eigenvalues of the direct
// solution and of this one differ by no more than both certify, and so do directions.
func TestConjugateGolden(t *testing.T) {
	solved, refused, most, least := 0, 0, 500, 250
	if testing.Short() {
		most, least = 60, 10
	}
	for number, p := range slices.Concat(golden.Dir(t, "kfda"), golden.Dir(t, "medium")) {
		if !p.Input.Has("y") || !p.Input.Has("eps") || p.Input.Kernel().Type == "sigmoid" || testing.Short() && number%3 != 0 {
			continue
		}
		e := goldenEvaluator(t, p)
		if e.Order() > most {
			continue
		}
		reg := Regularizer{RKHS, p.Input.Float("eps")}
		if p.Input.String("regularizer") != "rkhs" {
			reg = Regularizer{Ridge, p.Input.Float("eps")}
		}
		for _, reg := range []Regularizer{reg, {RelativeRKHS, 0.1}, {RelativeRidge, 1e-3}} {
			of := Problem{Classes: goldenClasses(p), Regularizer: reg}
			got, err := Solve(t.Context(), Conjugate(e, Search{Rank: 1 + e.Order()/8, Width: 1e-6}), of)
			if err != nil {
				t.Logf("%s: %v", p.Name, err)
				refused++
				continue
			}
			of.K, of.Source = must.Get(e.Matrix(nil))(t), e
			if reg.Kind == RelativeRKHS {
				of.Regularizer = Regularizer{RKHS, got.Ridge} // of a trace that is summed otherwise
			}
			want := must.Get(Solve(t.Context(), nil, of))(t)
			compareConjugate(t, p.Name, got, want)
			solved++
		}
	}
	t.Logf("%d solved, %d refused", solved, refused)
	if solved < least {
		t.Errorf("only %d problems", solved)
	}
}

func compareConjugate(t *testing.T, name string, got, want *Solution) {
	t.Helper()
	must.Equal(t, name+": eigenvalues", len(got.Lambda), len(want.Lambda))
	c := got.Certificate
	for k, l := range want.Lambda {
		if off := math.Abs(got.Lambda[k]-l) / l; !(off <= c.EigenvalueError+want.Certificate.EigenvalueError) {
			t.Errorf("%s: eigenvalue %d is %v, want %v: off by %.3g, certified %.3g", name, k, got.Lambda[k], l, off, c.EigenvalueError)
		}
	}
	if len(want.Lambda) > 1 || len(want.combination.Data) > 1 {
		return // directions turn by more where eigenvalues are close
	}
	off, size := 0.0, 0.0
	for i, v := range want.Alpha.Data {
		off, size = math.Hypot(off, math.Abs(v)-math.Abs(got.Alpha.Data[i])), math.Hypot(size, v)
	}
	// α = Z√((1+λ)²/λ).
	allowed := 2*(c.Forward+want.Certificate.Forward) + 2*c.EigenvalueError + 1e-12
	if !(off <= float64(allowed*size)) {
		t.Errorf("%s: α is off by %.3g, allowed %.3g", name, off/size, allowed)
	}
}

// spread is a random problem of up to 60 rows in clusters, some of them equal, with kernel
// values of any size and a common part, and a ridge of 1e-8 to 10 times the mean eigenvalue.
func (s *study) spread(seed uint64) (p studied, relative float64) {
	r := rand.New(rand.NewPCG(seed, 29))
	classes, n := 2+r.IntN(5), 2+r.IntN(18)
	if seed%16 == 0 {
		n = 20 + r.IntN(35)
	}
	p.random, p.x = r, matrix.New(classes+n, 1+r.IntN(4))
	apart, wide := math.Pow(10, 3*r.Float64()-2), math.Pow(10, 2*r.Float64()-2)
	for i := range p.x.Rows {
		p.codes = append(p.codes, min(i, r.IntN(classes)))
		if i < classes {
			p.codes[i] = i
		}
		for l := range p.x.Row(i) {
			p.x.Set(i, l, wide*r.NormFloat64()+apart*float64((p.codes[i]+l+r.IntN(2))%3))
		}
		if r.IntN(8) == 0 {
			copy(p.x.Row(i), p.x.Row(r.IntN(i+1)))
		}
	}
	p.counts = NewClasses(p.codes, classes, nil).Counts
	p.k = must.Get(gram.Matrix(nil, studiedKernels[r.IntN(4)], p.x))(s.t)
	shift, size := []float64{0, 0, 1, 1e4}[r.IntN(4)], 1.0
	if r.IntN(4) == 0 {
		size = math.Pow(10, 200*r.Float64()-100)
	}
	for i, v := range p.k.Data {
		p.k.Data[i] = size * (v + shift)
	}
	return p, math.Pow(10, 9*r.Float64()-8)
}

// The certified errors of eigenvalues are never smaller than those against 500 bits, for
// narrow intervals and wide ones, and these are as narrow as asked.
func TestConjugateCertificates(t *testing.T) {
	count := *certified * 20 / 3
	if testing.Short() {
		count = min(count, 16)
	}
	for name, kind := range map[string]Kind{"in the RKHS": RelativeRKHS, "on the coefficients": RelativeRidge} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			certifyConjugate(t, kind, count)
		})
	}
}

func certifyConjugate(t *testing.T, kind Kind, count int) {
	s := &study{t: t, solver: "conjugate", ratios: map[string][]float64{}}
	solved, refused := 0, map[string]int{}
	for seed := range uint64(count) {
		p, relative := s.spread(seed)
		e := must.Get(gram.NewEvaluator(gram.Precomputed{}, p.k))(t)
		width := math.Pow(10, -8*p.random.Float64())
		search := Search{Rank: 1 + p.random.IntN(len(p.codes)), Width: width, Seed: seed}
		found, err := Solve(t.Context(), Conjugate(e, search), Problem{Classes: p.classes(), Regularizer: Regularizer{kind, relative}})
		if err != nil {
			refused[fmt.Sprintf("%T", err)]++
			if a := (*IntervalError)(nil); errors.As(err, &a) && !(a.Width > a.Limit) {
				t.Errorf("problem %d, width %g: %v", seed, width, err)
			}
			continue
		}
		solved++
		if found.Certificate.EigenvalueError > width+1e-12 {
			t.Errorf("problem %d: error of %g for width %g", seed, found.Certificate.EigenvalueError, width)
		}
		s.eigenvalues(seed, found.Lambda, found.Certificate, p.exactly(t, found.Ridge, false, kind.InRKHS()))
	}
	t.Logf("%d solved, refused %v", solved, refused)
	if solved < 3*count/4 {
		t.Errorf("only %d solved", solved)
	}
	s.end()
}

func conjugateRows(n, d, c int) (*matrix.Dense, *Classes) {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	x, codes := matrix.New(n, d), make([]int, n)
	for i := range codes {
		codes[i] = i % c
		for j := range x.Row(i) {
			x.Row(i)[j] = r.NormFloat64()
		}
		x.Row(i)[codes[i]%d] += 1.5
	}
	return x, NewClasses(codes, c, nil)
}

// One worker and two give the same bits; a narrower interval takes more steps, and directions are
// those of the direct solver; a cancelled search ends; a width below rounding is refused with figures.
func TestConjugateSearch(t *testing.T) {
	n := 700
	if testing.Short() {
		n = 200
	}
	x, classes := conjugateRows(n, 6, 5)
	e := must.Get(gram.NewEvaluator(gram.RBF{Gamma: 1.0 / 6}, x))(t)
	for _, reg := range []Regularizer{{RelativeRKHS, 0.1}, {RelativeRidge, 0.1}, {Shrink, 0.5}} {
		searchConjugate(t, e, Problem{Classes: classes, Regularizer: reg})
	}
	must.Panic(t, "a scatter that is all of the ridge", func() {
		_, _ = Solve(t.Context(), Conjugate(e, Search{Rank: 60, Width: 1e-4}), Problem{Classes: classes, Regularizer: Regularizer{Shrink, 1}})
	})
}

func searchConjugate(t *testing.T, e *gram.Evaluator, of Problem) {
	steps := 0
	var narrow *Solution
	for _, width := range []float64{1e-1, 1e-4, 1e-8, 1e-11} {
		var bits []*Solution
		for _, workers := range []int{1, 2} {
			former := matrix.SetWorkers(workers)
			bits = append(bits, must.Get(Solve(t.Context(), Conjugate(e, Search{Rank: 60, Width: width}), of))(t))
			matrix.SetWorkers(former)
		}
		must.EqualSlices(t, "α of 1 and 2 workers", bits[0].Alpha.Data, bits[1].Alpha.Data)
		must.EqualSlices(t, "λ of 1 and 2 workers", bits[0].Lambda, bits[1].Lambda)
		c := bits[0].Certificate
		if c.EigenvalueError > width || c.Refinements < steps {
			t.Errorf("width %g: error %g in %d steps, %d before", width, c.EigenvalueError, c.Refinements, steps)
		}
		steps, narrow = c.Refinements, bits[0]
		t.Logf("width %g: error %.3g in %d steps, forward %.3g", width, c.EigenvalueError, steps, c.Forward)
	}
	direct := of
	direct.K, direct.Source = must.Get(e.Matrix(nil))(t), e
	want := must.Get(Solve(t.Context(), nil, direct))(t)
	for name, pair := range map[string][2]*matrix.Dense{"α": {narrow.Alpha, want.Alpha}, "projections": {narrow.Projections, want.Projections}} {
		off := pair[0].Clone()
		addScaled(off, -1, pair[1])
		for k, size := range columnNorms(pair[1]) {
			if error := columnNorms(off)[k] / size; !(error < 1e-4) {
				t.Errorf("%v: %s %d are off by %.3g", of.Regularizer, name, k, error)
			}
		}
	}
	refused := must.Refuse[*IntervalError](Solve(t.Context(), Conjugate(e, Search{Rank: 60, Width: 1e-17}), of))(t, "a width below rounding")
	t.Log(refused)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, Conjugate(e, Search{Rank: 60, Width: 1e-4}), of); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Estimated influences lie, as those of the inverse do, between what a row has of which all is known
// and of which nothing is; they are near those of the inverse where the other rows say nothing of a row,
// with a narrow kernel or a large ridge, and else half of them to a factor of 5: a median of 7 rows and
// the landmarks, here a fifth of the rows, tell no more.
func TestEstimatedInfluences(t *testing.T) {
	n := 360
	if testing.Short() {
		n = 150
	}
	r := rand.New(rand.NewPCG(9, 1))
	x, codes := matrix.New(n, 4), make([]int, n)
	for i := range n {
		codes[i] = i % 3
		for j := range x.Cols {
			x.Set(i, j, r.NormFloat64()+float64(codes[i])*0.7)
		}
	}
	of := NewClasses(codes, 3, nil)
	for _, gamma := range []float64{0.02, 0.3, 2, 60} {
		e := must.Get(gram.NewEvaluator(gram.RBF{Gamma: gamma}, x))(t)
		for _, ridge := range []float64{1e-4, 0.1, 10, 1e5} {
			p := Problem{Classes: of, Regularizer: Regularizer{RKHS, ridge}, LeaveOneOut: true}
			got := must.Get(Solve(t.Context(), Conjugate(e, Search{Rank: n / 5, Width: 1e-4}), p))(t)
			p.K, p.Source = must.Get(e.Matrix(nil))(t), e
			want := must.Get(Solve(t.Context(), nil, p))(t)
			c := got.Centring
			off := make([]float64, n)
			for i, v := range want.influences {
				own := float64(n) / float64(n-1)
				most := ridge/float64(n-1) + own*own*(1-c.Shift-2*c.Means[i]+c.Mean)
				for _, f := range []float64{v, got.influences[i]} {
					if !(f >= ridge/float64(n-1)*(1-1e-9)) || !(f <= most*(1+1e-9)) {
						t.Errorf("γ %v, ridge %v, row %d: %v is not in [%v, %v]", gamma, ridge, i, f, ridge/float64(n-1), most)
					}
				}
				off[i] = math.Abs(math.Log(got.influences[i] / v))
			}
			slices.Sort(off)
			if alone := gamma == 60 || ridge == 1e5; !(off[n/2] <= math.Log(5)) || alone && !(off[n-1] <= 0.2) {
				t.Errorf("γ %v, ridge %v: influences differ by factors up to e^%.3g, half of them by e^%.3g", gamma, ridge, off[n-1], off[n/2])
			}
		}
	}
}
