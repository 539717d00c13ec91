package table

import (
	"bytes"
	"io"
	"strings"
)

const (
	maxCells  = 1 << 20 // of a record
	maxRecord = 64 << 20
)

// cell is one cell of a record. Blanks around a cell without quotes are gone.
type cell struct {
	text   string
	quoted bool

	number   float64 // of a source, in place of a text
	isNumber bool
}

// written is a cell with a text.
func (c cell) written() cell {
	if c.isNumber {
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

// separated reads records of separated text.
type separated struct {
	*reader
	comma byte // the separator; ' ' stands for runs of blanks and tabs
	start int  // line on which the record starts

	text []byte // of all cells of the record
	ends []span
	rec  []cell
}

// span is the end of a cell in separated.text.
type span struct {
	end    int
	quoted bool
}

func newSeparated(r *reader, comma byte) *separated { return &separated{reader: r, comma: comma} }

// next reads the next record that is not a blank line.
func (s *separated) next() (record, error) {
	for {
		s.start = s.line
		s.text, s.ends = s.text[:0], s.ends[:0]
		c, err := s.readRecord()
		if err != nil {
			return record{}, err
		}
		blank := len(s.ends) == 0 || len(s.ends) == 1 && len(s.text) == 0 && !s.ends[0].quoted
		if !blank {
			return s.cells(), nil
		}
		if c == eof {
			return record{}, io.EOF
		}
	}
}

func (s *separated) cells() record {
	text, from := string(s.text), 0
	s.rec = s.rec[:0]
	for _, e := range s.ends {
		s.rec = append(s.rec, cell{text: text[from:e.end], quoted: e.quoted})
		from = e.end
	}
	return record{s.start, s.rec}
}

// readRecord reads cells up to the end of the record and returns what ended it,
// '\n' or eof.
func (s *separated) readRecord() (int, error) {
	for {
		c, err := s.skipBlanks()
		if err != nil {
			return 0, err
		}
		if s.comma == ' ' && (c == '\n' || c == eof) {
			return c, nil // trailing blanks
		}
		from := len(s.text)
		quoted := c == '"'
		if quoted {
			c, err = s.readQuoted()
		} else {
			c, err = s.readPlain(c)
		}
		if err != nil {
			return 0, err
		}
		if !quoted {
			s.text = s.text[:from+len(bytes.TrimRight(s.text[from:], " \t"))]
		}
		if len(s.ends) == maxCells {
			return 0, s.position().tooLarge(maxCells, "cells in a record")
		}
		s.ends = append(s.ends, span{len(s.text), quoted})
		if c == '\n' || c == eof {
			return c, nil
		}
	}
}

// isBlank reports whether c is a blank that may stand around cells.
func (s *separated) isBlank(c int) bool { return c == ' ' || c == '\t' && s.comma != '\t' }

// endsCell reports whether c ends a cell that is not in quotes.
func (s *separated) endsCell(c int) bool {
	return c == int(s.comma) || c == '\n' || c == eof || s.comma == ' ' && c == '\t'
}

func (s *separated) skipBlanks() (int, error) {
	for {
		c, err := s.char()
		if err != nil || !s.isBlank(c) {
			return c, err
		}
	}
}

// readPlain reads the rest of a cell that starts with c and returns what ended
// it.
func (s *separated) readPlain(c int) (int, error) {
	var err error
	for !s.endsCell(c) {
		if err := s.add(byte(c)); err != nil {
			return 0, err
		}
		if c, err = s.char(); err != nil {
			return 0, err
		}
	}
	return c, nil
}

// readQuoted reads a cell after its opening quote, and returns what ended it.
func (s *separated) readQuoted() (int, error) {
	opened := s.line
	for {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		switch c {
		case eof:
			return 0, s.position().syntax(quoteProblem, opened, "is not closed")
		case '"':
			if s.peek() != '"' {
				return s.afterQuote(opened)
			}
			s.byte()
		case '\n':
			s.line++
		case '\r':
			// Kept as it is; CRLF is one line end, counted at its LF.
			if s.peek() != '\n' {
				s.line++
			}
		}
		if err := s.add(byte(c)); err != nil {
			return 0, err
		}
	}
}

func (s *separated) afterQuote(opened int) (int, error) {
	c, err := s.char()
	if err != nil {
		return 0, err
	}
	if s.comma != ' ' && s.isBlank(c) {
		if c, err = s.skipBlanks(); err != nil {
			return 0, err
		}
	}
	if !s.endsCell(c) {
		return 0, s.position().syntax(quoteProblem, opened, "is followed by more text (a quote inside quotes is doubled)")
	}
	return c, nil
}

const quoteProblem = "the quoted cell that starts on line %d %s"

func (s *separated) add(c byte) error {
	if len(s.text) == maxRecord {
		return s.position().tooLarge(maxRecord, "bytes in a record")
	}
	s.text = append(s.text, c)
	return nil
}

func (s *separated) position() Position {
	return Position{File: s.name, Line: s.start, Column: len(s.ends) + 1}
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
