package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Search says how far a solution without the kernel matrix goes.
type Search struct {
	Rank  int     // of the preconditioner: landmarks of randomly pivoted Cholesky
	Seed  uint64  // by which they are drawn
	Width float64 // the largest width of the interval of an eigenvalue, relative to its lower end
}

// ConjugateSolver names the form in a certificate.
const ConjugateSolver = "conjugate gradients"

// preconditionShare is the share of the diagonal of K − FFᵀ that stands for it in the preconditioner.
const preconditionShare = 0.5

// searchSteps bounds the steps of a search.
const searchSteps = 2000

// Conjugate is [Centred], or [Shifted] (see [conjugate.shifted]), without the n×n matrix, for
// rows without weights: conjugate gradients for (HKH + εI)Z = Q, with kernel values that are
// made on the way, preconditioned by HFFᵀH + εI + ½D with the partial Cholesky factor F of K, ½D
// in place of K − FFᵀ, D its diagonal. Memory is n·(rank + some 10c) numbers.
//
// For any Z̃, with R = Q − AZ̃, A = HKH + εI and Q = AZ̃ + R put twice into Σ = εQᵀA⁻¹Q,
//
//	Σ = ε(Z̃ᵀAZ̃ + Z̃ᵀR + RᵀZ̃ + RᵀA⁻¹R) = ε(QᵀZ̃ + Z̃ᵀR) + εRᵀA⁻¹R
//
// and 0 ≼ εA⁻¹ ≼ I for a positive semidefinite K, so that
//
//	ε(QᵀZ̃ + Z̃ᵀR) ≼ Σ ≼ ε(QᵀZ̃ + Z̃ᵀR) + RᵀR
//
// By Courant and Fischer the eigenvalues of Σ, 1/(1 + λ), lie between those of both ends, up to
// the norm of their rounding: an interval for each λ which needs no condition number, and
// whose width falls with the square of R. Columns of HKHZ̃ err by at most those of R, and
// those of Z̃ by R/ε. R is summed from the rows of K, in doubled precision where chains are
// not enough.
//
// The search ends when the intervals are as narrow as asked. Where rounding or the number
// of steps keeps them wider, it is an *IntervalError.
func Conjugate(e *gram.Evaluator, search Search) Form {
	return func(ctx context.Context, p Problem) (*Solution, error) {
		if p.Classes.Weights != nil || p.Averaged || p.Regularizer == (Regularizer{Shrink, 1}) || p.LeaveOneOut && !p.Regularizer.Kind.InRKHS() {
			panic("fisher: Conjugate: want a ridge, in the RKHS to leave rows out, rows without weights, and the summed scatter")
		}
		c, err := newConjugate(ctx, e, search, p)
		if err != nil {
			return nil, err
		}
		return c.run(ctx)
	}
}

// conjugate is a search for Z.
type conjugate struct {
	*scaledProblem
	search         Search
	e              *gram.Evaluator
	ridge, epsilon float64
	sigma          float64        // √ε for K − iσI, 0 for HKH + εI
	right          *matrix.Dense  // [q₀ Q], or Q
	means          *gram.Centring // in the units of the kernel
	step           *solve.Conjugate
	precondition   *lowRank
	influence      *estimatedInfluences // or nil
	cert           Certificate
	steps          int
	quick          bool // residuals are summed as the products of the search are
}

