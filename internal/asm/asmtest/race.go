//go:build race

package asmtest

// Race reports whether the race detector is on. It makes sync.Pool forget.
const Race = true
