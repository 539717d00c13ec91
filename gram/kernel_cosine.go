package gram

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
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

func (Cosine) Validate() error                                    { return nil }
func (Cosine) validate(int) error                                 { return nil }
func (k Cosine) resolve(*matrix.Dense, []float64) (Kernel, error) { return k, nil }

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
		pairs(f64.Product, tile{r.norms[i:], 1, 1, 1}, r.x, i, r.x, i)
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

func (Cosine) op() f64.Op { return f64.Product }

func (Cosine) apply(values []float64, a rows, i int, b rows, j int) {
	f64.Cosine(values, a.norms[i], b.norms[j:])
}

func (k Cosine) String() string { return toString(k) }
func (Cosine) write(w *writer)  { w.open("cosine"); w.close() }
