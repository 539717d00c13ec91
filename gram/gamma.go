package gram

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// GammaFromSigma returns γ = 1/(2σ²), which writes the Gaussian
// exp(−‖x−y‖²/(2σ²)) as RBF. (Laplacian's counterpart is γ = 1/σ.) A σ that
// is not positive and finite, or whose γ is not, is a *ParameterError.
func GammaFromSigma(sigma float64) (float64, error) {
	gamma := 0.5 / sigma / sigma
	if !(sigma > 0) || math.IsInf(sigma, 0) || !positiveFinite(gamma) || gamma < leastDecay {
		return 0, outOfRange("rbf", "Sigma", sigma, "positive, and 1/(2σ²) a positive finite number")
	}
	return gamma, nil
}

// GammaScale returns γ = 1/(d·Var), with Var the population variance of all
// n·d entries of x: the squared distance of two rows is 2·d·Var on average if
// the columns have equal means, so the kernel's argument is of the order of 1
// at any scale of the data. A row of weight 2 counts as two rows; without weights all
// count 1.
//
// The variance is taken in two passes of the differences to the first entry,
// scaled by a power of two; a row is summed as in matrix.Sum, and so are the
// rows' sums. It returns a *matrix.NotFiniteError for a feature that is not
// finite, and a *ParameterError if all entries are equal, their deviations from the mean
// of a norm of at most n·u·‖X‖_F, u = 2⁻⁵³, or γ is not a positive
// finite number.
func GammaScale(x *matrix.Dense, weights ...float64) (float64, error) {
	misuse.NotNil("gram: GammaScale", "x", x)
	if weights != nil && len(weights) != x.Rows {
		panic(fmt.Sprintf("gram: GammaScale: %d weights of %d rows", len(weights), x.Rows))
	}
	if err := matrix.CheckFinite(x); err != nil {
		return 0, err
	}
	if x.Rows == 0 || x.Cols == 0 {
		return 0, noGamma("there are no entries; give an explicit gamma")
	}
	// Var is the same for x − x₀₀, and exactly 0 there if all entries are equal.
	x00 := x.At(0, 0)
	spread := 0.0
	for i := range x.Rows {
		for _, v := range x.Row(i) {
			spread = math.Max(spread, math.Abs(v-x00))
		}
	}
	if spread == 0 {
		return 0, noGamma("all entries are equal, so the variance is 0; give an explicit gamma")
	}
	if math.IsInf(spread, 0) {
		return 0, noGamma("the spread of the entries overflows; scale the features")
	}
	_, e := math.Frexp(spread)
	e = max(e, -1000) // 2^-e must be finite
	scale := math.Ldexp(1, -e)

	t := make([]float64, x.Cols)
	sums := make([]float64, x.Rows)
	count := float64(float64(x.Rows) * float64(x.Cols))
	if weights != nil {
		count = float64(matrix.Sum(weights) * float64(x.Cols))
	}
	for i := range sums {
		for j, v := range x.Row(i) {
			t[j] = float64((v - x00) * scale)
		}
		sums[i] = matrix.Sum(t)
	}
	mean := total(sums, weights) / count
	for i := range sums {
		for j, v := range x.Row(i) {
			t[j] = float64((v-x00)*scale) - mean
		}
		sums[i] = matrix.SumSquares(t)
	}
	squares := total(sums, weights)
	if math.Sqrt(squares) <= float64(rounding(x, weights)*scale) {
		return 0, noGamma("all entries are equal up to rounding, so the variance is 0; give an explicit gamma")
	}
	variance := squares / count
	gamma := math.Ldexp(1/float64(float64(x.Cols)*variance), -2*e)
	if !positiveFinite(gamma) || gamma < leastDecay {
		return 0, noGamma("1/(d·variance) is too large or too small for float64; scale the features")
	}
	return gamma, nil
}

// total returns the sum of a value of each row times the row's weight.
func total(values, weights []float64) float64 {
	if weights == nil {
		return matrix.Sum(values)
	}
	return matrix.Dot(values, weights)
}

// rounding returns n·u·‖X‖_F, up to which a spread of the rows counts as rounding.
func rounding(x *matrix.Dense, weights []float64) float64 {
	norm := matrix.NormFrobenius(x)
	if weights != nil {
		weighed := x.Clone()
		for i, w := range weights {
			f64.Scale(weighed.Row(i), math.Sqrt(w))
		}
		norm = matrix.NormFrobenius(weighed)
	}
	return float64(float64(float64(x.Rows)*f64.Roundoff) * norm)
}

func noGamma(reason string) error {
	return &ParameterError{Kernel: "rbf", Parameter: "Gamma", Reason: "has no default here: " + reason}
}

func positiveFinite(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
