package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// krylov is the state of the block Lanczos method with full reorthogonalization
// (Golub & Underwood, "The block Lanczos method for computing eigenvalues", 1977):
// with X₁ the start and all X_j orthonormal,
//
//	K X_j = X_(j−1) β_(j−1)ᵀ + X_j α_j + X_(j+1) β_j
//
// Blocks are rows here. A candidate of which next to nothing is left after
// orthogonalization is left out, and the blocks become smaller; where nothing is
// left of any, the space is invariant.
type krylov struct {
	team  *block.Team
	k     operator
	norm  float64 // ‖K‖_F
	trace float64 // of K
	scale float64 // K is this power of two times the matrix of a reduction

	v           rowBasis // X₁, …, X_j
	firsts      []int    // of each block, its first vector
	alpha, beta []*matrix.Dense
	x, before   *matrix.Dense // X_j and X_(j−1)
	next        *matrix.Dense // X_(j+1), in the room that v has for it
	start       *matrix.Dense // R, F = X₁R
	lost        float64       // the norms of all that was left out
}

// operator is a symmetric matrix of which products with few vectors are wanted.
type operator interface {
	// multiply sets the rows of y to those of x times the matrix. The error is that
	// of a context that is done.
	multiply(ctx context.Context, team *block.Team, y, x *matrix.Dense) error
}

// scaledOperator is a power of two times a matrix that stays as it is: the vectors are
// scaled.
type scaledOperator struct {
	operator
	scale float64
}

func (o scaledOperator) multiply(ctx context.Context, team *block.Team, y, x *matrix.Dense) error {
	if o.scale != 1 {
		x = scaledRows(x, o.scale)
	}
	return o.operator.multiply(ctx, team, y, x)
}

// negligible is the part of ‖K‖_F that the rounding of a product with K may
// leave where there should be nothing.
const negligible = 4 * unit

// newKrylov starts with the columns of the n×c matrix f and, where these are fewer
// than the given number, with fixed numbers without a pattern besides: a product
// with K costs no more for a few vectors than for one. Each column of f is brought to
// about unit length first, so that what is left out of one is small against that one.
func newKrylov(team *block.Team, k operator, norm float64, f *matrix.Dense, vectors int, memory []float64) *krylov {
	n, c := f.Rows, f.Cols
	s := &krylov{team: team, k: k, norm: norm, scale: 1, v: rowBasis{n: n, memory: memory}}
	x := s.v.room(max(c, min(vectors, n)))
	columns := x.View(0, 0, c, n)
	matrix.Transpose(columns, f)
	shifts := normalizeRows(columns)
	var numbers splitmix.Random
	for i := c; i < x.Rows; i++ {
		fillRandom(&numbers, x.Row(i))
	}
	q, r, _, shrunk := orthonormalizeRows(x, float64(negligible*matrix.NormFrobenius(columns)), n)
	for range 2 {
		if shrunk {
			q, r, shrunk = refineRows(q, r, n)
		}
	}
	s.next, s.start = q, r.View(0, 0, r.Rows, c).Clone()
	shiftColumns(s.start, shifts, -1)
	return s
}

// fillRandom fills x with the next numbers, uniform in [-1, 1).
func fillRandom(numbers *splitmix.Random, x []float64) {
	for i := range x {
		x[i] = float64(float64(int64(numbers.Next())>>11) * 0x1p-52)
	}
}

// normalizeRows multiplies each row of x by a power of two, so that its norm is in
// [1/2, 1), and returns the exponents; rows of zeros stay.
func normalizeRows(x *matrix.Dense) []int {
	shifts := make([]int, x.Rows)
	for j := range shifts {
		row := x.Row(j)
		first := shiftTo(f64.MaxAbs(row), 0)
		shiftBy(row, first)
		second := shiftTo(math.Sqrt(matrix.SumSquares(row)), 0)
		shiftBy(row, second)
		shifts[j] = first + second
	}
	return shifts
}

