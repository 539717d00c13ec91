package fuzz

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Factor, solve and refine K − iσI, against the real system of twice the order and, for
// few rows, against (K + iσI)(K² + σ²I)⁻¹ in 500 bits.
func FuzzShifted(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size()
		k := in.symmetric(n)
		in.workers(t)
		sigma := in.sigma(k.Dense)
		a := in.place(k.Dense).hideUpper()
		s, err := solve.FactorShifted(background, a.Dense, sigma)
		a.checkOutside(t, "FactorShifted")
		if mustNameBad(t, "FactorShifted", err, k.Dense, true) {
			return
		}
		var shift *solve.ShiftError
		isShift := errors.As(err, &shift)
		if !(sigma >= 0x1p-500 && sigma <= 0x1p500) || matrix.MaxAbs(k.Dense) > 0x1p500 {
			if !isShift || !alike(shift.Sigma, sigma) {
				t.Fatalf("FactorShifted: error %v, want a *ShiftError for σ = %g", err, sigma)
			}
			return
		}
		want := textbook.Shifted(k.Dense, sigma)
		if err != nil {
			if !isShift || k.kind.definite && k.plain {
				t.Fatalf("FactorShifted: %v", err)
			}
			return
		}
		if !want.Finite() {
			t.Fatal("FactorShifted: no error, and the factors are not finite")
		}
		for i := range n {
			for j := range i + 1 {
				re, im := want.D[i].Re, 0.0
				if j < i {
					re, im = want.L[i][j].Re, want.L[i][j].Im
				}
				if !sameBits(a.At(i, j), re) || j < i && !sameBits(a.At(j, i), im) {
					t.Fatalf("L(%d, %d) is (%x, %x), want (%x, %x)", i, j, a.At(i, j), a.At(j, i), re, im)
				}
			}
		}
		norm := matrix.NormFrobenius(k.Dense)
		mustBeFinite(t, "Growth", []float64{s.Growth()})
		order := float64(n)
		definite := k.kind.definite && k.plain && sigma >= 4*order*u*norm
		if definite {
			// Below 3 where K is definite (Higham 1998); rounding has made the
			// smallest eigenvalues no less than −n·u·‖K‖, a quarter of σ.
			mustBeBelow(t, "growth", s.Growth(), 4)
		}

		b := in.dense(n, in.below(4))
		re, im := in.place(b), in.place(matrix.New(n, b.Cols))
		s.Solve(re.Dense, im.Dense)
		re.checkOutside(t, "Shifted.Solve")
		im.checkOutside(t, "Shifted.Solve")
		textRe, textIm := b.Clone(), matrix.New(n, b.Cols)
		want.Solve(textRe, textIm)
		mustBeAlike(t, "Shifted.Solve, real part", re.Dense, textRe)
		mustBeAlike(t, "Shifted.Solve, imaginary part", im.Dense, textIm)

		rhs := in.place(b)
		most := in.below(6)
		refined, err := s.Refine(background, solve.Stored{A: k.Dense}, rhs.Dense, re.Dense, im.Dense, nil, most)
		re.checkOutside(t, "Shifted.Refine")
		im.checkOutside(t, "Shifted.Refine")
		mustBeAlike(t, "Shifted.Refine: the right-hand side", rhs.Dense, b)
		if mustNameBad(t, "Shifted.Refine", err, b, false) {
			return
		}
		system, x, sides, before := realSystem(k.Dense, sigma), below(re.Dense, im.Dense), below(b, matrix.New(n, b.Cols)), below(textRe, textIm)
		if err != nil {
			if _, lost := firstBad(before, false); !lost && s.Growth() < 1e12 {
				t.Fatalf("Shifted.Refine loses a finite solution: %v", err)
			}
			if _, ok := errors.AsType[*matrix.NotFiniteError](err); !ok {
				t.Fatalf("Shifted.Refine: %v", err)
			}
			return
		}
		if bad, found := firstBad(x, false); found {
			t.Fatalf("Shifted.Refine: without an error, %v", &bad)
		}
		mustBeFinite(t, "Shifted.Refine", []float64{refined.Backward})
		if b.Cols == 0 || n == 0 || vanishing(x, sides) || vanishing(b, b) || norm < 0x1p-900 || math.IsInf(norm, 1) {
			return
		}
		// ‖K‖_F in the definition, not that of the real system, which is √2 of that
		// and of σ√n.
		size := matrix.NormFrobenius(system) / norm
		if math.IsInf(size, 1) {
			return
		}
		measured := backward(system, x, sides)
		rounding := 0.0 // of refined solutions, for which it is a bound
		if refined.Steps > 0 {
			rounding = u
		}
		if !(refined.Backward >= 0.99*measured-4*order*order*u*u && refined.Backward <= 1.01*size*measured+4*order*order*u*u*size+rounding) {
			t.Fatalf("Refine reports the backward error %g, of the real system it is %g", refined.Backward, measured)
		}
		// ‖ΔA‖ ≤ 4n²u·growth times the largest element in each element of the factors,
		// and as much for the solve; in norm that is n times as much.
		mustBeBelow(t, "the backward error without refinement", backward(system, before, sides), 8*order*order*order*u*s.Growth())
		if definite {
			mustBeBelow(t, "the backward error without refinement, definite", backward(system, before, sides), 8*(order+8)*u)
		}
		if refined.Steps > 0 && refined.Steps < most && refined.Forward < 0.01 {
			// The rounding of W makes u/2 in each element, the last correction no
			// more than as much; norms in the definition as above.
			mustBeBelow(t, "the backward error after refinement", measured, 2*u)
		}
		if n <= 8 && refined.Steps > 0 && refined.Steps < most {
			checkForward(t, k.Dense, sigma, b, re.Dense, im.Dense, refined)
		}
	})
}

