package fuzz

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// entries gives a stored matrix by its entries.
type entries struct{ k *matrix.Dense }

func (e entries) Order() int { return e.k.Rows }

func (e entries) Diag(dst []float64) []float64 {
	for i := range dst {
		dst[i] = e.k.At(i, i)
	}
	return dst
}

func (e entries) Columns(cols []int) solve.Columns { return columns{e.k, cols} }

type columns struct {
	k    *matrix.Dense
	cols []int
}

func (c columns) Rows(dst *matrix.Dense, rows []int) error {
	for i, r := range rows {
		for j, col := range c.cols {
			dst.Set(i, j, c.k.At(r, col))
		}
	}
	return nil
}

// SMO: the optimality conditions of what it returns, in doubled precision.
func FuzzSMO(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := 2 + in.below(40)
		k := in.symmetric(n)
		if _, bad := firstBad(k.Dense, false); bad {
			return // entries are finite by contract
		}
		positive, c := make([]bool, n), make([]float64, n)
		pattern, bound := in.byte(), math.Ldexp(1, in.signed()/4)
		for i := range n {
			positive[i] = (pattern>>(i%8))&1 == 1
			c[i] = bound * float64(1+i%3)
		}
		positive[0], positive[1] = true, false
		options := solve.SMOOptions{
			Tolerance:     math.Ldexp(1, -in.below(50)),
			MaxIterations: 20000,
			CacheBytes:    int64(1 + in.byte()*100),
		}
		m, err := solve.SMO(background, entries{k.Dense}, positive, c, options)
		if err != nil {
			if e, ok := errors.AsType[*solve.IterationLimitError](err); !ok || math.IsNaN(e.Gap) || e.Gap <= e.Tolerance {
				t.Fatalf("SMO: %v", err)
			}
			return
		}
		mustBeFinite(t, "SMO", m.U, []float64{m.Bias, m.Objective, m.Gap})
		mustBeBelow(t, "the gap", m.Gap, options.Tolerance)
		rise, fall := math.Inf(-1), math.Inf(1)
		var total, objective sum
		size := 0.0
		for i := range n {
			lo, hi := -c[i], 0.0
			y := -1.0
			if positive[i] {
				lo, hi, y = 0, c[i], 1
			}
			v := m.U[i]
			if v < lo || v > hi {
				t.Fatalf("u_%d = %g is outside of [%g, %g]", i, v, lo, hi)
			}
			g := sum{value: y}
			for j, w := range m.U {
				g.add(-k.At(i, j), w)
				size = math.Max(size, math.Abs(k.At(i, j)*w))
			}
			if v < hi {
				rise = math.Max(rise, g.total())
			}
			if v > lo {
				fall = math.Min(fall, g.total())
			}
			total.add(1, v)
			objective.add(0.5*v, y+g.total())
		}
		// Gap is that of a gradient that was summed in n roundings of terms up to size.
		rounding := 2 * float64(n) * u * (1 + float64(n)*size)
		mustBeBelow(t, "the gap, computed anew", rise-fall, m.Gap+rounding)
		// A step moves two of the u by the same amount, up to their rounding.
		mustBeBelow(t, "|Σu|", math.Abs(total.total()), float64(m.Iterations+1)*2*u*3*bound)
		scale := math.Max(1, math.Abs(m.Objective)) + float64(n)*3*bound*(1+rounding)
		mustBeBelow(t, "the error of the objective", math.Abs(m.Objective-objective.total()), 1e-9*scale+float64(n)*3*bound*rounding)
	})
}
