package gram

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// productSide is the number of rows and columns of the tiles of a product: 512 KB.
const productSide = 256

// Product returns KX, n×p, for the n×p matrix X, without storing K: each tile of its lower
// triangle is made once, and serves Kᵢⱼ and Kⱼᵢ. An entry of the result is one chain of n
// terms, in an order that depends on n alone: in round r, tile (I, J) is added where
// I + J ≡ r modulo their number, once to each block of rows. So the bits are the same for
// any number of workers. Cost: n²(d/2 + p) multiply-adds, the memory of a tile for each worker.
//
// With a centring of the training rows, which may be nil, it is HKHX, of entries as
// [Centring.Matrix] makes them: a large common part of the values costs no digits.
//
// Errors: a *NotFiniteError for a kernel value; that of a context that is done.
func (e *Evaluator) Product(ctx context.Context, x *matrix.Dense, c *Centring) (*matrix.Dense, error) {
	misuse.NotNil("gram: Evaluator.Product", "ctx", ctx, "x", x, "the kernel of a zero Evaluator", e.kernel)
	n := e.Order()
	if x.Rows != n {
		panic(fmt.Sprintf("gram: Evaluator.Product: %d×%d kernel matrix times %d×%d", n, n, x.Rows, x.Cols))
	}
	if c != nil && c.Order() != n {
		panic(fmt.Sprintf("gram: Evaluator.Product: means of %d rows for a %d×%d kernel matrix", c.Order(), n, n))
	}
	y := matrix.New(n, x.Cols)
	blocks := (n + productSide - 1) / productSide
	team := block.TeamUntil(ctx, n, n, (e.Dim()+mapTerms)/2+2*x.Cols)
	defer team.Close()
	p := &tiledProduct{e: e, centring: c, x: x, y: y}
	errs := make([]error, blocks)
	for round := range blocks {
		var pairs [][2]int
		for i := range blocks {
			if j := (round - i + blocks) % blocks; j <= i {
				pairs = append(pairs, [2]int{i, j})
			}
		}
		team.Do(len(pairs), func(task int) {
			i, j := pairs[task][0], pairs[task][1]
			errs[i] = p.add(i*productSide, j*productSide)
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, err := range errs {
			if err != nil {
				return nil, err
			}
		}
	}
	return y, nil
}

// tiledProduct is Y = KX on tiles.
type tiledProduct struct {
	e        *Evaluator
	centring *Centring
	x, y     *matrix.Dense
}

// add adds what the tile of K at (i, j), i ≥ j, and its mirror image are in the product.
func (p *tiledProduct) add(i, j int) error {
	n, cols := p.x.Rows, p.x.Cols
	rows, across := min(productSide, n-i), min(productSide, n-j)
	buffer := pages.Take(productSide * productSide)
	defer pages.Leave(buffer)
	t := &matrix.Dense{Rows: rows, Cols: across, Stride: across, Data: (*buffer)[:rows*across]}
	if !fill(block.Alone, p.e.kernel, block.Whole, whole(t), p.e.rows, i, p.e.rows, j) {
		err := firstNotFinite(t, false)
		err.Row, err.Col = err.Row+i, err.Col+j
		return err
	}
	if c := p.centring; c != nil {
		for r := range rows {
			row := t.Row(r)
			f64.Shift(row, -c.Shift)
			f64.Centre(row, c.Means[j:j+across], c.Means[i+r], c.Mean)
		}
	}
	job := block.Job{Op: f64.Product, Mode: block.Add, A: block.Mat(*t)}
	job.C, job.B = block.Mat(*p.y.View(i, 0, rows, cols)), block.Mat(*p.x.View(j, 0, across, cols))
	block.Run(block.Alone, job)
	if i == j {
		return nil
	}
	job.TransA = true
	job.C, job.B = block.Mat(*p.y.View(j, 0, across, cols)), block.Mat(*p.x.View(i, 0, rows, cols))
	block.Run(block.Alone, job)
	return nil
}
