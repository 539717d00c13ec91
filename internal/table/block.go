package table

import "bytes"

// block is a piece of the text that ends where a record does.
type block struct {
	scanner
	rows      []row
	err       error   // after the rows; nil if the text goes on
	part      float64 // of the input that lies before
	whole     int     // bytes of the records that are whole
	wholeLine int     // line after these
	column    int     // that the text ends in
	done      chan struct{}
}

// row is a record of a block: the line on which it starts, and where its cells end.
type row struct{ line, end int }

// begin gives the block a text that begins on the line of s.
func (b *block) begin(s *separated, text []byte, end error) {
	cells := b.cells[:0]
	if n := min(bytes.Count(text, []byte{s.comma})+bytes.Count(text, []byte{'\n'}), maxCells) + 1; n > cap(cells) {
		b.cells, cells = nil, make([]cell, 0, n)
	}
	b.scanner = newScanner(s.name, string(text), s.comma, end)
	b.cells, b.rows, b.line = cells, b.rows[:0], s.line
	b.err, b.whole, b.wholeLine = nil, 0, s.line
}

// record is record i of the block.
func (b *block) record(i int) record {
	from, row := 0, b.rows[i]
	if i > 0 {
		from = b.rows[i-1].end
	}
	return record{row.line, b.cells[from:row.end:row.end]}
}

// scan cuts off records that are no blank lines, most of them if there are so many.
func (b *block) scan(most int) {
	for b.at < len(b.text) && len(b.rows) < most {
		first := len(b.cells)
		whole, err := b.cut()
		if b.err = err; err != nil {
			return
		}
		cells := b.cells[first:]
		if b.column = len(cells); !whole {
			b.cells, b.at = b.cells[:first], len(b.text)
			break
		}
		b.whole, b.wholeLine = b.at, b.line
		if isBlank(cells) {
			b.cells = b.cells[:first]
			continue
		}
		b.rows = append(b.rows, row{b.start, len(b.cells)})
	}
	if b.at == len(b.text) && b.end != errWhole {
		b.err = b.end
	}
}

// isBlank reports whether a line of these cells is skipped.
func isBlank(cells []cell) bool { return len(cells) == 0 || len(cells) == 1 && cells[0] == (cell{}) }
