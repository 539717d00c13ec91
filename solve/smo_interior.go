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

// slowSteps × order is the number of steps after which a problem that has few
// features is left to the interior-point method: some tenths of a second.
const slowSteps = 1 << 26

// slow reports whether the run has come to where the interior-point method is tried.
func (s *smo) slow() bool {
	n := len(s.all.u)
	if s.features != nil || s.iterations < slowSteps/n {
		return false
	}
	linear, ok := s.entries.(Linear)
	if !ok {
		return false
	}
	x := linear.Features()
	return x != nil && 2*x.Cols <= n && s.iterations >= 8*x.Cols
}

// interior goes on from the solution of the interior-point method, where that has a
// larger objective.
func (s *smo) interior(ctx context.Context) error {
	s.features = s.entries.(Linear).Features()
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
	means := matrix.MulVec(nil, x, matrix.Transposed, filled(p.terms, 1/float64(n)))
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

func filled(x []float64, v float64) []float64 {
	for i := range x {
		x[i] = v
	}
	return x
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
		p.v[i] = float64(0.5*c) * min(1, total[1-own]/total[own])
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

// rowsTogether is the number of rows that are scaled at a time.
const rowsTogether = 1024

// factorize sets factor to that of X̃ᵀD⁻¹X̃ + diag(1, …, 1, 0), X̃ the rows with their 1.
func (p *interior) factorize(ctx context.Context) error {
	n, d := p.x.Rows, p.x.Cols-1
	clear(p.square.Data)
	for j := range d {
		p.square.Set(j, j, 1)
	}
	for lo := 0; lo < n; lo += rowsTogether {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := p.rows.View(0, 0, min(rowsTogether, n-lo), d+1)
		for i := range rows.Rows {
			scale, to := math.Sqrt(1/p.d[lo+i]), rows.Row(i)
			for j, v := range p.x.Row(lo + i) {
				to[j] = float64(scale * v)
			}
		}
		matrix.AddSymRankK(p.square, rows, matrix.Transposed)
	}
	var err error
	p.factor, err = FactorCholesky(ctx, p.square)
	return err
}

// step goes to the next point, and returns the share of the way to the edge.
func (p *interior) step(sum float64) (length float64) {
	mu := p.products(0)
	clear(p.cl)
	clear(p.cu)
	p.direction(sum, false)
	ahead := p.products(p.longest())
	centring := ahead / mu
	centring = float64(centring*centring) * centring
	for i, du := range p.du {
		target := float64(centring * mu)
		p.cl[i] = math.FMA(-du, p.dzl[i], target)
		p.cu[i] = math.FMA(du, p.dzu[i], target)
	}
	db := p.direction(sum, true)
	length = float64(0.995 * p.longest())
	if !(length > 0) {
		return 0
	}
	p.b = math.FMA(length, db, p.b)
	for i, du := range p.du {
		p.v[i] = max(math.FMA(length, du, p.v[i]), tiniest)
		p.t[i] = max(math.FMA(-length, du, p.t[i]), tiniest)
		p.zl[i] = max(math.FMA(length, p.dzl[i], p.zl[i]), tiniest)
		p.zu[i] = max(math.FMA(length, p.dzu[i], p.zu[i]), tiniest)
	}
	return length
}

const tiniest = 1e-150 // whose square is a float64

// products returns the mean of v·zl and t·zu after a part of the direction.
func (p *interior) products(part float64) float64 {
	for i := range p.terms {
		if part == 0 {
			p.terms[i] = math.FMA(p.v[i], p.zl[i], float64(p.t[i]*p.zu[i]))
			continue
		}
		v, zl := math.FMA(part, p.du[i], p.v[i]), math.FMA(part, p.dzl[i], p.zl[i])
		t, zu := math.FMA(-part, p.du[i], p.t[i]), math.FMA(part, p.dzu[i], p.zu[i])
		p.terms[i] = math.FMA(v, zl, float64(t*zu))
	}
	return matrix.Sum(p.terms) / float64(2*len(p.terms))
}

// longest returns the part of the direction, at most 1, that stays within the bounds.
func (p *interior) longest() float64 {
	part := 1.0
	for i, du := range p.du {
		for _, s := range [4][2]float64{{p.v[i], du}, {p.t[i], -du}, {p.zl[i], p.dzl[i]}, {p.zu[i], p.dzu[i]}} {
			if s[1] < 0 {
				part = min(part, -s[0]/s[1])
			}
		}
	}
	return part
}

// direction sets du, dzl and dzu to those of the step that makes v·zl and t·zu what cl
// and cu say and Σu, now sum, zero; it returns that of b.
func (p *interior) direction(sum float64, refined bool) (db float64) {
	last := len(p.h) - 1
	copy(p.terms, p.r)
	for i := range p.terms {
		p.terms[i] += p.cl[i]/p.v[i] - p.cu[i]/p.t[i]
	}
	right := p.terms
	clear(p.du)
	clear(p.z)
	p.solve(right, sum)
	if refined {
		matrix.MulVec(p.h, p.x, matrix.Transposed, p.du)
		left := sum + p.h[last]
		p.h[last] = p.z[last]
		rest := matrix.MulVec(nil, p.x, matrix.NoTrans, p.h)
		for i, v := range rest {
			rest[i] = math.FMA(-p.d[i], p.du[i], right[i]-v)
		}
		p.solve(rest, left)
	}
	for i, du := range p.du {
		p.dzl[i] = (math.FMA(-p.zl[i], du, p.cl[i]))/p.v[i] - p.zl[i]
		p.dzu[i] = (math.FMA(p.zu[i], du, p.cu[i]))/p.t[i] - p.zu[i]
	}
	return p.z[last]
}

// solve adds to du and z the solution of (XXᵀ + D)du + z_b = right, Σdu = −sum.
func (p *interior) solve(right []float64, sum float64) {
	scaled := make([]float64, len(right))
	for i, v := range right {
		scaled[i] = v / p.d[i]
	}
	matrix.MulVec(p.h, p.x, matrix.Transposed, scaled)
	p.h[len(p.h)-1] += sum
	p.factor.Solve(matrix.Column(p.h))
	matrix.MulVec(scaled, p.x, matrix.NoTrans, p.h)
	for i, v := range scaled {
		p.du[i] += (right[i] - v) / p.d[i]
	}
	for j, v := range p.h {
		p.z[j] += v
	}
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
		if g := p.y[i] - v; u[i] < p.hi[i] {
			rise = max(rise, g)
		}
		if g := p.y[i] - v; u[i] > p.lo[i] {
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
