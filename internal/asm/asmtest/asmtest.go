// Package asmtest helps to test assembly kernels against their Go forms: on
// every tier of the machine, on memory that ends at an unreadable page, and with
// a static check of the assembly sources. Only tests import it.
package asmtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/isa"
)

// EachTier runs f as a subtest on every tier that the machine has.
func EachTier(t *testing.T, f func(t *testing.T)) {
	for _, tier := range isa.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			defer isa.Override(tier)()
			f(t)
		})
	}
}

// Same reports whether x and y have the same bits or are both NaN.
func Same(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// Diff returns the first index at which x and y are not the Same, or −1.
func Diff(x, y []float64) int {
	for i := range x {
		if !Same(x[i], y[i]) {
			return i
		}
	}
	return -1
}

// Fill fills x with values of both signs and many magnitudes, exact zeros and
// equal values among them.
func Fill(r *rand.Rand, x []float64) {
	for i := range x {
		switch r.IntN(16) {
		case 0:
			x[i] = 0
		case 1:
			x[i] = 1
		case 2:
			x[i] = math.Ldexp(float64(r.Float64())-0.5, r.IntN(200)-100)
		default:
			x[i] = r.NormFloat64()
		}
	}
}

// Poison fills x with NaN.
func Poison(x []float64) {
	for i := range x {
		x[i] = math.NaN()
	}
}
