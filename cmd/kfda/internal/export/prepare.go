package export

import "math"

// What the level of a column that the model sees is where it is no level of a category.
const (
	plainColumn     = -1
	indicatorColumn = -2
)

// preparation are the columns of the table, the levels and the fillings of what the model sees.
func (m *Model) preparation() (from []int, level, missing []float64) {
	for _, c := range m.Prepared {
		v := float64(c.Level)
		if c.Indicator {
			v = indicatorColumn
		}
		fill := 0.0
		if m.Fills {
			fill = c.Missing
		}
		from, level, missing = append(from, c.From), append(level, v), append(missing, fill)
	}
	return from, level, missing
}

func (m *Model) declarePreparation(s *source) {
	from, level, missing := m.preparation()
	columns := make([]float64, len(from))
	for k, j := range from {
		columns[k] = float64(j)
	}
	s.array("from", columns)
	s.array("level", level)
	s.array("missing", missing)
}

// prepare writes how a row of the table becomes one that the model sees.
func (m *Model) prepare(s *source) {
	filled := "0.0 > 1.0"
	if m.Fills {
		filled = "v != v"
	}
	s.block(`
	var r [{n}]float64
	for k := 0; k < {n}; k++ {
		v := x[int(from[k])]
		if {filled} {
			r[k] = missing[k]
		} else if level[k] == {plain} {
			r[k] = v
		} else if level[k] >= 0 && level[k] == v {
			r[k] = 1
		}
	}
`, "n", len(m.Prepared), "plain", plainColumn, "filled", filled)
}

// prepared is prepare in a graph.
func (m *Model) prepared(g *graph, x string) string {
	from, level, missing := m.preparation()
	plain := make([]byte, len(level))
	for k, v := range level {
		switch v {
		case plainColumn:
			plain[k] = 1
		case indicatorColumn:
			level[k] = math.NaN() // which no cell equals
		}
	}
	cells := g.node("Gather", 1, []string{x, g.ints(from...)}, axis(1))
	is := g.node("Cast", 1, []string{g.op("Equal", cells, g.row(level))}, option("to", doubleType))
	row := g.op("Where", g.tensor(boolType, plain, nil, 1, len(plain)), cells, is)
	if m.Fills {
		row = g.op("Where", g.op("IsNaN", cells), g.row(missing), row)
	}
	return row
}
