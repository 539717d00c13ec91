package solve

// LeadingBytes returns about how much memory [LeadingOf] takes for k pairs of a matrix of
// order n, beside it, and whether it computes all pairs.
func LeadingBytes(n, k int) (bytes float64, all bool) {
	order := float64(n)
	if isForAll(n, k) {
		return float64(4 * 8 * float64(order*order)), true // a copy, what it is reduced to, vectors and products
	}
	basis := float64(lanczosSize(n, k).basis)
	// The basis twice, when it is restarted, and the eigenproblem of its order.
	return float64(2*8*float64(order*basis)) + float64(8*8*float64(basis*basis)), false
}
