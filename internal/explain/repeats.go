package explain

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/seed92411348/kfda/internal/table"
)

// Repeats says where a fifth of the rows of a table are equal to another row of their class or
// target, by their hashes; else "". If they are copies, a row that is left out is still there.
func Repeats(t *table.Table) string {
	count := make(map[uint64]int)
	hashes := make([]uint64, t.X.Rows)
	of := "class"
	if t.Targets != nil {
		of = "target"
	}
	var row []byte
	for i := range t.X.Rows {
		row = row[:0]
		for _, v := range t.X.Row(i) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		if t.Targets != nil {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(t.Targets[i]))
		} else {
			row = append(row, t.Labels[i]...)
		}
		h := fnv.New64a()
		h.Write(row)
		hashes[i] = h.Sum64()
		count[hashes[i]]++
	}
	equal := 0
	for _, h := range hashes {
		if count[h] > 1 {
			equal++
		}
	}
	if 5*equal <= len(hashes) {
		return ""
	}
	rows := "rows"
	if t.Kept > len(hashes) {
		rows = "rows of the sample"
	}
	return fmt.Sprintf("%s: %d of %d %s are equal to another row of their %s; if these are copies and no observations of their own, leave them out: what is chosen and estimated by leaving out rows trusts them too much", t.File, equal, len(hashes), rows, of)
}
