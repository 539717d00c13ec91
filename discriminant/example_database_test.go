package discriminant_test

import (
	"context"
	"database/sql"
	"iter"
	"log"

	"github.com/seed92411348/kfda/discriminant"
)

// labelled yields the rows of a query for a label and some numbers. The sequence ends at the first
// error, which failed returns then.
func labelled(rows *sql.Rows, columns int) (seq iter.Seq2[[]float64, string], failed func() error) {
	var err error
	seq = func(yield func([]float64, string) bool) {
		var label string
		row := make([]float64, columns)
		cells := []any{&label}
		for j := range row {
			cells = append(cells, &row[j])
		}
		for rows.Next() {
			if err = rows.Scan(cells...); err != nil || !yield(row, label) {
				return
			}
		}
		err = rows.Err()
	}
	return seq, func() error { return err }
}

// The rows of a table in a database, in an order that is always the same: they have numbers.
func ExampleStream_AppendSeq_database() {
	var (
		ctx    = context.Background()
		db     *sql.DB                      // of sql.Open
		stream *discriminant.Stream[string] // of NewStream
	)
	rows, err := db.QueryContext(ctx, "SELECT delayed, distance, hour FROM flights ORDER BY id")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	seq, failed := labelled(rows, 2)
	if err := stream.AppendSeq(ctx, seq); err != nil {
		log.Fatal(err)
	}
	if err := failed(); err != nil {
		log.Fatal(err)
	}
}
