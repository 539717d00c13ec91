//go:build !linux

package asmtest

import "testing"

// Guarded is ordinary memory where no guard pages are available.
type Guarded struct{ body []float64 }

// NewGuarded returns memory for n values.
func NewGuarded(t testing.TB, n int) *Guarded { return &Guarded{make([]float64, n)} }

// Front returns the first n values.
func (g *Guarded) Front(n int) []float64 { return g.body[:n:n] }

// Back returns the last n values.
func (g *Guarded) Back(n int) []float64 { return g.body[len(g.body)-n:] }
