package main

import (
	"fmt"
	"math"
)

// mostDrawn is above all numbers that a command prints; sums and differences of such are finite.
const mostDrawn = 1e300

// checkNumbers refuses numbers, at any depth of what was read from JSON, that no command prints.
func checkNumbers(key string, v any) (err error) {
	switch v := v.(type) {
	case float64:
		if math.Abs(v) > mostDrawn {
			err = fmt.Errorf("a number of %q is %v", key, v)
		}
	case []any:
		for i := 0; i < len(v) && err == nil; i++ {
			err = checkNumbers(key, v[i])
		}
	case map[string]any:
		for key, one := range v {
			if e := checkNumbers(key, one); e != nil && (err == nil || e.Error() < err.Error()) {
				err = e
			}
		}
	}
	return err
}

// checker holds the first thing that a command would not have printed.
type checker struct{ err error }

func (c *checker) want(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// p wants a p-value, nil where there may be none.
func (c *checker) p(key string, p *float64) {
	c.want(p == nil || *p > 0 && *p <= 1, "%q is no p-value", key)
}

// of wants a count of some of all.
func (c *checker) of(key string, some, all int) {
	c.want(0 <= some && some <= all, "%q is %d of %d", key, some, all)
}

func (r *testReport) check() error {
	c := &checker{}
	c.want(len(r.Counts) == len(r.Classes), "groups without their sizes")
	rows := 0
	for _, n := range r.Counts {
		c.of("counts", n, r.N-rows)
		rows += n
	}
	c.want(r.Dropped >= 0, "%q is %d", "dropped", r.Dropped)
	for _, one := range r.Columns {
		c.want(math.Abs(one.Correlation) <= 1+1e-9, "a correlation is %v", one.Correlation)
	}
	r.kernelTest.check(c)
	for i := range r.Tests {
		r.Tests[i].check(c)
		c.want((r.Tests[i].P == nil) == (r.P == nil), "%q of some gammas alone", "p_permutation")
	}
	return c.err
}

func (r *kernelTest) check(c *checker) {
	c.want((r.MMD == nil) == (r.UnbiasedMMD == nil), "only one of %q and %q", "mmd2", "mmd2_unbiased")
	if n := len(r.Asymptotic); n > 0 {
		c.want(n == len(r.Truncated) && n == len(r.Degrees), "%q, %q and %q differ in number", "truncated", "degrees", "p_asymptotic")
	}
	for _, p := range r.Asymptotic {
		c.want(p >= 0 && p <= 1, "%q is no p-value", "p_asymptotic")
	}
	r.permutationTest.check(c, r.P, r.Corrected)
	if a := r.Accuracy; a != nil {
		c.want(a.Accuracy >= 0 && a.Accuracy <= 1, "an accuracy is %v", a.Accuracy)
		a.permutationTest.check(c, a.P, a.Corrected)
	}
}

func (r *permutationTest) check(c *checker, p, corrected *float64) {
	c.p("p_permutation", p)
	c.p("p_corrected", corrected)
	c.of("as_large", r.AsLarge, r.Permutations)
	c.want(p != nil || corrected == nil && r.Null == nil, "%q is not there", "p_permutation")
	if p != nil {
		c.want(r.Interval != nil && 0 <= r.Interval[0] && r.Interval[0] <= r.Interval[1] && r.Interval[1] <= 1, "%q is no interval", "p_interval")
	}
	if h := r.Null; h != nil {
		c.want(len(h.Counts) > 0 && h.Low <= h.High, "an empty histogram")
		permutations := 0
		for _, n := range h.Counts {
			c.of("counts", n, r.Permutations-permutations)
			permutations += n
		}
	}
}

// check checks what sets and novelty share.
func (r *knownReport) check(c *checker) {
	c.want(r.Training >= 2, "%q is %d", "training", r.Training)
	c.want(r.N >= 0 && r.Dropped >= 0, "a number of rows is below 0")
}

func (r *setReport) check() error {
	c := &checker{}
	r.knownReport.check(c)
	c.want(r.Coverage > 0 && r.Coverage < 1, "%q is %v", "coverage", r.Coverage)
	if r.Sizes != nil {
		c.want(len(r.Sizes) > 1 && r.Size != nil, "%q or %q lacks", "sizes", "mean_size")
		sets := 0
		for _, n := range r.Sizes {
			c.of("sizes", n, r.N-sets)
			sets += n
		}
		c.want(sets == r.N, "%d sets of %d rows", sets, r.N)
	}
	c.of("endless", r.Endless, r.N)
	for _, h := range r.Held {
		c.of("rows", h.Rows, r.N)
		c.of("held", h.Held, h.Rows)
	}
	for _, u := range r.Unknown {
		c.of("unknown", u.Count, r.N)
	}
	return c.err
}

func (r *noveltyReport) check() error {
	c := &checker{}
	r.knownReport.check(c)
	c.want(r.Level > 0 && r.Level < 1, "%q is %v", "level", r.Level)
	c.of("below", r.Below, r.N)
	c.of("discoveries", r.Discoveries, r.N)
	c.want(r.Rows == nil || len(r.Rows) == r.N, "%d of %d rows", len(r.Rows), r.N)
	for i := range r.Rows {
		c.p("p_value", &r.Rows[i].PValue)
	}
	return c.err
}
