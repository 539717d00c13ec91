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
	share                     *matrix.Dense // of q₀ in the contrasts, nil where they are orthogonal to it
	r                         *matrix.Dense // the residual
	w, kw                     *matrix.Dense // what α is made of, and its product with HKH or K
}

// intervals returns those for Z with the residual R, whose columns have errors of such norms;
// or for Im Z, the real part of the residual, and what is known of its imaginary part, if
// anything is.
func (c *conjugate) intervals(z, r *matrix.Dense, errors []float64, im *imaginary) (*intervals, error) {
	low := matrix.Mul(nil, c.right, matrix.Transposed, z, matrix.NoTrans)
	matrix.AddMul(low, z, matrix.Transposed, r, matrix.NoTrans)
	by := c.epsilon
	if c.sigma != 0 {
		by = c.sigma
	}
	if im != nil {
		matrix.AddMul(low, im.x, matrix.Transposed, im.j, matrix.NoTrans)
	}
	low = scaled(low, by)
	sizeZ, sizeR := columnNorms(z), columnNorms(r)
	bounds := matrix.New(z.Cols, z.Cols)
	for j := range z.Cols {
		for k := range z.Cols {
			of := innerError(c.rows, 1, contrastRounding(z.Cols), sizeZ[k], 0) + innerError(c.rows, sizeZ[j], 0, sizeR[k], errors[k])
			bounds.Set(j, k, float64(by*of)+innerError(c.rows, sizeR[j], errors[j], sizeR[k], errors[k])+im.bound(c, sizeR[j]+errors[j], j, k))
		}
	}
	symmetrizeBy(bounds, low)
	// Rounding may have made K indefinite by some part of ε.
	i, most := &intervals{}, 1/(1-c.cert.KernelRounding)
	if c.sigma != 0 {
		low, r = i.eliminate(low, r, bounds)
		most = 1 // whatever the signs of the eigenvalues of K
	} else {
		i.rounding = matrix.NormFrobenius(bounds)
	}
	square := matrix.SymRankK(nil, r, matrix.Transposed)
	i.square = matrix.NormFrobenius(square)
	// Beside what is above, sums and eigenvalues of matrices of norm 1 are rounded.
	i.rounding += float64(float64(16*float64(z.Cols)) * u)
	middle, high := low.Clone(), low.Clone()
	addScaled(middle, 0.5, square)
	addScaled(high, most, square)
	return i, i.solve(low, middle, high)
}

// symmetrizeBy replaces a, symmetric up to rounding within bounds, by the entries with the
// smaller ones.
func symmetrizeBy(bounds, a *matrix.Dense) {
	for j := range a.Rows {
		for k := range j {
			from, to := [2]int{j, k}, [2]int{k, j}
			if bounds.At(k, j) < bounds.At(j, k) {
				from, to = to, from
			}
			for _, m := range []*matrix.Dense{bounds, a} {
				m.Set(to[0], to[1], m.At(from[0], from[1]))
			}
		}
	}
}

// solve sets the intervals by the matrices of their ends, and of what is between.
func (i *intervals) solve(low, middle, high *matrix.Dense) error {
	p := low.Rows
	i.lambda, i.low, i.high, i.errors = make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p)
	sigmas := make([][]float64, 3)
	var vectors *matrix.Dense
	for at, m := range []*matrix.Dense{low, middle, high} {
		values, v, err := solve.Jacobi(m)
		if err != nil {
			return err
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
	return nil
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
		Steps: c.steps, Rank: c.precondition.g.Cols, Rounding: c.steps < searchSteps,
	}
}
