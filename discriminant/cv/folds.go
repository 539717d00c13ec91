package cv

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// Folds divides the rows of a table into training and test rows, several times
// over. It is immutable. Rows are counted from 0 and ascend.
type Folds struct {
	rows   int
	tests  [][]int
	trains [][]int // of Pairs, else nil: all rows that a fold does not test
	text   string
}

// Len returns the number of folds.
func (f *Folds) Len() int { return len(f.tests) }

// Rows returns the number of rows that are divided.
func (f *Folds) Rows() int { return f.rows }

// Test returns a copy of the test rows of fold k.
func (f *Folds) Test(k int) []int { return slices.Clone(f.test(k)) }

func (f *Folds) test(k int) []int {
	if uint(k) >= uint(len(f.tests)) {
		panic(fmt.Sprintf("cv: fold %d of %d", k, len(f.tests)))
	}
	return f.tests[k]
}

// Train returns the training rows of fold k: those of [Pairs], or all that it does not test.
func (f *Folds) Train(k int) []int {
	test := f.test(k)
	if f.trains != nil {
		return slices.Clone(f.trains[k])
	}
	train := make([]int, 0, f.rows-len(test))
	for i := range f.rows {
		if len(test) > 0 && test[0] == i {
			test = test[1:]
			continue
		}
		train = append(train, i)
	}
	return train
}

// among returns the folds of some rows, ascending; a fold may be left without any.
func (f *Folds) among(rows []int) *Folds {
	left := func(all [][]int) (among [][]int) {
		for _, own := range all {
			var left []int
			for i, row := range rows {
				if _, ok := slices.BinarySearch(own, row); ok {
					left = append(left, i)
				}
			}
			among = append(among, left)
		}
		return among
	}
	return &Folds{rows: len(rows), text: f.text, tests: left(f.tests), trains: left(f.trains)}
}

// withoutEmpty returns the folds that test a row.
func (f *Folds) withoutEmpty() *Folds {
	some := &Folds{rows: f.rows, text: f.text}
	for k, test := range f.tests {
		if len(test) > 0 {
			some.tests = append(some.tests, test)
			if f.trains != nil {
				some.trains = append(some.trains, f.trains[k])
			}
		}
	}
	return some
}

// largest returns the elements of the largest kernel matrices of the training rows of a
// fold, and of its test rows with them.
func (f *Folds) largest() (train, test int) {
	for k, rows := range f.tests {
		left := f.rows - len(rows)
		if f.trains != nil {
			left = len(f.trains[k])
		}
		train, test = max(train, left*left), max(test, len(rows)*left)
	}
	return train, test
}

// String returns how the rows were divided, as in "5 stratified folds, seed 0".
func (f *Folds) String() string { return f.text }

// Stratified deals the rows out to k folds, each of which tests its own: the rows
// of each class, in class order, in a random order of that seed, each class going
// on where the one before it stopped. The sizes of two folds, and their rows of
// a class, so differ by one at most. A class of fewer rows than k is a
// *[RareClassError], which names the rarest, the first of them in class order.
//
// The random order is that of a Fisher–Yates shuffle with the SplitMix64
// generator of that seed, which all classes share. It depends on the seed, the order
// of the classes and of the rows alone.
func Stratified[L discriminant.Label](labels []L, k int, seed uint64) (*Folds, error) {
	f, err := Repeated(labels, k, 1, seed)
	if f != nil {
		f.text = fmt.Sprintf("%d %sfolds, seed %d", k, stratified(labels), seed)
	}
	return f, err
}

// stratified says of folds whether classes play a part in them.
func stratified[L discriminant.Label](labels []L) string {
	if len(discriminant.Classes(labels)) < 2 {
		return ""
	}
	return "stratified "
}

// Repeated makes the k folds of [Stratified] several times over, each time with
// what the generator gives next: k·times folds, of which each k test every row
// once.
func Repeated[L discriminant.Label](labels []L, k, times int, seed uint64) (*Folds, error) {
	n := len(labels)
	if err := checkFolds(k, n); err != nil {
		return nil, err
	}
	if times < 1 {
		return nil, &FoldsError{Folds: k, Rows: n, Reason: fmt.Sprintf("repeated %d times: want once or more", times)}
	}
	classes := rowsOf(labels)
	rarest := slices.MinFunc(classes, func(a, b class[L]) int { return cmp.Compare(len(a.rows), len(b.rows)) })
	if len(rarest.rows) < k {
		return nil, &RareClassError{Class: fmt.Sprint(rarest.label), Rows: len(rarest.rows), Folds: k}
	}
	f := &Folds{rows: n, text: fmt.Sprintf("%d %sfolds %d times over, seed %d", k, stratified(labels), times, seed)}
	random := splitmix.Random(seed)
	for range times {
		tests := make([][]int, k)
		next := 0
		for _, c := range classes {
			order := slices.Clone(c.rows)
			random.Shuffle(order, len(order))
			for _, row := range order {
				tests[next%k] = append(tests[next%k], row)
				next++
			}
		}
		f.add(tests)
	}
	return f, nil
}

