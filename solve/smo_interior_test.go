package solve

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// linearEntries is the kernel matrix of rows with the linear kernel.
type linearEntries struct {
	denseEntries
	x *matrix.Dense
}

func (e linearEntries) Features() *matrix.Dense { return e.x }

func linearOf(x *matrix.Dense) linearEntries {
	return linearEntries{denseEntries{k: matrix.Mul(nil, x, matrix.NoTrans, x, matrix.Transposed)}, x}
}

// overlappingRows are rows of two classes whose means differ by a half in each
// feature, that of a column times scale[column]: sums of twelve uniform numbers, which are the
// same on every platform, as logarithms of a library are not.
func overlappingRows(n int, seed uint64, scale ...float64) (x *matrix.Dense, positive []bool) {
	r := newRand(seed)
	x, positive = matrix.New(n, len(scale)), make([]bool, n)
	for i := range n {
		positive[i] = i%5 < 2
		for j, s := range scale {
			v := -6.0
			for range 12 {
				v += r.Float64()
			}
			if positive[i] {
				v += 0.5
			}
			x.Set(i, j, float64(s*(v+1)))
		}
	}
	return x, positive
}

// leapAtOnce solves a problem by the interior-point method from the first step on.
func leapAtOnce(t testing.TB, k linearEntries, positive []bool, c []float64, tolerance float64) (m *Machine, byLeap int) {
	t.Helper()
	s := newSMO(k, positive, c, SMOOptions{Tolerance: tolerance, CacheBytes: DefaultCacheBytes})
	defer s.cache.release()
	must.Do(t, s.leap(context.Background()))
	byLeap = s.iterations
	must.Do(t, s.run(context.Background()))
	return s.machine(), byLeap
}

// The interior-point method meets the conditions, and has the objective of sequential
// minimal optimisation, or of the best face, where these are within reach.
func TestSMOInterior(t *testing.T) {
	repeated, labels := overlappingRows(60, 2, 1, 1)
	for i := 30; i < 60; i++ { // half of them with the other label
		copy(repeated.Row(i), repeated.Row(i-30))
		labels[i] = labels[i-30] != (i%2 == 0)
	}
	equal, sides := overlappingRows(12, 3, 0, 0)
	apart, ends := overlappingRows(40, 4, 1, 1, 1)
	for i, yes := range ends {
		if yes {
			apart.Row(i)[1] += 20
		}
	}
	few, fewLabels := overlappingRows(7, 5, 1, 2)
	wide, wideLabels := overlappingRows(300, 6, 1, 1, 1, 1, 1)
	uneven, unevenLabels := overlappingRows(300, 7, 1, 1e3, 1e-2, 30)
	one := append([]bool{true}, make([]bool, 299)...)
	weights := constant(300, 1)
	for i := range weights {
		weights[i] = []float64{1e-3, 1, 50}[i%3]
	}
	for _, p := range []struct {
		name      string
		x         *matrix.Dense
		positive  []bool
		c         []float64
		tolerance float64
		reference bool // sequential minimal optimisation comes to an end
	}{
		{"few", few, fewLabels, constant(7, 3), 1e-8, true},
		{"wide", wide, wideLabels, constant(300, 1), 1e-8, true},
		{"small C", wide, wideLabels, constant(300, 1e-6), 1e-8, true},
		{"tiny C", wide, wideLabels, constant(300, 1e-280), 1e-3, true},
		{"large C", wide, wideLabels, constant(300, 1e4), 1e-5, false},
		{"huge C", wide, wideLabels, constant(300, 1e9), 1e-2, false},
		{"weights", wide, wideLabels, weights, 1e-8, true},
		{"one row of a class", wide, one, constant(300, 10), 1e-8, true},
		{"uneven features", uneven, unevenLabels, constant(300, 100), 1e-4, false},
		{"repeated rows", repeated, labels, constant(60, 10), 1e-8, true},
		{"equal rows", equal, sides, constant(12, 2), 1e-8, true},
		{"separable", apart, ends, constant(40, 1e6), 1e-6, true},
	} {
		t.Run(p.name, func(t *testing.T) {
			k := linearOf(p.x)
			m, byLeap := leapAtOnce(t, k, p.positive, p.c, p.tolerance)
			checkMachine(t, k.k, p.positive, p.c, m, p.tolerance)
			t.Logf("%d interior steps, then %d", byLeap, m.Iterations-byLeap)
			if p.name != "tiny C" && m.Iterations-byLeap > 200 {
				t.Errorf("%d steps to go on", m.Iterations-byLeap)
			}
			if !p.reference {
				return
			}
			want := mustSMO(t, k.k, p.positive, p.c, SMOOptions{Tolerance: p.tolerance}).Objective
			if len(p.c) < 10 {
				want = bestOfFaces(k.k, p.positive, p.c)
			}
			if math.Abs(m.Objective-want) > 2*p.tolerance*matrix.Sum(p.c)+1e-9*math.Abs(want) {
				t.Errorf("objective %v, want %v", m.Objective, want)
			}
		})
	}
}

