package solve

import "math"

// cmac returns c − l·u for complex numbers: two chained multiply-adds a part,
// in this order.
func cmac(cr, ci, lr, li, ur, ui float64) (re, im float64) {
	re = math.FMA(li, ui, math.FMA(-lr, ur, cr))
	im = math.FMA(-li, ur, math.FMA(-lr, ui, ci))
	return re, im
}

// squaredModulus returns |d|².
func squaredModulus(dr, di float64) float64 { return math.FMA(dr, dr, float64(di*di)) }

// cdiv returns u/d for complex numbers, t being the squared modulus of d.
func cdiv(ur, ui, dr, di, t float64) (re, im float64) {
	re = math.FMA(ur, dr, float64(ui*di)) / t
	im = math.FMA(ui, dr, -float64(ur*di)) / t
	return re, im
}

// modulus returns |d|; squares must not leave the range of float64.
func modulus(dr, di float64) float64 { return math.Sqrt(squaredModulus(dr, di)) }
