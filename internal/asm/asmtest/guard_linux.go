package asmtest

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// Guarded is memory between two pages that can be neither read nor written.
type Guarded struct{ body []float64 }

// NewGuarded returns guarded memory for at least n values.
func NewGuarded(t testing.TB, n int) *Guarded {
	page := os.Getpagesize()
	size := (8*n+page-1)/page*page + page
	mem, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	for _, guard := range [][]byte{mem[:page], mem[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return &Guarded{unsafe.Slice((*float64)(unsafe.Pointer(&mem[page])), size/8)}
}

// Front returns n values right behind the first guard page.
func (g *Guarded) Front(n int) []float64 { return g.body[:n:n] }

// Back returns n values right before the last guard page.
func (g *Guarded) Back(n int) []float64 { return g.body[len(g.body)-n:] }