// Random problems, a third of them of whole numbers and so with repeated rows, leave
// nothing to do to sequential minimal optimisation.
func TestSMOInteriorRandom(t *testing.T) {
	r := newRand(77)
	for trial := range uint64(40) {
		n := 4 + int(float64(200*r.Float64()))
		scale := make([]float64, 1+int(float64(float64(min(n, 30)-1)*r.Float64())))
		for j := range scale {
			scale[j] = math.Exp(r.NormFloat64() * float64(trial%3))
		}
		x, positive := overlappingRows(n, trial, scale...)
		if trial%3 == 0 {
			for i, v := range x.Data {
				x.Data[i] = math.Round(2 * v)
			}
		}
		k, c := linearOf(x), constant(n, math.Exp(4*r.NormFloat64()))
		m, byLeap := leapAtOnce(t, k, positive, c, DefaultTolerance)
		checkMachine(t, k.k, positive, c, m, DefaultTolerance)
		if m.Iterations > byLeap {
			t.Errorf("n = %d, %d features, C = %g: %d steps to go on from %d", n, len(scale), c[0], m.Iterations-byLeap, byLeap)
		}
	}
}

// The bits are those of every other platform and number of workers.
func TestSMOInteriorHash(t *testing.T) {
	x, positive := overlappingRows(1500, 8, 1, 1, 5, 0.1, 1, 1, 1)
	k := linearOf(x)
	check := func(t *testing.T) {
		m, _ := leapAtOnce(t, k, positive, constant(1500, 30), 1e-6)
		h := sha256.Sum256(fmt.Appendf(nil, "%x %x %x %d", m.U, m.Bias, m.Objective, m.Iterations))
		must.Equal(t, "hash", fmt.Sprintf("%x", h[:8]), "221756b81bb00520")
	}
	for _, workers := range []int{1, 2, 7} {
		func() {
			defer matrix.SetWorkers(matrix.SetWorkers(workers))
			check(t)
		}()
	}
	asmtest.EachTier(t, check)
}

// What sequential minimal optimisation does not come to the end of is left to the
// interior-point method after some steps; without the features, lack of progress ends it.
func TestSMOLeaps(t *testing.T) {
	x, positive := overlappingRows(3000, 9, 1, 1, 300, 1)
	k, c := linearOf(x), constant(3000, 1e3)
	m := must.Get(SMO(context.Background(), k, positive, c, SMOOptions{}))(t)
	checkMachine(t, k.k, positive, c, m, DefaultTolerance)
	if least := stepsBeforeLeap(x); m.Iterations <= least || m.Iterations > least+200 {
		t.Errorf("%d steps, want some more than %d", m.Iterations, least)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	s := newSMO(k, positive, c, SMOOptions{Tolerance: 1e-3})
	cancel()
	if err := s.leap(cancelled); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if testing.Short() {
		return
	}
	few := linearOf(x.View(0, 0, 30, 4).Clone()).denseEntries
	limit := must.Refuse[*IterationLimitError](SMO(context.Background(), few, positive[:30], constant(30, 1e6), SMOOptions{}))(t, "no progress")
	if limit.Iterations < 1e7 || limit.Iterations > 5e7 {
		t.Errorf("%v", limit)
	}
}

// Each stretch must halve the least violation so far.
func TestSMOStalls(t *testing.T) {
	s := &smo{least: math.Inf(1), wanted: 1}
	s.due = s.stretch()
	for i, step := range []struct {
		iterations int
		gap        float64
		want       bool
	}{{1, 50, false}, {5e6, 0.9, false}, {1e7, 3, false}, {1.5e7, 0.5, false}, {2e7, 0.44, false}, {3e7, 0.23, true}} {
		if s.iterations = step.iterations; s.stalls(step.gap) != step.want {
			t.Errorf("look %d: want %v", i, step.want)
		}
	}
}
