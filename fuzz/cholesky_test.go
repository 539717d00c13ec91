package fuzz

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

var background = context.Background()

// Factor, solve, refine, and the diagonal of the inverse.
func FuzzCholesky(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size()
		a := in.symmetric(n)
		in.workers(t)
		l := in.place(a.Dense).hideUpper()
		before := l.Clone()
		c, err := solve.FactorCholesky(background, l.Dense)
		l.checkOutside(t, "FactorCholesky")
		l.checkUpperHidden(t, "FactorCholesky")
		if mustNameBad(t, "FactorCholesky", err, a.Dense, true) {
			mustBeAlike(t, "a refused matrix", l.Dense, before)
			return
		}
		want, pivot, value := textbook.Cholesky(a.Dense)
		if pivot >= 0 {
			if e, ok := errors.AsType[*solve.NotPositiveDefiniteError](err); !ok || e.Pivot != pivot || !alike(e.Value, value) {
				t.Fatalf("FactorCholesky: error %v, want a refusal at pivot %d of value %g", err, pivot, value)
			}
			checkRefusal(t, a, pivot)
			return
		}
		if err != nil {
			t.Fatalf("FactorCholesky: %v, and the textbook factors the matrix", err)
		}
		for i := range n {
			mustBeFinite(t, "L", l.Row(i)[:i+1])
			for j := range i + 1 {
				if !sameBits(l.At(i, j), want.At(i, j)) {
					t.Fatalf("L(%d, %d) is %x, want %x", i, j, l.At(i, j), want.At(i, j))
				}
			}
		}
		checkFactor(t, a.Dense, l.Dense)
		checkInverseDiagonal(t, a, l.Dense, c)

		b := in.dense(n, in.below(5))
		x := in.place(b)
		c.Solve(x.Dense)
		x.checkOutside(t, "Cholesky.Solve")
		solution := b.Clone()
		textbook.SolveLower(want, solution, false)
		textbook.SolveLower(want, solution, true)
		mustBeAlike(t, "Cholesky.Solve", x.Dense, solution)

		rhs := in.place(b)
		most := in.below(6)
		refined, err := c.Refine(background, solve.Stored{A: a.Dense}, solve.Known{}, rhs.Dense, x.Dense, nil, most)
		x.checkOutside(t, "Cholesky.Refine")
		mustBeAlike(t, "Cholesky.Refine: the right-hand side", rhs.Dense, b)
		if mustNameBad(t, "Cholesky.Refine", err, b, false) {
			return
		}
		// Elimination alone has ‖ΔA‖_F ≤ (3n+1)u‖|L||Lᵀ|‖_F ≤ (3n+1)u·tr A ≤
		// (3n+1)√n·u‖A‖_F (Higham, Accuracy and Stability, theorem 10.4).
		plain := 0.0
		if a.plain {
			plain = (3*float64(n) + 2) * math.Sqrt(float64(n)) * u
		}
		checkRefined(t, refined, err, a.Dense, x.Dense, b, solution, plain, most)
	})
}

// checkRefusal fails where a matrix was refused that is safely definite: with H = A
// scaled to a unit diagonal, factorization succeeds if λ_min(H) > n·γ_(n+1) (Demmel
// 1989). λ_min comes from the Jacobi method, with an error of 30n·u·‖H‖ at most.
func checkRefusal(t *testing.T, a symmetric, pivot int) {
	t.Helper()
	k := pivot + 1
	if !a.plain {
		return // elements may vanish or overflow on the way
	}
	for i := range k {
		if !(a.At(i, i) > 0) {
			return
		}
	}
	h := filled(k, func(i, j int) float64 { return a.At(i, j) / math.Sqrt(a.At(i, i)) / math.Sqrt(a.At(j, j)) })
	values, _ := must.Get2(solve.Jacobi(h))(t)
	order := float64(k)
	mustBeBelow(t, "the smallest eigenvalue of a refused matrix, scaled", values[k-1], order*(order+2)*u+30*order*u*order)
}

