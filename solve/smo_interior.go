package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Linear is Entries of rows' dot products.
type Linear interface {
	Entries
	// Features returns the rows, which are not changed, or nil where the entries are
	// something else than their dot products.
	Features() *matrix.Dense
}

// stepsBeforeLeap returns the number of steps after which a problem with the given features
// is left to the interior-point method, whose cost is that of some more steps.
func stepsBeforeLeap(x *matrix.Dense) int {
	const entries = 1 << 25 // of the gradient, in all steps: some tenths of a second
	return max(entries/x.Rows, 32*x.Cols)
}

// leap goes on from the solution of the interior-point method, where that has a
// larger objective. From then on the gradient comes from the features.
func (s *smo) leap(ctx context.Context) error {
	s.leapt = true
	for p, t := range s.active {
		s.all.u[t] = s.u[p]
	}
	in := newInterior(s.features, s.all, s.options.Tolerance)
	steps, err := in.run(ctx)
	s.iterations += steps
	if err != nil {
		return err
	}
	if in.best != nil && in.dual(in.best) > in.dual(s.all.u) {
		copy(s.all.u, in.best)
		s.activateAll()
	}
	return s.restore(ctx)
}

// interior is the primal-dual interior-point method for the problem of [SMO] with
// K = XXᵀ (Ferris & Munson, "Interior-point methods for massive support vector
// machines", SIAM J. Optim. 13, 2002), with the predictor and the corrector of
// Mehrotra ("On the implementation of a primal-dual interior point method", SIAM J.
// Optim. 2, 1992). With the distances v = u − lo and t = hi − u from the bounds and
// multipliers zl, zu ≥ 0 of these, b that of Σu = 0, it follows
//
//	Xw + b − y = zl − zu,   w = Xᵀu,   Σu = 0,   v·zl = t·zu = μ
//
// as μ goes to 0. A step solves (XXᵀ + D)du + db = r, Σdu = −Σu with the diagonal
// D = zl/v + zu/t + δ by a Cholesky factorization of I + XᵀD⁻¹X, bordered for b, and one
// step of refinement. The small δ bounds its condition; what it leaves of the residual
// is that of the next step. The columns of X are centred, which changes nothing where
// Σu = 0.
type interior struct {
	rowsOfAll
	tolerance float64
	x         *matrix.Dense // a row of features, centred, and a 1
	c         []float64     // hi − lo
	delta     float64

	v, t, zl, zu []float64
	b            float64
	d            []float64 // D
	factor       *Cholesky

	r, du        []float64 // right-hand side and direction
	dzl, dzu     []float64
	cl, cu       []float64 // what v·zl and t·zu are to be, less the terms of second order
	z, h         []float64 // of the length of a row of x
	rows, square *matrix.Dense
	terms        []float64

	best []float64 // of the candidates, that with the least gap
	gap  float64
}

// interiorSteps bounds the steps: some 45 are usual.
const interiorSteps = 100

func newInterior(x *matrix.Dense, a rowsOfAll, tolerance float64) *interior {
	n, d := x.Rows, x.Cols
	p := &interior{rowsOfAll: a, tolerance: tolerance, x: matrix.New(n, d+1), gap: math.Inf(1)}
	for _, s := range []*[]float64{&p.c, &p.v, &p.t, &p.zl, &p.zu, &p.d, &p.r, &p.du, &p.dzl, &p.dzu, &p.cl, &p.cu, &p.terms} {
		*s = make([]float64, n)
	}
	p.z, p.h, p.square = make([]float64, d+1), make([]float64, d+1), matrix.New(d+1, d+1)
	p.rows = matrix.New(min(n, rowsTogether), d+1)
	for i := range p.terms {
		p.terms[i] = 1 / float64(n)
	}
	means := matrix.MulVec(nil, x, matrix.Transposed, p.terms)
	for i := range n {
		from, to := x.Row(i), p.x.Row(i)
		for j, v := range from {
			to[j] = v - means[j]
		}
		p.delta = max(p.delta, matrix.SumSquares(to[:d]))
		to[d] = 1
	}
	p.delta = float64(p.delta * (128 * unit))
	p.start()
	return p
}

