package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// Cholesky is the factorization A = LLᵀ of a symmetric positive definite
// matrix.
type Cholesky struct {
	l    *matrix.Dense // lower triangle; the upper one belongs to the caller
	norm float64       // ‖A‖_F, or the largest float64 where that is less
}

// choleskyColumns is the number of columns of a panel, after which the matrix to their
// right is updated: wide panels spare memory traffic, narrow ones working memory. It
// decides the order of memory accesses, never a result.
const choleskyColumns = 144

// FactorCholesky factors the n×n matrix a in place: the lower triangle of a,
// diagonal included, is read and overwritten by L, and kept by the result; the
// upper triangle is neither read nor written. Beside it 144n numbers and a few more are
// working memory. Each entry is one chain,
//
//	for j ↑, i = j … n-1:  s = A[i,j];  for k = 0 … j-1 ↑: s = FMA(-L[i,k], L[j,k], s)
//	                       L[j,j] = √s;  L[i,j] = s / L[j,j]
//
// An element of the lower triangle that is not finite is a
// *matrix.NotFiniteError, with a unchanged. A pivot that is not positive is a
// *NotPositiveDefiniteError, and a cancelled context its error, with a partly
// overwritten. Cost: n³/3 flops.
func FactorCholesky(ctx context.Context, a *matrix.Dense) (*Cholesky, error) {
	misuse.NotNil("solve: FactorCholesky", "ctx", ctx, "a", a)
	mustSquare("FactorCholesky", a)
	return factorCholesky(ctx, a, choleskyColumns)
}

func factorCholesky(ctx context.Context, a *matrix.Dense, panel int) (*Cholesky, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := a.Rows
	team := newTeam(n, n, n/6)
	defer team.Close()
	team.Until(ctx)
	_, norm, err := sizeLower(team, a)
	if err != nil {
		return nil, err
	}
	c := &Cholesky{l: a, norm: norm}
	panel = min(panel, n)
	p := newCholeskyPanel(team, a, panel)
	defer pages.Leave(p.memory)
	if err := p.diagonal(0, panel); err != nil {
		return nil, err
	}
	for lo := panel; lo < n; lo += panel {
		if err := p.eliminate(team, lo, min(lo+panel, n)); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Order returns n.
func (c *Cholesky) Order() int {
	misuse.NotNil("solve: Cholesky.Order", "the factor of a zero Cholesky", c.l)
	return c.l.Rows
}

// Solve overwrites the n×r matrix b by the solution X of AX = B, by forward and
// back substitution with one chain an entry. Cost: 2n²r flops.
func (c *Cholesky) Solve(b *matrix.Dense) {
	misuse.NotNil("solve: Cholesky.Solve", "b", b, "the factor of a zero Cholesky", c.l)
	mustBe("Cholesky.Solve", "right-hand side", b, c.l.Rows, b.Cols)
	matrix.SolveLower(c.l, b)
	matrix.SolveLowerTrans(c.l, b)
}

// SolveLower overwrites the n×r matrix b by L⁻¹b, whose squares sum to those of bᵀA⁻¹b, with one chain
// an entry. Cost: n²r flops.
func (c *Cholesky) SolveLower(b *matrix.Dense) {
	misuse.NotNil("solve: Cholesky.SolveLower", "b", b, "the factor of a zero Cholesky", c.l)
	mustBe("Cholesky.SolveLower", "right-hand side", b, c.l.Rows, b.Cols)
	matrix.SolveLower(c.l, b)
}

// A worker holds so many columns of L⁻¹ at a time, in groups that fit the tiles of a product;
// all workers together one column in inverseShare, but for the fewest.
const (
	inverseGroup = 48
	inverseFew   = 2 * inverseGroup
	inverseMany  = 4 * inverseGroup
	inverseShare = 7
)

// InverseDiagonal returns the diagonal of A⁻¹ = L⁻ᵀL⁻¹: the sums of squares of the
// columns of L⁻¹, each one chain of fused multiply-adds from the diagonal down. It
// is positive. One beyond the range of float64 is a *RangeError; a cancelled context
// returns its error. Cost: n³/3 flops.
func (c *Cholesky) InverseDiagonal(ctx context.Context) ([]float64, error) {
	misuse.NotNil("solve: Cholesky.InverseDiagonal", "ctx", ctx, "the factor of a zero Cholesky", c.l)
	n := c.l.Rows
	diagonal := make([]float64, n)
	team := block.TeamUntil(ctx, n, n, n/6)
	defer team.Close()
	workers := workersOf(team)
	columns := min(inverseMany, max(inverseFew, n/inverseShare/workers/inverseGroup*inverseGroup))
	tasks, size := (n+columns-1)/columns, n*min(n, columns)
	memory := pages.Take(size * min(workers, max(1, tasks/inverseShare)))
	defer pages.Leave(memory)
	eachTask(team, tasks, *memory, size, func(task int, buffer []float64) {
		lo := task * columns
		k, rows := min(columns, n-lo), n-lo
		inverse, _ := cut(buffer, rows, k)
		inverse.Zero()
		for j := range k {
			inverse.Row(j)[j] = 1
		}
		matrix.SolveLower(c.l.View(lo, lo, rows, rows), inverse)
		for i := range rows {
			for j, v := range inverse.Row(i)[:min(k, i+1)] {
				diagonal[lo+j] = f64.FMA(v, v, diagonal[lo+j])
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !f64.AllFinite(diagonal) {
		return nil, &RangeError{What: "diagonal element of the inverse", Size: c.norm}
	}
	return diagonal, nil
}
