package solve

import (
	"context"
	"fmt"
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
// as if computed with twice the digits and rounded once. Cost: about 50n²r
// operations and the rows of K.
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
	return eachTile(ctx, src, func(i int, row []float64) {
		for c, fc := range f.Row(i) {
			re := dot2{s: fc}
			re.subColumn(row, wre, c)
			re.add(-sigma, wim.Row(i)[c])
			im := dot2{}
			im.subColumn(row, wim, c)
			im.add(sigma, wre.Row(i)[c])
			rre.Row(i)[c], rim.Row(i)[c] = re.s+re.c, im.s+im.c
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

// dot2 is a sum s of products and the sum c of the rounding errors made in it.
type dot2 struct{ s, c float64 }

// add adds a·b to the sum.
func (d *dot2) add(a, b float64) {
	p := float64(a * b)
	e := math.FMA(a, b, -p)
	t := d.s + p
	z := t - d.s
	d.c += ((d.s - (t - z)) + (p - z)) + e
	d.s = t
}

// subColumn subtracts the products of k with column c of w in ascending order.
func (d *dot2) subColumn(k []float64, w *matrix.Dense, c int) {
	x := *d
	at := c
	for _, v := range k {
		x.add(-v, w.Data[at])
		at += w.Stride
	}
	*d = x
}

// Refine improves the solution W = wre + i·wim of (K − iσI)W = F, for a real n×r
// matrix F, by steps of iterative refinement, W ← W + (LDLᵀ)⁻¹R with residuals R
// in doubled precision; K comes from src. It returns the normwise backward error
// of the result,
//
//	max over columns of ‖r‖₂ / (‖K‖_F ‖w‖₂ + ‖f‖₂),
//
// or the error of a cancelled context, with W the result of the last whole step.
// Where growth times the condition number of K − iσI is below 0.1/u, one step
// leaves a forward error of a few u in each column and steps = 0 only measures.
// Cost: steps+1 residuals and steps solves.
func (s *Shifted) Refine(ctx context.Context, src Source, f, wre, wim *matrix.Dense, steps int) (backward float64, err error) {
	if src.Order() != s.Order() {
		panic(fmt.Sprintf("solve: Refine: source of order %d for a factorization of order %d", src.Order(), s.Order()))
	}
	rre, rim := matrix.New(f.Rows, f.Cols), matrix.New(f.Rows, f.Cols)
	for {
		if err := residual(ctx, rre, rim, src, s.sigma, f, wre, wim); err != nil {
			return 0, err
		}
		if steps <= 0 {
			break
		}
		steps--
		s.Solve(rre, rim)
		add(wre, rre)
		add(wim, rim)
	}
	for c := range f.Cols {
		r := columnNorm(c, rre, rim)
		if r > 0 || math.IsNaN(r) {
			backward = max(backward, r/math.FMA(s.norm, columnNorm(c, wre, wim), columnNorm(c, f)))
		}
	}
	return backward, nil
}

// add adds b to a.
func add(a, b *matrix.Dense) {
	for i := range a.Rows {
		ai := a.Row(i)
		for j, v := range b.Row(i) {
			ai[j] += v
		}
	}
}

// columnNorm returns the Euclidean norm of column c of the given matrices taken
// together, scaled so that no square leaves the range of float64.
func columnNorm(c int, parts ...*matrix.Dense) float64 {
	var m float64
	for _, a := range parts {
		for i := range a.Rows {
			m = max(m, math.Abs(a.Data[i*a.Stride+c]))
		}
	}
	scale := unitScale(m)
	var s float64
	for _, a := range parts {
		for i := range a.Rows {
			v := float64(a.Data[i*a.Stride+c] * scale)
			s = math.FMA(v, v, s)
		}
	}
	return math.Sqrt(s) / scale
}
