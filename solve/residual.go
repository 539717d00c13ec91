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
	w := packColumns(n, wre, wim)
	return eachRow(ctx, src, len(w), func(i int, row []float64, d *dot2) {
		d.start(f.Row(i))
		d.subProducts(row, w)
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
	p := packColumns(n, w)
	return eachRow(ctx, src, len(p), func(i int, row []float64, d *dot2) {
		d.start(f.Row(i))
		d.subProducts(row, p)
		for c := range f.Cols {
			r.Row(i)[c] = d.sum(c)
		}
	})
}

// rowsInTask is the number of rows in a task of a residual.
const rowsInTask = 8

// eachRow calls use with every row of the matrix and sums for four columns a
// group. Rows are made in tiles; the context is asked before each tile.
func eachRow(ctx context.Context, src Source, groups int, use func(i int, row []float64, d *dot2)) error {
	n := src.Order()
	if n == 0 {
		return nil
	}
	team := newTeam(8, n, n, groups)
	defer team.Close()
	tile := matrix.New(min(n, max(1, residualTile/n)), n)
	for i0 := 0; i0 < n; i0 += tile.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := tile.View(0, 0, min(tile.Rows, n-i0), n)
		src.Rows(k, i0)
		team.Do((k.Rows+rowsInTask-1)/rowsInTask, func(task int) {
			d := newDot2(groups)
			for i := task * rowsInTask; i < min((task+1)*rowsInTask, k.Rows); i++ {
				use(i0+i, k.Row(i), d)
			}
		})
	}
	return nil
}

// packColumns returns the columns of the n-row matrices, one after the other, in
// groups of four: row k of group g is w[g][4k : 4k+4]. Places without a column
// hold zeros.
func packColumns(n int, parts ...*matrix.Dense) (w [][]float64) {
	at := 0
	for _, a := range parts {
		for j := range a.Cols {
			if at%4 == 0 {
				w = append(w, make([]float64, 4*n))
			}
			group := w[at/4]
			for k := range n {
				group[4*k+at%4] = a.Data[k*a.Stride+j]
			}
			at++
		}
	}
	return w
}

// dot2 holds, for each of a number of columns, a sum s and the sum c of the
// rounding errors made in it.
type dot2 struct{ s, c []float64 }

func newDot2(groups int) *dot2 { return &dot2{make([]float64, 4*groups), make([]float64, 4*groups)} }

// start begins the sums with f, and with +0 for the columns that f does not have.
func (d *dot2) start(f []float64) {
	clear(d.s[copy(d.s, f):])
	clear(d.c)
}

// sum returns the sum of column j, rounded once.
func (d *dot2) sum(j int) float64 { return d.s[j] + d.c[j] }

// add adds a·b to the sum of column j.
func (d *dot2) add(j int, a, b float64) { d.s[j], d.c[j] = addDot2(d.s[j], d.c[j], a, b) }

// subProducts subtracts from every sum the products of k with its column of w.
func (d *dot2) subProducts(k []float64, w [][]float64) {
	for g, columns := range w {
		subDot2((*[4]float64)(d.s[4*g:]), (*[4]float64)(d.c[4*g:]), k, columns)
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
