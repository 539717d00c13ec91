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
	p, m, z2 := float64(k)/float64(n), float64(n), z95*z95
	middle := (p + z2/(2*m)) / (1 + z2/m)
	half := z95 / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	low, high = max(0, middle-half), min(1, middle+half)
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return low, high
}
