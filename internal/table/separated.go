package table

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
)

const (
	maxCells  = 1 << 20 // of a record
	maxRecord = 64 << 20
)

// cell is one cell of a record. Blanks around a cell without quotes are gone.
type cell struct {
	text     string
	number   float64 // where isNumber; a source gives it in place of a text
	quoted   bool
	isNumber bool
}

// written is a cell with a text.
func (c cell) written() cell {
	if c.isNumber && c.text == "" {
		return cell{text: Cell{Number: c.number, IsNumber: true}.String()}
	}
	return c
}

// record is a row of cells; line is where it starts.
type record struct {
	line  int
	cells []cell
}

// recordReader delivers records one by one, io.EOF after the last. The cells
// belong to the caller until the next call; their texts for good.
type recordReader interface {
	next() (record, error)
}

// separated reads records of separated text, block by block, and several blocks at a time.
type separated struct {
	*reader        // its line is that of text
	comma   byte   // the separator; ' ' stands for runs of blanks and tabs
	text    []byte // that is read and in no block
	end     error  // what follows the text; nil if that is more of it
	cut     int    // bytes in blocks
	begun   bool   // whether the first record is taken
	last    bool   // whether no block follows those in open
	open    []*block
	row     int      // of open[0] that is next
	free    []*block // whose memory can be used again
}

// blockSize is how much text a block takes if that holds a whole record; tests change it.
var blockSize = 128 << 10

// mostBlocks are cut up at a time: to take their records in is as much work as to cut up a few.
const mostBlocks = 4

func newSeparated(r *reader, comma byte) *separated { return &separated{reader: r, comma: comma} }

// next reads the next record that is not a blank line.
func (s *separated) next() (record, error) {
	for {
		for !s.last && len(s.open) <= min(runtime.GOMAXPROCS(0), mostBlocks) && (s.begun || len(s.open) == 0) {
			s.openBlock()
		}
		b := s.open[0]
		<-b.done
		if s.row < len(b.rows) {
			s.begun = true
			s.row++
			return b.record(s.row - 1), nil
		}
		switch _, known := b.err.(*Error); {
		case known || b.err == io.EOF:
			return record{}, b.err
		case b.err != nil:
			s.line = b.line
			return record{}, s.unreadable(b.err)
		}
		s.free = append(s.free, b)
		s.open, s.row = slices.Delete(s.open, 0, 1), 0
	}
}

// openBlock makes a block of the text that follows. The first is one record. Where there are quotes
// a block has to be cut up before it is known where it ends.
func (s *separated) openBlock() {
	b := &block{}
	if k := len(s.free); k > 0 {
		b, s.free = s.free[k-1], s.free[:k-1]
	}
	b.done, b.part = make(chan struct{}), 0
	if part := s.reader.part(); s.cut > 0 {
		b.part = float64(part * float64(s.cut) / float64(s.cut+len(s.text)))
	}
	s.open = append(s.open, b)
	size, most := blockSize, math.MaxInt
	if !s.begun {
		size, most = bufferSize, 1
	}
	for ; ; size = min(2*size, maxRecord+1) {
		s.fill(size)
		text, end := s.text[:min(size, len(s.text))], s.end
		if len(text) < len(s.text) {
			end = nil
		}
		if n := wholeRecords(text, end); s.begun && n > 0 && bytes.IndexByte(text[:n], '"') < 0 {
			b.begin(s, text[:n], cmp.Or(end, errWhole))
			s.line += lineEnds(b.text)
			s.take(n)
			go func() {
				b.scan(most)
				close(b.done)
			}()
			return
		}
		b.begin(s, text, end)
		b.scan(most)
		if b.whole == 0 && b.err == nil {
			if len(text) <= maxRecord {
				continue
			}
			b.err = b.position(b.column).tooLarge(maxRecord, "bytes in a record")
		}
		close(b.done)
		s.last, s.line = b.err != nil, b.wholeLine
		s.take(b.whole)
		return
	}
}

// fill reads until there are n bytes of text, or what follows it is known.
func (s *separated) fill(n int) {
	for len(s.text) < n && s.end == nil {
		s.text = slices.Grow(s.text, n-len(s.text))
		k, err := s.in.Read(s.text[len(s.text):n])
		fresh := s.text[len(s.text) : len(s.text)+k]
		if zero := bytes.IndexByte(fresh, 0); zero >= 0 {
			fresh, err = fresh[:zero], errZero
		}
		s.text, s.end = s.text[:len(s.text)+len(fresh)], err
	}
}

// wholeRecords is the length of the records of a text that are whole, if there are no quotes in it.
func wholeRecords(text []byte, end error) int {
	if end != nil {
		return len(text)
	}
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return bytes.LastIndexByte(text[:len(text)-1], '\r') + 1 // one at the end may be half of a line end
}

// take leaves out of the text what is in a block.
func (s *separated) take(n int) {
	s.cut += n
	s.last = s.last || n == len(s.text) && s.end != nil
	s.text = s.text[:copy(s.text, s.text[n:])]
}

// part is how much of the input lies before the block that records are taken from.
func (s *separated) part() float64 {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[0].part
}

// ahead reads the records that lie in the 64 KiB after the first without taking them.
func (s *separated) ahead() [][]cell {
	s.fill(bufferSize)
	text, end := s.text, s.end
	if len(text) >= bufferSize {
		text, end = text[:bufferSize], io.EOF
	}
	b := &block{scanner: newScanner(s.name, string(text), s.comma, end)}
	b.scan(math.MaxInt)
	var below [][]cell
	for i := range b.rows {
		below = append(below, b.record(i).cells)
	}
	if len(text) == bufferSize && len(below) > 0 {
		below = below[:len(below)-1] // it may be cut
	}
	return below
}

// raggedHint looks for the cause of a record of another length.
func (s *separated) raggedHint(rec record, want int) string {
	got := len(rec.cells)
	if got <= want {
		return ""
	}
	empty, last := 0, rec.cells[got-1]
	for _, c := range rec.cells {
		if c.text == "" && !c.quoted {
			empty++
		}
	}
	switch {
	case s.comma == '\t' && got-empty == want:
		return "; are there doubled tabs? --separator blank takes a run of tabs and blanks as one"
	case got == want+1 && last.text == "" && !last.quoted:
		return "; there is a separator at the end of the line"
	case s.comma == ',' && strings.ContainsFunc(rec.cells[0].text, func(r rune) bool { return r == ';' }):
		return "; is the semicolon the separator? Say --separator semicolon"
	}
	return ""
}

// Quote returns a cell of a CSV file that Read takes for text: in quotes if it
// holds a separator, a quote or a line end, has blanks around, or would read as
// missing.
func Quote(text string) string {
	if !strings.ContainsAny(text, ",;\"\t\r\n") && strings.Trim(text, " ") == text && !isMissing(text) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
