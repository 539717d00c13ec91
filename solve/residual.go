package solve

import (
	"context"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Source gives the rows of a symmetric matrix that is not stored. It must give
// the same bits whenever and in whatever groups it is asked for them, also by
// several goroutines at the same time.
type Source interface {
	// Order returns the number of rows and columns.
	Order() int
	// Rows fills dst, of Order() columns, with the full rows i0 … i0+dst.Rows-1.
	Rows(dst *matrix.Dense, i0 int)
}

// residualTile bounds the size, in numbers, of the tiles of K that Residual asks
// for, one for each worker: 2 MB.
const residualTile = 1 << 18

// residualTasks is the least number of tiles of a large matrix.
const residualTasks = 16

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
	negated, turned := panel(n, 2*r), panel(n, 2*r) // −Re W, −Im W and −Im W, +Re W
	for i := range n {
		for c, re := range wre.Row(i) {
			im := wim.Row(i)[c]
			negated.Row(i)[c], negated.Row(i)[r+c] = -re, -im
			turned.Row(i)[c], turned.Row(i)[r+c] = -im, re
		}
	}
	shift := []float64{sigma}
	return addProducts(ctx, src, f, negated, func(i int, s, c []float64) {
		f64.Dot2(s, c, shift, 0, 1, turned.Row(i), turned.Cols, 1)
		for j := range r {
			rre.Row(i)[j], rim.Row(i)[j] = s[j]+c[j], s[r+j]+c[r+j]
		}
	})
}

// realResidual computes R = F − AW in doubled precision, entry by entry as the
// real part of [Residual] without a shift.
func realResidual(ctx context.Context, r *matrix.Dense, src Source, f, w *matrix.Dense) error {
	n := src.Order()
	mustBe("Refine", "right-hand side", f, n, f.Cols)
	mustBe("Refine", "solution", w, n, f.Cols)
	negated := panel(n, w.Cols)
	for i := range n {
		for c, v := range w.Row(i) {
			negated.Row(i)[c] = -v
		}
	}
	return addProducts(ctx, src, f, negated, func(i int, s, c []float64) {
		for j := range f.Cols {
			r.Row(i)[j] = s[j] + c[j]
		}
	})
}

// panel returns a matrix of zeros for that many columns, with further ones as
// f64.Dot2 wants them.
func panel(rows, cols int) *matrix.Dense { return matrix.New(rows, (cols+3)&^3) }

// addProducts computes KW in doubled precision, with sums that begin with f and at
// +0 in the columns that f does not have, and calls finish with each row of sums s
// and of their rounding errors c. The context is asked before each tile of K.
func addProducts(ctx context.Context, src Source, f, w *matrix.Dense, finish func(i int, s, c []float64)) error {
	n := src.Order()
	if n == 0 {
		return nil
	}
	rows := min(max(residualTile/n, 1), (n+residualTasks-1)/residualTasks)
	rows = (rows + 3) &^ 3 // as f64.Dot2 takes them
	type tile struct{ k, s, c *matrix.Dense }
	tiles := sync.Pool{New: func() any {
		return &tile{matrix.New(rows, n), matrix.New(rows, w.Cols), matrix.New(rows, w.Cols)}
	}}
	team := newTeam(4, n, n, w.Cols)
	defer team.Close()
	team.Do((n+rows-1)/rows, func(task int) {
		if ctx.Err() != nil {
			return
		}
		t := tiles.Get().(*tile)
		defer tiles.Put(t)
		i0 := task * rows
		k := t.k.View(0, 0, min(rows, n-i0), n)
		src.Rows(k, i0)
		for i := range k.Rows {
			s := t.s.Row(i)
			clear(s[copy(s, f.Row(i0+i)):])
		}
		t.c.Zero()
		f64.Dot2(t.s.Data, t.c.Data, k.Data, n, k.Rows, w.Data, w.Cols, n)
		for i := range k.Rows {
			finish(i0+i, t.s.Row(i), t.c.Row(i))
		}
	})
	return ctx.Err()
}
