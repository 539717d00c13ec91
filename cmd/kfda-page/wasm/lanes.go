//go:build js

package main

import (
	"syscall/js"
	"unsafe"

	"github.com/seed92411348/kfda/cmd/kfda-page/internal/lanes"
	"github.com/seed92411348/kfda/internal/asm/f64"
)

// tile is what the worker has of the module lanes.
//
//go:wasmimport lanes tile
func tile(op int32, c unsafe.Pointer, ldc int32, a, b unsafe.Pointer, k int32, load bool) int32

// addLanes leaves whole tiles to the module lanes, where the browser has two lanes.
func addLanes() {
	if js.Global().Call("addLanes", bytesOf(lanes.Module())).Bool() {
		f64.EmulatedTile = func(op f64.Op, c *float64, ldc int, a, b *float64, k int, load bool) int {
			return int(tile(int32(op), unsafe.Pointer(c), int32(ldc), unsafe.Pointer(a), unsafe.Pointer(b), int32(k), load))
		}
	}
}