// start puts u inside its bounds, with Σu = 0.
func (p *interior) start() {
	var total [2]float64
	for i := range p.c {
		p.c[i] = p.hi[i] - p.lo[i]
		total[p.class(i)] += p.c[i]
	}
	for i, c := range p.c {
		own := p.class(i)
		p.v[i] = float64(0.5 * float64(c*min(1, total[1-own]/total[own])))
		p.t[i] = c - p.v[i]
		if own == 0 {
			p.v[i], p.t[i] = p.t[i], p.v[i]
		}
	}
	p.residual()
	for i, r := range p.r {
		p.terms[i] = math.Abs(r)
	}
	size := max(1, matrix.Sum(p.terms)/float64(len(p.r)))
	for i, r := range p.r {
		p.zl[i], p.zu[i] = max(0, -r)+size, max(0, r)+size
	}
}

// class returns 1 for a row of the positive class, 0 for the others.
func (p *interior) class(i int) int {
	if p.y[i] > 0 {
		return 1
	}
	return 0
}

// value returns u of a row.
func (p *interior) value(i int) float64 {
	if p.v[i] < p.t[i] {
		return p.lo[i] + p.v[i]
	}
	return p.hi[i] - p.t[i]
}

// residual sets r to y − XXᵀu − b, and returns Σu.
func (p *interior) residual() (sum float64) {
	for i := range p.terms {
		p.terms[i] = p.value(i)
	}
	d := len(p.h) - 1
	matrix.MulVec(p.h, p.x, matrix.Transposed, p.terms)
	sum, p.h[d] = p.h[d], p.b
	matrix.MulVec(p.r, p.x, matrix.NoTrans, p.h)
	for i, v := range p.r {
		p.r[i] = p.y[i] - v
	}
	return sum
}

// run takes steps until a candidate has a gap of half the tolerance, or there is no
// more progress.
func (p *interior) run(ctx context.Context) (steps int, err error) {
	for steps < interiorSteps && p.gap > p.tolerance/2 {
		sum := p.residual()
		for i := range p.d {
			p.d[i] = p.zl[i]/p.v[i] + p.zu[i]/p.t[i] + p.delta
		}
		if err := p.factorize(ctx); err != nil {
			if ctx.Err() == nil {
				err = nil // as far as it goes
			}
			return steps, err
		}
		length := p.step(sum)
		if !(length > 1e-8) {
			return steps, nil
		}
		steps++
		p.candidate()
	}
	return steps, nil
}

// candidate is the point with each u at the bound whose multiplier is above its
// distance, in units of the width between the bounds, and Σu = 0 by the others.
func (p *interior) candidate() {
	u, room := make([]float64, len(p.c)), p.terms
	roomiest := 0
	for i, c := range p.c {
		room[i] = 0
		switch {
		case p.zl[i] > p.v[i]/c:
			u[i] = p.lo[i]
		case p.zu[i] > p.t[i]/c:
			u[i] = p.hi[i]
		default:
			u[i] = p.value(i)
			if room[i] = min(p.v[i], p.t[i]); room[i] > room[roomiest] {
				roomiest = i
			}
		}
	}
	share := 0.0
	if total := matrix.Sum(room); total > 0 {
		share = matrix.Sum(u) / total
	}
	for i, r := range room {
		u[i] = min(max(math.FMA(-share, r, u[i]), p.lo[i]), p.hi[i])
	}
	u[roomiest] = min(max(u[roomiest]-matrix.Sum(u), p.lo[roomiest]), p.hi[roomiest])
	size := 0.0
	for _, v := range u {
		size += math.Abs(v)
	}
	if !(math.Abs(matrix.Sum(u)) <= 16*unit*size) {
		return
	}
	if gap := p.gapOf(u); gap < p.gap {
		p.best, p.gap = u, gap
	}
}

// gapOf returns the largest violation of the optimality conditions.
func (p *interior) gapOf(u []float64) float64 {
	matrix.MulVec(p.h, p.x, matrix.Transposed, u)
	p.h[len(p.h)-1] = 0
	kept := matrix.MulVec(nil, p.x, matrix.NoTrans, p.h)
	rise, fall := math.Inf(-1), math.Inf(1)
	for i, v := range kept {
		g := p.y[i] - v
		if u[i] < p.hi[i] {
			rise = max(rise, g)
		}
		if u[i] > p.lo[i] {
			fall = min(fall, g)
		}
	}
	return max(rise-fall, 0)
}

// dual returns the objective.
func (p *interior) dual(u []float64) float64 {
	matrix.MulVec(p.h, p.x, matrix.Transposed, u)
	return math.FMA(-0.5, matrix.SumSquares(p.h[:len(p.h)-1]), matrix.Dot(p.y, u))
}
