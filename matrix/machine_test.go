package matrix

import (
	"slices"
	"testing"
)

func TestMachine(t *testing.T) {
	if s := InstructionSet(); !slices.Contains([]string{"avx512", "avx2", "neon", "portable"}, s) {
		t.Errorf("instruction set %q", s)
	}
	former := SetWorkers(3)
	if got := SetWorkers(former); got != 3 {
		t.Errorf("the bound was %d workers, want 3", got)
	}
}