func newConjugate(ctx context.Context, e *gram.Evaluator, search Search, p Problem) (*conjugate, error) {
	n := e.Order()
	f, landmarks, err := e.PartialFactor(ctx, search.Rank, search.Seed)
	if err != nil {
		return nil, indefiniteKernel(err)
	}
	largest, diagonal := 0.0, e.Diag(nil)
	for _, v := range diagonal {
		largest = math.Max(largest, v)
	}
	if largest == 0 {
		return nil, &CoincidentMeansError{}
	}
	s := &scaledProblem{Problem: p}
	s.unitMatrix = unitMatrix{rows: n, total: float64(n), scale: evenScale(largest), weighed: scaleBy(0)}
	s.unit, s.largest = s.scale, s.scale.value(largest)
	s.normK = s.scale.value(landmarks.Trace)
	s.norm = s.normK
	scaleBy(s.scale.exp / 2).matrix(f)
	s.scale.matrix(matrix.Column(diagonal))
	c := &conjugate{scaledProblem: s, search: search, e: e}
	s.q = contrasts(p.Classes, false)
	left := leftOf(f, diagonal)
	if p.LeaveOneOut {
		c.influence = newEstimatedInfluences(diagonal, left, search.Seed)
	}
	var kq *matrix.Dense
	var inverse func(*matrix.Dense) *matrix.Dense
	if p.Regularizer.Kind.InRKHS() {
		kq, inverse, err = c.centred(ctx, f, left)
	} else {
		kq, inverse, err = c.shifted(ctx, f, left)
	}
	if err != nil {
		return nil, err
	}
	if s.rank, err = contrastRank(kq, float64(float64(float64(n)*u)*s.normK), s.normK); err != nil {
		return nil, err
	}
	if s.take, err = directions(p.Components, s.rank, len(p.Classes.Counts)); err != nil {
		return nil, err
	}
	c.cert.Rank = s.rank
	right := c.right
	if c.influence != nil {
		right = beside(right, c.influence.columns())
	}
	c.step = solve.NewConjugate(right, c.multiply, inverse)
	return c, nil
}

// centred prepares the search for HKH + εI, and returns HKQ and the preconditioner of F and of
// what it leaves.
func (c *conjugate) centred(ctx context.Context, f *matrix.Dense, left []float64) (kq *matrix.Dense, inverse func(*matrix.Dense) *matrix.Dense, err error) {
	n, s := c.rows, c.scaledProblem
	ones := matrix.New(n, 1)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	both, err := c.e.Product(ctx, c.scaledUp(beside(ones, s.q)), nil)
	if err != nil {
		return nil, nil, err
	}
	c.setCentring(both.View(0, 0, n, 1))
	s.mean = (s.normK - columnSums(both.View(0, 0, n, 1))[0]/float64(n)) / float64(n)
	if c.ridge, c.epsilon, err = s.ridge(s.Regularizer); err != nil {
		return nil, nil, err
	}
	c.quick = math.Abs(c.centring.Shift) <= float64(8*s.mean) // else the means would lose digits
	kq = both.View(0, 1, n, s.q.Cols)
	centreColumns(kq)
	c.right = s.q
	c.cert = s.certificate(ConjugateSolver, c.epsilon, 1/c.epsilon)
	if err := c.cert.checkKernelRounding("the ridge"); err != nil {
		return nil, nil, err
	}
	centreColumns(f)
	c.precondition, err = newLowRank(ctx, f, withShare(c.epsilon, left, preconditionShare))
	return kq, func(x *matrix.Dense) *matrix.Dense {
		y := c.precondition.times(x)
		centreColumns(y)
		return y
	}, err
}

// indefiniteKernel returns the error of a factorization that met an indefinite kernel.
func indefiniteKernel(err error) error {
	if e := (*gram.IndefiniteError)(nil); errors.As(err, &e) {
		return &IndefiniteKernelError{Pivot: e.Row, Value: e.Left}
	}
	return err
}

// evenScale is unitScale with an even exponent, whose root is a power of two.
func evenScale(largest float64) binaryScale {
	s := unitScale(largest)
	return scaleBy(s.exp &^ 1)
}

// scaledUp returns X in the units in which the scaled K times it is K times X.
func (c *conjugate) scaledUp(x *matrix.Dense) *matrix.Dense {
	if c.scale.exp != 0 {
		x = x.Clone()
		c.scale.matrix(x)
	}
	return x
}

// multiply returns (HKH + εI)X for columns that sum to zero, or (K² + εI)X.
func (c *conjugate) multiply(ctx context.Context, x *matrix.Dense) (*matrix.Dense, error) {
	if c.sigma != 0 {
		return c.multiplyTwice(ctx, x)
	}
	y, err := c.e.Product(ctx, c.scaledUp(x), c.means)
	if err != nil {
		return nil, err
	}
	centreColumns(y)
	addScaled(y, c.epsilon, x)
	return y, nil
}

