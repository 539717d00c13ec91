package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

var landmarkMethods = []LandmarkMethod{RPCholesky, KMeansPlusPlus, UniformRows}

// plainLandmarks draws as Landmarks is documented to, one row after the other, from the whole
// kernel matrix, of which it eliminates each landmark at once.
func plainLandmarks(k *matrix.Dense, m int, method LandmarkMethod, seed uint64) (rows []int, left float64) {
	n := k.Rows
	a, random := k.Clone(), splitmix.Random(seed)
	weight := func(i int) float64 {
		near := math.Inf(1)
		for _, t := range rows {
			near = min(near, k.At(i, i)+k.At(t, t)-2*k.At(i, t))
		}
		switch {
		case a.At(i, i) <= 0x1p-40*k.At(i, i):
			return 0
		case method == RPCholesky:
			return a.At(i, i)
		case method == KMeansPlusPlus && len(rows) > 0:
			return near
		}
		return 1
	}
	for len(rows) < m {
		was, sum := make([]float64, n), 0.0
		for i := range was {
			was[i] = weight(i)
			sum += was[i]
		}
		if sum == 0 {
			break
		}
		batch := make([]int, 128)
		if method == KMeansPlusPlus && len(rows) == 0 {
			batch = batch[:1]
		}
		for r := range batch {
			at, s := float64(random.Next()>>11)*0x1p-53*sum, 0.0
			batch[r] = slices.IndexFunc(was, func(w float64) bool { s += w; return s > at })
		}
		for _, t := range batch {
			if len(rows) == m || float64(random.Next()>>11)*0x1p-53*was[t] >= weight(t) {
				continue
			}
			rows = append(rows, t)
			pivot := slices.Clone(a.Row(t))
			for i := range n {
				for j := range n {
					a.Set(i, j, a.At(i, j)-pivot[i]*pivot[j]/pivot[t])
				}
			}
		}
	}
	for i := range n {
		left += max(0, a.At(i, i))
	}
	return rows, left
}

// TestLandmarksPlain compares every kernel and method with the plain reference: rows, some of
// them equal, of fewer and of more dimensions than landmarks.
func TestLandmarksPlain(t *testing.T) {
	for c, kind := range kinds {
		if !kind.definite {
			continue
		}
		x := random(uint64(c), 90, 4, kind.nonneg)
		e := must.Get(NewEvaluator(kind.kernel, x))(t)
		k := must.Get(e.Matrix(nil))(t)
		given := must.Get(NewEvaluator(Precomputed{}, k))(t)
		for _, method := range landmarkMethods {
			for _, m := range []int{1, 30, 200} {
				name := fmt.Sprintf("%v, %v, %d landmarks", kind.kernel, method, m)
				rows, left := plainLandmarks(k, m, method, 7)
				for _, e := range []*Evaluator{e, given} {
					got := must.Get(e.Landmarks(t.Context(), m, method, 7))(t)
					must.EqualSlices(t, name, got.Rows, rows)
					if math.Abs(got.Left-left) > 1e-12*got.Trace {
						t.Errorf("%s leave %v, want %v", name, got.Left, left)
					}
				}
			}
		}
	}
}

