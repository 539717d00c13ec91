package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
)

const defaultFolds = 5

// foldFlags say how rows are divided for cross-validation.
type foldFlags struct {
	folds, repeats int
	eachRow        bool
	seed           uint64
	group, given   string // columns
}

func (f *foldFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.folds, "folds", defaultFolds, "`number` of stratified folds, at most the rows of the rarest class")
	flags.IntVar(&f.repeats, "repeats", 1, "`times` that the rows are divided, each time otherwise")
	flags.BoolVar(&f.eachRow, "each-row", false, "as many folds as rows, each of which tests one: leave-one-out")
	flags.Uint64Var(&f.seed, "seed", 0, "`seed` of the division: the same folds for it everywhere")
	flags.StringVar(&f.group, "group", "", "`column` that is no feature; rows with the same text there are tested in the same fold")
	flags.StringVar(&f.given, "fold-column", "", "`column` that is no feature; rows with the same text there are the test rows of a fold")
	for _, other := range []string{"folds", "repeats", "seed", "group"} {
		cmd.MarkFlagsMutuallyExclusive(other, "each-row")
		cmd.MarkFlagsMutuallyExclusive(other, "fold-column")
	}
	cmd.MarkFlagsMutuallyExclusive("each-row", "fold-column")
	cmd.MarkFlagsMutuallyExclusive("repeats", "group")
}

// column returns the column that divides the rows, or "".
func (f *foldFlags) column() string { return f.group + f.given }

// check checks what can be checked without a table.
func (f *foldFlags) check() error {
	switch {
	case f.folds < 2:
		return usage("--folds %d: want 2 or more", f.folds)
	case f.repeats < 1:
		return usage("--repeats %d: want 1 or more", f.repeats)
	}
	return nil
}

// maxFits bounds the folds of --repeats, and maxTests the rows that they test, of which all
// predictions are held in memory.
const (
	maxFits  = 100_000
	maxTests = 1 << 27 // 1 GiB
)

// checkCost refuses more repeats than could end, or be held, where so many candidates are
// tested before their predictions are counted; flops are those of a fit.
func (f *foldFlags) checkCost(rows, candidates int, flops float64) error {
	tests := candidates * max(1, rows)
	most := max(1, min(maxFits/f.folds, maxTests/tests))
	if f.repeats <= most {
		return nil
	}
	fits := float64(f.folds) * float64(f.repeats)
	return usage("--repeats %d: want at most %d; for each candidate that would be %.0f fits, of %.1g floating-point operations together, and in all %s of memory for predictions alone",
		f.repeats, most, fits, float64(fits*flops), bytesText(8*float64(tests)*float64(f.repeats)))
}

// of divides the rows of a table, which was read with the column as its IDs.
func (f *foldFlags) of(t *table.Table) (*cv.Folds, error) {
	switch {
	case len(t.IDs) > 1:
		return nil, usage("%s names %d columns: want one", f.column(), len(t.IDs))
	case f.eachRow:
		return cv.LeaveOneOut(len(t.Labels))
	case f.group != "":
		return cv.Grouped(t.IDs[0], f.folds, f.seed)
	case f.given != "":
		names := discriminant.Classes(t.IDs[0])
		fold := make([]int, len(t.IDs[0]))
		for i, name := range t.IDs[0] {
			fold[i] = slices.Index(names, name)
		}
		return cv.Given(fold)
	case f.repeats > 1:
		return cv.Repeated(t.Labels, f.folds, f.repeats, f.seed)
	}
	return cv.Stratified(t.Labels, f.folds, f.seed)
}

// orDefault divides the rows as the flags say or, where they leave the number of folds to
// tune, into as many as the rarest class has rows, or as there are groups, but at most 5.
func (f *foldFlags) orDefault(t *table.Table, given bool) (*cv.Folds, error) {
	switch {
	case given || f.repeats > 1 || f.eachRow || f.given != "" || len(t.IDs) > 1:
		return f.of(t)
	case f.group != "":
		return cv.Grouped(t.IDs[0], min(f.folds, max(2, len(discriminant.Classes(t.IDs[0])))), f.seed)
	}
	return cv.DefaultFolds(t.Labels, f.seed)
}

// fewestTrained returns the fewest rows that a fold trains on.
func fewestTrained(folds *cv.Folds) int {
	least := folds.Rows()
	for k := range folds.Len() {
		least = min(least, folds.Rows()-len(folds.Test(k)))
	}
	return least
}

// noticeRepeats says where many rows of a table are equal to another.
func noticeRepeats(w io.Writer, t *table.Table) {
	if text := explain.Repeats(t); text != "" {
		notice(w, "%s", text)
	}
}

// names are those of the folds that the flags name, nil for folds with numbers.
func (f *foldFlags) names(t *table.Table) []string {
	if f.given == "" {
		return nil
	}
	return discriminant.Classes(t.IDs[0])
}
