package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Weights are those of the rows of a table, positive; nil are weights of 1, for which all is
// as it is without.
//
// With D = diag(√wᵢ) a problem with weights is the problem without of the matrix DKD, with
// √w in place of 1 in the constant vector and in the class contrasts, and with sums of
// weights in place of numbers of rows: a row of weight 2 and two rows of weight 1 have the
// same scatters. For the coefficients α = Dβ of the rows, β those of that problem, the ridge
// ‖β‖² = Σ αᵢ²/wᵢ is that of αᵢ in equal parts on wᵢ copies of the row, and βᵀDKDβ = αᵀKα.
type Weights []float64

// entryRounding is what the entries of DKD have of relative error beside that of K, of two
// roots and two products, and contrastsRounding what the √wᵢ of the contrasts add to theirs.
const (
	entryRounding     = 4 * u
	contrastsRounding = 3 * u
)

// Of returns the weight of row i.
func (w Weights) Of(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Total returns the sum of the weights of all n rows.
func (w Weights) Total(n int) float64 {
	if w == nil {
		return float64(n)
	}
	sum, low := 0.0, 0.0
	for _, v := range w {
		sum, low = addTo(sum, low, v)
	}
	return sum + low
}

// addTo adds v to a sum in doubled precision.
func addTo(sum, low, v float64) (float64, float64) { return f64.AddProduct(sum, low, 1, v) }

// Some returns the weights of some rows.
func (w Weights) Some(rows []int) Weights {
	if w == nil {
		return nil
	}
	some := make(Weights, len(rows))
	for i, r := range rows {
		some[i] = w[r]
	}
	return some
}

// root returns √wᵢ.
func (w Weights) root(i int) float64 {
	if w == nil {
		return 1
	}
	return math.Sqrt(w[i])
}

// roots returns the √wᵢ, nil without weights.
func (w Weights) roots() []float64 {
	if w == nil {
		return nil
	}
	roots := make([]float64, len(w))
	for i := range w {
		roots[i] = w.root(i)
	}
	return roots
}

// doubledRoots returns the √wᵢ in doubled precision.
func (w Weights) doubledRoots() (roots, low []float64) {
	roots, low = w.roots(), make([]float64, len(w))
	for i, s := range roots {
		low[i] = math.FMA(-s, s, w[i]) / float64(2*s)
	}
	return roots, low
}

// TimesRoots multiplies the rows of a by √wᵢ, in place, and returns a.
func (w Weights) TimesRoots(a *matrix.Dense) *matrix.Dense {
	for i, s := range w.roots() {
		f64.Scale(a.Row(i), s)
	}
	return a
}

// Rooted returns a with its rows times √wᵢ: a itself without weights, else a copy.
func (w Weights) Rooted(a *matrix.Dense) *matrix.Dense {
	if w == nil {
		return a
	}
	return w.TimesRoots(a.Clone())
}

// overRoots divides the rows of a by √wᵢ, in place, and returns a.
func (w Weights) overRoots(a *matrix.Dense) *matrix.Dense {
	for i, s := range w.roots() {
		row := a.Row(i)
		for j := range row {
			row[j] /= s
		}
	}
	return a
}

// weigh multiplies row i of a matrix K, in place, by √wᵢ√wⱼ, the same for row j.
func weigh(row, roots []float64, i int) {
	for j, s := range roots {
		row[j] = float64(row[j] * float64(roots[i]*s))
	}
}

// Mean returns the mean of the values of the rows.
func (w Weights) Mean(values []float64) float64 {
	if w == nil {
		return matrix.Sum(values) / float64(len(values))
	}
	return matrix.Dot(values, w) / w.Total(len(w))
}

// SumSquares returns Σ wᵢvᵢ².
func (w Weights) SumSquares(values []float64) float64 {
	if w == nil {
		return matrix.SumSquares(values)
	}
	squares := make([]float64, len(values))
	for i, v := range values {
		squares[i] = float64(float64(w[i]*v) * v)
	}
	return matrix.Sum(squares)
}

// axis returns the unit vector q₀ along √w.
func (w Weights) axis(n int) []float64 {
	size := math.Sqrt(w.Total(n))
	q := make([]float64, n)
	for i := range q {
		q[i] = w.root(i) / size
	}
	return q
}