// TestLandmarksProbability compares the frequencies of the first two landmarks with their
// probabilities one after the other, which proposing many at a time must not change.
func TestLandmarksProbability(t *testing.T) {
	seeds := 1000
	if testing.Short() {
		seeds = 200
	}
	x := matrixtest.Rows([]float64{0, 0}, []float64{0.3, 0.1}, []float64{1, -1}, []float64{2, 1}, []float64{-1, 3})
	k := must.Get(Matrix(nil, Sum{[]Kernel{RBF{Gamma: 0.5}, Scaled{0.2, Linear{}}}}, x))(t)
	n := k.Rows
	e := must.Get(NewEvaluator(Precomputed{}, k))(t)
	for _, method := range landmarkMethods {
		weights := func(first int) []float64 {
			w := make([]float64, n)
			for i := range w {
				w[i] = map[LandmarkMethod]float64{RPCholesky: k.At(i, i), KMeansPlusPlus: 1, UniformRows: 1}[method]
				if first >= 0 {
					w[i] = map[LandmarkMethod]float64{
						RPCholesky:     k.At(i, i) - k.At(i, first)*k.At(i, first)/k.At(first, first),
						KMeansPlusPlus: k.At(i, i) + k.At(first, first) - 2*k.At(i, first),
						UniformRows:    1,
					}[method]
				}
				if i == first {
					w[i] = 0
				}
			}
			return w
		}
		count := matrix.New(n, n)
		for seed := range uint64(seeds) {
			l := must.Get(e.Landmarks(t.Context(), 2, method, seed))(t)
			count.Set(l.Rows[0], l.Rows[1], count.At(l.Rows[0], l.Rows[1])+1)
		}
		chi2, first := 0.0, weights(-1)
		for i := range n {
			second := weights(i)
			for j := range n {
				want := float64(seeds) * first[i] / matrix.Sum(first) * second[j] / matrix.Sum(second)
				if i != j {
					chi2 += (count.At(i, j) - want) * (count.At(i, j) - want) / want
				}
			}
		}
		if chi2 > 43.8 { // 19 degrees of freedom, probability 0.001
			t.Errorf("%v: χ² = %v", method, chi2)
		}
	}
}

// TestLandmarksBound compares the mean trace that randomly pivoted Cholesky leaves with its
// bounds on known spectra: below, that of the best approximation; above, E(K − K̂) ≼ Ψᵐ(K) with
// Ψ(A) = A − A²/tr A, and the theorem of Chen, Epperly, Tropp & Webber.
func TestLandmarksBound(t *testing.T) {
	const n, seeds = 120, 60
	rng := rand.New(rand.NewPCG(3, 4))
	for name, spectrum := range map[string]func(i int) float64{
		"slow": func(i int) float64 { return 1 / float64(i+1) },
		"fast": func(i int) float64 { return math.Pow(0.8, float64(i)) },
		"step": func(i int) float64 { return map[bool]float64{true: 1, false: 1e-3}[i < 10] },
	} {
		// Reflections of a diagonal matrix have its spectrum.
		k := matrix.New(n, n)
		values := make([]float64, n)
		for i := range values {
			values[i] = spectrum(i)
			k.Set(i, i, values[i])
		}
		for range 3 {
			v := matrix.New(n, 1)
			for i := range n {
				v.Data[i] = rng.NormFloat64()
			}
			h := matrix.New(n, n)
			for i := range n {
				h.Set(i, i, 1)
				for j := range n {
					h.Data[i*n+j] -= 2 * v.Data[i] * v.Data[j] / matrix.SumSquares(v.Data)
				}
			}
			k = Symmetrize(nil, matrix.Mul(nil, matrix.Mul(nil, h, false, k, false), false, h, false))
		}
		e := must.Get(NewEvaluator(Precomputed{}, k))(t)
		for _, m := range []int{5, 20, 60} {
			sum, squares := 0.0, 0.0
			for seed := range uint64(seeds) {
				l := must.Get(e.Landmarks(t.Context(), m, RPCholesky, seed))(t)
				sum, squares = sum+l.Left/seeds, squares+l.Left*l.Left/seeds
			}
			slack := 3 * math.Sqrt(max(0, squares-sum*sum)/(seeds-1))
			best, trace := matrix.Sum(values[m:]), matrix.Sum(values)
			above := slices.Clone(values)
			for range m {
				total := matrix.Sum(above)
				for i, v := range above {
					above[i] -= v * v / total
				}
			}
			bound := matrix.Sum(above)
			for r := 1; r < m; r++ { // the ε for which the theorem wants m landmarks or fewer
				eta := matrix.Sum(values[r:]) / trace
				for epsilon := 0.01; epsilon < 10; epsilon *= 1.1 {
					if float64(r)/epsilon+float64(r)*max(0, math.Log(1/(epsilon*eta))) <= float64(m) {
						bound = min(bound, (1+epsilon)*matrix.Sum(values[r:]))
						break
					}
				}
			}
			if sum < best*(1-1e-12) || sum-slack > bound {
				t.Errorf("%s, %d landmarks leave %v ± %v, want %v to %v", name, m, sum, slack, best, bound)
			}
		}
	}
}

