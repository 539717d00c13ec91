package assess

import (
	"math"
	"slices"
)

// Ellipse is the curve around the mean of points inside of which 95 % of a normal distribution
// of their mean and covariance lie.
type Ellipse struct {
	X, Y          float64 // the mean
	a11, a21, a22 float64 // Cholesky factor of the covariance, times the radius
}

// NewEllipse returns that of points, three at least and not on a line.
func NewEllipse(x, y []float64) (e Ellipse, ok bool) {
	n := float64(len(x))
	if len(x) < 3 {
		return e, false
	}
	for i := range x {
		e.X, e.Y = e.X+x[i]/n, e.Y+y[i]/n
	}
	var xx, xy, yy float64
	for i := range x {
		u, v := x[i]-e.X, y[i]-e.Y
		xx, xy, yy = xx+u*u/(n-1), xy+u*v/(n-1), yy+v*v/(n-1)
	}
	radius := math.Sqrt(-2 * math.Log(0.05)) // √ of the 95 % quantile of χ² with two degrees of freedom
	rest := yy - xy*xy/xx
	if !(xx > 0 && rest > 1e-12*yy) {
		return e, false
	}
	e.a11, e.a21, e.a22 = radius*math.Sqrt(xx), radius*xy/math.Sqrt(xx), radius*math.Sqrt(rest)
	return e, true
}

// At returns the point of the ellipse at an angle.
func (e Ellipse) At(angle float64) (x, y float64) {
	sin, cos := math.Sincos(angle)
	return e.X + e.a11*cos, e.Y + e.a21*cos + e.a22*sin
}

// Density returns the kernel density estimate of values, with a normal kernel of Silverman's
// width but at least that of two steps between the points, at these.
func Density(values, at []float64) []float64 {
	n := float64(len(values))
	sorted := slices.Sorted(slices.Values(values))
	mean, square := 0.0, 0.0
	for _, v := range sorted {
		mean += v / n
	}
	for _, v := range sorted {
		square += (v - mean) * (v - mean)
	}
	spread := math.Sqrt(square / max(1, n-1))
	if quartiles := (sorted[3*len(sorted)/4] - sorted[len(sorted)/4]) / 1.349; quartiles > 0 {
		spread = min(spread, quartiles)
	}
	width := max(0.9*spread*math.Pow(n, -0.2), 2*(at[1]-at[0]))
	density := make([]float64, len(at))
	for k, x := range at {
		for _, v := range values {
			u := (x - v) / width
			density[k] += math.Exp(-u*u/2) / (n * width * math.Sqrt(2*math.Pi))
		}
	}
	return density
}
