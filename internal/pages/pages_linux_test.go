package pages

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/seed92411348/kfda/internal/must"
)

// TestFloats looks up in the tables of the process whether the middle of the memory is
// to have large pages.
func TestFloats(t *testing.T) {
	probe := must.Get(syscall.Mmap(-1, 0, 2*large, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))(t)
	defer syscall.Munmap(probe)
	if err := syscall.Madvise(probe, syscall.MADV_HUGEPAGE); err != nil || !strings.Contains(flagsOf(t, uintptr(unsafe.Pointer(&probe[large]))), " hg") {
		t.Skip("the system has no large pages, or tells of none, as an emulator")
	}
	for _, c := range []struct {
		n     int
		large bool
	}{{1, false}, {least - 1, false}, {least, true}, {4*least + 1, true}} {
		x := Floats(c.n)
		must.Equal(t, "length", len(x), c.n)
		for i, v := range x {
			if v != 0 {
				t.Fatalf("value %d of %d is %v", i, c.n, v)
			}
		}
		if flags := flagsOf(t, uintptr(unsafe.Pointer(&x[c.n/2]))); c.large && !strings.Contains(flags, " hg") {
			t.Errorf("%d values: %s", c.n, flags)
		}
		x[c.n-1] = 1
	}
	must.Equal(t, "length of nothing", len(Floats(0)), 0)
}

// flagsOf returns the line VmFlags of the mapping that an address belongs to.
func flagsOf(t *testing.T, address uintptr) string {
	file := must.Get(os.Open("/proc/self/smaps"))(t)
	defer file.Close()
	inside := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var lo, hi uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &lo, &hi); n == 2 {
			inside = lo <= address && address < hi
		} else if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inside {
			return flags
		}
	}
	t.Fatal("no mapping has the address")
	return ""
}
