package look

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// explain says in the words of the command what stands against a fit of t.
func explain(t *table.Table, err error) error {
	var (
		kernel  *gram.ParameterError
		scatter *discriminant.ScatterError
		rare    *cv.RareClassError
	)
	switch {
	case errors.As(err, &kernel) && kernel.Parameter == "Gamma":
		err = errors.New("--gamma " + kernel.Reason)
	case errors.As(err, &scatter) && scatter.Zero:
		err = errors.New("every class is a single repeated row, so that the within-class scatter is zero; try a model with a kernel")
	case errors.As(err, &scatter):
		at := ""
		if scatter.Col >= 0 {
			at = t.ColumnText(scatter.Col) + ": no spread within the classes, so that "
		}
		err = errors.New(at + "the within-class scatter is singular; give it a ridge")
	case errors.As(err, &rare) && rare.Rows == 1:
		err = fmt.Errorf("class %s has 1 row, which no fit could be trained and tested on; leave the row out of the table, or join its class with another", show.Name(rare.Class))
	}
	return fmt.Errorf("%s: %w", t.File, err)
}

// repeats says where a fifth of the rows are equal to another row of their class, as the command does; else "".
func repeats(t *table.Table) string {
	count, keys := make(map[string]int), make([]string, t.X.Rows)
	for i := range keys {
		var row []byte
		for _, v := range t.X.Row(i) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		keys[i] = string(append(row, t.Labels[i]...))
		count[keys[i]]++
	}
	equal := 0
	for _, key := range keys {
		if count[key] > 1 {
			equal++
		}
	}
	if 5*equal <= len(keys) {
		return ""
	}
	return fmt.Sprintf("%d of %s are equal to another row of their class; if these are copies and no observations of their own, leave them out: what is chosen and estimated by leaving out rows trusts them too much.", equal, plural.Count(len(keys), "row"))
}
