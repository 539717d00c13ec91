package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
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
// for, one for each worker: 768 KB, which the second cache holds.
const residualTile = 3 << 15

// residualRows and residualTasks bound the rows of the tiles of smaller matrices.
const (
	residualRows  = 64
	residualTasks = 16
)

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
	residual(context.Background(), new(scratch), rre, rim, src, sigma, f, wre, wim)
}

// residual is Residual with a context, which is asked before each tile.
func residual(ctx context.Context, s *scratch, rre, rim *matrix.Dense, src Source, sigma float64, f, wre, wim *matrix.Dense) error {
	n, r := src.Order(), f.Cols
	mustBe("Residual", "right-hand side", f, n, r)
	mustBe("Residual", "real part of the solution", wre, n, r)
	mustBe("Residual", "imaginary part of the solution", wim, n, r)
	mustBe("Residual", "real part of the residual", rre, n, r)
	mustBe("Residual", "imaginary part of the residual", rim, n, r)
	mustBeApart("Residual", "real and imaginary part", rre, rim)
	for _, out := range []*matrix.Dense{rre, rim} {
		for _, in := range []*matrix.Dense{f, wre, wim} {
			mustBeApart("Residual", "residual and right-hand side or solution", out, in)
		}
	}
	return subtractProducts(ctx, s, src, f, []*matrix.Dense{wre, wim}, func(i int, s, c, row []float64) {
		re, im := wre.Row(i), wim.Row(i)
		for j := range r {
			row[j], row[r+j] = -im[j], re[j]
		}
		f64.Dot2(s, c, []float64{sigma}, 0, 1, row, len(row), 1)
		for j := range r {
			rre.Row(i)[j], rim.Row(i)[j] = s[j]+c[j], s[r+j]+c[r+j]
		}
	})
}

// realResidual computes R = F − AW in doubled precision, entry by entry as the
// real part of [Residual] without a shift.
func realResidual(ctx context.Context, s *scratch, r *matrix.Dense, src Source, f, w *matrix.Dense) error {
	n := src.Order()
	mustBe("Refine", "right-hand side", f, n, f.Cols)
	mustBe("Refine", "solution", w, n, f.Cols)
	return subtractProducts(ctx, s, src, f, []*matrix.Dense{w}, func(i int, s, c, _ []float64) {
		for j := range f.Cols {
			r.Row(i)[j] = s[j] + c[j]
		}
	})
}

// Product returns AW for the n×r matrix W, in doubled precision and rounded once, as
// [Residual] computes it; A comes from src. A cancelled context returns its error. Cost:
// 11n²r operations and the rows of A.
func Product(ctx context.Context, src Source, w *matrix.Dense) (*matrix.Dense, error) {
	n := src.Order()
	mustBe("Product", "W", w, n, w.Cols)
	p := matrix.New(n, w.Cols)
	err := subtractProducts(ctx, new(scratch), src, matrix.New(n, 0), []*matrix.Dense{w}, func(i int, s, c, _ []float64) {
		for j := range w.Cols {
			p.Row(i)[j] = 0 - (s[j] + c[j])
		}
	})
	return p, err
}

// subtractProducts subtracts K times the columns of w in doubled precision from sums
// that begin with f, and at +0 in the columns that f does not have. It calls finish
// with each row of sums s and of their rounding errors c, and a row of zeros of the
// same length to work with. The context is asked before each tile of K.
func subtractProducts(ctx context.Context, scratch *scratch, src Source, f *matrix.Dense, w []*matrix.Dense, finish func(i int, s, c, row []float64)) error {
	n := src.Order()
	if n == 0 {
		return ctx.Err()
	}
	cols := 0
	for _, part := range w {
		cols += part.Cols
	}
	cols = (cols + 3) &^ 3 // as f64.Dot2 takes them, like the rows
	rows := (min(max(residualTile/n, 1), residualRows, (n+residualTasks-1)/residualTasks) + 3) &^ 3

	team := newTeam(4, n, n, cols)
	defer team.Close()
	workers := 1
	if team != nil {
		workers = block.Workers()
	}
	memory, release := scratch.take(n*cols + workers*rows*(n+2*cols))
	defer release()
	negated, memory := cut(memory, n, cols)
	negated.Zero()
	team.Rows(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := negated.Row(i)
			for _, part := range w {
				for j, v := range part.Row(i) {
					to[j] = -v
				}
				to = to[part.Cols:]
			}
		}
	})
	type tile struct{ k, s, c *matrix.Dense }
	tiles := make(chan *tile, workers) // that no worker has
	for range workers {
		var t tile
		t.k, memory = cut(memory, rows, n)
		t.s, memory = cut(memory, rows, cols)
		t.c, memory = cut(memory, rows, cols)
		tiles <- &t
	}
	team.Do((n+rows-1)/rows, func(task int) {
		if ctx.Err() != nil {
			return
		}
		t := <-tiles
		defer func() { tiles <- t }()
		i0 := task * rows
		k := t.k.View(0, 0, min(rows, n-i0), n)
		src.Rows(k, i0)
		for i := range k.Rows {
			s := t.s.Row(i)
			clear(s[copy(s, f.Row(i0+i)):])
		}
		t.c.Zero()
		f64.Dot2(t.s.Data, t.c.Data, k.Data, n, k.Rows, negated.Data, cols, n)
		row := make([]float64, cols)
		for i := range k.Rows {
			finish(i0+i, t.s.Row(i), t.c.Row(i), row)
		}
	})
	return ctx.Err()
}
