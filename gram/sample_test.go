package gram

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// sampleOf returns the sample of numbered rows (number, −number).
func sampleOf(t *testing.T, size int, seed uint64, numbers []uint64) *Sample {
	s := NewSample(size, seed)
	row := make([]float64, 2)
	for _, i := range numbers {
		row[0], row[1] = float64(i), -float64(i)
		must.Do(t, s.Add(i, row))
	}
	return s
}

// TestSample compares the sample with the smallest of all hashes, in any order and parts.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 50, 3000} {
		numbers := make([]uint64, n)
		for i := range numbers {
			numbers[i] = uint64(i)
		}
		for _, seed := range []uint64{0, 1, math.MaxUint64} {
			hash := func(i uint64) uint64 {
				random := splitmix.Random(seed)
				key := splitmix.Random(random.Next())
				for range i {
					key.Next()
				}
				return key.Next()
			}
			hashes := make([]uint64, n)
			for i := range hashes {
				hashes[i] = hash(uint64(i))
			}
			want := slices.Clone(numbers)
			slices.SortFunc(want, func(a, b uint64) int { return cmp.Compare(hashes[a], hashes[b]) })
			want = slices.Clone(want[:min(n, 50)])
			slices.Sort(want)
			rows := matrix.New(len(want), 2*min(1, n))
			for r, i := range want {
				rows.Set(r, 0, float64(i))
				rows.Set(r, 1, -float64(i))
			}
			for range 5 {
				rng.Shuffle(n, func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
				whole := NewSample(50, seed)
				for lo, hi := 0, 0; lo < n; lo = hi { // parts that overlap
					hi = min(n, lo+1+rng.IntN(n))
					must.Do(t, whole.Merge(sampleOf(t, 50, seed, numbers[max(0, lo-10):hi])))
				}
				x, got := whole.Rows()
				must.EqualSlices(t, "numbers", got, want)
				matrixtest.SameBits(t, "rows", x, rows)
			}
			slices.Sort(numbers)
		}
	}
}

// Every set of rows is drawn with equal probability.
func TestSampleUniform(t *testing.T) {
	const seeds, n, size = 4000, 6, 3
	count := make(map[[size]uint64]float64)
	for seed := range uint64(seeds) {
		_, numbers := sampleOf(t, size, seed, []uint64{0, 1, 2, 3, 4, 5}).Rows()
		count[[size]uint64(numbers)]++
	}
	chi2 := 0.0
	for _, c := range count {
		chi2 += (c - seeds/20.) * (c - seeds/20.) / (seeds / 20.)
	}
	if len(count) != 20 || chi2 > 43.8 { // 19 degrees of freedom, probability 0.001
		t.Errorf("%d of 20 sets, χ² = %v", len(count), chi2)
	}
}

func TestSampleErrors(t *testing.T) {
	s := NewSample(2, 1)
	must.Do(t, s.Add(5, []float64{1, 2}))
	ragged := must.Refuse[*matrix.RaggedError](0, s.Add(6, []float64{1}))(t, "a short row")
	must.Equal(t, "row", ragged.Row, 6)
	other := NewSample(2, 1)
	must.Do(t, other.Add(7, []float64{1}))
	must.Refuse[*matrix.RaggedError](0, s.Merge(other))(t, "a sample of shorter rows")
	must.Panic(t, "another seed", func() { s.Merge(NewSample(2, 2)) })
	must.Panic(t, "another size", func() { s.Merge(NewSample(3, 1)) })
	must.Panic(t, "a zero sample", func() { new(Sample).Add(0, nil) })
	must.Panic(t, "no rows", func() { NewSample(0, 1) })
}
