package fisher

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// estimatedInfluences are those of [Solution.LeaveOut], 1/Cᵢᵢ − ε, where the diagonal of
// C = H(HKH + εI)⁻¹H is not known, but that of the same with F̂ = FFᵀ + diag(K − FFᵀ) in place of K, for
// the partial factor F of the preconditioner (the FITC approximation of Snelson and Ghahramani, 2006). The
// estimate is θ times what that gives. θ is the median of what it is for some rows at random, of which Cᵢᵢ
// is known as their unit vectors are solved for beside the contrasts. As the variance of a Gaussian
// process at row i given all others, it lies between 0 and that of a row of which the others say nothing
// but their mean:
//
//	ε/(n−1) ≤ 1/Cᵢᵢ − ε ≤ ε/(n−1) + (n/(n−1))²(HKH)ᵢᵢ
type estimatedInfluences struct {
	diagonal []float64 // of K, in units of some scale
	left     []float64 // that of K − FFᵀ, 0 for landmarks
	rows     []int     // of which Cᵢᵢ is known
}

// SampledRows is the number of rows at random: with the contrasts of ten classes they are 16
// columns.
const SampledRows = 7

// newEstimatedInfluences draws the rows, given the diagonals of K and of K − FFᵀ.
func newEstimatedInfluences(diagonal, left []float64, seed uint64) *estimatedInfluences {
	e := &estimatedInfluences{diagonal: diagonal, left: left}
	var some []int
	for i, v := range left {
		if v > 0 {
			some = append(some, i)
		}
	}
	random := splitmix.Random(seed)
	e.rows = some[:min(len(some), SampledRows)]
	random.Shuffle(some, len(e.rows))
	return e
}

// columns returns the centred unit vectors of the rows.
func (e *estimatedInfluences) columns() *matrix.Dense {
	n := len(e.left)
	x := matrix.New(n, len(e.rows))
	for j, row := range e.rows {
		for i := range n {
			x.Set(i, j, -1/float64(n))
		}
		x.Set(row, j, 1-1/float64(n))
	}
	return x
}

// between returns v in the bounds of 1/Cᵢᵢ − ε, for the centring of K.
func (e *estimatedInfluences) between(v float64, i int, epsilon float64, c *gram.Centring) float64 {
	others := float64(len(e.left) - 1)
	own, grown := math.Max(e.diagonal[i]-c.Shift-(c.Means[i]+c.Means[i])+c.Mean, 0), 1+1/others
	return epsilon/others + min(max(v-epsilon/others, 0), float64(float64(grown*grown)*own))
}

// estimate returns 1/Cᵢᵢ − ε of all rows, given εCᵢᵢ of the rows that were drawn, the diagonal h of
// H(HFFᵀH + D)⁻¹H times D = εI + diag(K − FFᵀ), and the centring of K.
func (e *estimatedInfluences) estimate(known, h []float64, epsilon float64, c *gram.Centring) []float64 {
	influences := make([]float64, len(h))
	for i, v := range h {
		influences[i] = e.between((epsilon+e.left[i])/v-epsilon, i, epsilon, c)
	}
	if len(known) == 0 {
		return influences
	}
	factors := make([]float64, len(known))
	for k, i := range e.rows {
		factors[k] = e.between(float64(epsilon*(1/known[k]-1)), i, epsilon, c) / influences[i]
	}
	slices.Sort(factors)
	theta := factors[(len(factors)-1)/2]
	for i, v := range influences {
		influences[i] = e.between(float64(theta*v), i, epsilon, c)
	}
	return influences
}
