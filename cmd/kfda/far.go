package main

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// farRows counts the rows of a table about which a model knows nothing, or little.
type farRows struct {
	m           *savedModel
	rows        int
	far, lonely foundRows
	e           *expansion
	apart       float64 // of a row from the training rows, as lonely says

	low, high []float64 // the range of the training rows in each column
}

// foundRows are some rows of a table.
type foundRows struct{ count, line int } // line is that of the first

func (f *foundRows) add(line int) {
	if f.count++; f.count == 1 {
		f.line = line
	}
}

// add returns which rows of t, a part of the table, have no kernel value above 0 with the rows that
// the model keeps: whatever is made of them says nothing about them.
func (f *farRows) add(t *table.Table) ([]bool, error) {
	f.rows += len(t.Rows)
	if !f.m.isLocal() {
		return nil, nil
	}
	far, err := f.m.Far(nil, t.X)
	if err != nil {
		return nil, explain.New(t, err)
	}
	for i, is := range far {
		if is {
			f.far.add(t.Lines[i])
		}
	}
	if err := f.addLonely(t, far); err != nil {
		return nil, explain.New(t, err)
	}
	return far, nil
}

// notice says how many there are.
func (f *farRows) notice(s streams, file string) {
	if n := f.far; n.count > 0 {
		notice(s.err, "%s: %d of %d rows, the first in line %d, are so far from all %s that their kernel values are 0; the model knows nothing about them",
			file, n.count, f.rows, n.line, f.m.keptRows())
	}
	if n := f.lonely; n.count > 0 {
		notice(s.err, "%s: %d of %d rows, the first in line %d, are farther from all %s than three times what any of these is from the others; the model knows little about them",
			file, n.count, f.rows, n.line, f.m.keptRows())
	}
}

// lonely is how many times as far from the nearest training row as any of those is from the others,
// by their squared distance γ‖x−y‖² or what the kernel has in its place, a row is that is said to be
// far from all: 9 is three times the distance of an rbf.
const lonely = 9

// addLonely counts the rows, but those that are far, that are that far from all training rows, where
// the model keeps these. A row within their range in every column is not looked at.
func (f *farRows) addLonely(t *table.Table, far []bool) error {
	if f.e == nil {
		f.e = expansionOf(f.m)
	}
	e := f.e
	if f.m.Formula().Rows == nil || e.rows.Rows < 2 {
		return nil
	}
	if f.low == nil {
		f.low, f.high = rangesOf(e.rows)
	}
	for lo := 0; lo < t.X.Rows; lo += seenRows {
		if err := f.addLonelyFrom(t, far, lo, min(lo+seenRows, t.X.Rows)); err != nil {
			return err
		}
	}
	return nil
}

// seenRows is how many rows are held at a time as the kernel sees them: with categories they may
// be much longer than those of the table.
const seenRows = 4096

// addLonelyFrom is addLonely for the rows lo … hi−1.
func (f *farRows) addLonelyFrom(t *table.Table, far []bool, lo, hi int) error {
	e := f.e
	x, err := f.m.seen(t.X.View(lo, 0, hi-lo, t.X.Cols))
	if err != nil {
		return err
	}
	var outside []int
	for _, i := range outsideOf(f.low, f.high, x) {
		if !far[lo+i] {
			outside = append(outside, i)
		}
	}
	if outside == nil {
		return nil
	}
	exponent := func(squared float64) float64 { return -math.Log(1 - squared/2) } // of k(x,y), where k(x,x) is 1
	if f.apart == 0 {
		apart, err := e.apart()
		if err != nil {
			return err
		}
		f.apart = lonely * exponent(apart[len(apart)-1])
	}
	if f.apart == 0 { // each training row has a copy
		return nil
	}
	for part := range slices.Chunk(outside, max(1, (1<<22)/e.rows.Rows)) {
		some := matrix.New(len(part), x.Cols)
		for k, i := range part {
			copy(some.Row(k), x.Row(i))
		}
		values, err := e.values(some)
		if err != nil {
			return err
		}
		for k, i := range part {
			if -math.Log(slices.Max(values.Row(k))) > f.apart {
				f.lonely.add(t.Lines[lo+i])
			}
		}
	}
	return nil
}

// rangesOf returns the least and the largest value of each column of rows.
func rangesOf(rows *matrix.Dense) (low, high []float64) {
	low, high = slices.Clone(rows.Row(0)), slices.Clone(rows.Row(0))
	for i := range rows.Rows {
		for k, v := range rows.Row(i) {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	return low, high
}

// outsideOf returns the rows of x that lie outside of the ranges in a column.
func outsideOf(low, high []float64, x *matrix.Dense) (outside []int) {
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
