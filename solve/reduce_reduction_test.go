package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// everything is no limit at all.
var everything = LanczosLimit{Cost: math.Inf(1), Vectors: math.MaxInt}

// reductions returns K and F reduced in every way.
func reductions(t *testing.T, k, f *matrix.Dense, shifts []Shift) map[string]*Reduction {
	t.Helper()
	ctx := context.Background()
	l := must.Get(Lanczos(ctx, k.Clone(), f, shifts, everything))(t)
	b := must.Get(Reduce(ctx, k.Clone(), f, nil))(t)
	return map[string]*Reduction{"Lanczos": l, "band": b}
}

// checkReduction checks VᵀV = I, VᵀKV = T, F = VR, and that KV − VT is only the
// tail.
func checkReduced(t *testing.T, what string, k, f *matrix.Dense, r *Reduction) {
	t.Helper()
	n, m := r.Order(), r.Size()
	v := r.Vectors(identity(m))
	if o := orthogonality(matrix.Transpose(nil, v)); !(o < 4*float64(n)+30) {
		t.Errorf("%s: ‖VᵀV − I‖ = %.3g u for %d vectors of %d", what, o, m, n)
	}
	tv := matrix.New(m, m)
	for i := range m {
		for j := range m {
			tv.Set(i, j, r.t.at(i, j))
		}
	}
	size := matrix.NormFrobenius(k)
	if math.Abs(r.norm-size) > 1e-13*size {
		t.Errorf("%s: norm %v, want %v", what, r.norm, size)
	}
	rest := matrix.Mul(nil, k, matrix.NoTrans, v, matrix.NoTrans)
	matrix.SubMul(rest, v, matrix.NoTrans, tv, matrix.NoTrans)
	last := m
	if r.tail != nil && r.tail.Rows > 0 {
		last = r.tailAt
		tail := matrix.NormFrobenius(rest.View(0, last, n, m-last))
		if want := matrix.NormFrobenius(r.tail); math.Abs(tail-want) > 30*math.Sqrt(float64(n))*unit*size {
			t.Errorf("%s: the rest has norm %.3g, the tail %.3g", what, tail, want)
		}
	}
	if e := matrix.NormFrobenius(rest.View(0, 0, n, last)); !(e <= 30*math.Sqrt(float64(n))*unit*size) {
		t.Errorf("%s: ‖KV − VT‖ = %.3g √n u ‖K‖", what, e/(math.Sqrt(float64(n))*unit*size))
	}
	start := matrix.New(m, f.Cols)
	start.View(0, 0, r.start.Rows, f.Cols).CopyFrom(r.Start())
	back := r.Vectors(start)
	size = matrix.NormFrobenius(f)
	for i := range back.Data {
		back.Data[i] -= f.Data[i]
	}
	if e := matrix.NormFrobenius(back); !(e <= 30*unit*size) {
		t.Errorf("%s: ‖F − VR‖ = %.3g u ‖F‖", what, e/(unit*size))
	}
	z := r.Coordinates(f)
	for i := range start.Data {
		z.Data[i] -= start.Data[i]
	}
	if e := matrix.NormFrobenius(z); !(e <= 30*math.Sqrt(float64(n))*unit*size) {
		t.Errorf("%s: ‖VᵀF − R‖ = %.3g u ‖F‖", what, e/(unit*size))
	}
}

