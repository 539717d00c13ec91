package assess

import "math"

// z95 is the number of standard deviations on either side of the mean of a normal
// distribution between which 95 % of it lie.
var z95 = math.Sqrt2 * math.Erfinv(0.95)

// Wilson returns the 95 % score interval (Wilson 1927) of a share of k in n: 0 to 1 of nothing.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	return wilson(float64(k)/float64(n), float64(n))
}

// WilsonOf returns the interval of a share of rows with weights, which count as (Σw)²/Σw² rows
// (Kish 1965).
func WilsonOf(share float64, weights []float64) (low, high float64) {
	sum, squares := 0.0, 0.0
	for _, w := range weights {
		sum, squares = sum+w, squares+w*w
	}
	if sum == 0 {
		return 0, 1
	}
	return wilson(share, sum/squares*sum)
}

// wilson is Wilson of a share of m rows.
func wilson(p, m float64) (low, high float64) {
	z2 := z95 * z95
	middle := (p + z2/(2*m)) / (1 + z2/m)
	half := z95 / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	low, high = max(0, middle-half), min(1, middle+half)
	if p == 0 {
		low = 0
	}
	if p == 1 {
		high = 1
	}
	return low, high
}
