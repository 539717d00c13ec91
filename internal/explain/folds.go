package explain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// Folds says what in a table stands against the folds.
func Folds(t *table.Table, err error) error {
	var rare *cv.RareClassError
	var folds *cv.FoldsError
	switch {
	case errors.As(err, &rare) && rare.Rows == 1:
		return fmt.Errorf("%s: class %s has 1 row, which no fit could be trained and tested on%s", t.File, show.Name(rare.Class), WithoutClass(t, rare.Class))
	case errors.As(err, &rare):
		return fmt.Errorf("%s: class %s has %d rows, fewer than the %d folds; say --folds %d", t.File, show.Name(rare.Class), rare.Rows, rare.Folds, rare.Rows)
	case errors.As(err, &folds):
		say := ""
		if folds.Folds > folds.Rows && folds.Rows > 1 {
			say = fmt.Sprintf("; say --folds %d", folds.Rows)
		}
		return fmt.Errorf("%s: %s in %s: %s%s", t.File, plural.Count(folds.Folds, "fold"), plural.Count(folds.Rows, "row"), folds.Reason, say)
	}
	return fmt.Errorf("%s: %w", t.File, err)
}

// WithoutClass says how to leave a class out: by its label as the mark of a missing one, where no
// number could be meant.
func WithoutClass(t *table.Table, class string) string {
	_, number := strconv.ParseFloat(class, 64)
	if number == nil || !table.CanMark(class) || slices.Contains(t.Layout.Markers, class) {
		return "; leave its rows out of the table, or join it with another class"
	}
	flags := ""
	if rule := t.Layout.Missing; rule == "" || rule == table.RefuseMissing {
		flags = " --missing " + table.DropMissing
	}
	return "; without its rows:" + flags + " --missing-values " + show.Word(strings.Join(append(slices.Clone(t.Layout.Markers), class), ","))
}

// Failures explains why some of so many folds have no result, by the first of these.
func Failures(t *table.Table, m discriminant.Method, failures []cv.Failure, folds int, names []string) error {
	have := "have"
	if len(failures) == 1 {
		have = "has"
	}
	return fmt.Errorf("%s: %d of %d folds %s no result; %w", t.File, len(failures), folds, have, InFold(t, m, failures[0], names))
}

// FoldName is what fold k is called, as in "fold 2": by its name, or by its number where there are no names.
func FoldName(names []string, k int) string {
	if names != nil {
		return "fold " + show.Name(names[k])
	}
	return "fold " + strconv.Itoa(k)
}

// InFold explains why a fit of m, or a fit in a fold, has no result.
func InFold(t *table.Table, m discriminant.Method, err error, names []string) error {
	var fold cv.Failure
	var scaling *cv.ScalingError
	switch {
	case errors.As(err, &scaling): // of all rows
		return noScaling(t, m, scaling)
	case errors.As(err, &fold):
		return fmt.Errorf("%s: %w", FoldName(names, fold.Fold), someRows(t, m, fold.Err))
	}
	return Problem(t, m, err)
}

// noScaling explains why tune has no gamma to begin with.
func noScaling(t *table.Table, m discriminant.Method, err *cv.ScalingError) error {
	var gamma *gram.ParameterError
	if !errors.As(err, &gamma) {
		return fmt.Errorf("with --scale %v: %w", err.Scaling, someRows(t, m, err.Err))
	}
	reason, _, _ := strings.Cut(strings.TrimPrefix(gamma.Reason, "has no default here: "), ";")
	if err.Scaling == discriminant.NoScaling {
		reason += "; scale the columns, as with --scale standard,minmax"
	}
	return fmt.Errorf("with --scale %v there is no gamma to begin with: %s", err.Scaling, reason)
}

// someRows explains a problem with some rows of t, which the error counts in its own
// way.
func someRows(t *table.Table, m discriminant.Method, err error) error {
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
		return fmt.Errorf("%s: the values are too far apart, or too close together, to be scaled; rescale the column, or say --scale none", t.ColumnText(spread.Col))
	}
	return Problem(t, m, err)
}