// checkSolutions checks the solutions for the shifts, by their true residuals.
func checkSolutions(t *testing.T, what string, k, f *matrix.Dense, r *Reduction, shifts []Shift) (worst float64) {
	t.Helper()
	ctx := context.Background()
	for _, s := range shifts {
		re, im, backward, err := r.Solve(s, r.Start())
		if err != nil {
			t.Errorf("%s, shift %v: %v", what, s, err)
			continue
		}
		shifted := k.Clone()
		for i := range k.Rows {
			shifted.Row(i)[i] += s.Real
		}
		wre, wim := r.Vectors(re), r.Vectors(im)
		if s.Imag == 0 {
			wim = nil
		}
		before := must.Get(r.Refine(ctx, Stored{shifted}, s, f, wre, wim, nil, 0))(t)
		// The measurement from coordinates is that of the vectors.
		start := matrix.New(r.Size(), f.Cols)
		start.View(0, 0, r.Start().Rows, f.Cols).CopyFrom(r.Start())
		want := must.Get(r.Refine(ctx, Stored{shifted}, s, r.Vectors(start), wre, wim, nil, 0))(t)
		if got, err := r.Measure(ctx, Stored{shifted}, s, r.Start(), re, im, nil); err != nil || got != want {
			t.Errorf("%s, shift %v: measured %+v, %v, want %+v", what, s, got, err, want)
		}
		// The rounding of V and of its products adds to what the reduction knows.
		limit := math.FMA(2, backward, (16+2*math.Sqrt(float64(k.Rows)))*unit)
		if worst = max(worst, before.Backward/unit); !(before.Backward <= limit) {
			t.Errorf("%s, shift %v: backward error %.3g u, said to be %.3g u", what, s, before.Backward/unit, backward/unit)
		}
		rho := r.norm / s.modulus() * unit
		after := must.Get(r.Refine(ctx, Stored{shifted}, s, f, wre, wim, nil, 5))(t)
		switch {
		case !r.Refinable(s):
			if after != before || !(after.Forward >= unit) {
				t.Errorf("%s, shift %v: %+v, measured again %+v", what, s, before, after)
			}
		// Forward is a bound: beside the rounding of W it holds that of the residual over σ.
		case rho < 1e-3 && (!(after.Backward <= 2*unit) || after.Steps == 0 || r.Complete() && !(after.Forward <= 4*unit)):
			t.Errorf("%s, shift %v: refined to %+v", what, s, after)
		}
	}
	return worst
}

var imaginaryShifts = []Shift{{Imag: 1e-6}, {Imag: 1e-3}, {Imag: 0.1}, {Imag: 3}, {Imag: 1e4}}

// Matrices of every sort, with right-hand sides of full rank, dependent, zero and in
// an invariant space.
func TestReductions(t *testing.T) {
	worst := 0.0
	for i, m := range append(definiteMatrices(), indefiniteMatrices()...) {
		k, n := m.a, m.a.Rows
		if largest := matrix.MaxAbs(k); largest > maxShift || largest > 0 && largest < 1/maxShift {
			continue
		}
		if testing.Short() && n > 10 && i%4 != 0 {
			continue // of the larger ones a few
		}
		rng := newRand(uint64(n))
		scale := matrix.NormFrobenius(k)
		if scale == 0 {
			scale = 1
		}
		var shifts []Shift
		for _, s := range imaginaryShifts {
			if v := s.Imag * scale; v < maxShift && v > 1/maxShift {
				shifts = append(shifts, Shift{Imag: v})
			}
		}
		full := randomMatrix(rng, n, 3)
		dependent := randomMatrix(rng, n, 5)
		for i := range n {
			row := dependent.Row(i)
			row[1], row[3], row[4] = row[0]-row[2], 0, row[2]
		}
		for _, f := range []named{{"full", full}, {"dependent", dependent}, {"one", matrix.Mul(nil, k, matrix.NoTrans, full.View(0, 0, n, 1), matrix.NoTrans)}} {
			if size := matrix.NormFrobenius(f.a); size > 0 {
				f.a = scaled(f.a, 1/size)
			}
			for name, r := range reductions(t, k, f.a, shifts) {
				what := fmt.Sprintf("%s, %s right-hand side, %s", m.name, f.name, name)
				checkReduced(t, what, k, f.a, r)
				worst = max(worst, checkSolutions(t, what, k, f.a, r, shifts))
			}
		}
	}
	t.Logf("largest backward error %.2g u", worst)
}

