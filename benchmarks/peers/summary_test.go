package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// Every line of the summary is a row of the plan, and is printed with its ratios.
func TestSummary(t *testing.T) {
	groups := plan(files{tables: []labelled{{name: "classes", n: 5000, d: 64}, {name: "digits", n: 1797, d: 64}}}, false)
	for _, l := range summary() {
		g := slices.IndexFunc(groups, func(g group) bool { return g.title == l.title })
		if g < 0 || !slices.ContainsFunc(groups[g].rows, func(r row) bool { return r.what == l.what && len(r.entries) > 1 }) {
			t.Errorf("no table has %+v", l)
		}
	}

	r := result{group: groups[0]}
	for range groups[0].rows {
		r.timings = append(r.timings, []*timing{{rounds: []float64{1, 2, 3}, best: 1}, {rounds: []float64{1.5, 3, 6}, best: 1.25}, nil, nil})
	}
	var s strings.Builder
	writeSummary(&s, []result{r})
	for _, want := range []string{
		"| job | kfda | peer | its time | × | × best |\n",
		"| product of matrices, n = 512 | 2.00 s | OpenBLAS dgemm | 3.00 s | 1.50 | 1.25 |\n",
	} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %q in\n%s", want, &s)
		}
	}
	s.Reset()
	writeSummary(&s, nil)
	must.Equal(t, "summary of nothing", s.String(), "")
}
