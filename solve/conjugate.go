package solve

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Conjugate is the method of block conjugate gradients (O'Leary, "The block conjugate
// gradient algorithm and related methods", Linear Algebra Appl. 29, 1980) for AZ = Q with a
// symmetric positive definite A, of which no more than products are wanted, and a
// preconditioner M. With G = PᵀAP, one step is
//
//	S = M⁻¹R − P G⁻¹(AP)ᵀM⁻¹R,   P = orth(S),   Z += P G⁻¹PᵀR,   R −= AP G⁻¹PᵀR
//
// The directions P are orthonormal columns, of which those that depend on others are left
// out. R is the residual but for the rounding of all steps.
type Conjugate struct {
	Z, R *matrix.Dense

	multiply     func(context.Context, *matrix.Dense) (*matrix.Dense, error)
	precondition func(*matrix.Dense) *matrix.Dense
	p, ap        *matrix.Dense
	g            *Cholesky
}

// NewConjugate starts at Z = 0, R = Q, with functions that return AX and M⁻¹X in memory that
// becomes the method's.
func NewConjugate(q *matrix.Dense, multiply func(context.Context, *matrix.Dense) (*matrix.Dense, error), precondition func(*matrix.Dense) *matrix.Dense) *Conjugate {
	misuse.NotNil("solve: NewConjugate", "q", q, "multiply", multiply, "precondition", precondition)
	return &Conjugate{Z: matrix.New(q.Rows, q.Cols), R: q.Clone(), multiply: multiply, precondition: precondition}
}

// Restart goes on from Z with its residual r, computed anew.
func (c *Conjugate) Restart(r *matrix.Dense) {
	misuse.NotNil("solve: Conjugate.Restart", "r", r, "Z of a zero Conjugate", c.Z)
	if r.Rows != c.Z.Rows || r.Cols != c.Z.Cols {
		panic(fmt.Sprintf("solve: Conjugate.Restart: residual %d×%d of a solution %d×%d", r.Rows, r.Cols, c.Z.Rows, c.Z.Cols))
	}
	c.R, c.p, c.ap, c.g = r.Clone(), nil, nil, nil
}

// dependent is the part of a direction, of norm 1, that has to be left outside of the others.
const dependent = 0x1p-40

// Step makes a step, none where the residual is zero. Errors: *NotPositiveDefiniteError
// where A is not; those of the product.
func (c *Conjugate) Step(ctx context.Context) error {
	misuse.NotNil("solve: Conjugate.Step", "ctx", ctx, "Z of a zero Conjugate", c.Z)
	s := c.precondition(c.R)
	if c.p != nil {
		b := matrix.Mul(nil, c.ap, matrix.Transposed, s, matrix.NoTrans)
		c.g.Solve(b)
		matrix.SubMul(s, c.p, matrix.NoTrans, b, matrix.NoTrans)
	}
	rows := matrix.Transpose(nil, s)
	normalizeRows(rows)
	rows, r, _, shrunk := orthonormalizeRows(rows, dependent, s.Rows)
	for range 2 {
		if shrunk {
			rows, r, shrunk = refineRows(rows, r, s.Rows)
		}
	}
	if rows.Rows == 0 {
		return ctx.Err()
	}
	var err error
	c.p = matrix.Transpose(nil, rows)
	if c.ap, err = c.multiply(ctx, c.p); err != nil {
		return err
	}
	g := matrix.Mul(nil, c.p, matrix.Transposed, c.ap, matrix.NoTrans)
	for i := range g.Rows {
		for j := range i {
			v := float64(0.5 * (g.At(i, j) + g.At(j, i)))
			g.Set(i, j, v)
			g.Set(j, i, v)
		}
	}
	if c.g, err = FactorCholesky(ctx, g); err != nil {
		return err
	}
	step := matrix.Mul(nil, c.p, matrix.Transposed, c.R, matrix.NoTrans)
	c.g.Solve(step)
	matrix.AddMul(c.Z, c.p, matrix.NoTrans, step, matrix.NoTrans)
	matrix.SubMul(c.R, c.ap, matrix.NoTrans, step, matrix.NoTrans)
	return nil
}