// shiftBy multiplies x by 2^shift.
func shiftBy(x []float64, shift int) {
	for i, v := range x {
		x[i] = math.Ldexp(v, shift)
	}
}

// refineRows orthonormalizes the nearly orthonormal rows q once more, and changes
// the coefficients r accordingly.
func refineRows(q, r *matrix.Dense, most int) (*matrix.Dense, *matrix.Dense, bool) {
	q, again, _, shrunk := orthonormalizeRows(q, 0, most)
	return q, matrix.Mul(nil, again, matrix.NoTrans, r, matrix.NoTrans), shrunk
}

// step takes the next block into the basis and finds the one after it.
func (s *krylov) step(ctx context.Context) error {
	s.before, s.x = s.x, s.next
	s.firsts = append(s.firsts, s.v.count)
	s.v.add(s.x.Rows)
	y := s.v.room(s.x.Rows)
	if err := s.k.multiply(ctx, s.team, y, s.x); err != nil {
		return err
	}
	// The parts along the last two blocks are the large ones.
	if s.before != nil {
		s.subtract(y, s.beta[len(s.beta)-1], s.before)
	}
	a := matrix.New(y.Rows, y.Rows)
	product(s.team, block.Overwrite, block.Whole, a, y, s.x)
	for i := range a.Rows {
		for j := range i {
			v := float64(0.5 * (a.At(i, j) + a.At(j, i)))
			a.Set(i, j, v)
			a.Set(j, i, v)
		}
	}
	s.alpha = append(s.alpha, a)
	s.subtract(y, a, s.x)

	most := s.v.n - s.v.count
	s.v.project(s.team, y)
	q, r, lost, shrunk := orthonormalizeRows(y, float64(negligible*s.norm), most)
	for range 3 {
		if shrunk {
			s.v.project(s.team, q)
			q, r, shrunk = refineRows(q, r, most)
		}
	}
	s.lost = hypotenuse(s.lost, lost)
	s.beta = append(s.beta, r)
	s.next = q
	return nil
}

// subtract subtracts c·x from y.
func (s *krylov) subtract(y, c, x *matrix.Dense) {
	block.Run(s.team, productJob(block.Subtract, y, c, x))
}

// complete reports whether the space is invariant.
func (s *krylov) complete() bool { return s.next.Rows == 0 }

// projected returns the projection of K to the space, its lower triangle.
func (s *krylov) projected() *matrix.Dense {
	t := matrix.New(s.v.count, s.v.count)
	put := func(i, j int, a *matrix.Dense) { t.View(i, j, a.Rows, a.Cols).CopyFrom(a) }
	for b, first := range s.firsts {
		put(first, first, s.alpha[b])
		if b+1 < len(s.firsts) {
			put(s.firsts[b+1], first, s.beta[b])
		}
	}
	return t
}

// reduction returns the reduction to the space so far, in the units of the matrix
// before it was scaled.
func (s *krylov) reduction() *Reduction {
	back := 1 / s.scale
	t := newBand(s.v.count, s.start.Rows)
	for b, first := range s.firsts {
		a := s.alpha[b]
		for i := range a.Rows {
			for j := range i + 1 {
				t.set(first+i, first+j, float64(a.At(i, j)*back))
			}
		}
		if b+1 < len(s.firsts) {
			below := s.beta[b]
			for i := range below.Rows {
				for j := i; j < below.Cols; j++ {
					t.set(s.firsts[b+1]+i, first+j, float64(below.At(i, j)*back))
				}
			}
		}
	}
	r := &Reduction{
		n: s.v.n, norm: float64(s.norm * back), start: s.start, t: t, basis: &s.v,
		tail: scaledRows(s.beta[len(s.beta)-1], back), tailAt: s.firsts[len(s.firsts)-1], lost: float64(s.lost * back),
	}
	r.outside(float64(s.trace * back))
	return r
}

