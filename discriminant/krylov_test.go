package discriminant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// patches returns n rows of d features in c overlapping classes, made with exact
// operations only.
func patches(n, d, c int) (x *matrix.Dense, codes []int) {
	x, codes = matrix.New(n, d), make([]int, n)
	state := uint64(n)
	for i := range n {
		codes[i] = i % c
		row := x.Row(i)
		for j := range row {
			state = state*6364136223846793005 + 1442695040888963407
			row[j] = float64(int64(state)>>11) * 0x1p-52
		}
		row[codes[i]%d] += 1
		row[codes[i]/d] -= 0.5
	}
	return x, codes
}

// noisy returns XXᵀ + I/2 and noise. A Krylov space of the class contrasts does not
// have to hold the noise.
func noisy(x *matrix.Dense) *matrix.Dense {
	k := matrix.SymRankK(nil, x, matrix.NoTrans)
	state := uint64(1)
	for i := range k.Rows {
		for j := range i {
			state = state*6364136223846793005 + 1442695040888963407
			v := k.At(i, j) + math.Ldexp(float64(int64(state)>>40), -31)
			k.Set(i, j, v)
			k.Set(j, i, v)
		}
		k.Set(i, i, k.At(i, i)+0.5)
	}
	return k
}

// reducers are the methods that solve.Reduce chooses from.
var reducers = map[string]fisher.Reducer{
	"krylov": func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error) {
		return solve.Lanczos(ctx, k, f, shifts, solve.LanczosLimit{Cost: math.Inf(1), Vectors: math.MaxInt})
	},
	"band": func(ctx context.Context, k, f *matrix.Dense, _ []solve.Shift) (*solve.Reduction, error) {
		return solve.Reduce(ctx, k, f, nil)
	},
}

// differences returns the largest relative differences of the projections of x, up
// to signs, less their rounding errors u‖K‖‖α‖, and of λ. Where K is nearly singular
// α may differ much more, along directions that K takes to zero.
func differences(t *testing.T, x *matrix.Dense, a, b *Model[int]) (projections, lambda float64) {
	t.Helper()
	y := must.Get(a.Project(nil, x))(t)
	z := must.Get(b.Project(nil, x))(t)
	rows := x
	if s := a.Scaler(); s != nil {
		rows = must.Get(s.Transform(nil, x))(t)
	}
	k := must.Get(gram.Matrix(nil, DetailsOf(a).Kernel(), rows))(t)
	alpha, norm := DetailsOf(b).Alpha(), matrix.NormFrobenius(k)
	for k, l := range DetailsOf(b).Eigenvalues() {
		lambda = math.Max(lambda, math.Abs(DetailsOf(a).Eigenvalues()[k]-l)/l)
		plus, minus, size := 0.0, 0.0, 0.0
		for i := range z.Rows {
			plus = math.Hypot(plus, y.At(i, k)-z.At(i, k))
			minus = math.Hypot(minus, y.At(i, k)+z.At(i, k))
			size = math.Hypot(size, z.At(i, k))
		}
		projections = math.Max(projections, (math.Min(plus, minus)-16*u*norm*matrix.NormFrobenius(alpha.View(0, k, alpha.Rows, 1)))/size)
	}
	return projections, lambda
}

