package f64

import "math"

// Rotate rotates the pairs (x[i], y[i]) of two vectors of the same length by the plane
// rotation with sine s and tau = s/(1 + cosine), in the form of small corrections:
//
//	x[i], y[i] ← F(−s, F(tau, x[i], y[i]), x[i]), F(s, F(−tau, y[i], x[i]), y[i])
func Rotate(x, y []float64, s, tau float64) {
	y = y[:len(x)]
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		done := 0
		if whole := len(chunk) / 8; whole > 0 && rotateBlocks(&chunk[0], &y[0], s, tau, whole) {
			done = 8 * whole
		}
		for i := done; i < len(chunk); i++ {
			chunk[i], y[i] = math.FMA(-s, math.FMA(tau, chunk[i], y[i]), chunk[i]), math.FMA(s, math.FMA(-tau, y[i], chunk[i]), y[i])
		}
		y = y[len(chunk):]
	}
}
