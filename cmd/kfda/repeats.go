package main

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"

	"github.com/seed92411348/kfda/internal/table"
)

// noticeRepeats says where most rows of a table are equal to another row of their class, by
// their hashes. If they are copies, a row that is left out is still there.
func noticeRepeats(w io.Writer, t *table.Table) {
	count := make(map[uint64]int)
	hashes := make([]uint64, t.X.Rows)
	var row []byte
	for i, label := range t.Labels {
		row = row[:0]
		for _, v := range t.X.Row(i) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		h := fnv.New64a()
		h.Write(append(row, label...))
		hashes[i] = h.Sum64()
		count[hashes[i]]++
	}
	equal := 0
	for _, h := range hashes {
		if count[h] > 1 {
			equal++
		}
	}
	if 2*equal > len(hashes) {
		notice(w, "%s: %d of %d rows are equal to another row of their class; if these are copies and no observations of their own, leave them out: what is chosen and estimated by leaving out rows trusts them too much", t.File, equal, len(hashes))
	}
}
