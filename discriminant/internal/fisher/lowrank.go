package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// lowRank is (FFᵀ + D)⁻¹ = D^(−½)(GGᵀ + I)⁻¹D^(−½) for a positive diagonal D, with G = D^(−½)F.
type lowRank struct {
	g, l    *matrix.Dense // GᵀG + I = LLᵀ
	factor  *solve.Cholesky
	weights []float64 // 1/√D
	refine  bool
}

// withShare returns ε and a share of what is left as a diagonal.
func withShare(epsilon float64, left []float64, share float64) []float64 {
	d := make([]float64, len(left))
	for i, v := range left {
		d[i] = math.FMA(share, v, epsilon)
	}
	return d
}

// leftOf returns the diagonal of K − FFᵀ.
func leftOf(f *matrix.Dense, diagonal []float64) []float64 {
	left := make([]float64, f.Rows)
	for i, v := range diagonal {
		if left[i] = v - matrix.SumSquares(f.Row(i)); !(left[i] > float64(leastLeft*v)) {
			left[i] = 0
		}
	}
	return left
}

// leastLeft is the share of k(x, x) up to which what landmarks leave of it counts as nothing.
const leastLeft = 0x1p-30

// newLowRank returns it; G takes the place of F.
func newLowRank(ctx context.Context, f *matrix.Dense, d []float64) (*lowRank, error) {
	p := &lowRank{g: f, weights: make([]float64, len(d))}
	for i, v := range d {
		p.weights[i] = 1 / math.Sqrt(v)
	}
	timesRows(f, p.weights)
	p.l = matrix.SymRankK(nil, f, matrix.Transposed)
	trace := 0.0
	for i := range p.l.Rows {
		trace += p.l.At(i, i)
		p.l.Row(i)[i]++
	}
	p.refine = float64(u*trace) > 0x1p-24
	var err error
	p.factor, err = solve.FactorCholesky(ctx, p.l)
	return p, err
}

// timesRows multiplies each row of a by its factor.
func timesRows(a *matrix.Dense, factors []float64) {
	eachRow(a, func(i int, row []float64) {
		for j, v := range row {
			row[j] = float64(factors[i] * v)
		}
	})
}

// times returns the product with X by Woodbury's identity (GGᵀ + I)⁻¹ = I − G(GᵀG + I)⁻¹Gᵀ, with
// a step of refinement where that cancels by more than some digits.
func (p *lowRank) times(x *matrix.Dense) *matrix.Dense {
	x = x.Clone()
	timesRows(x, p.weights)
	y := p.inverse(x)
	timesRows(y, p.weights)
	return y
}

// inverse returns (GGᵀ + I)⁻¹X, and overwrites X.
func (p *lowRank) inverse(x *matrix.Dense) *matrix.Dense {
	y := x.Clone()
	p.subtract(y, x, true)
	if p.refine {
		addScaled(x, -1, y)
		p.subtract(x, y, false)
		r := x.Clone()
		p.subtract(r, x, true)
		addScaled(y, 1, r)
	}
	return y
}

// subtract takes GGᵀX, or G(GᵀG + I)⁻¹GᵀX, off Y.
func (p *lowRank) subtract(y, x *matrix.Dense, solved bool) {
	b := matrix.Mul(nil, p.g, matrix.Transposed, x, matrix.NoTrans)
	if solved {
		p.factor.Solve(b)
	}
	matrix.SubMul(y, p.g, matrix.NoTrans, b, matrix.NoTrans)
}

// unscaled returns F, in the place of G.
func (p *lowRank) unscaled() *matrix.Dense {
	roots := make([]float64, len(p.weights))
	for i, w := range p.weights {
		roots[i] = 1 / w
	}
	timesRows(p.g, roots)
	return p.g
}

// diagonal returns that of H(GGᵀ + I)⁻¹H for a G of centred columns, 1 − 1/n − ‖L⁻¹gᵢ‖², which with
// h = Heᵢ is at least ‖h‖⁴/hᵀ(GGᵀ + I)h. Cost: nr² flops for n×r G.
func (p *lowRank) diagonal() []float64 {
	const batch = 512
	d, own := make([]float64, p.g.Rows), 1-1/float64(p.g.Rows)
	for first := 0; first < p.g.Rows; first += batch {
		rows := min(batch, p.g.Rows-first)
		x := matrix.Transpose(nil, p.g.View(first, 0, rows, p.g.Cols))
		sizes := columnNorms(x)
		matrix.SolveLower(p.l, x)
		for k, taken := range columnNorms(x) {
			least := float64(own*own) / math.FMA(sizes[k], sizes[k], own)
			d[first+k] = math.Max(math.FMA(-taken, taken, own), least)
		}
	}
	return d
}
