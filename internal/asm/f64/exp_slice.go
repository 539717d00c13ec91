package f64

// ExpNegScale replaces every x of dst by e^(-γx), the map of the rbf, Laplacian and
// χ² kernels: Exp(-fl(γ·x)), with the product rounded once.
func ExpNegScale(dst []float64, gamma float64) {
	for chunk, rest := cut(dst); len(chunk) > 0; chunk, rest = cut(rest) {
		expScale(chunk, -gamma)
	}
}

// cut splits x after at most 2¹³ numbers. Assembly cannot be preempted; a
// chunk takes less than 100 µs.
func cut(x []float64) (chunk, rest []float64) {
	n := min(len(x), 1<<13)
	return x[:n], x[n:]
}

// expScaleGo is the reference of expScale: x ← Exp(fl(s·x)). The assembly
// does what Exp does, lane by lane, with two liberties that change no bit:
// 2^n may be one operation, and NaN may come out with another payload.
func expScaleGo(x []float64, s float64) {
	for i, v := range x {
		x[i] = Exp(float64(s * v))
	}
}
