package inference

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// drawn are the labels of permutation p.
func drawn(t *testing.T, labels []int, o TestOptions, p int) []int {
	_, of := encode(labels)
	r := must.Get(newRelabelling(of.Codes, len(of.Sizes), o))(t)
	n := len(labels)
	rows := make([]int, n)
	r.draw(p, rows, make([]int, n), make([]int, n))
	return rows
}

// Statistics of permutations, found together, are those of tests of the permuted labels, and sums of
// norms and distances those of plain loops.
func TestTestAgainstRefits(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems()) {
		c, n := 2+int(seed%4), 12+int(seed*7%30)
		x, labels := randomRows(seed, n, 3, c)
		o := TestOptions{Permutations: 5, Seed: seed}
		if seed%3 == 1 {
			o.Strata = make([]int, n)
			for i := range n {
				o.Strata[i] = i / (2 * c) % 2
			}
		}
		if seed%3 == 2 { // pairs of a label, and of a stratum, but for some rows
			o.Groups = make([]int, n)
			for i := range n {
				o.Groups[i] = i/(2*c)*c + i%c
			}
		}
		set := Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: []float64{1e-3, 0.1, 10, 1e4}[seed%4]}
		s := must.Get(NewSample(ctx, set, x))(t)
		r := must.Get(Test(ctx, s, labels, o))(t)
		m := must.Get(discriminant.Fit(ctx, discriminant.KFDA{Kernel: set.Kernel, Regularizer: discriminant.RKHS(set.Ridge)}, x, labels))(t)
		sum := 0.0
		for _, l := range m.Details().(discriminant.KFDADetails).Eigenvalues() {
			sum += float64(n) * l
		}
		within(t, "statistic", r.Statistic, sum, 1e-11)
		z := must.Get(m.Project(nil, x))(t)
		for i, v := range r.Projections {
			if math.Abs(v-z.At(i, 0)) > 1e-9*math.Abs(z.At(i, 0))+1e-12 {
				t.Errorf("row %d: projection %v, want %v", i, v, z.At(i, 0))
			}
		}
		for p, got := range r.Permuted.Null {
			want := must.Get(Test(ctx, s, drawn(t, labels, o, p), TestOptions{}))(t)
			within(t, fmt.Sprintf("seed %d: permutation %d", seed, p), got, want.Statistic, 1e-9*math.Max(1, set.Ridge))
		}
		checkNorms(t, s, labels, r)
	}
}

// checkNorms compares what does not need a fit with plain sums.
func checkNorms(t *testing.T, s *Sample, labels []int, r *TestResult[int]) {
	_, of := encode(labels)
	k := must.Get(s.rows.(*allRows).evaluator.Matrix(nil))(t)
	values, _, err := eigen(plain(k, of))
	must.Do(t, err)
	d1, d2 := 0.0, 0.0
	for _, l := range values {
		d1 += l / (l + s.Ridge())
		d2 += math.Pow(l/(l+s.Ridge()), 2)
	}
	within(t, "D1", r.D1, d1, 1e-9)
	within(t, "D2", r.D2, math.Sqrt(d2), 1e-9)
	m := float64(len(of.Sizes) - 1)
	within(t, "normalised", r.Normalised, (r.Statistic-m*d1)/math.Sqrt(2*m*d2), 1e-6)
	sums, own := matrix.New(len(of.Sizes), len(of.Sizes)), make([]float64, len(of.Sizes))
	total := 0.0
	for i, a := range of.Codes {
		own[a] += k.At(i, i)
		for j, b := range of.Codes {
			sums.Set(a, b, sums.At(a, b)+k.At(i, j))
			total += k.At(i, j)
		}
	}
	between := -total / float64(k.Rows)
	for j, l := range of.Sizes {
		between += sums.At(j, j) / l
	}
	within(t, "between", r.Between, between, 1e-10)
	if r.MMD == nil {
		return
	}
	a, b := of.Sizes[0], of.Sizes[1]
	cross := 2 * sums.At(0, 1) / (a * b)
	within(t, "biased", r.MMD.Biased, sums.At(0, 0)/(a*a)+sums.At(1, 1)/(b*b)-cross, 1e-10)
	unbiased := (sums.At(0, 0)-own[0])/(a*(a-1)) + (sums.At(1, 1)-own[1])/(b*(b-1)) - cross
	if !(math.Abs(r.MMD.Unbiased-unbiased) <= 1e-13) {
		t.Errorf("unbiased %v, want %v", r.MMD.Unbiased, unbiased)
	}
}

