package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// Stored is a matrix in memory as a [Source].
type Stored struct{ A *matrix.Dense }

// Order returns the number of rows.
func (s Stored) Order() int { return s.A.Rows }

// Rows copies rows i0, i0+1, … to dst.
func (s Stored) Rows(dst *matrix.Dense, i0 int) {
	dst.CopyFrom(s.A.View(i0, 0, dst.Rows, s.A.Cols))
}

// Pairs are the leading eigenpairs of a symmetric matrix A.
type Pairs struct {
	Values  []float64     // descending
	Vectors *matrix.Dense // n×k, orthonormal: column j belongs to Values[j]
	// Residual is the largest ‖Av − λv‖₂ over the pairs, relative to Norm. No
	// Values[j] is further than Residual·Norm from an eigenvalue of A.
	Residual float64
	// Next is the eigenvalue after the last of Values where Complete, and a lower
	// bound of it where not: close to it where it is close to the last. It is −Inf
	// where there are no more.
	Next float64
	// Norm is the largest magnitude of the eigenvalues that were seen, a lower
	// bound of ‖A‖₂, and as a rule equal to it.
	Norm float64
	// Least is the smallest eigenvalue where Complete, and an upper bound of it
	// where not.
	Least float64
	// Complete says that all eigenpairs were computed, and All holds all
	// eigenvalues then, descending.
	Complete bool
	All      []float64
	// Products is the number of products of A with a vector.
	Products int
}

// Above returns how many of the eigenvalues that are known are above the limit. With
// n·u·Norm for the limit, the others can't be told from zero, or are negative.
func (p *Pairs) Above(limit float64) int {
	known := p.Values
	if p.Complete {
		known = p.All
	}
	count := 0
	for _, v := range known {
		if v > limit {
			count++
		}
	}
	return count
}

// Leading returns the k largest eigenvalues (not magnitudes) of the symmetric
// matrix that src gives by rows, with orthonormal eigenvectors; the component of
// largest magnitude of each, the first such, is positive.
//
// The method is block Lanczos with full reorthogonalization and thick restarts
// (Golub & Underwood 1977; Wu & Simon, SIAM J. Matrix Anal. Appl. 22, 2000), with
// blocks of more than k vectors, so that an eigenvalue of any multiplicity is
// found as often as it is asked for. The first block is fixed, and so are the
// bits of the result. Where A has fewer than k positive eigenvalues, the pairs
// beyond are those of zero and of negative eigenvalues. The result has passed the
// test ‖Av − λv‖ ≤ 32√n·u·‖A‖ for every pair. Where the order is small for k,
// all pairs are computed by [Eigen].
//
// An element that is not finite is a *matrix.NotFiniteError, a cancelled context
// its error; should the steps not suffice, the error is a *NotConvergedError. k
// must be from 1 to n. Cost: 2n²b flops and the rows of A a step, b the multiple of
// 8 from k+4 on, and some five to forty steps; the memory of some twenty blocks of
// n×b.
func Leading(ctx context.Context, src Source, k int) (*Pairs, error) {
	n := src.Order()
	if k < 1 || k > n {
		panic(fmt.Sprintf("solve: Leading: %d pairs of a %d×%d matrix", k, n, n))
	}
	b := leadingBlock(k)
	if n <= max(4*jacobiOrder, 6*b) {
		return complete(ctx, src, k)
	}
	return blockLanczos(ctx, src, k, lanczosSize(n, b), leadingSteps)
}

// leadingSteps bounds the steps of the method.
const leadingSteps = 400

// leadingBlock returns how many vectors a step adds: more than k, in whole tiles
// of the product kernel.
func leadingBlock(k int) int { return (k + 4 + 7) / 8 * 8 }

// krylovSize are the numbers of vectors of a block, and of the basis at most.
type krylovSize struct{ block, basis int }

func lanczosSize(n, b int) krylovSize {
	return krylovSize{block: b, basis: min(n/2, b*max(6, min(12, 512/b)))}
}