// Paths by both methods agree with single fits: models of complete reductions to a
// small multiple of u, and what comes from a Krylov space or is not refined to the
// effect of the rounding of K, u‖K‖/σ, times (1 + λ)/λ for λ, and over the gaps of
// the eigenvalues for the projections.
func TestPathAgreesWithFits(t *testing.T) {
	ctx := context.Background()
	type data struct {
		name  string
		x     *matrix.Dense
		codes []int
	}
	iris, wine := golden.Load(t, "medium/iris_rbf"), golden.Load(t, "medium/wine_std_rbf")
	sets := []data{
		{"iris", iris.Input.Matrix("X"), iris.Input.Ints("y")},
		{"wine", wine.Input.Matrix("X"), wine.Input.Ints("y")},
	}
	x, codes := patches(300, 3, 5)
	sets = append(sets, data{"patches", x, codes})
	x, codes = patches(250, 3, 5)
	sets = append(sets, data{"noisy", noisy(x), codes})
	kernels := []gram.Kernel{gram.RBF{}, gram.NewPolynomial(2), gram.Cosine{}}
	if testing.Short() {
		x, codes := patches(70, 3, 5)
		sets, kernels = []data{{"patches", x, codes}}, kernels[:2]
	}
	worst := map[string]float64{}
	for _, set := range sets {
		classes, codes := encode(set.codes)
		for i, kernel := range kernels {
			scaling := Standard
			if set.name == "noisy" {
				if kernel, scaling = (gram.Precomputed{}), NoScaling; i > 0 {
					continue
				}
			}
			for _, form := range [][]Regularizer{
				{RelativeRidge(1e-6), RelativeRidge(1e-3), RelativeRidge(1), RelativeRidge(1e4), Shrink(0.3)},
				{RelativeRKHS(1e-6), RelativeRKHS(1e-3), RelativeRKHS(1), RelativeRKHS(1e4)},
			} {
				method := KFDA{Kernel: kernel, Scaling: scaling}
				paths := map[string]*Path[int]{}
				for name, reduce := range reducers {
					p := must.Get(method.fitPath(ctx, set.x, fisher.NewClasses(codes, len(classes), nil), form, reduce))(t)
					paths[name] = &Path[int]{classes, p}
				}
				for i, reg := range form {
					method.Regularizer = reg
					want := mustFit(t, method, set.x, set.codes)
					l := DetailsOf(want).Eigenvalues()
					gap := 1.0
					for k := 1; k < len(l); k++ {
						gap = math.Min(gap, (l[k-1]-l[k])/l[k-1])
					}
					magnified := (1 + l[0]) / math.Min(1, l[len(l)-1])
					for name, p := range paths {
						what := fmt.Sprintf("%s, %v, %v, %s", set.name, kernel, reg, name)
						m, err := p.Model(ctx, i)
						if name == "krylov" && DetailsOf(want).Certificate().KernelRounding > 0x1p-30 {
							continue // solve.Reduce would not take it
						}
						if err != nil {
							t.Errorf("%s: %v", what, err)
							continue
						}
						c := DetailsOf(m).Certificate()
						if c.Solver != p.Certificate(i).Solver {
							t.Errorf("%s: solver %q, of the path %q", what, c.Solver, p.Certificate(i).Solver)
						}
						// The columns of W have the relative error that the certificate
						// says, u in a refined one; the small problem adds n u.
						n := float64(len(codes))
						tol := 16 * (c.Forward + n*u) * magnified
						z, lambda := differences(t, set.x, m, want)
						worst[c.Solver] = math.Max(worst[c.Solver], math.Max(lambda/tol, z/(tol/gap)))
						if !(lambda <= tol) || !(z <= tol/gap) {
							t.Errorf("%s: λ differs by %.3g, want ≤ %.3g, and projections by %.3g, want ≤ %.3g\n%v", what, lambda, tol, z, tol/gap, c)
						}
						values := p.Eigenvalues(i)
						tol = 16 * (c.KernelRounding + n*u) * magnified
						for k, v := range values {
							e := math.Abs(v-l[k]) / l[k]
							worst["values"] = math.Max(worst["values"], e/tol)
							if !(e <= tol) {
								t.Errorf("%s: eigenvalue %d of the path is %.3g off, want ≤ %.3g", what, k, e, tol)
							}
						}
						if math.Abs(p.Ridge(i)-DetailsOf(want).Ridge()) > 4*u*DetailsOf(want).Ridge() {
							t.Errorf("%s: ridge %v, want %v", what, p.Ridge(i), DetailsOf(want).Ridge())
						}
					}
				}
			}
		}
	}
	t.Logf("largest differences over their tolerances: %v", worst)
}

