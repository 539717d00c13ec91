package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var s strings.Builder
	table(&s, []string{"program", "median:"}, [][]string{{"kfda", "1.00 s"}})
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
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %q, want %q", seconds, got, want)
		}
	}
}