// nystrom is K̂ with 500 bits, for kernel values as they are.
type nystrom struct {
	p       bigref.Arith
	factor  bigref.Matrix
	columns []bigref.Vector // k(L, x) of each row
	coef    []bigref.Vector // K_LL⁻¹ of these
	size    []float64       // the sums of |coef|·√k(l, l)
}

func newNystrom(t *testing.T, among, columns *matrix.Dense) *nystrom {
	p := bigref.Default
	h := &nystrom{p: p, factor: must.Get(p.Cholesky(p.FromDense(among)))(t)}
	for i := range columns.Rows {
		k := p.FromFloats(columns.Row(i))
		c := p.CholeskySolve(h.factor, k)
		size := 0.0
		for j, v := range c {
			size += math.Abs(bigref.Float64(v)) * math.Sqrt(among.At(j, j))
		}
		h.columns, h.coef, h.size = append(h.columns, k), append(h.coef, c), append(h.size, size)
	}
	return h
}

// TestLandmarksTrace compares the trace that is left out with that of K − K̂ in 500 bits.
func TestLandmarksTrace(t *testing.T) {
	n, m := 120, 30
	if testing.Short() {
		n, m = 60, 15
	}
	for _, kernel := range []Kernel{RBF{Gamma: 0.3}, RBF{Gamma: 1e-3}, Laplacian{Gamma: 1}, Polynomial{Gamma: 1, Coef0: 1, Degree: 3}} {
		x := random(8, n, 6, false)
		e := must.Get(NewEvaluator(kernel, x))(t)
		k := must.Get(e.Matrix(nil))(t)
		for _, method := range landmarkMethods {
			l := must.Get(e.Landmarks(t.Context(), m, method, 1))(t)
			among, columns := matrix.New(len(l.Rows), len(l.Rows)), matrix.New(n, len(l.Rows))
			for j, row := range l.Rows {
				for i := range n {
					columns.Set(i, j, k.At(i, row))
				}
				for i, other := range l.Rows {
					among.Set(i, j, k.At(other, row))
				}
			}
			h := newNystrom(t, among, columns)
			left, bound := h.p.Int(0), 0.0
			for i := range n {
				left = h.p.Add(left, h.p.Sub(h.p.Of(k.At(i, i)), h.p.Dot(h.columns[i], h.coef[i])))
				bound += 4 * float64(m+2) * 0x1p-53 * (h.size[i]*h.size[i] + k.At(i, i))
			}
			if d := math.Abs(bigref.Float64(h.p.Sub(h.p.Of(l.Left), left))); d > bound {
				t.Errorf("%v, %v: left %v, error %g, bound %g", kernel, method, l.Left, d, bound)
			}
		}
	}
}

// Where the kernel matrix has a low rank there are as many landmarks, but for one or two of
// rounding, and next to nothing is left.
func TestLandmarksRank(t *testing.T) {
	x := matrix.New(3000, 5)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range x.Rows {
		for j := range x.Cols {
			x.Set(i, j, rng.NormFloat64()*math.Ldexp(1, -j))
		}
		if i >= 40 {
			copy(x.Row(i), x.Row(i%40))
		}
	}
	for _, c := range []struct {
		kernel Kernel
		rank   int
	}{{Linear{}, 5}, {RBF{Gamma: 1}, 40}, {Laplacian{Gamma: 1}, 40}, {Polynomial{Gamma: 1, Degree: 2}, 15}, {Scaled{1e-300, RBF{Gamma: 1}}, 40},
		{Func{K: func(_, _ []float64) float64 { return 0 }}, 0}} {
		e := must.Get(NewEvaluator(c.kernel, x))(t)
		for _, method := range landmarkMethods {
			l := must.Get(e.Landmarks(t.Context(), 100, method, 2))(t)
			if extra := len(l.Rows) - c.rank; extra < 0 || extra > min(2, c.rank/10) || l.LeftShare() > 1e-14 {
				t.Errorf("%v, %v: %d landmarks leave %v of %v, want %d", c.kernel, method, len(l.Rows), l.Left, l.Trace, c.rank)
			}
		}
	}
}

