package f64

// TanhSlice replaces every x of dst by Tanh(x).
func TanhSlice(dst []float64) {
	for chunk, rest := cut(dst); len(chunk) > 0; chunk, rest = cut(rest) {
		tanh(chunk)
	}
}

// tanhGo is the reference of tanh. The assembly does what Tanh does, lane by
// lane; 2^n·2^(j/8) is exact and may come from other operations.
func tanhGo(x []float64) {
	for i, v := range x {
		x[i] = Tanh(v)
	}
}