// outside finds what K is outside of the space, from its trace and norm: they are
// the sums of those of the parts.
func (r *Reduction) outside(trace float64) {
	left := r.n - r.t.n
	if left == 0 {
		return
	}
	diagonal := make([]float64, r.t.n)
	for i := range diagonal {
		diagonal[i] = r.t.at(i, i)
	}
	r.mean = (trace - matrix.Sum(diagonal)) / float64(left)
	scale := unitScale(r.norm)
	square := func(x float64) float64 { x = float64(x * scale); return float64(x * x) }
	sum := square(r.norm) - square(r.t.norm()) - float64(2*square(matrix.NormFrobenius(r.tail))) - float64(float64(left)*square(r.mean))
	// The difference is known up to some u‖K‖², and so the root up to √u‖K‖.
	r.spread = math.Sqrt(max(sum, 0)+float64(16*unit*square(r.norm))) / scale
}

// lanczosCost returns the cost of so many steps with blocks of b vectors of length
// n, in units of the time of a flop of a large product: a product with K takes the
// time to read K, or that of its flops in whole registers, and the vectors are made
// orthogonal.
func lanczosCost(n, b, steps int) float64 {
	order, vectors := float64(n), float64(b*steps)
	perEntry := float64(max(readCost, 2*((b+7)/8*8)))
	products := float64(float64(order*order) * float64(float64(steps)*perEntry))
	return products + float64(4*float64(order*float64(vectors*vectors)))
}

// readCost is about the time to read a number from memory, in such units.
const readCost = 80

// allows reports whether more steps are within the limit after those made.
func (l LanczosLimit) allows(n, b, made, more int) bool {
	all := lanczosCost(n, b, made+more)
	return b*(made+more) <= l.Vectors && all-lanczosCost(n, b, made) <= l.Cost && all <= float64(2*l.Cost)
}

// run makes steps until the solutions for the smallest shift, the first one, have
// residuals no larger than the rounding of K makes anyway, u‖K‖‖w‖, and reports
// whether they have: it stops as soon as more steps are predicted than the
// limit allows. A real shift with which K is not definite is left out.
func (s *krylov) run(ctx context.Context, shifts []Shift, limit LanczosLimit) (*Reduction, bool, error) {
	var p prediction
	for steps, check := 1, 4; ; steps++ {
		if err := s.step(ctx); err != nil {
			return nil, false, err
		}
		if s.complete() {
			return s.reduction(), true, nil
		}
		if steps < check {
			continue
		}
		r := s.reduction()
		worst, left := r.worst(shifts)
		shifts = left
		if worst <= unit {
			return r, true, nil
		}
		more := p.stepsLeft(steps, worst/unit)
		if !limit.allows(s.v.n, s.start.Rows, steps, more) {
			return nil, false, nil
		}
		check = steps + max(2, min(more/2, 8))
	}
}

// prediction foretells the step at which the error comes down to what is wanted.
type prediction struct {
	steps  []int
	digits []float64 // binary digits that are missing
}

// stepsLeft returns how many more steps are needed, from the errors so far, the last
// of which is given in units of what is wanted. Their logarithms fall along a line at
// least, and where the eigenvalues of K decay along a parabola; the mean of both is
// taken.
func (p *prediction) stepsLeft(steps int, excess float64) int {
	digits := digitsOf(excess)
	p.steps, p.digits = append(p.steps, steps), append(p.digits, digits)
	// The slope over about the last half of the steps.
	i := 0
	for i+2 < len(p.steps) && 2*p.steps[i+1] <= steps {
		i++
	}
	if i+1 == len(p.steps) {
		return 1 // nothing to compare with yet
	}
	slope := (p.digits[i] - digits) / float64(steps-p.steps[i])
	if !(slope > 0) {
		slope = 0x1p-10
	}
	line := digits / slope
	// digits = E − a·steps²: between p and q steps the slope is a(p + q).
	a := slope / float64(steps+p.steps[i])
	parabola := math.Sqrt(math.FMA(float64(steps), float64(steps), digits/a)) - float64(steps)
	return int(math.Ceil(min(float64(0.5*(line+parabola)), 1e6)))
}
