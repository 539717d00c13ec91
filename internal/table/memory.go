package table

import (
	"fmt"
	"math"
)

// MaxBytes is what a table may take in memory. It counts the numbers, 8 bytes each,
// rowBytes for each row, the texts of ids, and that of each label and level once. A libsvm file
// takes entryBytes more for each entry until the table is complete.
//
// A process that reads a file has at most 1.3 times the bytes of its table, and the
// memory for one record and a few blocks of text; 2.5 times where the size of the input is not known, as in a
// pipe.
const MaxBytes = min(1<<31, math.MaxInt/2) // sums of two are an int

const (
	rowBytes   = 32 // number, line and label
	idBytes    = 16 // beside the text
	textBytes  = 64 // of a label or a level, beside the text
	entryBytes = 12
)

// readingGC is the garbage in percent that a reader of text may leave beside its table, and sourceGC
// that of a source, whose rows are garbage themselves.
const (
	readingGC = 5
	sourceGC  = 15
)

// limit is what the table may take in memory.
func (b *builder) limit() int {
	if m := b.opt.MaxBytes; 0 < m && m < MaxBytes {
		return m
	}
	return MaxBytes
}

// take counts bytes that are kept until the table is complete.
func (b *builder) take(line, bytes int) error {
	if b.held += bytes; b.held > b.limit() {
		return b.tooMuch(Position{File: b.name, Sheet: b.sheet, Line: line})
	}
	return nil
}

func (b *builder) tooMuch(p Position) error {
	e := p.problem(Memory, "the table up to here takes more than %d bytes of memory; select fewer rows with --rows", b.limit())
	if e.Want = b.limit(); b.opt.Sample > 0 && len(b.count) > b.opt.Sample {
		e.Advice = fmt.Sprintf(", or name another label: this one has more than %d classes", b.opt.Sample)
	}
	return e
}

// worthBatch is the number of rows after which one may expect a whole part of them.
const worthBatch = 64

// grow returns s with room for n more. As soon as the part of the input that is read
// is enough for an estimate, the room is that for the rest like it and a twentieth, so
// that s is not copied when it is large.
func grow[T any](b *builder, s []T, n int) []T {
	need := len(s) + n
	if need <= cap(s) {
		return s
	}
	part, factor := b.part(), 1.25
	switch rows := len(b.rows) - b.counted; {
	case b.inParts() && b.opt.Batch > 0 && rows >= worthBatch: // room for all of the part
		factor = max(factor, float64(b.opt.Batch)/float64(rows))
	case b.inParts():
	case part > 1.0/32:
		factor = max(1.05/part, 1.05)
	case part > 0:
		factor = 4
	}
	if b.held > 0 { // no more than for the rows that the limit has room for
		factor = min(factor, max(1.05, 1.05*float64(b.limit())/float64(b.held)))
	}
	room := min(int(math.Ceil(float64(factor*float64(need)))), b.limit()/8)
	return append(make([]T, 0, max(need, room)), s...)
}
