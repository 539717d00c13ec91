package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

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
// matrix a, both triangles of which are read and which is overwritten, with orthonormal
// eigenvectors; the component of largest magnitude of each, the first such, is positive.
// Values out of the range of float64 are ±Inf.
//
// The method is block Lanczos with full reorthogonalization and thick restarts
// (Golub & Underwood 1977; Wu & Simon, SIAM J. Matrix Anal. Appl. 22, 2000), with
// blocks of more than k vectors, so that an eigenvalue of any multiplicity is
// found as often as it is wanted. The first block is fixed, and so are the
// bits of the result. Where A has fewer than k positive eigenvalues, the pairs
// beyond are those of zero and of negative eigenvalues. The result has passed the
// test ‖Av − λv‖ ≤ 32√n·u·‖A‖ for every pair. Where the order is small for k, and where
// 400 steps do not suffice for eigenvalues that are very close, all pairs are computed by
// [Eigen].
//
// An element that is not finite is a *matrix.NotFiniteError, with the matrix as it was, a
// cancelled context its error. k must be from 1 to n. Cost: 2n²b flops a step, b being the
// multiple of 8 from k+4 on, 16 at least and 24 from n = 4000 on, and some ten to forty
// steps; the memory of some twenty blocks of n×b: see [LeadingBytes]. Where all pairs are
// computed, that of Eigen.
func Leading(ctx context.Context, a *matrix.Dense, k int) (*Pairs, error) {
	misuse.NotNil("solve: Leading", "ctx", ctx, "a", a)
	mustSquare("Leading", a)
	return leading(ctx, a, k, leadingSteps)
}

func leading(ctx context.Context, a *matrix.Dense, k, steps int) (*Pairs, error) {
	if n := a.Rows; !isForAll(n, k) {
		if a.Stride != n {
			a = a.Clone()
		}
		pairs, err := leadingInPlace(ctx, a, k, lanczosSize(n, k), steps)
		if slow := (*NotConvergedError)(nil); !errors.As(err, &slow) {
			return pairs, err
		}
	}
	return complete(ctx, a, k)
}

// leadingInPlace overwrites a, which has no gaps, but not where the steps do not suffice.
func leadingInPlace(ctx context.Context, a *matrix.Dense, k int, size krylovSize, steps int) (*Pairs, error) {
	n := a.Rows
	team := newTeam(n, n, size.block)
	defer team.Close()
	p, operator, err := measureInPlace(team, a)
	if err != nil {
		return nil, err
	}
	pairs, err := blockLanczos(ctx, team, operator, n, k, size, steps)
	if slow := (*NotConvergedError)(nil); errors.As(err, &slow) {
		p.scaleBy(team, 1/operator.scale)
		p.unpack(team)
	}
	return pairs, err
}

// leadingSteps bounds the steps of the method.
const leadingSteps = 400

// isForAll reports whether all pairs are computed where k of n are wanted.
func isForAll(n, k int) bool {
	if k < 1 || k > n {
		panic(fmt.Sprintf("solve: Leading: %d pairs of a %d×%d matrix", k, n, n))
	}
	return n <= max(4*jacobiOrder, 6*moreThan(k))
}

// moreThan returns the vectors of a block for k pairs: whole registers.
func moreThan(k int) int { return (k + 4 + 7) / 8 * 8 }

// krylovSize are the numbers of vectors of a block, and of the basis at most.
type krylovSize struct{ block, basis int }

// lanczosSize returns the sizes for k pairs of a matrix of order n. A product with a
// matrix that no cache holds costs no more for 24 vectors than for few.
// The basis of a small matrix may hold all n vectors: with only a few blocks between
// restarts a cluster of more values than a restart keeps, or values that are close
// against the largest, need not be found in any number of steps.
func lanczosSize(n, k int) krylovSize {
	b := max(moreThan(k), 16)
	if n >= 4000 {
		b = max(b, 24)
	}
	return krylovSize{block: b, basis: min(n, b*max(6, min(20, 640/b)))}
}