// Against the real 2n×2n system solved with 600 bits.
func TestReducedSolutionsAgainstReference(t *testing.T) {
	for _, m := range []named{{"singular", randomGram(newRand(2), 24, 3)}, {"definite", randomGram(newRand(3), 24, 60)}, {"indefinite", sigmoidLike(24)}} {
		f := randomMatrix(newRand(7), 24, 3)
		for _, s := range []Shift{{Imag: 1e-4}, {Imag: 0.1}, {Imag: 10}} {
			wr, wi := bigShiftedSolve(m.a, s.Imag, f)
			for name, r := range reductions(t, m.a, f, []Shift{s}) {
				re, im, _, err := r.Solve(s, r.Start())
				if err != nil {
					t.Fatal(err)
				}
				wre, wim := r.Vectors(re), r.Vectors(im)
				rho := math.Hypot(r.norm, s.Imag) / s.Imag * unit
				if e := forwardError(wre, wim, wr, wi); !(e <= 16*rho) {
					t.Errorf("%s, %s, σ = %g: error %.3g, want at most %.3g", m.name, name, s.Imag, e, 16*rho)
				}
				got := must.Get(r.Refine(context.Background(), Stored{m.a}, s, f, wre, wim, nil, 5))(t)
				if e := forwardError(wre, wim, wr, wi); !(e <= 2*got.Forward+2*unit) {
					t.Errorf("%s, %s, σ = %g: error %.3g u after refinement, estimated %.3g u", m.name, name, s.Imag, e/unit, got.Forward/unit)
				}
			}
		}
	}
}

// Real shifts, and those with which the matrix is not definite.
func TestReducedRealShifts(t *testing.T) {
	n := 80
	k := randomGram(newRand(1), n, 5)
	f := randomMatrix(newRand(2), n, 2)
	shifts := []Shift{{Real: 1e-5}, {Real: 1}, {Real: 1e3}}
	for name, r := range reductions(t, k, f, shifts) {
		checkReduced(t, name, k, f, r)
		checkSolutions(t, name, k, f, r, shifts)
		if name == "Lanczos" && r.Size() > 20 {
			t.Errorf("%d vectors for a matrix of rank 5", r.Size())
		}
	}
	for i := range n {
		k.Set(i, i, k.At(i, i)-2) // most eigenvalues are −2
	}
	for name, r := range reductions(t, k, f, shifts) {
		var pivot *NotPositiveDefiniteError
		if _, _, _, err := r.Solve(shifts[1], r.Start()); !errors.As(err, &pivot) {
			t.Errorf("%s: a shift of 1 of eigenvalues of −2: %v", name, err)
		}
		checkSolutions(t, name, k, f, r, shifts[2:])
	}
}

// A space much smaller than n does where few eigenvalues are above the shift, and
// rows that are repeated change nothing.
func TestLanczosStopsEarly(t *testing.T) {
	n, octave := 400, 4
	if testing.Short() {
		n, octave = 120, 1
	}
	k := withSpectrum(newRand(1), spectrum(n, func(i int) float64 { return math.Ldexp(1, -i/octave) }))
	for i := range n / 2 { // K = [A A; A A] has the rank of A
		for j := range n / 2 {
			v := k.At(i, j)
			k.Set(i+n/2, j, v)
			k.Set(i, j+n/2, v)
			k.Set(i+n/2, j+n/2, v)
		}
	}
	f := randomMatrix(newRand(2), n, 4)
	Orthonormalize(f)
	shifts := []Shift{{Imag: 1}, {Imag: 1e-2}, {Imag: 1e-4}}
	r := must.Get(Lanczos(context.Background(), k.Clone(), f, shifts, everything))(t)
	if r.Size() > n/2 || r.Complete() {
		t.Errorf("%d vectors for %d rows", r.Size(), n)
	}
	checkReduced(t, "repeated rows", k, f, r)
	checkSolutions(t, "repeated rows", k, f, r, shifts)
}

