package cv

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// In a tie of everything else the first scaling wins, whatever the order of the candidates.
func TestTiesOfScalings(t *testing.T) {
	var all []Candidate
	for _, s := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
		all = append(all, Candidate{Scaling: s, Gamma: 1, Ridge: 0.1, Errors: 2, Rows: 10, Around: 3})
	}
	for k := range all {
		for from := range all {
			c := rotated(all[from:], k%(len(all)-from))
			if at, err := best(c, ByErrors.order); err != nil || c[at].Scaling != all[from].Scaling {
				t.Errorf("the best of %v is number %d (error %v)", c, at, err)
			}
		}
	}
	// Before the scaling come a larger ridge and then a smaller γ.
	for _, better := range []Candidate{{Gamma: 2, Ridge: 0.2}, {Gamma: 0.5, Ridge: 0.1}} {
		better.Scaling, better.Errors, better.Rows, better.Around = discriminant.MinMax, 2, 10, 3
		if at, err := best(append(all[:3:3], better), ByErrors.order); err != nil || at != 3 {
			t.Errorf("%v is not better than %v", better, all)
		}
	}
}

// A posterior counts as 2⁻⁵² at least in the log loss, and as it is above that.
func TestLogLossFloor(t *testing.T) {
	for _, c := range []struct{ p, bits float64 }{{0, 52}, {0x1p-1000, 52}, {0x1p-52, 52}, {0x1p-51, 51}, {0x1p-30, 30}} {
		posteriors := &matrix.Dense{Rows: 1, Cols: 2, Stride: 2, Data: []float64{c.p, 1 - c.p}}
		s := newScores([]*tested{{truth: []int{0}, predicted: []int{1}, posteriors: posteriors}}, 2)
		if want := c.bits * math.Ln2; math.Abs(s.LogLoss-want) > 1e-14 {
			t.Errorf("posterior %g: log loss %v, want %v", c.p, s.LogLoss, want)
		}
	}
}

// HKH counts as 0 up to 8·n·u·max|K|, in norm: for K = 11ᵀ + δssᵀ it is δssᵀ, of norm 4δ.
func TestAlignmentOfRounding(t *testing.T) {
	const u = f64.Roundoff
	for _, c := range []struct {
		delta float64
		zero  bool
	}{{2 * u, true}, {8 * u, true}, {10 * u, false}, {100 * u, false}} {
		k := matrix.New(4, 4)
		for i := range 4 {
			for j := range 4 {
				k.Set(i, j, 1+c.delta)
				if i/2 != j/2 {
					k.Set(i, j, 1-c.delta)
				}
			}
		}
		a, err := Alignment(k, []int{0, 0, 1, 1})
		switch {
		case c.zero:
			must.Fail[*ParameterError](t, "rounding", err)
		case err != nil || math.Abs(a-1) > 1e-15:
			t.Errorf("δ = %g: alignment %v, want 1 (error %v)", c.delta, a, err)
		}
	}
}

// A row that is as far from all centroids goes to the first class.
func TestClosedFormTies(t *testing.T) {
	w := &withoutRow{
		epsilon: 0.5, counts: []int{2, 2}, f: []float64{0.5, 0.5},
		centroids: &matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{0.75, 0.25, 0.25, 0.75}},
		s:         &matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, -1, -1, 1}},
	}
	if at, err := w.nearest(1); err != nil || at != 0 {
		t.Errorf("class %d (error %v), want the first", at, err)
	}
	w.f[1] += 1e-9
	w.f[0] -= 1e-9
	if at, err := w.nearest(1); err != nil || at != 1 {
		t.Errorf("nearer to the second: class %d (error %v)", at, err)
	}
}