// The draws are pinned, and the same for any number of workers.
func TestLandmarksSame(t *testing.T) {
	x := matrix.New(3000, 7)
	random := splitmix.Random(5)
	for i := range x.Data {
		x.Data[i] = float64(random.Below(1000)) / 1024
	}
	e := must.Get(NewEvaluator(RBF{Gamma: 0.5}, x))(t)
	for method, want := range map[LandmarkMethod][]int{
		RPCholesky: {948, 1914, 149, 1983, 2839}, KMeansPlusPlus: {948, 1911, 2442, 2891, 801}, UniformRows: {948, 787, 1153, 2791, 2937},
	} {
		first := must.Get(e.Landmarks(t.Context(), 300, method, 11))(t)
		must.EqualSlices(t, method.String(), []int{first.Rows[0], first.Rows[1], first.Rows[100], first.Rows[200], first.Rows[299]}, want)
		count := 300
		if testing.Short() {
			count = 60
			first = must.Get(e.Landmarks(t.Context(), count, method, 11))(t)
		}
		for _, workers := range []int{1, 2, 7} {
			former := matrix.SetWorkers(workers)
			again := must.Get(e.Landmarks(t.Context(), count, method, 11))(t)
			matrix.SetWorkers(former)
			must.EqualSlices(t, method.String(), again.Rows, first.Rows)
			must.Equal(t, method.String(), again.Left, first.Left)
		}
	}
}

func TestLandmarksErrors(t *testing.T) {
	x := random(4, 50, 3, false)
	get := func(k Kernel, x *matrix.Dense, m int) (*Landmarks, error) {
		return must.Get(NewEvaluator(k, x))(t).Landmarks(t.Context(), m, RPCholesky, 1)
	}
	must.Refuse[*ParameterError](get(RBF{}, x, 0))(t, "m = 0")
	indefinite := must.Refuse[*IndefiniteError](get(Precomputed{}, matrixtest.Rows([]float64{1, 2}, []float64{2, 1}), 2))(t, "an indefinite matrix")
	must.Equal(t, "left", indefinite.Left, -3)
	must.Refuse[*IndefiniteError](get(Func{K: func(x, y []float64) float64 { return -1 }}, x, 2))(t, "negative values")
	must.Refuse[*IndefiniteError](get(Precomputed{}, matrixtest.Rows([]float64{1, 1}, []float64{1, 0}), 2))(t, "k(x, x) = 0 alone")
	must.Refuse[*NotFiniteError](get(Linear{}, matrixtest.Rows([]float64{1e200}, []float64{1}), 1))(t, "an infinite k(x, x)")
	big := matrix.New(2, 1)
	for i := range big.Data {
		big.Data[i] = 0.9e154 // the trace is below, four times the trace above the largest number
	}
	must.Refuse[*NotFiniteError](get(Linear{}, big, 1))(t, "a trace that is too large")
	notFinite := must.Refuse[*NotFiniteError](get(Func{K: func(x, y []float64) float64 {
		if x[0] != y[0] && max(x[0], y[0]) == 40 {
			return math.NaN()
		}
		return map[bool]float64{true: 1, false: 0.5}[x[0] == y[0]]
	}}, column(50), 50))(t, "a value that is not finite")
	if notFinite.Row != 40 && notFinite.Col != 40 {
		t.Errorf("NaN of row 40: %v", notFinite)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := must.Get(NewEvaluator(RBF{}, x))(t)
	if _, err := e.Landmarks(ctx, 3, RPCholesky, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("with the context done: %v", err)
	}
	must.Panic(t, "an unknown method", func() { e.Landmarks(t.Context(), 3, 9, 1) })
}

// column returns the n×1 matrix of 0, 1, ….
func column(n int) *matrix.Dense {
	x := matrix.New(n, 1)
	for i := range x.Data {
		x.Data[i] = float64(i)
	}
	return x
}
