package main

import (
	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// foldFlags say how rows are divided for cross-validation.
type foldFlags struct {
	folds, repeats int
	eachRow        bool
	seed           uint64
}

func (f *foldFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.folds, "folds", 5, "`number` of stratified folds, at most the rows of the rarest class")
	flags.IntVar(&f.repeats, "repeats", 1, "`times` that the rows are divided, each time otherwise")
	flags.BoolVar(&f.eachRow, "each-row", false, "as many folds as rows, each of which tests one: leave-one-out")
	flags.Uint64Var(&f.seed, "seed", 0, "`seed` of the division: the same folds for it everywhere")
	cmd.MarkFlagsMutuallyExclusive("folds", "each-row")
	cmd.MarkFlagsMutuallyExclusive("repeats", "each-row")
	cmd.MarkFlagsMutuallyExclusive("seed", "each-row")
}

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

// of divides rows with those labels.
func (f *foldFlags) of(labels []string) (*cv.Folds, error) {
	switch {
	case f.eachRow:
		return cv.LeaveOneOut(len(labels))
	case f.repeats > 1:
		return cv.Repeated(labels, f.folds, f.repeats, f.seed)
	}
	return cv.Stratified(labels, f.folds, f.seed)
}
