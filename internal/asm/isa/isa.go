// Package isa chooses, once per process, the instruction set that the assembly
// kernels use.
//
// The choice is one of four tiers. It follows the feature bits of
// golang.org/x/sys/cpu, which count a feature only where the operating system
// saves its registers and which obey GODEBUG masks such as cpu.avx512f=off. The
// build tag purego leaves Portable as the only tier. Every tier gives the same
// bits; they differ in speed alone.
package isa

import "fmt"

// Tier is an instruction set that kernels are written for.
type Tier uint8

const (
	Portable Tier = iota // Go with math.FMA
	AVX512               // AVX2, FMA and AVX-512 F, DQ, VL, BW
	AVX2                 // AVX2 and FMA
	NEON                 // arm64 Advanced SIMD
)

var tierNames = [...]string{Portable: "portable", NEON: "neon", AVX2: "avx2", AVX512: "avx512"}

// String returns the tier's name in lower case: portable, neon, avx2 or avx512.
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// features are the bits that decide about tiers. A bit is set where the
// processor has the feature, the operating system supports it and no mask
// hides it.
type features struct {
	OSXSAVE, AVX, AVX2, FMA               bool // x86
	AVX512F, AVX512DQ, AVX512VL, AVX512BW bool // x86
	ASIMD                                 bool // arm64
}

// tiersOf returns the tiers that f allows, the fastest first and Portable last.
// Each tier is a conjunction of bits, and a higher tier of one architecture
// includes the conditions of the lower.
func tiersOf(f features) []Tier {
	avx2 := f.OSXSAVE && f.AVX && f.AVX2 && f.FMA
	avx512 := avx2 && f.AVX512F && f.AVX512DQ && f.AVX512VL && f.AVX512BW
	var tiers []Tier
	if avx512 {
		tiers = append(tiers, AVX512)
	}
	if avx2 {
		tiers = append(tiers, AVX2)
	}
	if f.ASIMD {
		tiers = append(tiers, NEON)
	}
	return append(tiers, Portable)
}

var (
	available = tiersOf(detect())
	current   = available[0]
)

// Current returns the tier in use. Kernels branch on it at every call.
func Current() Tier { return current }

// Available returns the tiers that this machine and build can run, the fastest
// first and Portable last.
func Available() []Tier { return append([]Tier(nil), available...) }

// Override makes t the current tier and returns a function that brings the
// former one back. It is for tests and benchmarks, which must not run kernels
// meanwhile in other goroutines. It panics where t is not available.
func Override(t Tier) (restore func()) {
	for _, a := range available {
		if a == t {
			former := current
			current = t
			return func() { current = former }
		}
	}
	panic(fmt.Sprintf("isa: Override: tier %v is not available here, only %v", t, available))
}
