package table

import (
	"slices"
	"strings"
)

// survey is what is wrong with the cells of a table. It is gathered to the end of the
// file, so that all of it can be said at once.
type survey struct {
	numbers []int             // numbers seen, by feature
	refused map[int]*badCells // by feature
	first   *badCells         // the first in the file
	lost    []lostRow
	at      Position // of the first missing cell
}

// badCells are the cells of a feature column that are no numbers.
type badCells struct {
	Position
	cell, reason string // of the first of them
	cells        int
	kinds        map[string]bool // the different texts, up to maxKinds
}

// maxKinds is above the number of classes that a label may have for it to be proposed.
const maxKinds = 50

// lostRow is a row with missing cells.
type lostRow struct {
	line  int
	holes []int32 // the columns, ascending but for the label, which is last
	label string
}

func (s *survey) refuse(feature int, at Position, cell, reason string) {
	r := s.refused[feature]
	if r == nil {
		r = &badCells{Position: at, cell: strings.Clone(cell), reason: reason, kinds: map[string]bool{}}
		if s.refused == nil {
			s.refused, s.first = map[int]*badCells{}, r
		}
		s.refused[feature] = r
	}
	r.cells++
	if len(r.kinds) < maxKinds && !r.kinds[cell] {
		r.kinds[strings.Clone(cell)] = true
	}
}

func (s *survey) lose(at Position, holes []int32, label string) {
	if len(s.lost) == 0 {
		s.at = at
	}
	s.lost = append(s.lost, lostRow{at.Line, holes, label})
}

// lost counts the missing cells, but for those of columns that are left out.
func (b *builder) lost(out map[int]bool) Missing {
	m := Missing{Of: b.selected()}
	count := map[int]int{}
	for _, row := range b.survey.lost {
		if covered(row, out) {
			continue
		}
		m.Lines = append(m.Lines, row.line)
		for _, h := range row.holes {
			if j := int(h); !out[j] {
				count[j]++
			}
		}
	}
	for j := range b.width {
		n := count[j]
		if n == 0 {
			continue
		}
		m.Columns = append(m.Columns, ColumnCount{j + 1, b.columnName(j), n})
		if j == b.layout.Label {
			m.Labels = n
		} else {
			m.Features += n
		}
	}
	return m
}

// problems returns the error of a table with cells that cannot be read, or nil.
func (b *builder) problems() error {
	s := &b.survey
	if s.first == nil {
		if len(s.lost) == 0 || b.opt.DropMissing {
			return nil
		}
		missing := b.lost(nil)
		e := s.at.problem(Other, "the cell is missing; in all %s", missing)
		e.Missing, e.Advice = missing, b.remedy(nil)
		return e
	}
	var bad []int
	for i, j := range b.layout.Features {
		if s.refused[i] != nil {
			bad = append(bad, j)
		}
	}
	e := s.first.notNumber(s.first.cell, s.first.reason)
	if others := slices.DeleteFunc(slices.Clone(bad), func(j int) bool { return j+1 == e.Column }); len(others) > 0 {
		e.What += "; such cells are in " + shortList(b.columnTexts(others)) + " too"
	}
	if !b.opt.DropMissing {
		if e.Missing = b.lost(set(bad)); len(e.Missing.Lines) > 0 {
			e.What += "; " + e.Missing.String()
		}
	}
	e.Advice = b.remedy(bad)
	return e
}

func set(columns []int) map[int]bool {
	s := map[int]bool{}
	for _, j := range columns {
		s[j] = true
	}
	return s
}