// Holdout makes one fold, which tests that share of the rows, of each class its share to within a
// row, but of none all. It is a *[FoldsError] where no row can be tested, or the share is not
// between 0 and 1.
func Holdout[L discriminant.Label](labels []L, share float64, seed uint64) (*Folds, error) {
	f := &Folds{rows: len(labels), text: fmt.Sprintf("%g of the rows held out, seed %d", share, seed)}
	if !(share > 0 && share < 1) {
		return nil, &FoldsError{Folds: 1, Rows: f.rows, Reason: fmt.Sprintf("a share of %v held out: want one above 0 and below 1", share)}
	}
	random := splitmix.Random(seed)
	var test []int
	seen := 0
	for _, c := range rowsOf(labels) {
		random.Shuffle(c.rows, len(c.rows))
		seen += len(c.rows)
		due := int(math.RoundToEven(float64(share*float64(seen)))) - len(test) // so that roundings even out
		own := int(math.Ceil(float64(share * float64(len(c.rows)))))
		test = append(test, c.rows[:min(due, own, len(c.rows)-1)]...)
	}
	if len(test) == 0 {
		return nil, &FoldsError{Folds: 1, Rows: f.rows, Reason: fmt.Sprintf("a share of %v holds no row out", share)}
	}
	f.add([][]int{test})
	return f, nil
}

// LeaveOneOut makes n folds, of which each tests one row. A class of a single row
// is then missing in the training rows of the fold that tests it, which
// [Evaluate] and [Tune] report as a failure of that fold.
func LeaveOneOut(n int) (*Folds, error) {
	if err := checkFolds(n, n); err != nil {
		return nil, err
	}
	f := &Folds{rows: n, text: "leave-one-out"}
	for i := range n {
		f.tests = append(f.tests, []int{i})
	}
	return f, nil
}

// Grouped deals whole groups of rows out to k folds, so that no group is trained on
// and tested in one fold: the groups in descending order of their size, equal ones
// in a random order of that seed, each to the fold with the fewest rows so far,
// the first of them in a tie. Classes play no part. Fewer groups than folds is a
// *[FoldsError].
func Grouped[G discriminant.Label](groups []G, k int, seed uint64) (*Folds, error) {
	f, err := StratifiedGroups(groups, make([]int, len(groups)), k, seed)
	if f != nil {
		f.text = fmt.Sprintf("%d folds of whole groups, seed %d", k, seed)
	}
	return f, err
}

// StratifiedGroups is [Grouped], but for that each group, in the same order, goes to the fold
// that keeps the shares of the classes the most even: the one with the least
// Σⱼ ((fⱼ + gⱼ)² − fⱼ²)/nⱼ², of its rows fⱼ of class j, the group's gⱼ and nⱼ in all; in a tie
// to the one with the fewest rows, then to the first.
func StratifiedGroups[G, L discriminant.Label](groups []G, labels []L, k int, seed uint64) (*Folds, error) {
	n := len(groups)
	if n != len(labels) {
		return nil, &RowsError{Rows: n, Labels: len(labels), Folds: n}
	}
	if err := checkFolds(k, n); err != nil {
		return nil, err
	}
	all := rowsOf(groups)
	if len(all) < k {
		reason := fmt.Sprintf("there are only %d groups: ask for at most %d folds", len(all), len(all))
		if len(all) == 1 {
			reason = "all rows are of one group: want two at least"
		}
		return nil, &FoldsError{Folds: k, Rows: n, Reason: reason}
	}
	order := upTo(len(all))
	random := splitmix.Random(seed)
	random.Shuffle(order, len(order))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(all[b].rows), len(all[a].rows)) })
	classes, codes := rowsOf(labels), codesOf(labels, discriminant.Classes(labels))
	tests, counts := make([][]int, k), matrix.New(k, len(classes)) // of each class in each fold
	for _, g := range order {
		own, growth := make([]float64, len(classes)), make([]float64, k)
		for _, i := range all[g].rows {
			own[codes[i]]++
		}
		for f := range growth {
			for j, c := range counts.Row(f) { // gⱼ² is the same for all
				size := float64(len(classes[j].rows))
				growth[f] += float64(own[j]*c) / float64(size*size)
			}
		}
		to := slices.MinFunc(upTo(k), func(a, b int) int {
			return cmp.Or(cmp.Compare(growth[a], growth[b]), cmp.Compare(len(tests[a]), len(tests[b])))
		})
		tests[to] = append(tests[to], all[g].rows...)
		for j, c := range own {
			counts.Row(to)[j] += c
		}
	}
	f := &Folds{rows: n, text: fmt.Sprintf("%d stratified folds of whole groups, seed %d", k, seed)}
	f.add(tests)
	return f, nil
}

