package matrix_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The eight partial sums, written once more in the order that Sum documents.
func refLanes(n int, add func(s float64, i int) float64) float64 {
	var s [8]float64
	for i := range n {
		s[i%8] = add(s[i%8], i)
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func TestSumsFollowTheirLanes(t *testing.T) {
	rng := generator(7)
	for n := range 70 {
		for off := range 8 {
			x, y := random(rng, 1, n+off).Data[off:], random(rng, 1, n+off).Data[off:]
			want := refLanes(n, func(s float64, i int) float64 { return s + x[i] })
			if got := matrix.Sum(x); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("Sum of %d: %v, want %v", n, got, want)
			}
			want = refLanes(n, func(s float64, i int) float64 { return math.FMA(x[i], y[i], s) })
			if got := matrix.Dot(x, y); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("Dot of %d: %v, want %v", n, got, want)
			}
			want = refLanes(n, func(s float64, i int) float64 { return math.FMA(x[i], x[i], s) })
			if got := matrix.SumSquares(x); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("SumSquares of %d: %v, want %v", n, got, want)
			}
		}
	}
}

// The norm is right to a few units in the last place wherever the squares lie.
func TestNormFrobenius(t *testing.T) {
	rng := generator(8)
	for _, e := range []int{-1074, -1060, -1022, -600, -511, 0, 511, 600, 1000, 1010} {
		a := padCopy(random(rng, 7, 9), 2)
		for i := range a.Rows {
			for j := range a.Cols {
				a.Set(i, j, math.Ldexp(a.At(i, j), e))
			}
		}
		sum := new(big.Float).SetPrec(300)
		for i := range a.Rows {
			for _, v := range a.Row(i) {
				f := new(big.Float).SetPrec(300).SetFloat64(v)
				sum.Add(sum, f.Mul(f, f))
			}
		}
		want, _ := sum.Sqrt(sum).Float64()
		got := matrix.NormFrobenius(a.Dense)
		// 63 squares and additions in eight lanes, and for subnormal results half a unit of 2^-1074.
		if math.Abs(got-want) > 8*0x1p-53*want+0x1p-1074 {
			t.Errorf("entries of about 2^%d: %v, want %v", e, got, want)
		}
	}
	inf := matrix.New(2, 2)
	inf.Set(1, 0, math.Inf(-1))
	if got := matrix.NormFrobenius(inf); !math.IsInf(got, 1) {
		t.Errorf("norm with an infinity: %v", got)
	}
	inf.Set(1, 0, math.NaN())
	if got := matrix.NormFrobenius(inf); !math.IsNaN(got) {
		t.Errorf("norm with a NaN: %v", got)
	}
	if got := matrix.NormFrobenius(matrix.New(3, 0)); got != 0 {
		t.Errorf("norm of nothing: %v", got)
	}
}

func TestMaxAbs(t *testing.T) {
	a := padCopy(random(generator(9), 5, 6), 4)
	a.Set(4, 2, -1e9)
	if got := matrix.MaxAbs(a.Dense); got != 1e9 {
		t.Errorf("MaxAbs = %v", got)
	}
	if got := matrix.MaxAbs(matrix.New(0, 3)); got != 0 {
		t.Errorf("MaxAbs of nothing = %v", got)
	}
	a.Set(0, 0, math.NaN())
	if got := matrix.MaxAbs(a.Dense); !math.IsNaN(got) {
		t.Errorf("MaxAbs with a NaN = %v", got)
	}
}

func TestMeans(t *testing.T) {
	rng := generator(10)
	for _, s := range [][2]int{{1, 1}, {3, 5}, {8, 64}, {17, 65}, {30, 130}} {
		a := padCopy(random(rng, s[0], s[1]), 3)
		for i, got := range matrix.RowMeans(nil, a.Dense) {
			must.Equal(t, fmt.Sprintf("%v: mean of row %d", s, i), got, matrix.Sum(a.Row(i))/float64(s[1]))
		}
	}
	if got := matrix.RowMeans(nil, matrix.New(1, 0)); !math.IsNaN(got[0]) {
		t.Errorf("mean of no columns: %v", got)
	}
}