// Permutations keep what they must: counts of labels in strata, labels of groups.
func TestPermutationsAreRestricted(t *testing.T) {
	random := splitmix.Random(7)
	const n = 60
	labels, strata, groups := make([]int, n), make([]int, n), make([]int, n)
	for i := range n {
		groups[i] = i / 3
		strata[i] = groups[i] % 4
		labels[i] = groups[i] / 4 % 3
	}
	for _, o := range []TestOptions{{}, {Strata: strata}, {Groups: groups}, {Strata: strata, Groups: groups}} {
		o.Seed = random.Next()
		seen := make(map[string]bool)
		for p := range 50 {
			got := drawn(t, labels, o, p)
			seen[fmt.Sprint(got)] = true
			must.EqualSlices(t, "the same permutation again", drawn(t, labels, o, p), got)
			counts := func(of []int, stratum int) (k [3]int) {
				for i, label := range of {
					if o.Strata == nil || o.Strata[i] == stratum {
						k[label]++
					}
				}
				return k
			}
			for stratum := range 4 {
				must.Equal(t, "counts", counts(got, stratum), counts(labels, stratum))
			}
			for i := range n {
				if o.Groups != nil && got[i] != got[i/3*3] {
					t.Fatalf("row %d has left its group", i)
				}
			}
		}
		if len(seen) < 45 {
			t.Errorf("only %d of 50 permutations differ", len(seen))
		}
	}
}

// All labellings of four rows are equally likely, and their number is known.
func TestPermutationsAreUniform(t *testing.T) {
	labels := []int{0, 0, 1, 1, 1}
	count := make(map[string]int)
	for p := range 10000 {
		count[fmt.Sprint(drawn(t, labels, TestOptions{Seed: 3}, p))]++
	}
	must.Equal(t, "labellings", len(count), 10)
	for of, k := range count {
		if k < 880 || k > 1120 { // four standard deviations
			t.Errorf("%s came %d times in 10000", of, k)
		}
	}
	_, of := encode(labels)
	must.Equal(t, "distinct", must.Get(newRelabelling(of.Codes, 2, TestOptions{}))(t).distinct(), 10)
}

// A permutation that makes the same groups is as large, and all of them together give the exact
// p-value: of C(8,4) = 70 labellings two are those of the data, up to their names.
func TestTiesCount(t *testing.T) {
	ctx := context.Background()
	x := must.Get(matrix.FromRows([][]float64{{0}, {0.1}, {0.25}, {0.3}, {9}, {9.2}, {9.5}, {10}}))(t)
	labels := []int{0, 0, 0, 0, 1, 1, 1, 1}
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.1}, Ridge: 0.01}, x))(t)
	r := must.Get(Test(ctx, s, labels, TestOptions{Permutations: 7000, Seed: 1}))(t)
	must.Equal(t, "distinct", r.Permuted.Distinct, 35)
	if got := r.Permuted.AsLarge; got < 150 || got > 250 {
		t.Errorf("%d permutations of 7000 are as large, want about 200", got)
	}
	if i := r.Permuted.Interval; !(i[0] < 2.0/70 && 2.0/70 < i[1]) {
		t.Errorf("the interval %v does not hold 2/70", i)
	}
	three := []int{0, 0, 0, 1, 1, 1, 2, 2}
	for p, v := range must.Get(Test(ctx, s, three, TestOptions{Permutations: 600, Seed: 2}))(t).Permuted.Null {
		same := slices.Equal(drawn(t, three, TestOptions{Seed: 2}, p), []int{1, 1, 1, 0, 0, 0, 2, 2})
		if same && v != must.Get(Test(ctx, s, three, TestOptions{}))(t).Statistic {
			t.Errorf("permutation %d makes the same classes, but has another statistic", p)
		}
	}
}

