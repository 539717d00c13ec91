package inference

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// changeProblem is a random sample with another n, kernel and ridge for each seed.
func changeProblem(t *testing.T, seed uint64) *Sample {
	x, _ := randomRows(seed, 8+int(seed*7%40), 1+int(seed%4), 1+int(seed%3))
	kernel := []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}, gram.Laplacian{Gamma: 0.5}, gram.Linear{}}[seed%4]
	ridge := []float64{1e-3, 0.1, 3, 50, 1e3}[seed%5]
	return must.Get(NewSample(context.Background(), Settings{Kernel: kernel, Ridge: ridge}, x))(t)
}

// The value of each split is that of a fit of its two classes.
func TestChangesAgainstFits(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems() / 5) {
		s := changeProblem(t, seed)
		n := s.Rows()
		r := must.Get(Changes(ctx, s, ChangeOptions{}))(t)
		must.Equal(t, "splits", len(r.Curve), n-1)
		for k := 1; k < n; k++ {
			found := must.Get(s.rows.Solve(ctx, firstRows(n, k)))(t)
			got, want := r.Curve[k-1]/float64(n), found.Lambda[0]
			if !(math.Abs(got-want) <= 1e-10*want+float64(n)*0x1p-53) { // 1 less the share has an absolute error
				t.Errorf("seed %d, split %d of %d: λ %v, want %v", seed, k, n, got, want)
			}
			if k == r.Best {
				must.Equal(t, "statistic", r.Statistic, float64(n)*want)
			}
		}
		labels := make([]int, n)
		for i := r.Best; i < n; i++ {
			labels[i] = 1
		}
		m := must.Get(discriminant.Fit(ctx, discriminant.KFDA{Kernel: s.Kernel(), Regularizer: discriminant.RKHS(s.Ridge())}, s.rows.(*allRows).evaluator.X(), labels))(t)
		within(t, "statistic", r.Statistic, float64(n)*m.Details().(discriminant.KFDADetails).Eigenvalues()[0], 1e-10)
	}
}

// Mean and variance over all orders are those of an enumeration.
func TestChangeMoments(t *testing.T) {
	x, _ := randomRows(2, 6, 2, 1)
	s := must.Get(NewSample(context.Background(), Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: 0.2}, x))(t)
	g := must.Get(s.metric(context.Background()))(t)
	m, n := g.moments(), 6
	for k := 1; k < n; k++ {
		var count, sum, squares float64
		for set := range 1 << n {
			total, members := 0.0, 0
			for i := range n {
				members += set >> i & 1
				for j := range n {
					total += float64(set>>i&1*(set>>j&1)) * g.At(i, j)
				}
			}
			if members == k {
				v := 1 - total*float64(n)/float64(k*(n-k))
				count, sum, squares = count+1, sum+v, squares+v*v
			}
		}
		within(t, "mean", m.mean, sum/count, 1e-12)
		within(t, "deviation", m.deviation[k], math.Sqrt(squares/count-sum*sum/(count*count)), 1e-9)
	}
}

// The score of an order of the rows is that of a sample of the rows in that order.
func TestPermutedScoresAgainstSamples(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems() / 20) {
		s := changeProblem(t, seed)
		n := s.Rows()
		o := ChangeOptions{Permutations: 19, Seed: seed, Block: 1 + int(seed%3)}
		r := must.Get(Changes(ctx, s, o))(t)
		x := s.rows.(*allRows).evaluator.X()
		for p := range 3 {
			order := must.Get(o.resolved(n))(t).order(n, p)
			permuted := matrix.New(n, x.Cols)
			for i, row := range order {
				copy(permuted.Row(i), x.Row(int(row)))
			}
			want := must.Get(Changes(ctx, must.Get(NewSample(ctx, Settings{Kernel: s.Kernel(), Ridge: s.Ridge()}, permuted))(t), ChangeOptions{Segment: r.Segment}))(t)
			if !(math.Abs(r.Permuted.Null[p]-want.Score) <= 1e-9*math.Max(1, math.Abs(want.Score))) {
				t.Errorf("seed %d, permutation %d: score %v, want %v", seed, p, r.Permuted.Null[p], want.Score)
			}
		}
	}
}