// A multiple of I added to a matrix of low rank: solutions on the small space are
// refined outside of it too, to a few u. With noise besides they are not.
func TestRefineOutside(t *testing.T) {
	n := 200
	k := randomGram(newRand(1), n, 6)
	for i := range n {
		k.Set(i, i, k.At(i, i)+0.25)
	}
	f := randomMatrix(newRand(2), n, 3)
	for _, s := range []Shift{{Imag: 1e-3}, {Imag: 1}, {Real: 0.5}} {
		r := must.Get(Lanczos(context.Background(), k.Clone(), f, []Shift{s}, everything))(t)
		if r.Size() > 30 || !r.Refinable(s) {
			t.Fatalf("%d vectors, refinable: %v", r.Size(), r.Refinable(s))
		}
		re, im, _, err := r.Solve(s, r.Start())
		if err != nil {
			t.Fatal(err)
		}
		wre, wim := r.Vectors(re), r.Vectors(im)
		shifted := k.Clone()
		for i := range n {
			shifted.Row(i)[i] += s.Real
		}
		imaginary := wim
		if s.Imag == 0 {
			imaginary = nil
		}
		must.Get(r.Refine(context.Background(), Stored{shifted}, s, f, wre, imaginary, nil, 5))(t)
		// The direct solution.
		dre, dim := f.Clone(), matrix.New(n, 3)
		if s.Imag == 0 {
			var c *Cholesky
			if c, err = FactorCholesky(context.Background(), shifted.Clone()); err == nil {
				c.Solve(dre)
				_, err = c.Refine(context.Background(), Stored{shifted}, Known{}, f, dre, nil, 5)
			}
		} else {
			var d *Shifted
			if d, err = FactorShifted(context.Background(), k.Clone(), s.Imag); err == nil {
				d.Solve(dre, dim)
				_, err = d.Refine(context.Background(), Stored{k}, f, dre, dim, nil, 5)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for c := range 3 {
			size := columnNorm(c, dre, dim)
			for i := range n {
				dre.Row(i)[c] -= wre.At(i, c)
				dim.Row(i)[c] -= wim.At(i, c)
			}
			if e := columnNorm(c, dre, dim) / size; !(e <= 8*unit) {
				t.Errorf("shift %v: column %d differs by %.3g u", s, c, e/unit)
			}
		}
	}
	noisy := k.Clone()
	for i := range n {
		for j := range i {
			v := noisy.At(i, j) + 1e-3*f.At(i, 0)*f.At(j, 1)*float64((i*j)%7-3)
			noisy.Set(i, j, v)
			noisy.Set(j, i, v)
		}
	}
	s := Shift{Imag: 1e-2}
	r := must.Get(Lanczos(context.Background(), noisy, f, []Shift{s}, everything))(t)
	if r.Complete() || r.Refinable(s) {
		t.Errorf("with noise: %d vectors, refinable: %v", r.Size(), r.Refinable(s))
	}
}

// Where the limit does not allow the steps, the matrix is as before.
func TestLanczosGivesUp(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 150
	}
	k := withSpectrum(newRand(1), spectrum(n, func(i int) float64 { return 1 / float64(1+i) }))
	f := randomMatrix(newRand(2), n, 3)
	shifts := []Shift{{Imag: 1e-6}}
	for _, limit := range []LanczosLimit{{}, {Cost: math.Inf(1), Vectors: 40}, {Cost: float64(n * n * 1000), Vectors: n}} {
		a, whole := spread(k)
		_, err := Lanczos(context.Background(), a, f, shifts, limit)
		if slow, ok := errors.AsType[*NotConvergedError](err); !ok || slow.Order != n || slow.Sweeps < 1 || slow.Sweeps > 20 {
			t.Errorf("limit %v: %v", limit, err)
		}
		matrixtest.SameBits(t, "after giving up", a, k)
		mustStaySpread(t, a, whole)
		a = k.Clone()
		must.Refuse[*NotConvergedError](Lanczos(context.Background(), a, f, shifts, limit))(t, fmt.Sprintf("limit %v", limit))
		matrixtest.SameBits(t, "after giving up", a, k)
	}
}

// The chosen method: below lanczosOrder the band, above by what the residuals say.
func TestReduceChooses(t *testing.T) {
	if testing.Short() {
		t.Skip("reduces matrices of order 1100")
	}
	ctx := context.Background()
	n := lanczosOrder + 100
	f := randomMatrix(newRand(2), n, 3)
	Orthonormalize(f)
	low := randomGram(newRand(1), n, 9)
	r, err := Reduce(ctx, low.Clone(), f, imaginaryShifts[2:])
	if err != nil || r.Complete() {
		t.Errorf("rank 9: complete, %v", err)
	}
	checkSolutions(t, "rank 9", low, f, r, imaginaryShifts[2:])
	high := randomGram(newRand(1), n, n)
	r, err = Reduce(ctx, high.Clone(), f, []Shift{{Imag: 1e-2}})
	if err != nil || !r.Complete() {
		t.Errorf("full rank: not complete, %v", err)
	}
	if r, err := Reduce(ctx, low.Clone(), f, []Shift{{Imag: 10}, {Imag: 1e-6}}); err != nil || !r.Complete() {
		t.Errorf("rank 9 and a shift near rounding: not complete, %v", err)
	}
	checkSolutions(t, "full rank", high, f, r, imaginaryShifts)
	var out *ShiftError
	for _, s := range []Shift{{}, {Imag: 1e300}, {Imag: -1}, {Real: 1e-300}, {Imag: math.NaN()}, {Real: 1, Imag: -1}} {
		if _, _, _, err := r.Solve(s, r.Start()); !errors.As(err, &out) {
			t.Errorf("shift %v: %v", s, err)
		}
	}
	small := randomGram(newRand(1), 50, 2)
	if r, err := Reduce(ctx, small, f.View(0, 0, 50, 3), imaginaryShifts); err != nil || !r.Complete() {
		t.Errorf("order 50: not complete, %v", err)
	}
}

func TestReductionErrors(t *testing.T) {
	k, f := randomGram(newRand(1), 20, 5), randomMatrix(newRand(2), 20, 2)
	ctx := context.Background()
	methods := map[string]func(k, f *matrix.Dense) error{
		"Lanczos": func(k, f *matrix.Dense) error { _, err := Lanczos(ctx, k, f, imaginaryShifts, everything); return err },
		"Reduce":  func(k, f *matrix.Dense) error { _, err := Reduce(ctx, k, f, nil); return err },
	}
	for name, method := range methods {
		bad := k.Clone()
		bad.Set(7, 3, math.NaN())
		var notFinite *matrix.NotFiniteError
		if err := method(bad, f); !errors.As(err, &notFinite) || notFinite.Row != 7 || notFinite.Col != 3 {
			t.Errorf("%s, NaN: %v", name, err)
		}
		bad = f.Clone()
		bad.Set(7, 1, math.Inf(1))
		if err := method(k.Clone(), bad); !errors.As(err, &notFinite) || notFinite.Row != 7 || notFinite.Col != 1 {
			t.Errorf("%s, infinite right-hand side: %v", name, err)
		}
		must.Fail[*ShiftError](t, fmt.Sprintf("%s, large", name), method(scaled(k, 1e200), f))
		for what, call := range map[string]func(){
			"not square": func() { _ = method(f, f) },
			"rows":       func() { _ = method(k, f.View(0, 0, 5, 2)) },
			"no columns": func() { _ = method(k, f.View(0, 0, 20, 0)) },
		} {
			must.Panic(t, fmt.Sprintf("%s, %s", name, what), call)
		}
	}
}

// Reductions and solutions have the same bits with every instruction set, and on
// every platform: hashes, recorded once.
func TestReductionBits(t *testing.T) { asmtest.EachTier(t, reductionBits) }

func reductionBits(t *testing.T) {
	const n = 75
	k := matrix.SymRankK(nil, uniformMatrix(1, n, 30), matrix.NoTrans)
	f := uniformMatrix(2, n, 3)
	shift := Shift{Imag: 0.3}
	for name, want := range map[string]string{"Lanczos": "d87404a381eac144", "band": "1c6160e1e83f1331"} {
		r := reductions(t, k, f, []Shift{shift})[name]
		re, im, backward, err := r.Solve(shift, r.Start())
		if err != nil {
			t.Fatal(err)
		}
		must.Equal(t, fmt.Sprintf("%s: hash", name), hashOf(r.start.Data, r.t.a, r.Vectors(re).Data, r.Vectors(im).Data, r.Coordinates(f).Data, []float64{backward, float64(r.Size())}), want)
	}
}

// And for any number of workers.
func TestReductionBitsForAnyWorkers(t *testing.T) {
	n := 330
	if testing.Short() {
		n = 150
	}
	defer func(former float64) { sharedWork = former }(sharedWork)
	sharedWork = 1
	defer block.SetWorkers(block.SetWorkers(0))
	k := matrix.SymRankK(nil, uniformMatrix(1, n, n/2), matrix.NoTrans)
	f := uniformMatrix(2, n, 5)
	var want string
	counts := []int{1, 2, 3, 5}
	if testing.Short() {
		counts = []int{1, 3}
	}
	for _, workers := range counts {
		block.SetWorkers(workers)
		got := ""
		for _, name := range []string{"Lanczos", "band"} {
			r := reductions(t, k, f, []Shift{{Imag: 1}})[name]
			got += hashOf(r.start.Data, r.t.a, r.Vectors(r.Coordinates(f)).Data)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers: hash %s, with one %s", workers, got, want)
		}
	}
}