// The distinct labellings are those of which draws make other classes, whatever their names.
func TestDistinctLabellings(t *testing.T) {
	for _, c := range []struct {
		labels []int
		o      TestOptions
		want   float64
	}{
		{[]int{0, 0, 1, 1, 1}, TestOptions{}, 10},
		{[]int{0, 0, 1, 1}, TestOptions{}, 3},
		{[]int{0, 0, 1, 1, 2, 2}, TestOptions{}, 15},
		{[]int{0, 0, 1, 1, 2, 2, 2}, TestOptions{}, 105},
		{[]int{0, 0, 1, 1, 0, 1, 1}, TestOptions{Strata: []int{0, 0, 0, 0, 1, 1, 1}}, 18},
		{[]int{0, 0, 1, 1, 0, 0, 1, 1}, TestOptions{Strata: []int{0, 0, 0, 0, 1, 1, 1, 1}}, 18},
		{[]int{0, 1, 1, 0, 0, 1}, TestOptions{Strata: []int{0, 0, 0, 1, 1, 1}}, 9},
		{[]int{0, 0, 0, 1, 1, 1}, TestOptions{Groups: []int{0, 0, 1, 2, 2, 3}}, 3},
	} {
		_, of := encode(c.labels)
		r := must.Get(newRelabelling(of.Codes, len(of.Sizes), c.o))(t)
		made := make(map[string]bool)
		for p := range 3000 {
			var names []int // of the classes, in the order in which they come
			draw := drawn(t, c.labels, c.o, p)
			for i, l := range draw {
				if !slices.Contains(names, l) {
					names = append(names, l)
				}
				draw[i] = slices.Index(names, l)
			}
			made[fmt.Sprint(draw)] = true
		}
		must.Equal(t, "distinct", r.distinct(), c.want)
		must.Equal(t, "drawn", float64(len(made)), c.want)
	}
}

// Of equal means the statistic is 0 and every permutation is as large, of equal rows too, and where the
// kernel is 0; nothing is divided by the scatter of classes of equal rows.
func TestEqualMeans(t *testing.T) {
	ctx := context.Background()
	cross := must.Get(matrix.FromRows([][]float64{{1, 0}, {-1, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0, 1}, {0, -1}}))(t)
	apart := must.Get(matrix.FromRows([][]float64{{1}, {1}, {1}, {1}, {3}, {3}, {3}, {3}}))(t)
	same := matrix.New(8, 2)
	for i := range same.Data {
		same.Data[i] = 0.3
	}
	for _, c := range []struct {
		x      *matrix.Dense
		labels []int
		zero   bool
	}{
		{cross, []int{0, 0, 1, 1, 0, 0, 1, 1}, true},
		{cross, []int{0, 0, 0, 0, 1, 1, 1, 1}, false}, // not for rbf
		{same, []int{0, 0, 1, 1, 2, 2, 2, 2}, true},
		{matrix.New(8, 2), []int{0, 0, 0, 1, 1, 1, 1, 1}, true},
		{apart, []int{0, 0, 0, 0, 1, 1, 1, 1}, false},
		{apart, []int{0, 0, 1, 1, 1, 1, 0, 0}, true},
	} {
		for _, k := range []gram.Kernel{gram.RBF{Gamma: 0.7}, gram.Linear{}} {
			s := must.Get(NewSample(ctx, Settings{Kernel: k, Ridge: 0.01}, c.x))(t)
			r := must.Get(Test(ctx, s, c.labels, TestOptions{Permutations: 50, Seed: 1}))(t)
			if c.zero && (r.Statistic != 0 || r.Permuted.P != 1 || r.Between > 1e-14 || r.Projections != nil) {
				t.Errorf("%v: equal means: %+v", k, r)
			}
			if r.MMD != nil && r.MMD.Biased < 0 || math.IsNaN(r.Normalised) || math.Abs(r.Normalised) > 1e4 {
				t.Errorf("%v: %+v", k, r)
			}
			must.Get(TestAccuracy(ctx, s, c.labels, TestOptions{Permutations: 5}))(t)
		}
	}
}

// Means that differ by no more than rounding are equal, with any ridge; those that differ by more are not.
func TestAlmostEqualMeans(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(40) {
		n := 6 + 2*int(seed%15)
		x, _ := randomRows(seed, n, 2, 2)
		labels := make([]int, n)
		for i := 0; i < n; i += 2 { // twins that are a little apart
			labels[i+1] = 1
			for j, v := range x.Row(i) {
				x.Set(i+1, j, v+math.Pow(10, -float64(seed%16))*(x.At(i+1, j)-v))
			}
		}
		for _, ridge := range []float64{1e-6, 1, 1e4} {
			for _, k := range []gram.Kernel{gram.RBF{Gamma: 0.5}, gram.Linear{}} {
				s := must.Get(NewSample(ctx, Settings{Kernel: k, Ridge: ridge, Relative: true}, x))(t)
				r := must.Get(Test(ctx, s, labels, TestOptions{Permutations: 19, Seed: 1}))(t)
				if !(r.Statistic >= 0) || seed%16 > 9 && r.Permuted.P < 0.9 || seed%16 == 1 && r.Statistic == 0 {
					t.Errorf("seed %d, %v, ridge %v: %v, p %v", seed, k, ridge, r.Statistic, r.Permuted.P)
				}
			}
		}
	}
}

