package fisher

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// The contrasts are orthonormal and orthogonal to the constant vector, and
// (KQ)(KQ)ᵀ is the between-class scatter of the definition.
func TestContrasts(t *testing.T) {
	for _, codes := range [][]int{
		{0, 1}, {0, 0, 0, 1}, {0, 1, 2}, {2, 1, 0, 2, 2, 1}, {0, 1, 2, 3, 4, 5, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 3},
	} {
		c := 0
		for _, j := range codes {
			c = max(c, j+1)
		}
		counts := NewClasses(codes, c, nil).Counts
		q := contrasts(NewClasses(codes, len(counts), nil), false)
		n := len(codes)
		for a := range q.Cols {
			sum := 0.0
			for i := range n {
				sum += q.At(i, a)
			}
			if math.Abs(sum) > 4*float64(n)*u { // n roundings of entries below 1
				t.Errorf("%v: column %d sums to %g", codes, a, sum)
			}
			for b := range q.Cols {
				dot, want := 0.0, 0.0
				if a == b {
					want = 1
				}
				for i := range n {
					dot += q.At(i, a) * q.At(i, b)
				}
				if math.Abs(dot-want) > 4*float64(n)*u {
					t.Errorf("%v: columns %d and %d have the product %g", codes, a, b, dot)
				}
			}
		}
		k := matrix.New(n, n)
		for i := range n {
			for j := range i + 1 {
				v := 1 / float64(i+j+1)
				k.Set(i, j, v)
				k.Set(j, i, v)
			}
		}
		kq := matrix.Mul(nil, k, matrix.NoTrans, q, matrix.NoTrans)
		for i := range n {
			for j := range n {
				want := betweenScatter(k, codes, counts, i, j)
				got := 0.0
				for a := range kq.Cols {
					got += kq.At(i, a) * kq.At(j, a)
				}
				if math.Abs(got-want) > 16*float64(n)*u {
					t.Errorf("%v: M[%d][%d] = %g, want %g", codes, i, j, got, want)
				}
			}
		}
	}
}

// betweenScatter is Σⱼ lⱼ(Mⱼ − M*)(Mⱼ − M*)ᵀ at (i, k), as it is defined.
func betweenScatter(k *matrix.Dense, codes, counts []int, a, b int) float64 {
	n := len(codes)
	means := func(i int) (perClass []float64, all float64) {
		perClass = make([]float64, len(counts))
		for m, j := range codes {
			perClass[j] += k.At(i, m) / float64(counts[j])
			all += k.At(i, m) / float64(n)
		}
		return
	}
	ma, alla := means(a)
	mb, allb := means(b)
	s := 0.0
	for j, l := range counts {
		s += float64(l) * (ma[j] - alla) * (mb[j] - allb)
	}
	return s
}