// complete returns the k leading of all eigenpairs.
func complete(ctx context.Context, src Source, k int) (*Pairs, error) {
	n := src.Order()
	a := matrixOf(src)
	if err := matrix.CheckFinite(a); err != nil {
		return nil, err
	}
	values, vectors, err := Eigen(ctx, a.Clone())
	if err != nil {
		return nil, err
	}
	p := &Pairs{
		Values: values[:k:k], Vectors: vectors.View(0, 0, n, k).Clone(), Complete: true, All: values,
		Norm: math.Max(math.Abs(values[0]), math.Abs(values[n-1])), Least: values[n-1], Next: math.Inf(-1),
	}
	if k < n {
		p.Next = values[k]
	}
	if p.Norm > 0 {
		r := matrix.New(n, k)
		multiply(nil, r, a, p.Vectors)
		for i := range n {
			row, v := r.Row(i), p.Vectors.Row(i)
			for j, x := range v {
				row[j] = math.FMA(-p.Values[j], x, row[j])
			}
		}
		for j := range k {
			p.Residual = math.Max(p.Residual, columnNorm(j, r)/p.Norm)
		}
	}
	return p, nil
}

// matrixOf returns the matrix of src, not to be changed.
func matrixOf(src Source) *matrix.Dense {
	if s, ok := src.(Stored); ok {
		return s.A
	}
	a := matrix.New(src.Order(), src.Order())
	src.Rows(a, 0)
	return a
}

// lanczos is the state of the method. Vectors are rows.
type lanczos struct {
	ctx      context.Context
	team     *block.Team
	operator scaledOperator
	rng      splitMix
	size     krylovSize
	count    int           // vectors in the basis
	v, av    *matrix.Dense // basis×n: orthonormal vectors, and their products with A
	h        *matrix.Dense // VAVᵀ
	norm     float64       // largest magnitude of a Ritz value
	products int
}

func blockLanczos(ctx context.Context, src Source, k int, size krylovSize, steps int) (*Pairs, error) {
	n := src.Order()
	operator, err := newScaledOperator(ctx, src)
	if err != nil {
		return nil, err
	}
	l := &lanczos{
		ctx: ctx, team: newTeam(n, n, size.block), operator: operator, size: size,
		v: matrix.New(size.basis, n), av: matrix.New(size.basis, n), h: matrix.New(size.basis, size.basis),
	}
	defer l.team.Close()
	x := matrix.New(size.block, n)
	tolerance := float64(float64(32*math.Sqrt(float64(n))) * unit)
	for range steps {
		// The residuals of all Ritz vectors lie in the new block, also those that
		// a restart keeps.
		l.orthonormalize(x)
		if l.count+size.block > size.basis {
			if err := l.restart(); err != nil {
				return nil, err
			}
		}
		if err := l.extend(x); err != nil {
			return nil, err
		}
		theta, y, err := l.ritz()
		if err != nil {
			return nil, err
		}
		u := matrix.New(k, n)
		residual := l.vectors(u, theta, y)
		if residual <= tolerance {
			return l.pairs(u, theta, residual), nil
		}
		x.CopyFrom(l.av.View(l.count-size.block, 0, size.block, n))
	}
	return nil, &NotConvergedError{Method: "block Lanczos method", Order: n, Sweeps: steps}
}

// extend adds the block x to the basis.
func (l *lanczos) extend(x *matrix.Dense) error {
	b, n := l.size.block, x.Cols
	l.v.View(l.count, 0, b, n).CopyFrom(x)
	ax := l.av.View(l.count, 0, b, n)
	if err := l.operator.apply(l.ctx, l.team, ax, x); err != nil {
		return err
	}
	l.products += b
	l.count += b
	rows := matrix.New(b, l.count)
	product(l.team, block.Overwrite, block.Whole, rows, ax, l.v.View(0, 0, l.count, n))
	for i := range b {
		at := l.count - b + i
		for j, s := range rows.Row(i)[:at+1] {
			l.h.Set(at, j, s)
			l.h.Set(j, at, s)
		}
	}
	return nil
}

