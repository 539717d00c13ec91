package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/show"
	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
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

// name names fold k, which t was divided into, as in "fold 2".
func (f *foldFlags) name(t *table.Table, k int) string {
	if f.given != "" {
		return "fold " + show.Name(discriminant.Classes(t.IDs)[k])
	}
	return "fold " + strconv.Itoa(k)
}

// explain explains why a fit of m, or a fit in a fold, has no result.
func (f *foldFlags) explain(t *table.Table, m method, err error) error {
	var fold cv.Failure
	var scaling *cv.ScalingError
	switch {
	case errors.As(err, &scaling): // of all rows
		return explainScaling(t, m, scaling)
	case errors.As(err, &fold):
		return fmt.Errorf("%s: %w", f.name(t, fold.Fold), explainInFold(t, m, fold.Err))
	}
	return explainProblem(t, m, err)
}

// explainScaling explains why tune has no gamma to begin with.
func explainScaling(t *table.Table, m method, err *cv.ScalingError) error {
	var gamma *gram.ParameterError
	if !errors.As(err, &gamma) {
		return fmt.Errorf("with --scale %v: %w", err.Scaling, explainInFold(t, m, err.Err))
	}
	reason, _, _ := strings.Cut(strings.TrimPrefix(gamma.Reason, "has no default here: "), ";")
	if err.Scaling == discriminant.NoScaling {
		reason += "; scale the columns, as with --scale standard,minmax"
	}
	return fmt.Errorf("with --scale %v there is no gamma to begin with: %s", err.Scaling, reason)
}

// explainInFold explains a problem with some rows of t, which the error counts in its own
// way.
func explainInFold(t *table.Table, m method, err error) error {
	var (
		feature  *matrix.NotFiniteError
		domain   *gram.DomainError
		value    *gram.NotFiniteError
		overflow *discriminant.OverflowError
		spread   *discriminant.ColumnRangeError
	)
	switch {
	case errors.As(err, &feature):
		return fmt.Errorf("%s: a value cannot be scaled like the column in training: the result is not a finite number", t.ColumnText(feature.Col))
	case errors.As(err, &domain):
		return fmt.Errorf("%s: the kernel %s does not take %v: %s", t.ColumnText(domain.Col), domain.Kernel, domain.Value, domain.Reason)
	case errors.As(err, &value):
		return fmt.Errorf("a kernel value is %v; scale the columns or choose other parameters of the kernel", value.Value)
	case errors.As(err, &overflow):
		return fmt.Errorf("component %d of the projection of a row is beyond the range of numbers", overflow.Component+1)
	case errors.As(err, &spread):
		return fmt.Errorf("%s: the values are too far apart to be scaled; rescale the column, or say --scale none", t.ColumnText(spread.Col))
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

// orDefault divides the rows as the flags say or, where they leave the number of folds to
// tune, into as many as the rarest class has rows, or as there are groups, but at most 5.
func (f *foldFlags) orDefault(t *table.Table, given bool) (*cv.Folds, error) {
	switch {
	case given || f.repeats > 1 || f.eachRow || f.given != "":
		return f.of(t)
	case f.group != "":
		return cv.Grouped(t.IDs, min(f.folds, max(2, len(discriminant.Classes(t.IDs)))), f.seed)
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

// groupAdvice says, for the line on the estimate, that rows that belong together need
// --group, and names the first of the ignored columns that may say which they are: one with
// some values, each in two rows on average or more.
func (f *tuneFlags) groupAdvice(s streams, train string, opt table.Options, rows int) string {
	if f.folds.column() != "" {
		return ""
	}
	name := "COLUMN"
	opt.Notice = func(string) {}
	for _, column := range strings.Split(strings.Join(f.table.ignore, ","), ",") {
		if opt.IDs = column; column == "" || train == "-" {
			continue
		}
		t, err := table.Read(train, s.in, opt)
		if err != nil {
			continue
		}
		if n := len(discriminant.Classes(t.IDs)); n >= 5 && 2*n <= rows {
			name = column
			break
		}
	}
	return "; rows that belong together (one patient's) need --group " + name
}
