package f64

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/isa"
)

// TestDot2 compares every shape up to past two kernels in both directions with
// plain loops, with sums, rows and columns that end or begin at a guard page.
func TestDot2(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		const most, widest, longest = 10, 24, 35
		as, bs := asmtest.NewGuarded(t, most*(longest+3)), asmtest.NewGuarded(t, longest*widest)
		ss, cs := asmtest.NewGuarded(t, most*widest), asmtest.NewGuarded(t, most*widest)
		for rows := range most {
			for width := 0; width <= widest; width += 4 {
				for _, k := range []int{0, 1, 2, 3, 8, 17, longest} {
					lda := k + r.IntN(3)
					a, b := as.Back(max(0, (rows-1)*lda+k)), bs.Back(k*width)
					s, c := ss.Back(rows*width), cs.Back(rows*width)
					if k%2 == 0 {
						a, b, s, c = as.Front(len(a)), bs.Front(len(b)), ss.Front(len(s)), cs.Front(len(c))
					}
					for _, x := range [][]float64{a, b, s, c} {
						asmtest.Fill(r, x)
					}
					checkDot2(t, s, c, a, lda, rows, b, width, k)
				}
			}
		}
	})
}

// TestDot2Long is beyond a stretch.
func TestDot2Long(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		const rows, width, k = 5, 12, dot2Steps + 3
		a, b := make([]float64, rows*k), make([]float64, k*width)
		asmtest.Fill(r, a)
		asmtest.Fill(r, b)
		checkDot2(t, make([]float64, rows*width), make([]float64, rows*width), a, k, rows, b, width, k)
	})
}

// TestDot2Special has products that underflow and overflow, zeros of both signs,
// infinities and NaN.
func TestDot2Special(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-1074, -0x1p-1074, 0x1p-600, -0x1p-500, 0x1p600, -0x1p500,
		1e308, -1e308, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 3, 1.0 / 3}
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		const rows, width, k = 5, 20, 6
		for turn := range 2000 {
			kinds := len(special)
			if turn%2 == 0 {
				kinds = 10 // nothing that overflows
			}
			a, b := make([]float64, rows*k), make([]float64, k*width)
			for _, x := range [][]float64{a, b} {
				for i := range x {
					x[i] = special[r.IntN(kinds)]
				}
			}
			checkDot2(t, make([]float64, rows*width), make([]float64, rows*width), a, k, rows, b, width, k)
		}
	})
}

// checkDot2 runs Dot2 and compares with its definition.
func checkDot2(t *testing.T, s, c, a []float64, lda, rows int, b []float64, width, k int) {
	t.Helper()
	wantS, wantC := append([]float64(nil), s...), append([]float64(nil), c...)
	for i := range rows {
		for j := range width {
			at := i*width + j
			for l := range k {
				x, y, s := a[i*lda+l], b[l*width+j], wantS[at]
				p := float64(x * y)
				e := math.FMA(x, y, -p)
				t := s + p
				z := t - s
				wantC[at] += ((s - (t - z)) + (p - z)) + e
				wantS[at] = t
			}
		}
	}
	Dot2(s, c, a, lda, rows, b, width, k)
	for what, pair := range map[string][2][]float64{"sum": {s, wantS}, "error": {c, wantC}} {
		if at := asmtest.Diff(pair[0], pair[1]); at >= 0 {
			t.Fatalf("%d×%d of %d terms, rows %d apart: %s (%d, %d) is %v, want %v",
				rows, width, k, lda, what, at/width, at%width, pair[0][at], pair[1][at])
		}
	}
}

// TestDot2Accuracy compares sums that cancel with exact ones: the error of s + c is
// at most u|xᵀy| + n²u²|x|ᵀ|y| (Ogita, Rump & Oishi, proposition 5.5).
func TestDot2Accuracy(t *testing.T) {
	const n, u = 200, 0x1p-53
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		x, y := make([]float64, n), make([]float64, 4*n)
		for l := range n {
			x[l], y[4*l] = math.Ldexp(r.NormFloat64(), r.IntN(40)), r.NormFloat64()
			if l%2 == 1 { // nearly the former term, negated
				x[l], y[4*l] = -x[l-1], math.Nextafter(y[4*l-4], 0)
			}
		}
		exact, size := new(big.Float).SetPrec(2000), 0.0
		for l := range n {
			exact.Add(exact, new(big.Float).SetPrec(200).Mul(big.NewFloat(x[l]), big.NewFloat(y[4*l])))
			size += math.Abs(float64(x[l] * y[4*l]))
		}
		var s, c [4]float64
		Dot2(s[:], c[:], x, n, 1, y, 4, n)
		difference, _ := new(big.Float).SetPrec(2000).Sub(exact, big.NewFloat(s[0]+c[0])).Float64()
		want, _ := exact.Float64()
		if bound := u*math.Abs(want) + n*n*u*u*size; math.Abs(difference) > bound {
			t.Errorf("error %g of %g, bound %g", difference, want, bound)
		}
	})
}

func TestDot2Refuses(t *testing.T) {
	x := make([]float64, 100)
	for i, call := range []func(){
		func() { Dot2(x, x, x, 10, 2, x, 6, 10) },
		func() { Dot2(x, x, x, 10, 2, x, 12, 10) },
		func() { Dot2(x, x, x, 95, 2, x, 4, 10) },
		func() { Dot2(x[:7], x, x, 10, 2, x, 4, 10) },
		func() { Dot2(x, x[:7], x, 10, 2, x, 4, 10) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("call %d: no panic", i)
				}
			}()
			call()
		}()
	}
}

// BenchmarkDot2 measures a term of a sum, per tier.
func BenchmarkDot2(b *testing.B) {
	const rows, k = 8, 1000
	for _, tier := range isa.Available() {
		for _, width := range []int{4, 8, 20} {
			b.Run(fmt.Sprintf("%v/width=%d", tier, width), func(b *testing.B) {
				defer isa.Override(tier)()
				x, y := make([]float64, rows*k), make([]float64, k*width)
				s, c := make([]float64, rows*width), make([]float64, rows*width)
				for b.Loop() {
					Dot2(s, c, x, k, rows, y, width, k)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows*k*width), "ns/term")
			})
		}
	}
}