func TestChangeOrders(t *testing.T) {
	const n = 23
	for _, size := range []int{1, 4, 11} {
		seen := make(map[string]bool)
		for p := range 40 {
			got := ChangeOptions{Seed: 5, Block: size}.order(n, p)
			seen[fmt.Sprint(got)] = true
			for i, row := range got {
				if i%size > 0 && row != got[i-1]+1 || i >= n/size*size && int(row) != i {
					t.Fatalf("blocks of %d: %v", size, got)
				}
			}
			slices.Sort(got)
			for i, row := range got {
				must.Equal(t, "row", int(row), i)
			}
		}
		if len(seen) < min(40, 2) {
			t.Errorf("blocks of %d: one order", size)
		}
	}
}

// The segmentation is the best of all, with the sums of fits of the segments as classes.
func TestSegmentsAgainstAll(t *testing.T) {
	ctx := context.Background()
	several := 0
	for seed := range uint64(problems() / 10) {
		n, least := 9+int(seed%4), 2+int(seed%2)
		x, _ := randomRows(seed, n, 2, 1)
		for i := range n {
			x.Row(i)[0] += float64(3 * (i / (least + 1) % 2))
		}
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: []float64{0.1, 1, 10}[seed%3]}, x))(t)
		g := must.Get(s.metric(ctx))(t)
		m, z := g.moments(), float64(seed%5)/2
		largest := 0.0
		var want []int
		for set := 1; set < 1<<(n-1); set++ { // of the rows after which there is a change
			var changes []int
			for k := 1; k < n; k++ {
				if set>>(k-1)&1 == 1 {
					changes = append(changes, k)
				}
			}
			if v, allowed := valueOf(t, s, m, changes, least, z); allowed && v > largest {
				largest, want = v, changes
			}
		}
		if len(want) > 1 {
			several++
		}
		must.EqualSlices(t, fmt.Sprintf("seed %d", seed), must.Get(segments(ctx, g, m, least, z))(t), want)
	}
	if several == 0 {
		t.Error("no case of several changes")
	}
}

// valueOf is what a segmentation gains, less its penalty, and whether its segments are long enough.
func valueOf(t *testing.T, s *Sample, m *moments, changes []int, least int, z float64) (value float64, allowed bool) {
	n := s.Rows()
	codes, from := make([]int, n), 0
	for c, to := range append(slices.Clone(changes), n) {
		l := to - from
		if l < least {
			return 0, false
		}
		for i := from; i < to; i++ {
			codes[i] = c
		}
		value -= (1 - float64(l)/float64(n)) * (m.mean + z*m.deviation[l])
		from = to
	}
	found := must.Get(s.rows.Solve(context.Background(), fisher.NewClasses(codes, len(changes)+1, nil)))(t)
	for _, l := range found.Lambda {
		value += l / (1 + l)
	}
	return value, true
}

// The cells of two groups, one after the other: the change is between them, with the statistic of their
// test.
func TestChangesOfCells(t *testing.T) {
	x, labels, kernel := cells(t, "48HREV", "48HDIFF")
	ordered := matrix.New(0, x.Cols)
	for _, group := range []string{"48HREV", "48HDIFF"} {
		for i, label := range labels {
			if label == group {
				ordered.Data = append(ordered.Data, x.Row(i)...)
				ordered.Rows++
			}
		}
	}
	ordered.Stride = x.Cols
	s := must.Get(NewSample(context.Background(), Settings{Kernel: kernel, Ridge: 1e-3 * float64(x.Rows)}, ordered))(t)
	r := must.Get(Changes(context.Background(), s, ChangeOptions{Permutations: 99, Seed: 1}))(t)
	must.Equal(t, "change", r.Best, 171)
	within(t, "statistic", r.Statistic, 1576.73024099, 1e-11)
	within(t, "curve", r.Curve[r.Best-1], r.Statistic, 1e-10)
	must.Equal(t, "largest of the curve", r.Curve[r.Best-1], slices.Max(r.Curve[r.Segment-1:x.Rows-r.Segment]))
	must.Equal(t, "p", r.Permuted.P, 0.01)
	if !slices.ContainsFunc(r.Changes, func(c Change) bool { return c.After == 171 }) {
		t.Errorf("no change of segments after row 171: %v", r.Changes)
	}
}

