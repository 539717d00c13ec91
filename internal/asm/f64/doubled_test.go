package f64

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
)

// TestDoubled compares all numbers of columns up to past two kernels with plain loops,
// with sums and factors that end or begin at a guard page.
func TestDoubled(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		const widest, longest = 12, 35
		as, bs := asmtest.NewGuarded(t, longest*(DoubledRows+3)), asmtest.NewGuarded(t, longest*(widest+3))
		ss, cs := asmtest.NewGuarded(t, DoubledRows*widest), asmtest.NewGuarded(t, DoubledRows*widest)
		for cols := range widest + 1 {
			for _, k := range []int{0, 1, 2, 3, 8, 17, longest} {
				lda, ldb := DoubledRows+r.IntN(3), cols+r.IntN(3)
				a, b := as.Back(max(0, (k-1)*lda+DoubledRows)), bs.Back(max(0, (k-1)*ldb+cols))
				s, c := ss.Back(cols*DoubledRows), cs.Back(cols*DoubledRows)
				if k%2 == 0 {
					a, b, s, c = as.Front(len(a)), bs.Front(len(b)), ss.Front(len(s)), cs.Front(len(c))
				}
				for _, x := range [][]float64{a, b, s, c} {
					asmtest.Fill(r, x)
				}
				checkDoubled(t, s, c, a, lda, b, ldb, cols, k)
			}
		}
	})
}

// TestDoubledLong is beyond what one call of a kernel does.
func TestDoubledLong(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		const cols, k = 3, doubledSteps + 3
		a, b := make([]float64, DoubledRows*k), make([]float64, k*cols)
		asmtest.Fill(r, a)
		asmtest.Fill(r, b)
		checkDoubled(t, make([]float64, DoubledRows*cols), make([]float64, DoubledRows*cols), a, DoubledRows, b, cols, cols, k)
	})
}

// TestDoubledSpecial has products that underflow and overflow, zeros of both signs,
// infinities and NaN, and sums that begin at an anchor, or at zero.
func TestDoubledSpecial(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-1074, -0x1p-1074, 0x1p-600, -0x1p-500, 0x1p600, -0x1p500,
		1e308, -1e308, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 3, 1.0 / 3}
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		const cols, k = 7, 6
		for turn := range 2000 {
			kinds := len(special)
			if turn%2 == 0 {
				kinds = 10 // nothing that overflows
			}
			a, b := make([]float64, DoubledRows*k), make([]float64, k*cols)
			for _, x := range [][]float64{a, b} {
				for i := range x {
					x[i] = special[r.IntN(kinds)]
				}
			}
			s := make([]float64, DoubledRows*cols)
			for i := range s {
				s[i] = 1.5 * float64(turn%3)
			}
			checkDoubled(t, s, make([]float64, DoubledRows*cols), a, DoubledRows, b, cols, cols, k)
		}
	})
}

// checkDoubled runs Doubled and compares with its definition.
func checkDoubled(t *testing.T, s, c, a []float64, lda int, b []float64, ldb, cols, k int) {
	t.Helper()
	wantS, wantC := append([]float64(nil), s...), append([]float64(nil), c...)
	for i := range DoubledRows {
		for j := range cols {
			at := j*DoubledRows + i
			for l := range k {
				x, y, s := a[l*lda+i], b[l*ldb+j], wantS[at]
				t := math.FMA(x, y, s)
				z := t - s
				wantC[at] += math.FMA(x, y, -z)
				wantS[at] = t
			}
		}
	}
	Doubled(s, c, a, lda, b, ldb, cols, k)
	for what, pair := range map[string][2][]float64{"sum": {s, wantS}, "remainder": {c, wantC}} {
		if at := asmtest.Diff(pair[0], pair[1]); at >= 0 {
			t.Fatalf("%d columns of %d terms, %d and %d apart: %s (%d, %d) is %v, want %v",
				cols, k, lda, ldb, what, at%DoubledRows, at/DoubledRows, pair[0][at], pair[1][at])
		}
	}
}

