package main

import (
	"errors"
	"fmt"
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

// explainFolds says what in a table stands against the folds.
func explainFolds(t *table.Table, err error) error {
	var rare *cv.RareClassError
	var folds *cv.FoldsError
	switch {
	case errors.As(err, &rare) && rare.Rows == 1:
		return fmt.Errorf("%s: class %s has 1 row, which no fit could be trained and tested on", t.File, show.Name(rare.Class))
	case errors.As(err, &rare):
		return fmt.Errorf("%s: class %s has %d rows, fewer than the %d folds; say --folds %d", t.File, show.Name(rare.Class), rare.Rows, rare.Folds, rare.Rows)
	case errors.As(err, &folds):
		return fmt.Errorf("%s: %s in %s: %s", t.File, plural.Count(folds.Folds, "fold"), plural.Count(folds.Rows, "row"), folds.Reason)
	}
	return fmt.Errorf("%s: %w", t.File, err)
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