// LeadingBytes returns about how much memory [Leading] takes for k pairs of a matrix of
// order n, beside it, and whether it computes all pairs.
func LeadingBytes(n, k int) (bytes float64, all bool) {
	order := float64(n)
	if isForAll(n, k) {
		return float64(4 * 8 * float64(order*order)), true // a copy, what it is reduced to, vectors and products
	}
	basis := float64(lanczosSize(n, k).basis)
	// The basis twice, when it is restarted, and the eigenproblem of its order.
	return float64(2*8*float64(order*basis)) + float64(8*8*float64(basis*basis)), false
}

// complete returns the k leading of all eigenpairs.
func complete(ctx context.Context, a *matrix.Dense, k int) (*Pairs, error) {
	n := a.Rows
	if err := matrix.CheckFinite(a); err != nil {
		return nil, err
	}
	scale := safeScale(matrix.MaxAbs(a))
	if scale != 1 {
		a = scaledRows(a, scale)
	}
	values, vectors, err := Eigen(ctx, a.Clone())
	if err != nil {
		return nil, err
	}
	u := matrix.Transpose(nil, vectors.View(0, 0, n, k))
	au := matrix.New(k, n)
	team := block.TeamUntil(ctx, k, n, n)
	defer team.Close()
	multiply(team, au, u, a)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return newPairs(values, u, residualOf(au, u, values), scale, true), nil
}

// residualOf overwrites the products of A with the rows of u by the residuals Au − λu,
// and returns the largest norm of one, relative to the largest magnitude of all
// values, which are descending. The largest magnitude must be far from the limits of
// the range of float64.
func residualOf(au, u *matrix.Dense, values []float64) float64 {
	var largest float64
	for i := range u.Rows {
		r := au.Row(i)
		addMultiple(r, -values[i], u.Row(i))
		largest = math.Max(largest, math.Sqrt(matrix.SumSquares(r)))
	}
	return relative(largest, largestOf(values))
}

// largestOf returns the largest magnitude of values that are descending.
func largestOf(values []float64) float64 {
	return math.Max(math.Abs(values[0]), math.Abs(values[len(values)-1]))
}

// newPairs returns the pairs of the leading of some values of scale·A, with the
// vectors in the rows of u.
func newPairs(values []float64, u *matrix.Dense, residual, scale float64, complete bool) *Pairs {
	back, k := 1/scale, u.Rows
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = float64(v * back)
	}
	for i := range k {
		makePositive(u.Row(i))
	}
	p := &Pairs{
		Values: all[:k:k], Vectors: matrix.Transpose(nil, u), Residual: residual,
		Norm: largestOf(all), Least: all[len(all)-1], Next: math.Inf(-1), Complete: complete,
	}
	if complete {
		p.All = all
	}
	if k < len(all) {
		p.Next = all[k]
	}
	return p
}

// leader is the state of the method: a growing Krylov space, which is restarted when it
// has become too large.
type leader struct {
	*krylov
	size krylovSize
	kept *matrix.Dense // memory for the vectors of a restart
}

func blockLanczos(ctx context.Context, team *block.Team, operator measuredOperator, n, k int, size krylovSize, steps int) (*Pairs, error) {
	l := &leader{krylov: newKrylov(team, operator, operator.norm, matrix.New(n, 0), size.block, nil), size: size}
	tolerance := float64(float64(32*math.Sqrt(float64(n))) * unit)
	var p prediction
	for step, check := 1, firstCheck; step <= steps; step++ {
		if err := l.step(ctx); err != nil {
			return nil, err
		}
		full := l.v.count+l.next.Rows > size.basis
		if step < check && !full && !l.complete() && step < steps {
			continue
		}
		values, y, err := Eigen(ctx, l.projected())
		if err != nil {
			return nil, err
		}
		residual := l.residual(y, values, k)
		if residual <= tolerance || l.complete() {
			u, au := matrix.New(k, n), matrix.New(k, n)
			l.v.combineRows(team, u, y.View(0, 0, y.Rows, k))
			if err := operator.multiply(ctx, team, au, u); err != nil {
				return nil, err
			}
			if residual = residualOf(au, u, values); residual <= tolerance {
				return newPairs(values, u, residual, operator.scale, false), nil
			}
			if l.complete() {
				break
			}
		}
		if full {
			l.restart(values, y)
		}
		more := p.stepsLeft(step, residual/tolerance)
		if step == firstCheck {
			more = 2 // there is nothing yet to predict from
		}
		check = step + max(1, min(more, step/2))
	}
	return nil, &NotConvergedError{Method: "block Lanczos method", Order: n, Sweeps: steps}
}

