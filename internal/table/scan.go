package table

import (
	"errors"
	"io"
	"strings"

	"github.com/seed92411348/kfda/internal/decimal"
)

// scanner cuts a text up into cells. Numbers in plain digits are read on the way.
type scanner struct {
	file  string
	text  string
	comma byte
	stops [256]bool // bytes that end a cell that is not in quotes
	end   error     // what follows the text: nil if more of it may, io.EOF, errWhole, or why it is not known
	at    int       // of the next byte
	line  int       // on which that stands
	start int       // line on which the record starts
	cells []cell
}

var (
	errZero  = errors.New("there is a zero byte: this is not text")
	errWhole = errors.New("the records of the text are whole")
)

func newScanner(file, text string, comma byte, end error) scanner {
	s := scanner{file: file, text: text, comma: comma, end: end, line: 1}
	s.stops['\n'], s.stops['\r'], s.stops[comma] = true, true, true
	s.stops['\t'] = s.stops['\t'] || comma == ' '
	return s
}

// cut cuts off the cells of one record. It is not whole if the text ends before it does.
func (s *scanner) cut() (whole bool, err error) {
	first := len(s.cells)
	s.start = s.line
	for {
		s.skipBlanks()
		if s.comma == ' ' && s.atLineEnd() { // after trailing blanks
			return s.endRecord(), nil
		}
		var c cell
		if s.at < len(s.text) && s.text[s.at] == '"' {
			var problem string
			opened := s.line
			if c, problem = s.quoted(); problem != "" {
				return false, s.position(len(s.cells)-first+1).syntax("the quoted cell that starts on line %d %s", opened, problem)
			}
		} else {
			c = s.plain()
		}
		if len(s.cells)-first == maxCells {
			return false, s.position(maxCells+1).tooLarge(maxCells, "cells in a record")
		}
		s.cells = append(s.cells, c)
		if s.atLineEnd() {
			return s.endRecord(), nil
		}
		s.at++
	}
}

// position is the place of a column, from 1, of the record.
func (s *scanner) position(column int) Position {
	return Position{File: s.file, Line: s.start, Column: column}
}

// skipBlanks skips blanks that may stand around cells.
func (s *scanner) skipBlanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' && s.comma != '\t') {
		s.at++
	}
}

func (s *scanner) atLineEnd() bool {
	return s.at == len(s.text) || s.text[s.at] == '\n' || s.text[s.at] == '\r'
}

// endRecord takes the end of a line and reports whether it is whole: more text may go on with the
// line, or with LF after CR.
func (s *scanner) endRecord() (whole bool) {
	if s.at == len(s.text) {
		return s.end == io.EOF
	}
	if s.text[s.at] == '\r' {
		if s.at+1 == len(s.text) && s.end == nil {
			return false
		}
		if s.at+1 < len(s.text) && s.text[s.at+1] == '\n' {
			s.at++
		}
	}
	s.at++
	s.line++
	return true
}

// plain takes a cell without quotes.
func (s *scanner) plain() cell {
	from := s.at
	v, end, ok := decimal.Prefix(s.text, from)
	if ok && (end == len(s.text) || s.stops[s.text[end]]) {
		s.at = end
		return cell{text: s.text[from:end], number: v, isNumber: true}
	}
	for end < len(s.text) && !s.stops[s.text[end]] {
		end++
	}
	s.at = end
	c := cell{text: strings.TrimRight(s.text[from:end], " \t")}
	if ok || end > from && strings.IndexByte("+-.0123456789", s.text[from]) >= 0 {
		v, reason := readNumber(c.text, notation{mark: '.'})
		c.number, c.isNumber = v, reason == ""
	}
	return c
}

// quoted takes a cell in quotes.
func (s *scanner) quoted() (c cell, problem string) {
	s.at++
	from := s.at
	for {
		i := strings.IndexByte(s.text[s.at:], '"')
		if i < 0 {
			s.line += lineEnds(s.text[from:])
			s.at = len(s.text)
			if s.end == io.EOF {
				return cell{}, "is not closed"
			}
			return cell{}, ""
		}
		if s.at += i + 1; s.at == len(s.text) || s.text[s.at] != '"' {
			break
		}
		s.at++
	}
	inside := s.text[from : s.at-1]
	s.line += lineEnds(inside)
	if s.comma != ' ' {
		s.skipBlanks()
	}
	if s.at < len(s.text) && !s.stops[s.text[s.at]] {
		s.at++
		return cell{}, "is followed by more text (a quote inside quotes is doubled)"
	}
	return cell{text: strings.ReplaceAll(inside, `""`, `"`), quoted: true}, ""
}

// lineEnds counts the line ends LF, CRLF and CR.
func lineEnds(text string) int {
	n := strings.Count(text, "\n")
	if strings.IndexByte(text, '\r') >= 0 {
		n += strings.Count(text, "\r") - strings.Count(text, "\r\n")
	}
	return n
}
