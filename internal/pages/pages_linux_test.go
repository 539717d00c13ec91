package pages

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/seed92411348/kfda/internal/must"
)

// TestFloats looks up in the tables of the process whether the middle of the memory is
// to have large pages.
func TestFloats(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("the system has no large pages")
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
