package inference

import (
	"context"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// factored is HKH + εI of the rows of a sample, factored, and what is asked of it: [allRows] of a kernel
// matrix or [mappedRows] of landmarks. G is that of the package.
type factored interface {
	Order() int
	Ridge() float64
	Mean() float64     // eigenvalue of HKH, 0 where it is no more than rounding
	Rounding() float64 // bounds the relative error that the rounding of kernel values makes in solutions

	// Solve returns the directions of classes, with the projections of the rows, and Coincident those of
	// equal means: none.
	Solve(context.Context, *fisher.Classes) (*fisher.Solution, error)
	Coincident() *fisher.Solution

	// For columns b that sum to zero, Whiten overwrites b and returns the parts, one below the other, of an
	// X with XᵀX = bᵀGb, and Inverse overwrites b by Gb.
	Whiten(b *matrix.Dense) []*matrix.Dense
	Inverse(b *matrix.Dense)

	InverseDiagonal(context.Context) ([]float64, error)                      // of G
	blocks(context.Context, [][]int) ([]*matrix.Dense, error)                // of G, for some rows each
	product(context.Context, *matrix.Dense) (*matrix.Dense, error)           // with HKH
	own() []float64                                                          // diagonal of HKH
	alike(ctx context.Context, ends []int) ([]alike, error)                  // segments that end before these rows
	traceNorms(context.Context, *fisher.Classes) (d1, d2 float64, err error) // see TestResult
	within(ctx context.Context, of *fisher.Classes, most int) (*withinPairs, error)

	// augment returns what [augmented] has of the rows of y, but for the share 1/n in v; left is nil
	// for nothing.
	augment(ctx context.Context, y *matrix.Dense) (v *matrix.Dense, spread, left []float64, err error)
	left() []float64     // as augment has it, of the rows themselves
	landmarks() int      // 0 for none
	half() *matrix.Dense // the n×m W of G = H − WWᵀ where that takes less than G, else nil
}

// withinPairs are the leading eigenpairs (ℓ, u) of PKP, descending, P centring within classes with
// contrasts Q.
type withinPairs struct {
	values []float64
	parts  *matrix.Dense // uᵀPKQ/ℓ, a row each
	limit  float64       // up to which eigenvalues are rounding
}