// sigma returns a shift near the size of the matrix, or anything.
func (in *input) sigma(k *matrix.Dense) float64 {
	switch b := in.signed(); {
	case b == -128:
		return special[in.below(len(special))]
	case b < -100:
		return math.Ldexp(1, in.exponent())
	default:
		return math.Ldexp(1, exponentOf(k)+b/2)
	}
}

// realSystem returns [K σI; −σI K].
func realSystem(k *matrix.Dense, sigma float64) *matrix.Dense {
	n := k.Rows
	a := matrix.New(2*n, 2*n)
	a.View(0, 0, n, n).CopyFrom(k)
	a.View(n, n, n, n).CopyFrom(k)
	for i := range n {
		a.Set(i, n+i, sigma)
		a.Set(n+i, i, -sigma)
	}
	return a
}

// below returns a above b.
func below(a, b *matrix.Dense) *matrix.Dense {
	c := matrix.New(a.Rows+b.Rows, a.Cols)
	c.View(0, 0, a.Rows, a.Cols).CopyFrom(a)
	c.View(a.Rows, 0, b.Rows, b.Cols).CopyFrom(b)
	return c
}

// checkForward compares with W = (K + iσI)y, (K² + σ²I)y = F.
func checkForward(t *testing.T, k *matrix.Dense, sigma float64, b, re, im *matrix.Dense, refined solve.Refinement) {
	t.Helper()
	const big = bigref.Default
	kb := big.FromDense(k)
	normal := big.MatMul(kb, kb)
	shift := big.Mul(big.Of(sigma), big.Of(sigma))
	for i := range normal {
		normal[i][i] = big.Add(normal[i][i], shift)
	}
	l, err := big.Cholesky(normal)
	if err != nil {
		return // K² loses σ² in 500 bits
	}
	for c := range b.Cols {
		y := big.CholeskySolve(l, big.FromDense(b).Col(c))
		want := append(big.MulVec(kb, y), big.Scale(big.Of(sigma), y)...)
		got := make([]float64, 0, 2*k.Rows)
		for _, part := range []*matrix.Dense{re, im} {
			for i := range part.Rows {
				got = append(got, part.At(i, c))
			}
		}
		mustBeBelow(t, "the forward error of a refined solution", big.ColError(got, want), refined.Forward)
	}
}
