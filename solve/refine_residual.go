package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Source gives the rows of a symmetric matrix that is not stored. It must give
// the same bits whenever and in whatever groups they are requested, also by
// several goroutines at the same time.
type Source interface {
	// Order returns the number of rows and columns.
	Order() int
	// Rows fills dst, of Order() columns, with the full rows i0 … i0+dst.Rows-1.
	Rows(dst *matrix.Dense, i0 int)
}

// Stored is a matrix in memory as a [Source].
type Stored struct{ A *matrix.Dense }

// Order returns the number of rows.
func (s Stored) Order() int {
	misuse.NotNil("solve: Stored.Order", "A", s.A)
	return s.A.Rows
}

// Rows copies rows i0, i0+1, … to dst.
func (s Stored) Rows(dst *matrix.Dense, i0 int) {
	misuse.NotNil("solve: Stored.Rows", "dst", dst, "A", s.A)
	dst.CopyFrom(s.A.View(i0, 0, dst.Rows, s.A.Cols))
}

// shiftedResidual computes R = F − (K − iσI)W in doubled precision, of real and
// imaginary parts. K comes from src in tiles of rows. The products KW are sums whose
// leading bits are extracted at an anchor of fixed last place and whose rest is summed
// apart (as in Rump, Ogita & Oishi, "Accurate floating-point summation I", SIAM J. Sci.
// Comput. 31, 2008); what is added to them keeps its rounding errors. So R is as good as if computed with twice the digits and
// rounded once. Where nothing leaves the range of float64, each part has an error of
// at most u·|R[i]| + 8(n + n²)u²·max_k|K[i,k]|·Σ_k|W[k]|, with the same part of W, and some
// u² of F[i] and σW[i]:
//
//	2^e > 2·max_k|K[i,k]|·Σ_k|W[k]|,  A = 1.5·2^e,  s = A, c = +0
//	k ↑:  t = FMA(K[i,k], W[k], s);  c += FMA(K[i,k], W[k], −(t − s));  s = t
//	h = s − A;  (KW)[i] = h + c
//	s = F[i] (imaginary part: +0), d = +0;  add −1·h, −σ·Im W[i] (imaginary part: +σ·Re W[i])
//	R[i] = s + (d − c)
//	add a·b:  p = fl(a·b);  e = FMA(a, b, −p);  t = s + p;  z = t − s
//	          d += ((s − (t − z)) + (p − z)) + e;  s = t
//
// For the exponent e, those of max and Σ are added; it is at least −960 and at most 1022.
// Cost: 4n²r operations and the rows of K.
//
// The parts of f, which may lack an imaginary one, may be those of r. The context is checked
// before each tile. Where kw is not nil it is set to K·Re W, rounded from doubled precision.
func shiftedResidual(ctx context.Context, s *scratch, r []*matrix.Dense, src Source, sigma float64, f, w []*matrix.Dense, kw *matrix.Dense) error {
	cols := f[0].Cols
	return doubledProducts(ctx, s, src, src.Order(), w, func(i int, high, low []float64) {
		re, im := w[0].Row(i), w[1].Row(i)
		for j, v := range f[0].Row(i) {
			s, c := f64.AddProduct(v, 0, -1, high[j])
			s, c = f64.AddProduct(s, c, -sigma, im[j])
			r[0].Row(i)[j] = s + (c - low[j])
			v = 0
			if len(f) == 2 {
				v = f[1].Row(i)[j]
			}
			s, c = f64.AddProduct(v, 0, -1, high[cols+j])
			s, c = f64.AddProduct(s, c, sigma, re[j])
			r[1].Row(i)[j] = s + (c - low[cols+j])
		}
		if kw != nil {
			for j := range kw.Cols {
				kw.Row(i)[j] = high[j] + low[j]
			}
		}
	})
}

// realResidual computes R = F − AW in doubled precision, entry by entry as the
// real part of [shiftedResidual] without a shift. Where kw is not nil it is set to (A − shift·I)W,
// rounded from doubled precision.
func realResidual(ctx context.Context, s *scratch, r *matrix.Dense, src Source, f, w *matrix.Dense, shift float64, kw *matrix.Dense) error {
	n := src.Order()
	mustBe("Refine", "right-hand side", f, n, f.Cols)
	mustBe("Refine", "solution", w, n, f.Cols)
	return doubledProducts(ctx, s, src, src.Order(), []*matrix.Dense{w}, func(i int, high, low []float64) {
		for j, v := range f.Row(i) {
			s, c := f64.AddProduct(v, 0, -1, high[j])
			r.Row(i)[j] = s + (c - low[j])
		}
		if kw != nil {
			for j, v := range w.Row(i) {
				s, c := f64.AddProduct(high[j], low[j], -shift, v)
				kw.Row(i)[j] = s + c
			}
		}
	})
}

// ShiftedResidual returns the real and the imaginary part of R = F − (K − iσI)W for the real
// n×r matrix F, as [shiftedResidual] says, and K·Re W, rounded from doubled precision. A
// cancelled context returns its error. Cost: 4n²r operations and the rows of K.
func ShiftedResidual(ctx context.Context, src Source, sigma float64, f, wre, wim *matrix.Dense) (rre, rim, kre *matrix.Dense, err error) {
	misuse.NotNil("solve: ShiftedResidual", "ctx", ctx, "src", src, "f", f, "wre", wre, "wim", wim)
	mustBe("ShiftedResidual", "F", f, src.Order(), f.Cols)
	mustBe("ShiftedResidual", "Re W", wre, src.Order(), f.Cols)
	mustBe("ShiftedResidual", "Im W", wim, src.Order(), f.Cols)
	rre, rim, kre = matrix.New(f.Rows, f.Cols), matrix.New(f.Rows, f.Cols), matrix.New(f.Rows, f.Cols)
	err = shiftedResidual(ctx, nil, []*matrix.Dense{rre, rim}, src, sigma, []*matrix.Dense{f}, []*matrix.Dense{wre, wim}, kre)
	return rre, rim, kre, err
}

// Product returns AW for the n×r matrix W, in doubled precision as in [shiftedResidual],
// rounded once; A comes from src. A cancelled context returns its error. Cost: 2n²r
// operations and the rows of A.
func Product(ctx context.Context, src Source, w *matrix.Dense) (*matrix.Dense, error) {
	misuse.NotNil("solve: Product", "ctx", ctx, "src", src, "w", w)
	mustBe("Product", "W", w, src.Order(), w.Cols)
	p := matrix.New(w.Rows, w.Cols)
	err := doubledProducts(ctx, nil, src, src.Order(), []*matrix.Dense{w}, func(i int, high, low []float64) {
		for j := range w.Cols {
			p.Row(i)[j] = high[j] + low[j]
		}
	})
	return p, err
}