// checkFactor checks |A − LLᵀ| ≤ γ_(n+1)|L||Lᵀ|, element by element (Higham, Accuracy
// and Stability, theorem 10.3), with what underflows besides: less than 2⁻¹⁰⁷⁴ in each
// product, and that times a diagonal element of L in each division.
func checkFactor(t *testing.T, a, l *matrix.Dense) {
	t.Helper()
	n := a.Rows
	half := 0 // L·2^half, so that no sum of products overflows
	if exponentOf(a) > 900 {
		half = -50
	}
	for i := range n {
		for j := range i + 1 {
			s := sum{value: math.Ldexp(a.At(i, j), 2*half)}
			size := 0.0
			for k := range j + 1 {
				x, y := math.Ldexp(l.At(i, k), half), math.Ldexp(l.At(j, k), half)
				s.add(-x, y)
				size += math.Abs(x) * math.Abs(y)
			}
			bound := float64(n+2)*u*size + float64(n+2)*0x1p-1074*(2+math.Abs(l.At(j, j)))
			if r := math.Abs(s.total()); !(r <= bound) {
				t.Fatalf("n = %d: (A − LLᵀ)(%d, %d) is %.3g, want at most %.3g", n, i, j, r, bound)
			}
		}
	}
}

// checkInverseDiagonal compares with solutions for the columns of I.
func checkInverseDiagonal(t *testing.T, a symmetric, l *matrix.Dense, c *solve.Cholesky) {
	t.Helper()
	n := a.Rows
	d, err := c.InverseDiagonal(background)
	if err != nil {
		var e *solve.RangeError
		least := math.Inf(1)
		for i := range n {
			least = min(least, l.At(i, i))
		}
		if !errors.As(err, &e) || a.plain && least > 0x1p-400 {
			t.Fatalf("InverseDiagonal: %v", err)
		}
		return
	}
	mustBeFinite(t, "InverseDiagonal", d)
	if !a.plain || n == 0 || n > 41 {
		return
	}
	x := filled(n, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] })
	c.Solve(x)
	inverse := matrix.MaxAbs(x)
	cond := inverse * matrix.NormFrobenius(a.Dense)
	for i, v := range d {
		// Both have errors of a small multiple of n·u·cond(A).
		if !(math.Abs(v-x.At(i, i)) <= 8*float64(n)*u*cond*inverse) || !(v >= 0) {
			t.Fatalf("InverseDiagonal: element %d is %g, that of the inverse %g, condition %.2g", i, v, x.At(i, i), cond)
		}
	}
}

// checkRefined checks what Refine says of the solution x of AX = B, given that before.
// plain bounds the backward error of the solution before, unless it is 0.
func checkRefined(t *testing.T, r solve.Refinement, err error, a, x, b, before *matrix.Dense, plain float64, most int) {
	t.Helper()
	_, lost := firstBad(before, false)
	if err != nil {
		// A solution beyond the range of float64 is refused, nothing else.
		if !mustNameBad(t, "Refine", err, x, false) {
			t.Fatalf("Refine: %v", err)
		}
		if !lost && plain > 0 {
			t.Fatalf("Refine loses a finite solution: %v", err)
		}
		return
	}
	mustBeFinite(t, "Refine", []float64{r.Backward})
	if bad, found := firstBad(x, false); found {
		t.Fatalf("Refine: without an error, %v", &bad)
	}
	if !(r.Forward >= u) || r.Steps > most {
		t.Fatalf("Refine: %+v of at most %d steps", r, most)
	}
	if plain == 0 || x.Cols == 0 || vanishing(x, b) || vanishing(b, b) {
		return
	}
	measured := backward(a, x, b)
	// Refine's residual has a relative error of u, and of the terms cancelled n²u².
	n := float64(a.Rows)
	if !(measured <= (1+1e-9)*r.Backward+4*n*n*u*u) || r.Steps == 0 && !(r.Backward <= (1+1e-9)*measured+4*n*n*u*u) {
		t.Fatalf("Refine reports the backward error %g after %d steps, it is %g", r.Backward, r.Steps, measured)
	}
	mustBeBelow(t, "the backward error of the solution that Refine began with", backward(a, before, b), plain)
	if r.Steps > 0 && r.Steps < most && r.Forward < 0.01 {
		// Converged: the rounding of X makes u/2 in each element, the last
		// correction no more than as much.
		mustBeBelow(t, "the backward error after refinement", r.Backward, 2*u)
	}
}

// vanishing reports whether a column of x has no element that is well above the
// subnormal numbers, so that its digits are lost, unless that of b is 0.
func vanishing(x, b *matrix.Dense) bool {
	largest := func(a *matrix.Dense, c int) float64 { return matrix.MaxAbs(a.View(0, c, a.Rows, 1)) }
	for c := range x.Cols {
		if largest(x, c) < 0x1p-900 && largest(b, c) > 0 {
			return true
		}
	}
	return false
}