// TestDoubledAccuracy compares sums that cancel with exact ones. With the bound B =
// max|x|·Σ|y| the last place of the anchor is at most 2⁻⁵²·8B, a remainder at most half
// of that. n remainders are rounded, and n sums of them of up to n remainders, with u:
// an error of at most (n + n²)·u·2⁻⁵⁰B = 8(n + n²)u²B, and u of the result for the sum
// of both parts.
func TestDoubledAccuracy(t *testing.T) {
	const n, u = 200, 0x1p-53
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		x, y := make([]float64, n*DoubledRows), make([]float64, n)
		largest, total := 0.0, 0.0
		for l := range n {
			x[l*DoubledRows], y[l] = math.Ldexp(r.NormFloat64(), r.IntN(40)), r.NormFloat64()
			if l%2 == 1 { // nearly the former term, negated
				x[l*DoubledRows], y[l] = -x[(l-1)*DoubledRows], math.Nextafter(y[l-1], 0)
			}
			largest, total = max(largest, math.Abs(x[l*DoubledRows])), total+math.Abs(y[l])
		}
		exact := new(big.Float).SetPrec(2000)
		for l := range n {
			exact.Add(exact, new(big.Float).SetPrec(200).Mul(big.NewFloat(x[l*DoubledRows]), big.NewFloat(y[l])))
		}
		anchor := Anchor(largest, total)
		var s, c [DoubledRows]float64
		s[0] = anchor
		Doubled(s[:], c[:], x, DoubledRows, y, 1, 1, n)
		difference, _ := new(big.Float).SetPrec(2000).Sub(exact, big.NewFloat((s[0]-anchor)+c[0])).Float64()
		want, _ := exact.Float64()
		if bound := u*math.Abs(want) + 8*(n+n*n)*u*u*float64(largest*total); math.Abs(difference) > bound {
			t.Errorf("error %g of %g, bound %g", difference, want, bound)
		}
	})
}

// TestAnchor holds that no partial sum leaves the binade of the anchor, and that there
// is one for all factors.
func TestAnchor(t *testing.T) {
	for _, largest := range []float64{1, 1.5, math.Nextafter(2, 0), 0x1p-200, 0x1p300} {
		for _, total := range []float64{1, 1.75, math.Nextafter(4, 0), 0x1p-100, 0x1p400} {
			anchor := Anchor(largest, total)
			low := math.Ldexp(anchor, -1) / 1.5 * 2
			if bound := float64(largest * total); !(anchor-bound >= low && anchor+bound <= float64(2*low)) {
				t.Errorf("%g and %g: anchor %g", largest, total, anchor)
			}
		}
	}
	for _, c := range [][2]float64{{0, 0}, {0, 1}, {0x1p-1074, 0x1p-1074}, {math.MaxFloat64, math.MaxFloat64}, {math.Inf(1), 1}, {math.NaN(), 1}} {
		if a := Anchor(c[0], c[1]); !(a >= 0x1p-1000 && a < math.Inf(1)) {
			t.Errorf("%g and %g: anchor %g", c[0], c[1], a)
		}
	}
}

func TestDoubledRefuses(t *testing.T) {
	x := make([]float64, 160)
	for i, call := range []func(){
		func() { Doubled(x, x, x, 16, x, 1, 2, 10) },
		func() { Doubled(x, x, x, 15, x, 2, 2, 10) },
		func() { Doubled(x, x, x[:159], 16, x, 2, 2, 10) },
		func() { Doubled(x, x, x, 16, x[:18], 2, 1, 11) },
		func() { Doubled(x[:31], x, x, 16, x, 2, 2, 10) },
		func() { Doubled(x, x[:31], x, 16, x, 2, 2, 10) },
	} {
		must.Panic(t, fmt.Sprintf("call %d", i), call)
	}
}
