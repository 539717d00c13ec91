package gram

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Cosine is k(x, y) = x·y/(‖x‖‖y‖), from −1 to 1: exactly 1 for equal rows, and
// 0 where a row is all zeros.
//
// It is computed as x·y/√(x·x × y·y), each product one chain of fused
// multiply-adds: √ of a rounded square is exact, hence the 1. A row whose
// largest magnitude is outside of [2⁻²⁴⁰, 2²⁴⁰] is first scaled by a power of
// two, so no size of features over- or underflows.
type Cosine struct{}

func (Cosine) Validate() error                         { return nil }
func (Cosine) validate(int) error                      { return nil }
func (k Cosine) resolve(*matrix.Dense) (Kernel, error) { return k, nil }

func (Cosine) rows(x *matrix.Dense) (rows, error) {
	r := rows{x: x, norms: make([]float64, x.Rows)}
	for i := range x.Rows {
		if e := cosineExponent(x.Row(i)); e != 0 {
			if r.x == x {
				r.x = x.Clone()
			}
			row := r.x.Row(i)
			for k, v := range row {
				row[k] = math.Ldexp(v, -e)
			}
		}
		dots(tile{r.norms[i:], 1, 1, 1}, r.x, i, r.x, i)
	}
	return r, nil
}

// cosineExponent returns the e for which a row is to be scaled by 2^-e.
func cosineExponent(row []float64) int {
	largest := 0.0
	for _, v := range row {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 || largest >= 0x1p-240 && largest <= 0x1p240 {
		return 0
	}
	_, e := math.Frexp(largest)
	return e
}

func (Cosine) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	dots(dst, a.x, i0, b.x, j0)
	for i := range dst.rows {
		row := dst.row(i)
		for j, dot := range row {
			squares := float64(a.norms[i0+i] * b.norms[j0+j])
			if squares == 0 {
				row[j] = 0
				continue
			}
			// Rounding may lead just out of the range.
			row[j] = math.Max(-1, math.Min(dot/math.Sqrt(squares), 1))
		}
	}
}

func (k Cosine) String() string { return toString(k) }
func (Cosine) write(w *writer)  { w.open("cosine"); w.close() }
