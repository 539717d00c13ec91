// Package pages allocates much memory at once. In pages of the usual size a new
// kernel matrix costs the system more time, a page at a time as it is first written,
// than its computation takes.
package pages

// least is the number of values from which the system is asked for large pages: 4 MiB.
const least = 1 << 19

// Floats returns n zeros, in large pages where they are many and the system has such.
func Floats(n int) []float64 {
	x := make([]float64, n)
	if n >= least {
		advise(x)
	}
	return x
}
