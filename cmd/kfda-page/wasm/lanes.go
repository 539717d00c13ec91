//go:build js

package main

import (
	"syscall/js"
	"unsafe"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// What the worker has of the module lanes.

//go:wasmimport lanes tile
func tile(op int32, c unsafe.Pointer, ldc int32, a, b unsafe.Pointer, k int32, load bool) int32

//go:wasmimport lanes doubled
func doubled(s, c, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb, k, groups int32) int32

//go:wasmimport lanes exp
func exp(x unsafe.Pointer, n int32, data unsafe.Pointer) int32

// useLanes leaves to the module lanes what it does, where the worker has it.
func useLanes() {
	if !js.Global().Get("hasLanes").Bool() {
		return
	}
	f64.Emulation.Tile = func(op f64.Op, c *float64, ldc int, a, b *float64, k int, load bool) int {
		return int(tile(int32(op), unsafe.Pointer(c), int32(ldc), unsafe.Pointer(a), unsafe.Pointer(b), int32(k), load))
	}
	f64.Emulation.Doubled = func(s, c, a *float64, lda int, b *float64, ldb, k, cols int) int {
		groups := cols * f64.DoubledRows / 8
		return int(doubled(unsafe.Pointer(s), unsafe.Pointer(c), unsafe.Pointer(a), int32(lda), unsafe.Pointer(b), int32(ldb), int32(k), int32(groups)))
	}
	data := unsafe.Pointer(&f64.ExpData()[0])
	f64.Emulation.Exp = func(x []float64) int {
		even := len(x) &^ 1
		if even == 0 {
			return 0
		}
		return int(exp(unsafe.Pointer(&x[0]), int32(even), data))
	}
}
