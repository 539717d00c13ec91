// Package wilson is the 95 % score interval of a share (Wilson, Journal of the American Statistical
// Association 22, 1927).
package wilson

import "math"

// z2 is the square of the number of standard deviations on either side of the mean of a normal
// distribution between which 95 % of it lie.
const z2 = 1.959963984540054 * 1.959963984540054

// Of returns the interval of a share of k in n: 0 to 1 of nothing.
func Of(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	return Share(float64(k)/float64(n), float64(n))
}

// Share returns the interval of a share p of m > 0 rows, which need not be whole.
func Share(p, m float64) (low, high float64) {
	middle := p + z2/float64(2*m)
	half := math.Sqrt(float64(z2 * math.FMA(float64(p*(1-p)), 1/m, z2/float64(4*float64(m*m)))))
	low, high = (middle-half)/(1+z2/m), (middle+half)/(1+z2/m)
	if p == 0 {
		low = 0
	}
	if p == 1 {
		high = 1
	}
	return math.Max(0, low), math.Min(1, high)
}
