package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
)

// foldFlags say how rows are divided for cross-validation.
type foldFlags struct {
	folds, repeats int
	eachRow        bool
	seed           uint64
	group, given   string // columns
}

func (f *foldFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.folds, "folds", 5, "`number` of stratified folds, at most the rows of the rarest class")
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

// name names fold k, which t was divided into, as in "fold 2".
func (f *foldFlags) name(t *table.Table, k int) string {
	if f.given != "" {
		return "fold " + showLabel(discriminant.Classes(t.IDs)[k])
	}
	return "fold " + strconv.Itoa(k)
}

// explain explains why a fit of m, or a fit in a fold, has no result.
func (f *foldFlags) explain(t *table.Table, m method, err error) error {
	var fold cv.Failure
	if errors.As(err, &fold) {
		return fmt.Errorf("%s: %w", f.name(t, fold.Fold), explainProblem(t, m, fold.Err))
	}
	return explainProblem(t, m, err)
}

// of divides the rows of a table, which was read with the column as its IDs.
func (f *foldFlags) of(t *table.Table) (*cv.Folds, error) {
	switch {
	case f.eachRow:
		return cv.LeaveOneOut(len(t.Labels))
	case f.group != "":
		return cv.Grouped(t.IDs, f.folds, f.seed)
	case f.given != "":
		names := discriminant.Classes(t.IDs)
		fold := make([]int, len(t.IDs))
		for i, name := range t.IDs {
			fold[i] = slices.Index(names, name)
		}
		return cv.Given(fold)
	case f.repeats > 1:
		return cv.Repeated(t.Labels, f.folds, f.repeats, f.seed)
	}
	return cv.Stratified(t.Labels, f.folds, f.seed)
}