// tryKrylov makes fits of few rows try a Krylov space, until restore is called.
func tryKrylov() (restore func()) {
	former := fisher.KrylovRows
	fisher.KrylovRows = 100
	return func() { fisher.KrylovRows = former }
}

// A fit in a Krylov space agrees with the direct one as its certificate says,
// refined or not, and where it is predicted not to pay, or K's rounding is too large
// for it, the fit is the direct one to the last bit.
func TestKrylovFit(t *testing.T) {
	if testing.Short() {
		t.Skip("ten fits by two solvers each are left to the long tests")
	}
	x, codes := patches(300, 3, 5)
	for _, test := range []struct {
		method KFDA
		solver string
	}{
		{KFDA{Kernel: gram.Linear{}, Regularizer: RelativeRidge(1e-3)}, "krylov"}, // of rank 3
		{KFDA{Kernel: gram.NewPolynomial(2), Regularizer: RelativeRidge(1e-2)}, "krylov"},
		{KFDA{Kernel: gram.RBF{Gamma: 0.01}, Regularizer: RelativeRidge(1e-2), Components: 2}, "krylov"},
		{KFDA{Kernel: gram.RBF{Gamma: 1e-3}, Regularizer: Shrink(0.5)}, "krylov"},
		{KFDA{Kernel: gram.RBF{Gamma: 100}, Regularizer: RelativeRidge(1e-4)}, "shifted"},        // eigenvalues don't decay
		{KFDA{Kernel: gram.Linear{}, Regularizer: RelativeRidge(1e-14)}, "shifted"},              // rounding
		{KFDA{Kernel: gram.Linear{}, Regularizer: RelativeRKHS(1e-2)}, "centred"},                // a quarter of the work
		{KFDA{Kernel: gram.Linear{}, Scatter: AveragedScatter, Regularizer: Ridge(1)}, "normal"}, // needs N
	} {
		compareKrylov(t, test.method, x, codes, test.solver)
	}
	x, codes = patches(700, 3, 5)
	method := KFDA{Kernel: gram.Precomputed{}, Regularizer: RelativeRidge(1e-1)}
	if c := compareKrylov(t, method, noisy(x), codes, "krylov"); c.Refinements != 0 {
		t.Errorf("refined with noise: certificate\n%v", c)
	}

	// Each eigenvalue of 100 equal blocks is there 100 times, most of them outside of the
	// space, beside zeros: nothing is refined. Under the smaller ridge W is 2500 times the
	// size of Re W, so that its certificate says too little of α.
	k, codes := equalBlocks(100, 10, 4)
	method.Regularizer = Ridge(1e-3)
	if c := compareKrylov(t, method, k, codes, "krylov"); c.Refinements != 0 {
		t.Errorf("refined with equal blocks: certificate\n%v", c)
	}
	method.Regularizer = Ridge(1e-6)
	compareKrylov(t, method, k, codes, "shifted")
}

// equalBlocks returns a matrix with equal blocks of the given order and rank on its
// diagonal, and 3 classes without a pattern.
func equalBlocks(blocks, order, rank int) (k *matrix.Dense, codes []int) {
	var numbers splitmix.Random
	x := matrix.New(order, rank)
	for i := range x.Data {
		x.Data[i] = math.Ldexp(float64(int64(numbers.Next())>>11), -52)
	}
	block := matrix.SymRankK(nil, x, matrix.NoTrans)
	k, codes = matrix.New(blocks*order, blocks*order), make([]int, blocks*order)
	for i := 0; i < k.Rows; i += order {
		k.View(i, i, order, order).CopyFrom(block)
	}
	for i := range codes {
		codes[i] = numbers.Below(3)
	}
	return k, codes
}

