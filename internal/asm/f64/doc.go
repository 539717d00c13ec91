// Package f64 holds the float64 kernels: tile updates on packed panels, packing,
// vector operations and elementary functions, in assembly for the tiers of
// package isa and in Go for all others.
//
// Every function has one definition, given in its comment as a loop over single
// rounded operations, and every tier performs exactly these operations for each
// result. A result therefore has the same bits on every tier; only its NaNs may
// differ in sign and payload. The Go form beside each definition is both the
// portable implementation and the truth that the tests compare assembly with.
package f64

// Roundoff is the unit roundoff u = 2⁻⁵³.
const Roundoff = 0x1p-53
