package gram

import (
	"math"
	"math/big"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// exactCentred returns the rows of k centred by the training matrix train, in
// rational arithmetic, rounded once.
func exactCentred(k, train *matrix.Dense) *matrix.Dense {
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	n := train.Rows
	over := big.NewRat(1, int64(n))
	mean := func(row []float64) *big.Rat {
		s := new(big.Rat)
		for _, v := range row {
			s.Add(s, rat(v))
		}
		return s.Mul(s, over)
	}
	means := make([]*big.Rat, n)
	grand := new(big.Rat)
	for i := range n {
		means[i] = mean(train.Row(i))
		grand.Add(grand, means[i])
	}
	grand.Mul(grand, over)
	out := matrix.New(k.Rows, n)
	for i := range k.Rows {
		own := mean(k.Row(i))
		for j := range n {
			v := rat(k.At(i, j))
			v.Sub(v, own)
			v.Sub(v, means[j])
			v.Add(v, grand)
			f, _ := v.Float64()
			out.Set(i, j, f)
		}
	}
	return out
}

// A large constant part of the entries costs only their own rounding: the
// error is a few u of the centred entries' scale, the spread of K.
func TestCentringIsAccurate(t *testing.T) {
	for _, offset := range []float64{0, 1, 1e4, -1e8, 1e12} {
		x := random(16, 20, 3, false)
		e := must.Get(NewEvaluator(RBF{0.3}, x))(t)
		k, cross := must.Get(e.Matrix(nil))(t), must.Get(e.Cross(nil, random(17, 7, 3, false)))(t)
		for _, m := range []*matrix.Dense{k, cross} {
			for i := range m.Data {
				m.Data[i] += offset
			}
		}
		c := NewCentring(k)
		centred := c.Matrix(nil, k)
		// Entries of K are within 1 of each other: five roundings and two means of 20 terms.
		within(t, "K", centred, exactCentred(k, k), 20*0x1p-53)
		within(t, "new rows", c.Cross(nil, cross), exactCentred(cross, k), 20*0x1p-53)
		matrixtest.SameBits(t, "transpose", matrix.Transpose(nil, centred), centred)
		matrixtest.SameBits(t, "training rows as new rows", c.Cross(nil, k), centred)
		for i := range centred.Rows {
			if s := matrix.Sum(centred.Row(i)); math.Abs(s) > 20*20*0x1p-53 {
				t.Errorf("offset %g: row %d sums to %g", offset, i, s)
			}
		}
		inPlace := k.Clone()
		c.Matrix(inPlace, inPlace)
		matrixtest.SameBits(t, "in place", inPlace, centred)
		inPlace.CopyFrom(k)
		seen := matrix.New(k.Rows, k.Cols)
		also := CentreInPlace(inPlace, matrix.RowMeans(nil, k), func(i int, row []float64) { copy(seen.Row(i), row) })
		matrixtest.SameBits(t, "known means", inPlace, centred)
		matrixtest.SameBits(t, "rows handed on", seen, centred)
		if also.Shift != c.Shift || also.Mean != c.Mean {
			t.Errorf("offset %g: shift and mean %g, %g, want %g, %g", offset, also.Shift, also.Mean, c.Shift, c.Mean)
		}
		c.Cross(cross, cross)
	}
}
