package fisher

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// estimatedInfluences are those of [Solution.LeaveOut] where the diagonal of C = H(HKH + εI)⁻¹H
// is not known, but what the preconditioner has in its place, the diagonal g/ε of
// H(HFFᵀH + εI)⁻¹H. As K − FFᵀ is positive semidefinite, 1/Cᵢᵢ is at least ε/gᵢ; if K − FFᵀ were
// diagonal, it would be larger by about the entry there. The estimate is
//
//	1/Cᵢᵢ ≈ ε/gᵢ + θ(K − FFᵀ)ᵢᵢ
//
// with the median θ of some rows at random, of which Cᵢᵢ is known as their unit vectors are
// solved for beside the contrasts. Of a landmark nothing is left: its ε/gᵢ is multiplied by what
// those of the other rows are on average.
type estimatedInfluences struct {
	left     []float64 // the diagonal of K − FFᵀ, 0 for landmarks
	landmark []bool
	rows     []int // of which Cᵢᵢ is known
}

// SampledRows is the number of rows at random: with the contrasts of ten classes they are 16
// columns.
const SampledRows = 7

// newEstimatedInfluences draws the rows, given the diagonal of K − FFᵀ in units of some scale.
func newEstimatedInfluences(left []float64, landmarks []int, seed uint64) *estimatedInfluences {
	e := &estimatedInfluences{left: left, landmark: make([]bool, len(left))}
	for _, i := range landmarks {
		e.landmark[i] = true
	}
	var some []int
	for i, v := range left {
		if !e.landmark[i] && v > 0 {
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

// estimate returns 1/Cᵢᵢ − ε of all rows, given g and εCᵢᵢ of the rows that were drawn.
func (e *estimatedInfluences) estimate(g, known []float64, epsilon float64) []float64 {
	theta := 0.0
	if len(known) > 0 {
		factors := make([]float64, len(known))
		for k, i := range e.rows {
			factors[k] = float64(epsilon*(1/known[k]-1/g[i])) / e.left[i]
		}
		slices.Sort(factors)
		theta = math.Max(factors[(len(factors)-1)/2], 0)
	}
	influences := make([]float64, len(g))
	before, after := 0.0, 0.0 // sums of ε/g and of the estimates
	for i, v := range g {
		if e.landmark[i] {
			continue
		}
		inverse := math.FMA(theta, e.left[i], epsilon/v)
		influences[i] = inverse - epsilon
		before += epsilon / v
		after += inverse
	}
	for i, v := range g {
		if e.landmark[i] {
			inverse := epsilon / v
			if before > 0 {
				inverse = float64(inverse * (after / before))
			}
			influences[i] = inverse - epsilon
		}
	}
	return influences
}
