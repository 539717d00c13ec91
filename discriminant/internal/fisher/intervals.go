package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// intervals are those of the eigenvalues, descending, of approximate Z: see [Conjugate].
type intervals struct {
	lambda, low, high, errors []float64
	gamma                     *matrix.Dense // ΓᵀΣΓ = I
	rounding, square          float64       // norms of the rounding of Σ, and of RᵀR
	r, kz                     *matrix.Dense // the residual, and HKHZ
}

// intervals returns those for Z with the residual R, whose columns have errors of such norms.
func (c *conjugate) intervals(z, r *matrix.Dense, errors []float64) (*intervals, error) {
	p := z.Cols
	low := matrix.Mul(nil, c.q, matrix.Transposed, z, matrix.NoTrans)
	matrix.AddMul(low, z, matrix.Transposed, r, matrix.NoTrans)
	low = scaled(low, c.epsilon)
	symmetrize(low)
	square := matrix.SymRankK(nil, r, matrix.Transposed)
	i := &intervals{lambda: make([]float64, p), low: make([]float64, p), high: make([]float64, p), errors: make([]float64, p)}
	i.square = matrix.NormFrobenius(square)
	sizeZ, sizeR := columnNorms(z), columnNorms(r)
	bounds := matrix.New(p, p)
	for j := range p {
		for k := range p {
			of := innerError(c.rows, 1, contrastRounding(p), sizeZ[k], 0) + innerError(c.rows, sizeZ[j], 0, sizeR[k], errors[k])
			bounds.Set(j, k, float64(c.epsilon*of)+innerError(c.rows, sizeR[j], errors[j], sizeR[k], errors[k]))
		}
	}
	// Beside what is above, sums and eigenvalues of matrices of norm 1 are rounded.
	i.rounding = matrix.NormFrobenius(bounds) + float64(float64(16*float64(p))*u)
	middle, high := low.Clone(), low.Clone()
	addScaled(middle, 0.5, square)
	// Rounding may have made K indefinite by some part of ε.
	addScaled(high, 1/(1-c.cert.KernelRounding), square)
	sigmas := make([][]float64, 3)
	var vectors *matrix.Dense
	for at, m := range []*matrix.Dense{low, middle, high} {
		values, v, err := solve.Jacobi(m)
		if err != nil {
			return nil, err
		}
		if sigmas[at] = values; at == 1 {
			vectors = v
		}
	}
	i.gamma = matrix.New(p, p)
	for k := range p {
		from := p - 1 - k
		sigma := sigmas[1][from]
		i.lambda[k] = (1 - sigma) / sigma
		least, most := sigmas[0][from]-i.rounding, sigmas[2][from]+i.rounding
		i.low[k], i.high[k] = math.Max((1-most)/most, 0), math.Inf(1)
		if least > 0 {
			i.high[k] = (1 - least) / least
		}
		i.errors[k] = math.Max(i.high[k]-i.lambda[k], i.lambda[k]-i.low[k])/i.low[k] + float64(4*u)
		for row := range p {
			i.gamma.Set(row, k, vectors.At(row, from)/math.Sqrt(sigma))
		}
	}
	return i, nil
}

// widest returns which of the first intervals is the widest relative to its lower end, and
// that width.
func (i *intervals) widest(take int) (at int, width float64) {
	for k := range take {
		w := (i.high[k] - i.low[k]) / i.low[k]
		if math.IsNaN(w) {
			w = math.Inf(1)
		}
		if w > width {
			at, width = k, w
		}
	}
	return at, width
}

// wide returns the error of an interval that is wider than asked.
func (c *conjugate) wide(i *intervals, k int, width float64) error {
	return &IntervalError{
		Eigenvalue: k, Low: i.low[k], High: i.high[k], Width: width, Limit: c.search.Width,
		Steps: c.steps, Rank: c.precondition.f.Cols, Rounding: c.steps < searchSteps,
	}
}
