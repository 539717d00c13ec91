package pages

import (
	"syscall"
	"unsafe"
)

// large is the size of a large page in bytes, where pages have 4 KiB.
const large = 2 << 20

// advise asks for large pages where they lie in x as a whole. It is a hint: where the
// system does not follow, pages are small.
func advise(x []float64) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 8*len(x))
	skip := -int(uintptr(unsafe.Pointer(&x[0]))) & (large - 1)
	if whole := (len(bytes) - skip) &^ (large - 1); whole > 0 {
		_ = syscall.Madvise(bytes[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
}
