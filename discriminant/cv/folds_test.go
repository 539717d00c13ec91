package cv

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
)

// The generator's first numbers, as its authors' reference code prints them.
func TestSplitMix(t *testing.T) {
	for seed, want := range map[splitmix.Random][]uint64{
		0:       {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f},
		1234567: {6457827717110365317, 3203168211198807973, 9817491932198370423},
	} {
		s := seed
		for i, w := range want {
			if got := s.Next(); got != w {
				t.Errorf("seed %d: number %d is %#x, want %#x", seed, i, got, w)
			}
		}
	}
}

// checkPartition checks that each row is tested exactly once by k folds in a row,
// that no fold is empty, and that a fold trains the rows that it does not test.
func checkPartition(t *testing.T, f *Folds, k int) {
	t.Helper()
	for first := 0; first < f.Len(); first += k {
		tested := make([]int, f.Rows())
		for j := first; j < first+k; j++ {
			test, train := f.Test(j), f.Train(j)
			if len(test) == 0 || len(train) == 0 || !slices.IsSorted(test) || !slices.IsSorted(train) {
				t.Errorf("fold %d: tests %v, trains %v", j, test, train)
			}
			seen := make([]int, f.Rows())
			for _, i := range test {
				tested[i]++
				seen[i]++
			}
			for _, i := range train {
				seen[i]++
			}
			for i, n := range seen {
				if n != 1 {
					t.Errorf("fold %d holds row %d %d times", j, i, n)
				}
			}
		}
		for i, n := range tested {
			if n != 1 {
				t.Errorf("row %d is tested %d times", i, n)
			}
		}
	}
}

func TestCase88RareClasses(t *testing.T) {
	_, a := matrixtest.LabelledCase(t, "88-stratified-folds-and-rare-classes/a.csv")
	_, singletons := matrixtest.LabelledCase(t, "88-stratified-folds-and-rare-classes/singletons.csv")
	_, pairs := matrixtest.LabelledCase(t, "88-stratified-folds-and-rare-classes/pairs.csv")
	for seed := range uint64(10) {
		f := must.Get(Stratified(a, 4, seed))(t)
		checkPartition(t, f, 4)
		for k := range 4 {
			count := map[string]int{}
			for _, i := range f.Test(k) {
				count[a[i]]++
			}
			if count["r"] != 1 || count["p"] < 2 || count["p"] > 3 {
				t.Errorf("seed %d: fold %d tests %v", seed, k, count)
			}
		}
		for _, c := range []struct {
			labels []string
			folds  int
			want   RareClassError
		}{
			{a, 6, RareClassError{"r", 4, 6}},
			{singletons, 2, RareClassError{"solo", 1, 2}},
			{pairs, 5, RareClassError{"-4", 2, 5}},
		} {
			_, err := Stratified(c.labels, c.folds, seed)
			if rare, ok := errors.AsType[*RareClassError](err); !ok || *rare != c.want {
				t.Errorf("seed %d, %d folds: %v, want %v", seed, c.folds, err, &c.want)
			}
		}
	}
}

// The folds of the case are those of the file for ever: a change of the file is a
// change of what the package promises.
func TestCase95SameFoldsEveryRun(t *testing.T) {
	_, labels := matrixtest.LabelledCase(t, "95-same-folds-every-run/train.csv")
	want := must.Get(os.ReadFile("testdata/folds-seed7.txt"))(t)
	renamed := slices.Clone(labels)
	for i, l := range labels { // alpha, beta, delta, gamma: the same order
		renamed[i] = map[string]string{"alpha": "A1", "beta": "A2", "delta": "B", "gamma": "C"}[l]
	}
	var wg sync.WaitGroup
	for run := range 50 {
		wg.Go(func() {
			l := labels
			if run%2 == 1 {
				l = renamed
			}
			f, err := Stratified(l, 4, 7)
			if err != nil {
				t.Error(err)
				return
			}
			var got strings.Builder
			for k := range f.Len() {
				fmt.Fprintln(&got, f.Test(k))
			}
			if got.String() != string(want) {
				t.Errorf("run %d: folds\n%swant\n%s", run, &got, want)
			}
		})
	}
	wg.Wait()
}

func TestRepeatedFolds(t *testing.T) {
	labels := make([]int, 23)
	for i := range labels {
		labels[i] = i % 3
	}
	f := must.Get(Repeated(labels, 5, 3, 1))(t)
	if f.Len() != 15 {
		t.Fatalf("%d folds, want 15", f.Len())
	}
	checkPartition(t, f, 5)
	if slices.Equal(f.Test(0), f.Test(5)) && slices.Equal(f.Test(1), f.Test(6)) {
		t.Error("the second time has the folds of the first")
	}
	once, _ := Stratified(labels, 5, 1)
	for k := range 5 {
		if !slices.Equal(once.Test(k), f.Test(k)) {
			t.Errorf("fold %d of the first time is not that of Stratified", k)
		}
	}
}

func TestGroupedFolds(t *testing.T) {
	for groups, want := range map[string]string{
		"aabb": "cv: 3 folds of 4 rows: there are only 2 groups: ask for at most 2 folds",
		"aaaa": "cv: 3 folds of 4 rows: all rows are of one group: want two at least",
	} {
		if _, err := Grouped([]rune(groups), 3, 0); err == nil || err.Error() != want {
			t.Errorf("groups %s: %v, want %q", groups, err, want)
		}
	}
	groups := strings.Split("a a a a b b c c d d e", " ")
	f := must.Get(Grouped(groups, 3, 0))(t)
	checkPartition(t, f, 3)
	// By hand: a goes to fold 0; of b, c, d the first two to folds 1 and 2, the third
	// to fold 1; e to fold 2: 4, 4 and 3 rows.
	if a, b, c := len(f.Test(0)), len(f.Test(1)), len(f.Test(2)); a != 4 || b != 4 || c != 3 {
		t.Errorf("folds of %d, %d and %d rows, want 4, 4 and 3", a, b, c)
	}
	for k := range f.Len() {
		for _, i := range f.Train(k) {
			for _, j := range f.Test(k) {
				if groups[i] == groups[j] {
					t.Errorf("fold %d trains and tests group %s", k, groups[i])
				}
			}
		}
	}
	must.Refuse[*FoldsError](Grouped(groups, 6, 0))(t, "6 folds of 5 groups")
}

func TestGivenFolds(t *testing.T) {
	f := must.Get(Given([]int{0, 1, -1, 1}))(t)
	if !slices.Equal(f.Test(1), []int{1, 3}) || !slices.Equal(f.Train(1), []int{0, 2}) || !slices.Equal(f.Train(0), []int{1, 2, 3}) {
		t.Errorf("fold 0 trains %v, fold 1 tests %v and trains %v", f.Train(0), f.Test(1), f.Train(1))
	}
	for _, wrong := range [][]int{nil, {-1, -1}, {0, 2, 0}, {0, 0}, {0, math.MaxInt}} {
		must.Refuse[*FoldsError](Given(wrong))(t, fmt.Sprintf("%v", wrong))
	}
}

func TestLeaveOneOutFolds(t *testing.T) {
	f := must.Get(LeaveOneOut(4))(t)
	checkPartition(t, f, 4)
	must.Refuse[*FoldsError](LeaveOneOut(1))(t, "one row")
}
