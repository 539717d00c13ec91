package isa

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// TestWantedTier fails a run whose fastest tier is not the one that the
// environment variable KFDA_WANT_TIER names, so that a job that is meant to
// exercise a tier cannot pass on another one.
func TestWantedTier(t *testing.T) {
	t.Logf("current %v, available %v, features %+v", Current(), Available(), detect())
	if want := os.Getenv("KFDA_WANT_TIER"); want != "" && Current().String() != want {
		t.Fatalf("KFDA_WANT_TIER=%s, but the chosen tier is %v (features %+v)", want, Current(), detect())
	}
}

// TestFeatureTable feeds combinations of CPUID bits and operating-system state
// to the decision.
func TestFeatureTable(t *testing.T) {
	rows := cases.Records(t, "53-cpu-feature-table/features.csv") // the last column is text with commas
	want := []Tier{Portable, Portable, Portable, Portable, Portable, Portable, AVX2, AVX2, AVX2, AVX512}
	if len(rows) != len(want)+1 {
		t.Fatalf("%d rows, want a header and %d", len(rows), len(want))
	}
	for i, row := range rows[1:] {
		bit := make(map[string]bool)
		for j, name := range rows[0][:7] {
			bit[name] = row[j] == "1"
		}
		xcr0 := must.Get(strconv.ParseUint(row[7], 0, 64))(t)
		// The rule by which golang.org/x/sys/cpu hides what the system does not save.
		ymm := bit["osxsave"] && xcr0&0x6 == 0x6
		zmm := ymm && xcr0&0xe0 == 0xe0
		f := features{
			OSXSAVE: bit["osxsave"], AVX: bit["avx"] && ymm, AVX2: bit["avx2"] && ymm, FMA: bit["fma"],
			AVX512F: bit["avx512f"] && zmm, AVX512DQ: bit["avx512dq"] && zmm, AVX512VL: bit["avx512vl"] && zmm,
			AVX512BW: bit["avx512dq"] && zmm, // the table has no column for BW; both came with the same processors
		}
		must.Equal(t, fmt.Sprintf("row %d (%s): chose", i+1, strings.Join(row, ",")), tiersOf(f)[0], want[i])
	}
}

// TestTiersAreConjunctions clears one needed bit at a time.
func TestTiersAreConjunctions(t *testing.T) {
	all := features{
		OSXSAVE: true, AVX: true, AVX2: true, FMA: true,
		AVX512F: true, AVX512DQ: true, AVX512VL: true, AVX512BW: true,
	}
	if got := tiersOf(all); !slices.Equal(got, []Tier{AVX512, AVX2, Portable}) {
		t.Errorf("all bits: %v", got)
	}
	clear := map[string]struct {
		bit  func(*features) *bool
		want Tier
	}{
		"OSXSAVE":  {func(f *features) *bool { return &f.OSXSAVE }, Portable},
		"AVX":      {func(f *features) *bool { return &f.AVX }, Portable},
		"AVX2":     {func(f *features) *bool { return &f.AVX2 }, Portable},
		"FMA":      {func(f *features) *bool { return &f.FMA }, Portable},
		"AVX512F":  {func(f *features) *bool { return &f.AVX512F }, AVX2},
		"AVX512DQ": {func(f *features) *bool { return &f.AVX512DQ }, AVX2},
		"AVX512VL": {func(f *features) *bool { return &f.AVX512VL }, AVX2},
		"AVX512BW": {func(f *features) *bool { return &f.AVX512BW }, AVX2},
	}
	for name, c := range clear {
		f := all
		*c.bit(&f) = false
		must.Equal(t, fmt.Sprintf("without %s: chose", name), tiersOf(f)[0], c.want)
	}
	if got := tiersOf(features{ASIMD: true}); !slices.Equal(got, []Tier{NEON, Portable}) {
		t.Errorf("ASIMD: %v", got)
	}
	if got := tiersOf(features{}); !slices.Equal(got, []Tier{Portable}) {
		t.Errorf("no bits: %v", got)
	}
}

func TestOverride(t *testing.T) {
	former := Current()
	for _, tier := range Available() {
		restore := Override(tier)
		if Current() != tier {
			t.Errorf("after Override(%v): %v", tier, Current())
		}
		restore()
		must.Equal(t, "after restore", Current(), former)
	}
	for _, tier := range []Tier{NEON, AVX2, AVX512} {
		if slices.Contains(Available(), tier) {
			continue
		}
		must.Panic(t, fmt.Sprintf("Override(%v), a tier that is missing", tier), func() { Override(tier) })
	}
}