// firstCheck is the first step after which the pairs are looked at. The eigensystem of
// the projection that it takes costs as much as a step or more, and the prediction of
// the next is bad before the residuals begin to fall: at most half as many steps as
// there were are made without a look.
const firstCheck = 4

// residual returns the largest residual of the k leading of the Ritz vectors Vy,
// relative to the largest magnitude of the values: K(Vy) − θVy = X_(j+1) β_j y, y
// being its last coordinates.
func (l *leader) residual(y *matrix.Dense, values []float64, k int) float64 {
	r := l.outside(y, k)
	var largest float64
	for j := range k {
		largest = math.Max(largest, columnNorm(j, r))
	}
	return relative(largest, largestOf(values))
}

// outside returns the coordinates in X_(j+1) of K times the k leading Ritz vectors.
func (l *leader) outside(y *matrix.Dense, k int) *matrix.Dense {
	last := len(l.firsts) - 1
	return matrix.Mul(nil, l.beta[last], matrix.NoTrans, y.View(l.firsts[last], 0, l.x.Rows, k), matrix.NoTrans)
}

// restart replaces the basis by a third as many leading Ritz vectors V, which take
// the place of a block: KV = Vθ + X_(j+1)β.
func (l *leader) restart(values []float64, y *matrix.Dense) {
	keep := max(l.size.block, l.size.basis/3)
	if l.kept == nil {
		l.kept = matrix.New(keep, l.v.n)
	}
	l.v.combineRows(l.team, l.kept, y.View(0, 0, y.Rows, keep))
	theta, beta := matrix.New(keep, keep), l.outside(y, keep)
	for i := range keep {
		theta.Set(i, i, values[i])
	}
	next := l.next.Clone()
	l.v.clear()
	for i := 0; i < keep; i += l.size.block {
		some := l.kept.View(i, 0, min(l.size.block, keep-i), l.v.n)
		l.v.room(some.Rows).CopyFrom(some)
		l.v.add(some.Rows)
	}
	l.x, l.next = l.kept, l.v.room(next.Rows)
	l.next.CopyFrom(next)
	l.firsts, l.alpha, l.beta = []int{0}, []*matrix.Dense{theta}, []*matrix.Dense{beta}
}

// measuredOperator is scale·A for a matrix A, with what the method must know of it.
type measuredOperator struct {
	operator
	scale float64 // a power of two; 1 unless the elements are very large or small
	norm  float64 // ‖scale·A‖_F
}

// safeExponent bounds |log₂ max|A|| of a matrix that needs no scaling.
const safeExponent = 400

// safeScale returns the scale of a matrix with the given largest magnitude.
func safeScale(maxAbs float64) float64 {
	if maxAbs < math.Ldexp(1, -safeExponent) || maxAbs > math.Ldexp(1, safeExponent) {
		return unitScale(maxAbs)
	}
	return 1
}

// measureInPlace reads the matrix once, and packs it in place. Where an element is
// not finite the matrix is as before.
func measureInPlace(team *block.Team, a *matrix.Dense) (*packed, measuredOperator, error) {
	sizes := matrix.NewSizes(a.Rows)
	p := newPacked(team, a, func(rows *matrix.Dense, i0 int) {
		for i := range rows.Rows {
			sizes.Add(i0+i, rows.Row(i))
		}
	})
	maxAbs := sizes.MaxAbs()
	if maxAbs-maxAbs != 0 {
		p.unpack(team)
		return nil, measuredOperator{}, matrix.CheckFinite(a)
	}
	scale := safeScale(maxAbs)
	p.scaleBy(team, scale)
	_, e := math.Frexp(scale)
	return p, measuredOperator{p, scale, sizes.NormFrobenius(e - 1)}, nil
}

// scaledRows returns f·a.
func scaledRows(a *matrix.Dense, f float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		f64.Scale(b.Row(i), f)
	}
	return b
}
