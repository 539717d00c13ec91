package main

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// warnOfFarRows returns which rows of t have no kernel value above 0 with the rows that the
// model keeps, and says how many. Whatever is made of them says nothing about them.
func (m *savedModel) warnOfFarRows(s streams, t *table.Table) ([]bool, error) {
	if !m.isLocal() {
		return nil, nil
	}
	far, err := m.Far(nil, t.X)
	if err != nil {
		return nil, explainNew(t, err)
	}
	if first := slices.Index(far, true); first >= 0 {
		notice(s.err, "%s: %d of %d rows, the first in line %d, are so far from all %s that their kernel values are 0; the model knows nothing about them",
			t.File, trueOf(far), len(far), t.Lines[first], m.keptRows())
	}
	return far, m.warnOfLonelyRows(s, t, far)
}

// lonely is how many times as far from the nearest training row as any of those is from the others,
// by their squared distance γ‖x−y‖² or what the kernel has in its place, a row is that is said to be
// far from all: 9 is three times the distance of an rbf.
const lonely = 9

// warnOfLonelyRows says how many rows, but those that are far, are that far from all training rows,
// where the model keeps these. A row within their range in every column is not looked at.
func (m *savedModel) warnOfLonelyRows(s streams, t *table.Table, far []bool) error {
	e := expansionOf(m)
	if m.Formula().Rows == nil || e.rows.Rows < 2 {
		return nil
	}
	x, err := m.seen(t.X)
	if err != nil {
		return explainNew(t, err)
	}
	var outside []int
	for _, i := range outsideOf(e.rows, x) {
		if !far[i] {
			outside = append(outside, i)
		}
	}
	if outside == nil {
		return nil
	}
	apart, err := e.apart()
	if err != nil {
		return explainNew(t, err)
	}
	exponent := func(squared float64) float64 { return -math.Log(1 - squared/2) } // of k(x,y), where k(x,x) is 1
	most := lonely * exponent(apart[len(apart)-1])
	if most == 0 { // each training row has a copy
		return nil
	}
	count, first := 0, -1
	for part := range slices.Chunk(outside, max(1, (1<<22)/e.rows.Rows)) {
		some := matrix.New(len(part), x.Cols)
		for k, i := range part {
			copy(some.Row(k), x.Row(i))
		}
		values, err := e.values(some)
		if err != nil {
			return explainNew(t, err)
		}
		for k, i := range part {
			if -math.Log(slices.Max(values.Row(k))) > most {
				if count++; first < 0 {
					first = i
				}
			}
		}
	}
	if count > 0 {
		notice(s.err, "%s: %d of %d rows, the first in line %d, are farther from all %s than three times what any of these is from the others; the model knows little about them",
			t.File, count, len(far), t.Lines[first], m.keptRows())
	}
	return nil
}

// outsideOf returns the rows of x that lie outside of the range of rows in a column.
func outsideOf(rows, x *matrix.Dense) (outside []int) {
	low, high := slices.Clone(rows.Row(0)), slices.Clone(rows.Row(0))
	for i := range rows.Rows {
		for k, v := range rows.Row(i) {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	for i := range x.Rows {
		for k, v := range x.Row(i) {
			if v < low[k] || v > high[k] {
				outside = append(outside, i)
				break
			}
		}
	}
	return outside
}