// centreColumns takes the mean off each column.
func centreColumns(a *matrix.Dense) {
	means := columnSums(a)
	for j := range means {
		means[j] /= float64(a.Rows)
	}
	eachRow(a, func(_ int, row []float64) {
		for j, m := range means {
			row[j] -= m
		}
	})
}

// addScaled adds f·x to y.
func addScaled(y *matrix.Dense, f float64, x *matrix.Dense) {
	for i := range y.Rows {
		row := y.Row(i)
		for j, v := range x.Row(i) {
			row[j] = math.FMA(f, v, row[j])
		}
	}
}

// run searches until the intervals are narrow.
func (c *conjugate) run(ctx context.Context) (*Solution, error) {
	for before := math.Inf(1); ; {
		if err := c.descend(ctx); err != nil {
			return nil, err
		}
		found, k, width, err := c.examine(ctx)
		if err != nil {
			return nil, err
		}
		if width <= c.search.Width {
			return c.solutionOf(ctx, found)
		}
		if !(width < float64(0.5*before)) || c.steps >= searchSteps {
			if _, width = found.widest(k); k > 0 && c.Components == 0 && found.low[k] == 0 && width <= c.search.Width {
				found.errors[k] = math.Inf(1) // may be rounding, and is no part of the rank
				return c.solutionOf(ctx, found)
			}
			_, width = found.widest(c.take)
			return nil, c.wide(found, k, width)
		}
		before = width
		c.step.Restart(beside(found.r, c.sampled(c.step.R)))
	}
}

// examine returns the intervals of Z and the widest of them, in doubled precision where they are
// wider than asked without.
func (c *conjugate) examine(ctx context.Context) (found *intervals, k int, width float64, err error) {
	for {
		if found, err = c.residual(ctx); err != nil {
			return nil, 0, 0, err
		}
		if k, width = found.widest(c.take); width <= c.search.Width || !c.quick {
			return found, k, width, nil
		}
		c.quick = false
	}
}

// descend makes steps until the intervals that the updated residual leads to are narrow,
// or rounding is most of their width.
func (c *conjugate) descend(ctx context.Context) error {
	none := make([]float64, c.right.Cols)
	for first := true; c.steps < searchSteps; first = false {
		if !first {
			z := c.found(c.step.Z)
			if c.sigma != 0 {
				z = scaled(z, c.sigma)
			}
			i, err := c.intervals(z, c.found(c.step.R), none, nil)
			if err != nil {
				return err
			}
			if _, width := i.widest(c.take); width <= float64(0.99*c.search.Width) || i.square <= i.rounding {
				return nil
			}
		}
		if err := c.step.Step(ctx); err != nil {
			if e := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &e) {
				if c.sigma != 0 {
					return nil // it is, but for rounding
				}
				return &IndefiniteKernelError{Ridge: c.ridge, Pivot: -1}
			}
			return err
		}
		c.steps++
	}
	return nil
}

// found returns the columns of a that are of c.right, and sampled those that are of the
// rows by which influences are estimated.
func (c *conjugate) found(a *matrix.Dense) *matrix.Dense { return a.View(0, 0, a.Rows, c.right.Cols) }
func (c *conjugate) sampled(a *matrix.Dense) *matrix.Dense {
	return a.View(0, c.right.Cols, a.Rows, a.Cols-c.right.Cols)
}