// Beyond the largest ridge that is taken permutations would differ by rounding; at it they are still
// those of a smaller one.
func TestLargestRidge(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(6, 60, 3, 2)
	null := func(ridge float64) []float64 {
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: ridge, Relative: true}, x))(t)
		return must.Get(Test(ctx, s, labels, TestOptions{Permutations: 200, Seed: 4}))(t).Permuted.Null
	}
	most := 2.5e-4 / (60 * 0x1p-53)
	large, small := null(most*0.999), null(1e7)
	for p, v := range large {
		within(t, "permuted", v*most*0.999, small[p]*1e7, 1e-3)
	}
	for _, ridge := range []float64{most * 1.001, 1e14, 1e300} {
		must.Refuse[*discriminant.RidgeError](NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: ridge, Relative: true}, x))(t, "a large ridge")
	}
}

// Under a ridge that is far above all eigenvalues the statistic is a multiple of the squared distance of
// the means, so that its permutations are those of the MMD.
func TestLargeRidgeIsMMD(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(6, 60, 3, 2)
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: 1e6, Relative: true}, x))(t)
	o := TestOptions{Permutations: 20, Seed: 4}
	r := must.Get(Test(ctx, s, labels, o))(t)
	for p, v := range r.Permuted.Null {
		want := must.Get(Test(ctx, s, drawn(t, labels, o, p), TestOptions{}))(t)
		within(t, "permuted", v/r.Statistic, want.MMD.Biased/r.MMD.Biased, 1e-5)
	}
}

// The same bits for any number of workers.
func TestPermutationsByWorkers(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(2, 150, 4, 3)
	var first *TestResult[int]
	for _, workers := range []int{1, 2, 5} {
		func() {
			defer matrix.SetWorkers(matrix.SetWorkers(workers))
			s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: 0.5}, x))(t)
			r := must.Get(Test(ctx, s, labels, TestOptions{Permutations: 700, Seed: 9}))(t)
			if first == nil {
				first = r
			}
			must.EqualSlices(t, "null", r.Permuted.Null, first.Permuted.Null)
			must.Equal(t, "D2", r.D2, first.D2)
			must.Equal(t, "between", r.Between, first.Between)
		}()
	}
}

func TestTestRefuses(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(1, 12, 2, 2)
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: 1}, x))(t)
	must.Refuse[*discriminant.RowsError](Test(ctx, s, labels[:5], TestOptions{}))(t, "few labels")
	must.Refuse[*discriminant.ClassesError](Test(ctx, s, make([]int, 12), TestOptions{}))(t, "one class")
	must.Refuse[*FewRowsError](Test(ctx, s, append(make([]int, 11), 1), TestOptions{}))(t, "a class of one row")
	must.Refuse[*discriminant.ParameterError](Test(ctx, s, labels, TestOptions{Permutations: -1}))(t, "permutations")
	for what, o := range map[string]TestOptions{
		"short strata": {Strata: make([]int, 3)}, "short groups": {Groups: make([]int, 3)},
		"strata that are classes": {Permutations: 9, Strata: labels},
		"groups that are classes": {Permutations: 9, Groups: labels},
		"groups of two labels":    {Permutations: 9, Groups: make([]int, 12)},
		"groups of two strata":    {Permutations: 9, Groups: labels, Strata: []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}},
	} {
		must.Refuse[*RestrictionError](Test(ctx, s, labels, o))(t, what)
	}
	done, stop := context.WithCancel(ctx)
	stop()
	if _, err := Test(done, s, labels, TestOptions{Permutations: 9}); err != context.Canceled {
		t.Errorf("after a cancellation: %v", err)
	}
	if _, err := NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: 1e-30}, x); err == nil {
		t.Error("a ridge below rounding is no error")
	} else {
		must.Fail[*discriminant.RidgeError](t, "a ridge below rounding", err)
	}
}