func TestChangesRefuses(t *testing.T) {
	ctx := context.Background()
	x, _ := randomRows(1, 10, 2, 1)
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{}, Ridge: 1}, x))(t)
	for field, o := range map[string][]ChangeOptions{
		"Level":        {{Level: -1}, {Level: 1}, {Level: math.NaN()}},
		"Permutations": {{Permutations: -1}, {Permutations: 18}, {Permutations: 98, Level: 0.01}},
		"Block":        {{Block: -1}, {Permutations: 19, Block: 6}},
		"Segment":      {{Segment: 1}, {Segment: 6}},
	} {
		for _, o := range o {
			must.Equal(t, "field", must.Refuse[*discriminant.ParameterError](Changes(ctx, s, o))(t, field).Field, field)
		}
	}
	three := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{}, Ridge: 1}, x.View(0, 0, 3, 2)))(t)
	must.Refuse[*discriminant.ParameterError](Changes(ctx, three, ChangeOptions{}))(t, "three rows")
	alike := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 1}, Ridge: 1}, matrix.New(10, 2)))(t)
	must.Refuse[*discriminant.CoincidentMeansError](Changes(ctx, alike, ChangeOptions{Permutations: 19}))(t, "rows alike")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Changes(ended, s, ChangeOptions{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	calls := 0
	must.Get(Changes(ctx, s, ChangeOptions{Permutations: 100, Progress: func(done, total int) {
		if calls++; total != 100 || done > total {
			t.Errorf("progress %d of %d", done, total)
		}
	}}))(t)
	must.Equal(t, "calls", calls, 2)
}

// Within a stretch the contrasts of all rows count: its p-value for all rows is that of all, and the statistic
// of a change is that of its two segments.
func TestChangesWithinStretches(t *testing.T) {
	ctx := context.Background()
	x, _ := randomRows(4, 90, 2, 1)
	for i := range x.Rows {
		x.Row(i)[0] += float64(3 * (i / 30))
	}
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: 1}, x))(t)
	o := must.Get(ChangeOptions{Permutations: 99, Seed: 2}.resolved(90))(t)
	r, g := must.Get(Changes(ctx, s, o))(t), must.Get(s.metric(ctx))(t)
	all := &stretches{g, o, r.Certificate.KernelRounding, make(map[[2]int]stretch)}
	must.Equal(t, "all rows", must.Get(all.test(ctx, 0, 90))(t), stretch{r.Best, r.Permuted.P})
	must.Equal(t, "changes", len(r.Changes), 2)
	for c, change := range r.Changes {
		from, to := r.Around(c)
		part := g.part(from, to).(entries)
		sum, k, rows := 0.0, change.After-from, to-from
		for i := range k {
			sum += matrix.Sum(part.Row(i)[:k])
		}
		v := sum * float64(rows) / float64(k*(rows-k))
		within(t, "statistic", change.Statistic, 90*(1/v-1), 1e-9)
		if !(change.P <= o.Level) || !(change.P >= 2.0/400) { // two of three changes that were tried
			t.Errorf("change after %d: p-value %v", change.After, change.P)
		}
	}
}

// The smallest p-value is that of a count of all orders of blocks that keep the rows on both sides of a split.
func TestSmallestP(t *testing.T) {
	for n := 4; n <= 13; n++ {
		for block := 1 + n/8; block <= n/2; block++ {
			for segment := 2; segment <= n/2; segment++ {
				o := must.Get(ChangeOptions{Block: block, Segment: segment}.resolved(n))(t)
				smallest := 1.0
				for k := segment; k <= n-segment; k++ {
					same, all := 0, 0
					for order := range orders(n / block) {
						all++
						var rows uint // the set of the first so many, as bits
						keeps := false
						for place := range n {
							row := place
							if b := place / block; b < n/block {
								row = order[b]*block + place%block
							}
							rows |= 1 << row
							first := uint(1)<<k - 1
							if size := place + 1; size >= segment && size <= n-segment && (rows == first || rows == (1<<n-1)&^first) {
								keeps = true
							}
						}
						if keeps {
							same++
						}
					}
					smallest = math.Min(smallest, float64(same)/float64(all))
				}
				within(t, fmt.Sprintf("%d rows, blocks of %d, segments of %d", n, block, segment), must.Get(o.SmallestP(n))(t), smallest, 1e-12)
			}
		}
	}
}

// orders yields all of 0 … n−1.
func orders(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		var swap func(k int) bool
		swap = func(k int) bool {
			if k == n {
				return yield(order)
			}
			for i := k; i < n; i++ {
				order[k], order[i] = order[i], order[k]
				if !swap(k + 1) {
					return false
				}
				order[k], order[i] = order[i], order[k]
			}
			return true
		}
		swap(0)
	}
}
