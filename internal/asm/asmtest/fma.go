package asmtest

import (
	"math"
	"math/rand/v2"
)

// FMACase draws arguments of a fused multiply-add of which most are hard: those of FMAFactor and FMASum, of any size.
func FMACase(r *rand.Rand) (x, y, s float64) {
	x, y = FMAFactor(r), FMAFactor(r)
	if r.IntN(4) == 0 {
		y = FMAPartner(r, x)
	}
	s = FMASum(r, x, y)
	if r.IntN(8) == 0 {
		e, f := r.IntN(2100)-1050, r.IntN(2100)-1050
		if r.IntN(2) == 0 { // the product is about the largest number
			f = 1020 + r.IntN(5) - e
		}
		return math.Ldexp(x, e), math.Ldexp(y, f), math.Ldexp(s, r.IntN(2100)-1050)
	}
	if r.IntN(16) == 0 {
		special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 5e-324, math.MaxFloat64, 0x1p-1022}
		at := []*float64{&x, &y, &s}
		*at[r.IntN(3)] = special[r.IntN(len(special))]
	}
	return x, y, s
}

// FMAFactor draws numbers of magnitudes from 1 to 2, some with few digits, or with zeros or ones in their middle.
func FMAFactor(r *rand.Rand) float64 {
	bits := r.Uint64() >> 12
	switch r.IntN(4) {
	case 0:
		bits &= math.MaxUint64 << r.IntN(52)
	case 1:
		bits |= 1<<r.IntN(53) - 1
	}
	v := math.Float64frombits(1023<<52 | bits)
	if r.IntN(2) == 0 {
		v = -v
	}
	return v
}

// FMAPartner draws a number whose product with x is hardly more or less than one of few digits.
func FMAPartner(r *rand.Rand, x float64) float64 { return float64(1+r.IntN(15)) / x }

// FMASum draws what is hard to add to a product: sums that nearly cancel, or that end near the middle between two
// numbers.
func FMASum(r *rand.Rand, x, y float64) float64 {
	p := float64(x * y)
	switch r.IntN(6) {
	case 0:
		return math.Ldexp(FMAFactor(r), r.IntN(220)-110)
	case 1: // cancels but for some digits
		return float64(-p * (1 + float64(float64(r.IntN(9)-4)*0x1p-52)))
	case 2: // a tie of the sum, or nearly
		return math.Ldexp(p, r.IntN(4)) + math.Ldexp(1, r.IntN(12)-56)
	case 3: // the product is near half a unit of the sum
		return math.Ldexp(FMAFactor(r), 52+r.IntN(4))
	case 4: // what remains of the product decides
		return math.Ldexp(float64(1+r.IntN(3)), 52+r.IntN(3)) - p
	}
	return -math.FMA(x, y, -p) // what remains
}
