package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Source gives the rows of a symmetric matrix that is not stored. It must give
// the same bits whenever and in whatever groups it is asked for them.
type Source interface {
	// Order returns the number of rows and columns.
	Order() int
	// Rows fills dst, of Order() columns, with the full rows i0 … i0+dst.Rows-1.
	Rows(dst *matrix.Dense, i0 int)
}

// residualTile is the size, in numbers, of the tiles of K that Residual asks
// for: 2 MB.
const residualTile = 1 << 18

// Residual computes R = F − (K − iσI)W for a real n×r matrix F and W = wre +
// i·wim, in doubled precision, into rre + i·rim. K comes from src in tiles of
// rows. Each part of each entry is one compensated chain whose products and sums
// keep their rounding errors (Ogita, Rump & Oishi, "Accurate sum and dot
// product", SIAM J. Sci. Comput. 26, 2005, algorithm Dot2), so that R is as good
// as if computed with twice the digits and rounded once:
//
//	s = F[i] (imaginary part: +0), c = +0;  k ↑: add −K[i,k]·W[k]
//	last: add −σ·Im W[i] (imaginary part: +σ·Re W[i]);  R[i] = s + c
//	add a·b:  p = fl(a·b);  e = FMA(a, b, −p);  t = s + p;  z = t − s
//	          c += ((s − (t − z)) + (p − z)) + e;  s = t
//
// Cost: 22n²r operations and the rows of K.
func Residual(rre, rim *matrix.Dense, src Source, sigma float64, f, wre, wim *matrix.Dense) {
	residual(context.Background(), rre, rim, src, sigma, f, wre, wim)
}

// residual is Residual with a context, which is asked before each tile.
func residual(ctx context.Context, rre, rim *matrix.Dense, src Source, sigma float64, f, wre, wim *matrix.Dense) error {
	n, r := src.Order(), f.Cols
	mustBe("Residual", "right-hand side", f, n, r)
	mustBe("Residual", "real part of the solution", wre, n, r)
	mustBe("Residual", "imaginary part of the solution", wim, n, r)
	mustBe("Residual", "real part of the residual", rre, n, r)
	mustBe("Residual", "imaginary part of the residual", rim, n, r)
	d := newDot2(n, wre, wim)
	return eachTile(ctx, src, func(i int, row []float64) {
		d.start(f.Row(i))
		d.subProducts(row)
		re, im := wre.Row(i), wim.Row(i)
		for c := range r {
			d.add(c, -sigma, im[c])
			d.add(r+c, sigma, re[c])
			rre.Row(i)[c], rim.Row(i)[c] = d.sum(c), d.sum(r+c)
		}
	})
}

// realResidual computes R = F − AW in doubled precision, entry by entry as the
// real part of [Residual] without a shift.
func realResidual(ctx context.Context, r *matrix.Dense, src Source, f, w *matrix.Dense) error {
	n := src.Order()
	mustBe("Refine", "right-hand side", f, n, f.Cols)
	mustBe("Refine", "solution", w, n, f.Cols)
	d := newDot2(n, w)
	return eachTile(ctx, src, func(i int, row []float64) {
		d.start(f.Row(i))
		d.subProducts(row)
		for c := range f.Cols {
			r.Row(i)[c] = d.sum(c)
		}
	})
}

// eachTile calls use with every row of the matrix in turn, made in tiles; the
// context is asked before each tile.
func eachTile(ctx context.Context, src Source, use func(i int, row []float64)) error {
	n := src.Order()
	if n == 0 {
		return nil
	}
	tile := matrix.New(min(n, max(1, residualTile/n)), n)
	for i0 := 0; i0 < n; i0 += tile.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := tile.View(0, 0, min(tile.Rows, n-i0), n)
		src.Rows(k, i0)
		for i := range k.Rows {
			use(i0+i, k.Row(i))
		}
	}
	return nil
}

// dot2 holds, for each of a number of columns, a sum s and the sum c of the
// rounding errors made in it.
type dot2 struct {
	n    int
	w    []float64 // the columns in groups of four: row k of group g at (g·n + k)·4
	s, c []float64
}

// newDot2 packs the columns of the n-row matrices one after the other.
func newDot2(n int, parts ...*matrix.Dense) *dot2 {
	cols := 0
	for _, a := range parts {
		cols += a.Cols
	}
	groups := (cols + 3) / 4
	d := &dot2{n: n, w: make([]float64, 4*n*groups), s: make([]float64, 4*groups), c: make([]float64, 4*groups)}
	at := 0
	for _, a := range parts {
		for j := range a.Cols {
			for k := range n {
				d.w[(at/4*n+k)*4+at%4] = a.Data[k*a.Stride+j]
			}
			at++
		}
	}
	return d
}

// start begins the sums with f, and with +0 for the columns that f does not have.
func (d *dot2) start(f []float64) {
	clear(d.s[copy(d.s, f):])
	clear(d.c)
}

// sum returns the sum of column j, rounded once.
func (d *dot2) sum(j int) float64 { return d.s[j] + d.c[j] }

// add adds a·b to the sum of column j.
func (d *dot2) add(j int, a, b float64) { d.s[j], d.c[j] = addDot2(d.s[j], d.c[j], a, b) }

// subProducts subtracts from every sum the products of k with its column.
func (d *dot2) subProducts(k []float64) {
	for g := 0; g < len(d.s); g += 4 {
		subDot2((*[4]float64)(d.s[g:]), (*[4]float64)(d.c[g:]), k, d.w[g*d.n:(g+4)*d.n])
	}
}

// subDot2 subtracts the products of k with the four columns of w.
func subDot2(s, c *[4]float64, k, w []float64) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
	for t, v := range k {
		x := (*[4]float64)(w[4*t:])
		s0, c0 = addDot2(s0, c0, -v, x[0])
		s1, c1 = addDot2(s1, c1, -v, x[1])
		s2, c2 = addDot2(s2, c2, -v, x[2])
		s3, c3 = addDot2(s3, c3, -v, x[3])
	}
	*s, *c = [4]float64{s0, s1, s2, s3}, [4]float64{c0, c1, c2, c3}
}

// addDot2 adds a·b to s and the rounding errors of the product and of the sum to
// c.
func addDot2(s, c, a, b float64) (float64, float64) {
	p := float64(a * b)
	e := math.FMA(a, b, -p)
	t := s + p
	z := t - s
	return t, c + (((s - (t - z)) + (p - z)) + e)
}