// compareKrylov compares a fit that tries a Krylov space with one that does not.
func compareKrylov(t *testing.T, method KFDA, x *matrix.Dense, codes []int, solver string) Certificate {
	t.Helper()
	what := fmt.Sprintf("%v, %v", method.Kernel, method.Regularizer)
	direct := mustFit(t, method, x, codes)
	defer tryKrylov()()
	m := mustFit(t, method, x, codes)
	c := DetailsOf(m).Certificate()
	must.Equal(t, fmt.Sprintf("%s: solver", what), c.Solver, solver)
	if c.Solver != "krylov" {
		if got, want := modelHash(t, m, x), modelHash(t, direct, x); got != want {
			t.Errorf("%s: hash %s, without the try %s", what, got, want)
		}
		return c
	}
	if !(c.Backward <= 0x1p-50) || !(c.Backward > 0) || !(c.Forward < 1e-9) || c.Growth != 1 || c.Rank != DetailsOf(direct).Certificate().Rank {
		t.Errorf("%s: certificate\n%v", what, c)
	}
	l := DetailsOf(direct).Eigenvalues()
	magnified := (1 + l[0]) / math.Min(1, l[len(l)-1])
	gap := 1.0
	for k := 1; k < len(l); k++ {
		gap = math.Min(gap, (l[k-1]-l[k])/l[k-1])
	}
	z, lambda := differences(t, x, m, direct)
	tol := 16 * (c.Forward + float64(x.Rows)*u) * magnified
	t.Logf("%s: projections differ by %.2g, λ by %.2g, forward error %.2g, refined %d×", what, z, lambda, c.Forward, c.Refinements)
	if !(lambda <= tol) || !(z <= tol/gap) {
		t.Errorf("%s: λ differs by %.3g, want ≤ %.3g, and projections by %.3g, want ≤ %.3g", what, lambda, tol, z, tol/gap)
	}
	if got, want := mustPredict(t, m, x), mustPredict(t, direct, x); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: other predictions than of the direct fit", what)
	}
	return c
}

func mustPredict(t *testing.T, m *Model[int], x *matrix.Dense) []int {
	t.Helper()
	return must.Get(m.Predict(nil, x))(t)
}

// lyingSource gives matrices that differ from one time to the next, and the right
// one when the whole matrix is requested again.
type lyingSource struct {
	solve.Source
	k      *matrix.Dense
	lie    float64
	passes *atomic.Int64
}

func (s lyingSource) Rows(dst *matrix.Dense, i0 int) {
	s.Source.Rows(dst, i0)
	if &dst.Data[0] == &s.k.Data[0] {
		return
	}
	if i0 == 0 {
		s.passes.Add(1)
	}
	lie := s.lie
	if s.passes.Load()%2 == 0 {
		lie = -lie
	}
	for i := range dst.Data {
		dst.Data[i] += lie
	}
}

// A solution in a Krylov space whose true residual is large, and that can't be refined, is
// not accepted; K is made again and the direct solver runs.
func TestKrylovIsMeasured(t *testing.T) {
	defer tryKrylov()()
	matrix, codes := equalBlocks(80, 10, 4)
	start := must.Get(KFDA{Kernel: gram.Precomputed{}}.start(matrix, fisher.NewClasses(codes, 3, nil)))(t)
	solution := func(lie float64) (*fisher.Solution, error) {
		k := must.Get(start.evaluator.Matrix(nil))(t)
		p := start.problem(k, Ridge(1e-3))
		p.Source = lyingSource{p.Source, k, lie, new(atomic.Int64)}
		return fisher.Shifted(context.Background(), p)
	}
	if s, err := solution(0); err != nil || s.Certificate.Solver != "krylov" {
		t.Errorf("%v, error %v", s, err)
	}
	// The direct solver is measured by the same source.
	if s, err := solution(1e-3); err == nil {
		t.Errorf("with large residuals: certificate\n%v", s.Certificate)
	} else if accuracy := (*fisher.AccuracyError)(nil); !errors.As(err, &accuracy) {
		t.Errorf("with large residuals: %v", err)
	}
	if s, err := solution(1e-14); err != nil || s.Certificate.Solver != "shifted" {
		t.Errorf("with residuals above the limit for the Krylov space: %v, error %v", s, err)
	}
}