// residual returns the intervals by the residual, in doubled precision or quickly, and sets the
// means of the kernel.
func (c *conjugate) residual(ctx context.Context) (*intervals, error) {
	if c.sigma != 0 {
		return c.shiftedResidual(ctx)
	}
	centreColumns(c.step.Z)
	n, z := c.rows, c.found(c.step.Z)
	x := matrix.New(n, 1+z.Cols)
	means := matrix.New(1, z.Cols)
	for j, sum := range columnSums(z) {
		means.Set(0, j, sum/float64(n))
	}
	total := make([]float64, z.Cols)
	for i := range n {
		row := x.Row(i)
		row[0] = 1
		for j, v := range z.Row(i) {
			row[1+j] = v
			total[j] += math.Abs(v)
		}
	}
	c.scale.matrix(x)
	both, rounding, err := c.multiplyRows(ctx, x)
	if err != nil {
		return nil, err
	}
	c.setCentring(both.View(0, 0, n, 1))
	kz := both.View(0, 1, n, z.Cols).Clone()
	sizes := columnNorms(kz)
	matrix.SubMul(kz, both.View(0, 0, n, 1), matrix.NoTrans, means, matrix.NoTrans)
	centreColumns(kz)
	r := c.q.Clone()
	addScaled(r, -1, kz)
	addScaled(r, -c.epsilon, z)
	sizeR, sizeZ := columnNorms(r), columnNorms(z)
	errors := make([]float64, z.Cols)
	for j := range errors {
		near := float64(4*sizes[j]) + 1 + float64(2*float64(c.epsilon*sizeZ[j])) + sizeR[j]
		errors[j] = float64(2*float64(u*near)) + contrastRounding(z.Cols) + float64(rounding*total[j])
	}
	found, err := c.intervals(z, r, errors, nil)
	if err != nil {
		return nil, err
	}
	found.w, found.kw, found.r = z, kz, r
	c.cert.Backward, c.cert.Forward = 0, 0
	for j, v := range sizeR {
		error := v + errors[j]
		c.cert.Backward = math.Max(c.cert.Backward, error/(1+float64(c.epsilon*sizeZ[j])))
		c.cert.Forward = math.Max(c.cert.Forward, error/float64(c.epsilon*sizeZ[j]))
	}
	return found, nil
}

// multiplyRows returns KX, and what bounds the norm of the error of a column over the sum of the
// magnitudes of that of X, of chains of n terms if quick.
func (c *conjugate) multiplyRows(ctx context.Context, x *matrix.Dense) (kx *matrix.Dense, rounding float64, err error) {
	if c.quick {
		kx, err = c.e.Product(ctx, x, nil)
		return kx, float64(chainError(c.rows) * float64(math.Sqrt(float64(c.rows))*c.largest)), err
	}
	kx, err = solve.Product(ctx, c.e, x)
	return kx, c.doubledError(), err
}

// doubledError bounds the norm of the error of a column of KZ in doubled precision, over the sum
// of the magnitudes of that of Z.
func (c *conjugate) doubledError() float64 {
	n := float64(c.rows)
	return float64(float64(8*u*u*float64(n+1)*n) * float64(math.Sqrt(n)*c.largest))
}

// setCentring takes the means from K·1.
func (c *conjugate) setCentring(sums *matrix.Dense) {
	means := make([]float64, c.rows)
	for i := range means {
		means[i] = sums.At(i, 0) / float64(c.rows)
	}
	g := &gram.Centring{Shift: matrix.Sum(means) / float64(c.rows), Means: means}
	for i := range means {
		means[i] -= g.Shift
	}
	g.Mean = g.RowMean(means)
	c.centring = g
	c.means = c.unscaledCentring()
}

// solutionOf returns the solution for Z.
func (c *conjugate) solutionOf(ctx context.Context, found *intervals) (*Solution, error) {
	c.cert.Refinements = c.steps
	last := pass{w: found.w, kw: found.kw, lambda: found.lambda, gamma: found.gamma, errors: found.errors}
	solution, err := c.solution(last, unitTotal, c.ridge, &c.cert)
	if err != nil || c.influence == nil {
		return solution, err
	}
	z := c.sampled(c.step.Z)
	of := matrix.Mul(nil, c.influence.columns(), matrix.Transposed, z, matrix.NoTrans)
	matrix.AddMul(of, z, matrix.Transposed, c.sampled(c.step.R), matrix.NoTrans)
	known := make([]float64, of.Cols) // from below: 1/Cᵢᵢ is at most ε + (HKH)ᵢᵢ
	for k := range known {
		known[k] = math.Max(float64(c.epsilon*of.At(k, k)), c.epsilon/(c.epsilon+float64(4*c.largest)))
	}
	whole, err := newLowRank(ctx, c.precondition.unscaled(), withShare(c.epsilon, c.influence.left, 1))
	if err != nil {
		return nil, err
	}
	solution.influences = c.influence.estimate(known, whole.diagonal(), c.epsilon, c.centring)
	scaleBy(-c.scale.exp).matrix(matrix.Column(solution.influences))
	return solution, nil
}
