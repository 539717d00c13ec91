// Package explain says what stands against a fit in the words of the command kfda. The library counts rows and
// columns from 0 and speaks of its own fields; here its errors become sentences about a file, its lines and its
// columns, and about the flags of the command.
package explain

import (
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// rows explains an error about a row, a column or a value of t. It
// returns nil for other errors. In a fit the kernel is between rows of t.
func rows(t *table.Table, err error, fit bool) error {
	var (
		feature  *matrix.NotFiniteError
		domain   *gram.DomainError
		skew     *gram.NotSymmetricError
		value    *gram.NotFiniteError
		overflow *discriminant.OverflowError
		spread   *discriminant.ColumnRangeError
	)
	at := func(i, j int, format string, args ...any) error {
		return fmt.Errorf("%s: %s", t.Position(i, j), fmt.Sprintf(format, args...))
	}
	switch {
	case errors.As(err, &feature):
		return at(feature.Row, feature.Col, "%v cannot be scaled like the column in training: the result is not a finite number", t.X.At(feature.Row, feature.Col))
	case errors.As(err, &domain):
		scaled := ""
		if v := t.X.At(domain.Row, domain.Col); v != domain.Value {
			scaled = fmt.Sprintf(" (%v scaled)", v)
		}
		return at(domain.Row, domain.Col, "the kernel %s does not take %v%s: %s", domain.Kernel, domain.Value, scaled, domain.Reason)
	case errors.As(err, &skew):
		mirror := t.Position(skew.Col, skew.Row)
		return at(skew.Row, skew.Col, "the kernel matrix is not symmetric: %v here, but %v in line %d, column %d; with --symmetrize the mean of both counts",
			skew.A, skew.B, mirror.Line, mirror.Column)
	case errors.As(err, &value):
		with := fmt.Sprintf("training row %d", value.Col+1)
		switch {
		case fit && value.Row == value.Col:
			with = "itself"
		case fit:
			with = fmt.Sprintf("row %d in line %d", t.Rows[value.Col]+1, t.Lines[value.Col])
		}
		return at(value.Row, -1, "its kernel value with %s is %v; scale the columns or choose other parameters of the kernel", with, value.Value)
	case errors.As(err, &overflow):
		return at(overflow.Row, -1, "component %d of the projection is beyond the range of numbers", overflow.Component+1)
	case errors.As(err, &spread):
		return at(-1, spread.Col, "the values are too far apart, or too close together, to be scaled; rescale the column, or say --scale none")
	}
	return nil
}

// New explains an error of applying a model to t.
func New(t *table.Table, err error) error {
	if e := rows(t, err, false); e != nil {
		return e
	}
	return fmt.Errorf("%s: %w", t.File, err)
}

// Fit explains an error of a fit of m to t.
func Fit(t *table.Table, m discriminant.Method, err error) error {
	if e := rows(t, err, true); e != nil {
		return e
	}
	return fmt.Errorf("%s: %w", t.File, Problem(t, m, err))
}
