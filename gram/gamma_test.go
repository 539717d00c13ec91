package gram

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

func isParameterError(err error) bool {
	var e *ParameterError
	return errors.As(err, &e)
}

func TestGammaFromSigma(t *testing.T) {
	for sigma, want := range map[float64]float64{1: 0.5, 2: 0.125, 0.5: 2, 0x1p-500: 0x1p999, 0x1p500: 0x1p-1001} {
		must.Equal(t, fmt.Sprintf("sigma %v", sigma), must.Get(GammaFromSigma(sigma))(t), want)
	}
	for _, sigma := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-200, 1e200} {
		if _, err := GammaFromSigma(sigma); !isParameterError(err) {
			t.Errorf("sigma %v: %v", sigma, err)
		}
	}
}

func TestGammaScale(t *testing.T) {
	x := random(12, 40, 3, false)
	mean, variance := 0.0, 0.0
	for i := range 40 {
		for _, v := range x.Row(i) {
			mean += v / 120
		}
	}
	for i := range 40 {
		for _, v := range x.Row(i) {
			variance += (v - mean) * (v - mean) / 120
		}
	}
	gamma := must.Get(GammaScale(x))(t)
	if want := 1 / (3 * variance); math.Abs(gamma-want) > 1e-14*want {
		t.Errorf("gamma %v, want %v", gamma, want)
	}
	if compact := must.Get(GammaScale(x.Clone()))(t); compact != gamma {
		t.Errorf("the stride changes gamma: %v, %v", compact, gamma)
	}
	// A power of two scales gamma exactly, at any size of the entries.
	for _, e := range []int{-500, -300, 300, 500} {
		y := x.Clone()
		for i := range y.Data {
			y.Data[i] = math.Ldexp(y.Data[i], e)
		}
		must.Equal(t, fmt.Sprintf("times 2^%d", e), must.Get(GammaScale(y))(t), math.Ldexp(gamma, -2*e))
	}

	constant := matrix.New(10, 1)
	for i := range constant.Data {
		constant.Data[i] = 0.1
	}
	for name, bad := range map[string]*matrix.Dense{
		"constant": constant, "empty": matrix.New(0, 3), "no columns": matrix.New(3, 0),
		"one entry": matrix.New(1, 1), "spread overflows": matrixtest.Rows([]float64{1e308, -1e308}),
		"gamma overflows": matrixtest.Rows([]float64{0, 1e-200}), "gamma underflows": matrixtest.Rows([]float64{0, 1e170}),
		"subnormal": matrixtest.Rows([]float64{0, 5e-324}),
	} {
		if got, err := GammaScale(bad); !isParameterError(err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	constant.Set(3, 0, math.NaN())
	var notFinite *matrix.NotFiniteError
	if _, err := GammaScale(constant); !errors.As(err, &notFinite) || notFinite.Row != 3 {
		t.Errorf("NaN: %v", err)
	}
}

func TestGammaMedian(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 30, 71} {
		x := random(13, n, 2, false)
		var distances []float64
		squared := squares(x, x)
		for i := range n {
			for j := range i {
				distances = append(distances, math.Sqrt(squared.At(i, j)))
			}
		}
		slices.Sort(distances)
		median := distances[(len(distances)-1)/2]
		if n == 2 && median == 0 {
			continue
		}
		got := must.Get(GammaMedian(x, 1))(t)
		if want := 1 / (2 * median * median); math.Abs(got-want) > 8*0x1p-53*want {
			t.Errorf("n = %d: %v, want %v", n, got, want)
		}
		if other := must.Get(GammaMedian(x, 2))(t); other != got {
			t.Errorf("n = %d: the seed matters", n)
		}
	}
	// Distances 1, 1, 2: the median is 1. With 0, 0, 1, …: zeros count.
	if got := must.Get(GammaMedian(matrixtest.Rows([]float64{0}, []float64{1}, []float64{2}), 0))(t); got != 0.5 {
		t.Errorf("0, 1, 2: %v", got)
	}
	for name, bad := range map[string]*matrix.Dense{
		"no rows": matrix.New(0, 2), "one row": matrix.New(1, 2), "equal rows": matrix.New(5, 2),
		"mostly equal": matrixtest.Rows([]float64{1}, []float64{1}, []float64{1}, []float64{2}),
		"overflow":     matrixtest.Rows([]float64{-1e200}, []float64{1e200}),
	} {
		if got, err := GammaMedian(bad, 0); !isParameterError(err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Above 2000 rows the median is that of a sample: reproducible, and near that of
// all rows.
func TestGammaMedianOfASample(t *testing.T) {
	if testing.Short() {
		t.Skip("short mode: two million distances, four times")
	}
	x := random(14, 2500, 2, false)
	first, again, other := must.Get(GammaMedian(x, 1))(t), must.Get(GammaMedian(x, 1))(t), must.Get(GammaMedian(x, 2))(t)
	if first != again || first == other {
		t.Errorf("seeds 1, 1, 2: %v, %v, %v", first, again, other)
	}
	if math.Abs(first-other) > 0.1*first {
		t.Errorf("samples give %v and %v", first, other)
	}
}

func TestSmallest(t *testing.T) {
	x := random(15, 1, 101, true).Row(0)
	x[3], x[9] = math.Inf(1), 5e-324
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	for k, want := range sorted {
		must.Equal(t, fmt.Sprintf("rank %d", k), smallest(x, k), want)
	}
}

// The first numbers of SplitMix64 for seed 1234567, as published with the
// generator, and the properties of a sample.
func TestSplitMix(t *testing.T) {
	s := splitmix.Random(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.Next(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	for range 1000 {
		if v := s.Below(3); v < 0 || v > 2 {
			t.Fatalf("below(3) = %d", v)
		}
	}
	counts := make([]int, 10)
	for range 3000 {
		sample := randomSample(&s, 10, 3)
		for i, v := range sample {
			counts[v]++
			if slices.Contains(sample[:i], v) {
				t.Fatalf("drawn twice: %v", sample)
			}
		}
	}
	// 3000 draws with probability 0.3: 900 ± 25 (one standard deviation).
	for v, c := range counts {
		if c < 775 || c > 1025 {
			t.Errorf("%d was drawn %d times of 3000", v, c)
		}
	}
}

// What differs only by rounding gives no γ, and what differs by more does.
func TestGammaOfRounding(t *testing.T) {
	for _, size := range []float64{1e-300, 0.1, 1, 1e16, 1e300} {
		x := matrix.New(9, 2)
		for i := range x.Data {
			x.Data[i] = size
		}
		for i := range 9 {
			x.Set(i, i%2, math.Nextafter(size, 0))
		}
		var parameter *ParameterError
		if gamma, err := GammaScale(x); !errors.As(err, &parameter) || !strings.Contains(err.Error(), "up to rounding") {
			t.Errorf("%v: scale: γ = %v of rounding (%v)", size, gamma, err)
		}
		if gamma, err := GammaMedian(x, 1); !errors.As(err, &parameter) || size < 1e100 && !strings.Contains(err.Error(), "up to rounding") {
			t.Errorf("%v: median: γ = %v of rounding (%v)", size, gamma, err)
		}
		if size < 1e-100 || size > 1e100 {
			continue // γ is out of range
		}
		for i := range 9 {
			x.Set(i, 0, size+float64(float64(i)*1e-9*size))
		}
		if _, err := GammaScale(x); err != nil {
			t.Errorf("%v: scale: %v", size, err)
		}
		if _, err := GammaMedian(x, 1); err != nil {
			t.Errorf("%v: median: %v", size, err)
		}
	}
}
