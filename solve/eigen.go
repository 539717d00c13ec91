package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// eigenLimits bound the iterations of Eigen. Both methods need far fewer.
type eigenLimits struct {
	sweeps  int // of the Jacobi method, for small problems
	secular int // of the iteration for one root of a secular equation
}

var defaultLimits = eigenLimits{sweeps: maxSweeps, secular: 100}

// jacobiOrder is the largest order that is left to the Jacobi method.
const jacobiOrder = 32

// Eigen returns all eigenvalues of the symmetric n×n matrix a, descending, and
// orthonormal eigenvectors: column k of vectors belongs to values[k]. The component
// of largest magnitude of each eigenvector, the first such, is positive. Only the
// lower triangle of a is read; a is destroyed.
//
// For n ≤ 32 it is [Jacobi]. Above, the matrix is reduced to tridiagonal form by
// Householder reflections, whose eigensystem is found by divide and conquer
// (Cuppen, Numer. Math. 36, 1981; Gu & Eisenstat, SIAM J. Matrix Anal. Appl. 16,
// 1995). Eigenvalues then have errors of a small multiple of n·u·‖A‖, which may
// be all of a small eigenvalue, and eigenvectors are orthonormal to a small
// multiple of n·u also where eigenvalues coincide.
//
// An element that is not finite is a *matrix.NotFiniteError, an eigenvalue that is
// not a *RangeError, a cancelled context its error; should the iterations not
// suffice, the error is a *NotConvergedError. Cost: about 4n³ flops, and less where many eigenvalues
// coincide; the memory of three further n×n matrices.
func Eigen(ctx context.Context, a *matrix.Dense) (values []float64, vectors *matrix.Dense, err error) {
	misuse.NotNil("solve: Eigen", "ctx", ctx, "a", a)
	mustSquare("Eigen", a)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if a.Rows <= jacobiOrder {
		return jacobi(a, defaultLimits.sweeps)
	}
	return eigen(ctx, a, defaultLimits, tridiagonalColumns)
}

func eigen(ctx context.Context, a *matrix.Dense, limits eigenLimits, panel int) (values []float64, vectors *matrix.Dense, err error) {
	maxAbs, err := maxLower(nil, a)
	if err != nil {
		return nil, nil, err
	}
	n := a.Rows
	scale := unitScale(maxAbs)
	for i := range n {
		row := a.Row(i)[:i+1]
		for j, v := range row {
			row[j] = float64(v * scale)
		}
	}
	t, err := tridiagonalize(ctx, a, panel)
	if err != nil {
		return nil, nil, err
	}
	z, reversed, err := divideAndConquer(ctx, t.d, t.e, limits)
	if err != nil {
		return nil, nil, err
	}
	if err := t.applyLeft(ctx, z, panel); err != nil {
		return nil, nil, err
	}
	// Row n−1−k of z belongs to the k-th largest eigenvalue.
	values = make([]float64, n)
	for k := range n {
		if values[k] = t.d[n-1-k] / scale; math.IsInf(values[k], 0) {
			return nil, nil, &RangeError{What: "eigenvalue", Size: maxAbs}
		}
		copy(reversed.Row(k), z.Row(n-1-k))
		makePositive(reversed.Row(k))
	}
	return values, matrix.Transpose(z, reversed), nil
}

// makePositive makes the component of v of largest magnitude, the first such,
// positive.
func makePositive(v []float64) {
	var top float64
	for _, x := range v {
		if math.Abs(x) > math.Abs(top) {
			top = x
		}
	}
	if top < 0 {
		for i, x := range v {
			v[i] = -x
		}
	}
}

// multiply sets C to A·B, entry by entry the chain of matrix.Mul.
func multiply(team *block.Team, c, a, b *matrix.Dense) {
	block.Run(team, block.Job{Op: f64.Product, C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b)})
}
