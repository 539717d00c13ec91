package table

import (
	"slices"
	"strings"
)

// PairNew makes booleans of the categories of t that are two such words with new levels, and were none
// as former, the columns before.
func (t *Table) PairNew(former []Column) {
	columns := slices.Clone(t.Layout.Columns)
	for j := range columns {
		pair := words(columns[j].Levels)
		if columns[j].Kind != Category || !isPair(pair) || isPair(words(former[j].Levels)) {
			continue
		}
		for i := range t.X.Rows {
			if v := t.X.At(i, j); v == v {
				t.X.Set(i, j, float64(slices.Index(pair, strings.ToLower(columns[j].Levels[int(v)]))))
			}
		}
		columns[j] = Column{Boolean, pair}
	}
	t.Layout.Columns = columns
}

// words are texts in lower case, each once, ascending.
func words(all []string) []string {
	lower := make([]string, len(all))
	for i, text := range all {
		lower[i] = strings.ToLower(text)
	}
	slices.Sort(lower)
	return slices.Compact(lower)
}