// orthonormalize makes the rows of x orthonormal to the basis and to one another,
// by the Gram–Schmidt method, twice. A row that is in the span of the others up to
// rounding is replaced by a new one.
func (l *lanczos) orthonormalize(x *matrix.Dense) {
	v := l.v.View(0, 0, l.count, x.Cols)
	negligible := float64(float64(32*math.Sqrt(float64(x.Cols))) * float64(unit*l.norm))
	for pass := range 2 {
		l.project(x, v)
		for i := range x.Rows {
			row := x.Row(i)
			norm := orthogonalizeRow(row, x, i)
			for pass == 0 && norm <= negligible {
				l.rng.fill(row)
				l.project(x.View(i, 0, 1, x.Cols), v)
				norm = orthogonalizeRow(row, x, i)
			}
			for k := range row {
				row[k] /= norm
			}
		}
	}
}

// project subtracts from the rows of x their parts in the span of v.
func (l *lanczos) project(x, v *matrix.Dense) {
	if v.Rows == 0 {
		return
	}
	c := matrix.New(x.Rows, v.Rows)
	product(l.team, block.Overwrite, block.Whole, c, x, v)
	block.Run(l.team, block.Job{Mode: block.Subtract, C: block.Mat(*x), A: block.Mat(*c), B: block.Mat(*v)})
}

// orthogonalizeRow subtracts from row its parts along the first i rows of x and
// returns its norm.
func orthogonalizeRow(row []float64, x *matrix.Dense, i int) float64 {
	for j := range i {
		q := x.Row(j)
		h := matrix.Dot(q, row)
		for k, v := range q {
			row[k] = math.FMA(-h, v, row[k])
		}
	}
	return math.Sqrt(matrix.SumSquares(row))
}

// ritz returns the eigensystem of the projected matrix.
func (l *lanczos) ritz() (theta []float64, y *matrix.Dense, err error) {
	theta, y, err = Eigen(l.ctx, l.h.View(0, 0, l.count, l.count).Clone())
	if err == nil {
		l.norm = math.Max(math.Abs(theta[0]), math.Abs(theta[len(theta)-1]))
	}
	return theta, y, err
}

// vectors sets the rows of u to the leading Ritz vectors and returns their largest
// residual relative to the norm.
func (l *lanczos) vectors(u *matrix.Dense, theta []float64, y *matrix.Dense) float64 {
	k, n := u.Rows, u.Cols
	yk := y.View(0, 0, l.count, k)
	au := matrix.New(k, n)
	l.combine(u, yk, l.v)
	l.combine(au, yk, l.av)
	var residual float64
	for i := range k {
		r, v := au.Row(i), u.Row(i)
		for c, x := range v {
			r[c] = math.FMA(-theta[i], x, r[c])
		}
		residual = math.Max(residual, math.Sqrt(matrix.SumSquares(r)))
	}
	if residual == 0 {
		return 0
	}
	return residual / l.norm
}

// combine sets c to YᵀV for the basis or its products.
func (l *lanczos) combine(c, y, v *matrix.Dense) {
	block.Run(l.team, block.Job{C: block.Mat(*c), A: block.Mat(*y), TransA: true, B: block.Mat(*v.View(0, 0, l.count, v.Cols))})
}

// restart replaces the basis by a third as many leading Ritz vectors.
func (l *lanczos) restart() error {
	theta, y, err := l.ritz()
	if err != nil {
		return err
	}
	keep, n := max(l.size.block, l.size.basis/3), l.v.Cols
	for _, v := range []*matrix.Dense{l.v, l.av} {
		kept := matrix.New(keep, n)
		l.combine(kept, y.View(0, 0, l.count, keep), v)
		v.View(0, 0, keep, n).CopyFrom(kept)
	}
	l.count = keep
	l.h.Zero()
	for i := range keep {
		l.h.Set(i, i, theta[i])
	}
	return nil
}

// pairs returns the Ritz pairs, unscaled.
func (l *lanczos) pairs(u *matrix.Dense, theta []float64, residual float64) *Pairs {
	back := 1 / l.operator.scale
	p := &Pairs{
		Residual: residual, Products: l.products,
		Norm: float64(l.norm * back), Least: float64(theta[len(theta)-1] * back),
		Next: float64(theta[u.Rows] * back), // a block has more vectors than u
	}
	for i := range u.Rows {
		p.Values = append(p.Values, float64(theta[i]*back))
		makePositive(u.Row(i))
	}
	p.Vectors = matrix.Transpose(nil, u)
	return p
}
