package main

import (
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// locate says to which line and column of a file an error about a row or a
// feature belongs.
func locate(t *table.Table, err error) error {
	var (
		feature  *matrix.NotFiniteError
		domain   *gram.DomainError
		skew     *gram.NotSymmetricError
		value    *gram.NotFiniteError
		overflow *discriminant.OverflowError
		spread   *discriminant.ColumnRangeError
	)
	row, col := -1, -1
	switch {
	case errors.As(err, &feature):
		row, col = feature.Row, feature.Col
	case errors.As(err, &domain):
		row, col = domain.Row, domain.Col
	case errors.As(err, &skew):
		row, col = skew.Row, skew.Col
	case errors.As(err, &value):
		row = value.Row
	case errors.As(err, &overflow):
		row = overflow.Row
	case errors.As(err, &spread):
		col = spread.Col
	default:
		return fmt.Errorf("%s: %w", t.File, err)
	}
	return fmt.Errorf("%s: %w", t.Position(row, col), err)
}