func TestKrylovCancelled(t *testing.T) {
	defer tryKrylov()()
	x, codes := patches(300, 3, 5)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := must.Get(KFDA{}.start(x, fisher.NewClasses(codes, 5, nil)))(t)
	k := must.Get(s.evaluator.Matrix(nil))(t)
	if _, err := fisher.Shifted(ctx, s.problem(k, RelativeRidge(1))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Paths and fits in a Krylov space have the same bits on every platform, with every
// instruction set.
func TestPathHashes(t *testing.T) { asmtest.EachTier(t, pathHashes) }

func pathHashes(t *testing.T) {
	x, codes := patches(120, 3, 4)
	classes, codes := encode(codes)
	for _, test := range []struct {
		reduce string
		kernel gram.Kernel
		regs   []Regularizer
		want   string
	}{
		{"krylov", gram.Precomputed{}, []Regularizer{RelativeRidge(1e-2), RelativeRidge(10)}, "3af724d564c7d528"},
		{"krylov", gram.NewPolynomial(2), []Regularizer{RelativeRidge(1e-2), RelativeRidge(10)}, "43deb458472a740c"},
		{"band", gram.NewPolynomial(2), []Regularizer{RelativeRidge(1e-4), Ridge(1)}, "16cf747a6edaf761"},
		{"krylov", gram.Precomputed{}, []Regularizer{RelativeRKHS(0.2), RKHS(10)}, "644ee7387e1cfe26"},
		{"krylov", gram.NewPolynomial(2), []Regularizer{RelativeRKHS(1e-2), RKHS(10)}, "e788048669aceb95"},
	} {
		x := x
		if isPrecomputed(test.kernel) {
			x = noisy(x)
		}
		reduce := func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error) {
			r, err := reducers[test.reduce](ctx, k, f, shifts)
			if want := !isPrecomputed(test.kernel); err == nil && r.Refinable(shifts[0]) != want {
				t.Errorf("%s, %v: refined: %v, want %v", test.reduce, test.regs, !want, want)
			}
			return r, err
		}
		p := must.Get(KFDA{Kernel: test.kernel}.fitPath(context.Background(), x, fisher.NewClasses(codes, len(classes), nil), test.regs, reduce))(t)
		h := sha256.New()
		for i := range test.regs {
			m := must.Get((&Path[int]{classes, p}).Model(context.Background(), i))(t)
			fmt.Fprintf(h, "%x %x %s\n", p.Eigenvalues(i), p.Ridge(i), modelHash(t, m, x))
		}
		must.Equal(t, fmt.Sprintf("%s, %v: hash", test.reduce, test.regs), hex.EncodeToString(h.Sum(nil))[:16], test.want)
	}
}

// And for any number of workers.
func TestPathForAnyWorkers(t *testing.T) {
	rows := 700
	if testing.Short() {
		rows = 200
	}
	x, codes := patches(rows, 3, 4)
	classes, codes := encode(codes)
	regs := []Regularizer{RelativeRidge(1e-2), RelativeRidge(0.1), RelativeRidge(1), RelativeRidge(10)}
	defer matrix.SetWorkers(matrix.SetWorkers(0))
	for name, reduce := range reducers {
		want := ""
		for _, workers := range []int{1, 2, 4} {
			matrix.SetWorkers(workers)
			p := must.Get(KFDA{Kernel: gram.NewPolynomial(2)}.fitPath(context.Background(), x, fisher.NewClasses(codes, len(classes), nil), regs, reduce))(t)
			m := must.Get((&Path[int]{classes, p}).Model(context.Background(), 1))(t)
			got := modelHash(t, m, x)
			for i := range regs {
				got += fmt.Sprintf(" %x", p.Eigenvalues(i))
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s, %d workers:\n%s, with one\n%s", name, workers, got, want)
			}
		}
	}
}