// Pairs makes folds of any training and test rows of n, as in time series, where a fold is
// trained on the past alone, and in shuffled splits. Rows that a fold trains on and tests, that
// repeat, or that are none, and a fold without training or test rows, are a *[FoldsError].
func Pairs(n int, trains, tests [][]int) (*Folds, error) {
	fail := func(reason string, args ...any) (*Folds, error) {
		return nil, &FoldsError{Folds: len(tests), Rows: n, Reason: fmt.Sprintf(reason, args...)}
	}
	if len(tests) == 0 || len(trains) != len(tests) {
		return fail("%d with training rows: want as many as with test rows, one at least", len(trains))
	}
	f := &Folds{rows: n, text: plural.Count(len(tests), "given pair") + " of training and test rows"}
	for k := range tests {
		if len(tests[k]) == 0 || len(trains[k]) == 0 {
			return fail("fold %d tests %s and trains on %d: want some of each", k, plural.Count(len(tests[k]), "row"), len(trains[k]))
		}
		used := make(map[int]bool)
		for _, row := range slices.Concat(trains[k], tests[k]) {
			if row < 0 || row >= n || used[row] {
				return fail("fold %d has row %d: want each once, of 0 to %d", k, row, n-1)
			}
			used[row] = true
		}
		f.trains = append(f.trains, slices.Sorted(slices.Values(trains[k])))
		f.tests = append(f.tests, slices.Sorted(slices.Values(tests[k])))
	}
	return f, nil
}

// Given makes folds from the number of the fold that tests each row, 0, 1, …. A
// row of a negative number is tested by none and trains all. A fold without
// test rows is a *[FoldsError].
func Given(fold []int) (*Folds, error) {
	k := 0
	for _, j := range fold {
		if j >= len(fold) {
			return nil, &FoldsError{Folds: j + 1, Rows: len(fold), Reason: "there are more folds than rows"}
		}
		k = max(k, j+1)
	}
	if k == 0 {
		return nil, &FoldsError{Folds: k, Rows: len(fold), Reason: "no row is tested"}
	}
	tests := make([][]int, k)
	for i, j := range fold {
		if j >= 0 {
			tests[j] = append(tests[j], i)
		}
	}
	for j, test := range tests {
		if len(test) == 0 || len(test) == len(fold) {
			return nil, &FoldsError{Folds: k, Rows: len(fold), Reason: fmt.Sprintf("fold %d tests %s: want some to test and some to train", j, plural.Count(len(test), "row"))}
		}
	}
	return &Folds{rows: len(fold), tests: tests, text: plural.Count(k, "given fold")}, nil
}

func (f *Folds) add(tests [][]int) {
	for _, test := range tests {
		slices.Sort(test)
	}
	f.tests = append(f.tests, tests...)
}

func checkFolds(k, n int) error {
	if k < 2 || k > n {
		return &FoldsError{Folds: k, Rows: n, Reason: "want at least 2 folds, and no more than rows"}
	}
	return nil
}

// class is a label and its rows, ascending.
type class[L discriminant.Label] struct {
	label L
	rows  []int
}

// rowsOf returns the classes in class order.
func rowsOf[L discriminant.Label](labels []L) []class[L] {
	order := discriminant.Classes(labels)
	classes := make([]class[L], len(order))
	index := make(map[L]int, len(order))
	for j, l := range order {
		classes[j].label = l
		index[l] = j
	}
	for i, l := range labels {
		c := &classes[index[l]]
		c.rows = append(c.rows, i)
	}
	return classes
}
