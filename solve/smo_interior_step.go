package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

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
	ratio := ahead / mu
	target := float64(float64(ratio*ratio) * ahead) // (ahead/mu)³·mu
	for i, du := range p.du {
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
		p.v[i] = max(math.FMA(length, du, p.v[i]), float64(tiniest*p.c[i]))
		p.t[i] = max(math.FMA(-length, du, p.t[i]), float64(tiniest*p.c[i]))
		p.zl[i] = max(math.FMA(length, p.dzl[i], p.zl[i]), tiniest)
		p.zu[i] = max(math.FMA(length, p.dzu[i], p.zu[i]), tiniest)
	}
	return length
}

const tiniest = 1e-100 // so that quotients are numbers

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
		p.dzl[i] = math.FMA(-p.zl[i], du, p.cl[i])/p.v[i] - p.zl[i]
		p.dzu[i] = math.FMA(p.zu[i], du, p.cu[i])/p.t[i] - p.zu[i]
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
