package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

func TestTable(t *testing.T) {
	var s strings.Builder
	markdown(&s, []string{"program", "median:"}, [][]string{{"kfda", "1.00 s"}})
	const want = `| program | median |
| --- | --: |
| kfda | 1.00 s |
`
	if s.String() != want {
		t.Errorf("got\n%swant\n%s", &s, want)
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		1234: "1234 s", 1: "1.00 s", 0.0123: "12.3 ms", 0.9996: "1000 ms", 4.5678e-6: "4.57 µs", 0.37e-9: "0.37 ns",
	} {
		must.Equal(t, fmt.Sprintf("duration(%v)", seconds), duration(seconds), want)
	}
}

func TestNarrowOpenBLAS(t *testing.T) {
	for about, want := range map[string]bool{
		"OpenBLAS 0.3.21, core type Zen, 1 thread(s)":        true,
		"OpenBLAS 0.3.21, core type Cooperlake, 1 thread(s)": false,
		"gonum": false,
	} {
		b := &bench{about: []string{about}, peaks: map[string]float64{"avx512": 1}}
		must.Equal(t, fmt.Sprintf("%q", about), b.narrowOpenBLAS(), want)
		b.peaks = map[string]float64{"avx2": 1}
		if b.narrowOpenBLAS() {
			t.Errorf("%q: told of a machine without AVX-512", about)
		}
	}
}
