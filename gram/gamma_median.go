package gram

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// medianRows is the number of rows above which GammaMedian takes a sample.
const medianRows = 2000

// GammaMedian returns γ = 1/(2·med²), with med the median of the distances
// ‖xᵢ−xⱼ‖ of all pairs i < j, zeros among them; of an even number of pairs, the
// lower of the two in the middle.
//
// Above 2000 rows it is the median of 2000 of them, drawn without replacement
// by a Fisher–Yates shuffle with the SplitMix64 generator of that seed, so equal
// seeds give equal γ everywhere; below, the seed has no effect. Time grows
// with n²·d up to 2000 rows, memory is at most 16 MB.
//
// It returns a *matrix.NotFiniteError for a feature that is not finite, and a
// *ParameterError for fewer than two rows and where γ is not a positive finite
// number, as when most of the distances are at most n·u·‖X‖_F, u = 2⁻⁵³: 0 up to rounding.
func GammaMedian(x *matrix.Dense, seed uint64) (float64, error) {
	misuse.NotNil("gram: GammaMedian", "x", x)
	if err := matrix.CheckFinite(x); err != nil {
		return 0, err
	}
	if x.Rows < 2 {
		return 0, noGamma("the median distance needs at least two rows")
	}
	if x.Rows > medianRows {
		rng := splitmix.Random(seed)
		sample := matrix.New(medianRows, x.Cols)
		for i, r := range randomSample(&rng, x.Rows, medianRows) {
			copy(sample.Row(i), x.Row(r))
		}
		x = sample
	}
	n := x.Rows
	squares := pages.Floats(n * (n - 1) / 2)[:0]
	d := make([]float64, min(n, side)*n)
	for i := 0; i < n; i += side {
		some := min(side, n-i)
		pairs(f64.SquaredDistance, tile{d, n, some, i + some}, x, i, x, 0)
		for r := range some {
			squares = append(squares, d[r*n:r*n+i+r]...)
		}
	}
	// The median of the squares is the square of the median.
	median := smallest(squares, (len(squares)-1)/2)
	if math.Sqrt(median) <= rounding(x, nil) {
		return 0, noGamma("most rows are equal, up to rounding; give an explicit gamma or scale the features")
	}
	gamma := 0.5 / median
	if !positiveFinite(gamma) || gamma < leastDecay {
		return 0, noGamma("1/(2·median²) is not a positive finite number: the distances over- or underflow")
	}
	return gamma, nil
}

// smallest returns the element of rank k, from 0, of numbers ≥ 0, whose order
// is that of their bits: it finds 16 bits at a time by counting.
func smallest(v []float64, k int) float64 {
	var prefix uint64 // the bits above shift+16 of the answer
	count := make([]int, 1<<16)
	for shift := 48; shift >= 0; shift -= 16 {
		clear(count)
		for _, x := range v {
			if b := math.Float64bits(x) >> shift; b>>16 == prefix {
				count[b&0xffff]++
			}
		}
		digit := 0
		for k >= count[digit] {
			k -= count[digit]
			digit++
		}
		prefix = prefix<<16 | uint64(digit)
	}
	return math.Float64frombits(prefix)
}
