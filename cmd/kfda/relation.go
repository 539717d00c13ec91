package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// relation is how the rows of a table stand to those of the fit of a model.
type relation struct {
	rows    int
	trained bool     // they are those
	held    *heldOut // what was held out of them, where the others are those
	equal   int      // so many are equal to some that the model keeps, above what chance explains
	kept    int      // of the model that are landmarks, where equal counts these among the rows; else 0
}

// seen reports whether the fit has seen any of the rows.
func (r *relation) seen() bool { return r.trained || r.held != nil || r.equal > 0 }

// text says which rows the fit has seen.
func (r *relation) text(fit string) string {
	switch {
	case r.trained:
		return "these are the rows of " + fit
	case r.held != nil:
		return fmt.Sprintf("all rows but the %d that --holdout left out are those of %s", r.held.Rows, fit)
	case r.kept > 0 && r.equal == r.kept:
		return fmt.Sprintf("all %d landmarks of %s are among these rows", r.kept, fit)
	case r.kept > 0:
		return fmt.Sprintf("%d of the %d landmarks of %s are among these rows", r.equal, r.kept, fit)
	case r.equal == 1:
		return fmt.Sprintf("1 of %s is equal to a row of %s", plural.Count(r.rows, "row"), fit)
	}
	return fmt.Sprintf("%d of %s are equal to rows of %s", r.equal, plural.Count(r.rows, "row"), fit)
}

// notice tells it of a table.
func (r *relation) notice(s streams, t *table.Table, model string) {
	if !r.seen() {
		return
	}
	more := ""
	if r.held != nil {
		more = fmt.Sprintf("; what those %d said is in 'kfda inspect %s'", r.held.Rows, show.Word(model))
	}
	notice(s.err, "%s: %s, so the errors say little about new rows%s", t.File, r.text("the model's fit"), more)
}

// relationTo compares the rows of t, but those without weight, with those of the fit.
func (m *savedModel) relationTo(t *table.Table) (r relation, err error) {
	t = withWeight(t)
	r.rows = t.X.Rows
	if r.trained = m.trainedOn(t); r.trained {
		return r, nil
	}
	if r.held = m.heldOutHere(t); r.held != nil {
		return r, nil
	}
	kept := expansionOf(m).rows
	if kept == nil {
		return r, nil
	}
	x, err := m.seen(t.X)
	if err != nil {
		return r, explain.New(t, err)
	}
	if isStreamed(m.learnt) { // of a table of any size: what says that it is seen are its landmarks
		r.kept = kept.Rows
		kept, x = x, kept
	}
	r.equal = equalRows(x, kept)
	return r, nil
}

// equalRows counts the rows of x that are equal to some of kept; 0 where a share of copies as among
// these themselves would explain as many.
func equalRows(x, kept *matrix.Dense) int {
	c := newCopies(kept)
	c.count(x)
	return c.seen()
}

// copies counts rows that are equal to some that are kept.
type copies struct {
	times       map[rowHash]int // of each that is kept
	rows, equal int
	few         bool // what is kept are some of many rows: any that is equal tells
}

func newCopies(kept *matrix.Dense) *copies {
	c := &copies{times: make(map[rowHash]int, kept.Rows)}
	for i := range kept.Rows {
		c.times[rowKey(kept.Row(i))]++
	}
	return c
}

func (c *copies) count(x *matrix.Dense) {
	c.rows += x.Rows
	for i := range x.Rows {
		if c.times[rowKey(x.Row(i))] > 0 {
			c.equal++
		}
	}
}

// seen is how many are equal, 0 where chance explains them; of nil none.
func (c *copies) seen() int {
	if c == nil || c.rows == 0 {
		return 0
	}
	if c.few {
		return c.equal
	}
	kept, double := 0, 0
	for _, n := range c.times {
		if kept += n; n > 1 {
			double += n
		}
	}
	// Copies come in pairs at least, so that their share varies as that of half as many rows.
	n, here := float64(kept), float64(c.rows)
	p := (float64(double) + 1) / (n + 2)
	if float64(c.equal)/here <= p+3*math.Sqrt(p*(1-p)*(1/here+2/n)) {
		return 0
	}
	return c.equal
}

type rowHash [sha256.Size]byte

// rowKey is the same for rows with the same bits alone.
func rowKey(row []float64) rowHash {
	b := make([]byte, 0, 8*len(row))
	for _, v := range row {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return sha256.Sum256(b)
}

// trainedOn reports whether the rows of t, but those without weight, are those of the fit.
func (m *savedModel) trainedOn(t *table.Table) bool {
	if t = withWeight(t); m.numbers != nil {
		return t.Targets != nil && m.numbers.TrainedOn(t.X, matrix.Column(t.Targets))
	}
	return t.Labels != nil && m.TrainedOn(t.X, t.Labels)
}

// heldOutHere returns what was held out of t for the model, where the other rows of t are those
// of its fit; else nil.
func (m *savedModel) heldOutHere(t *table.Table) *heldOut {
	h := heldOutOf(m.learnt)
	if h == nil || h.Rows >= t.X.Rows || t.Labels == nil && t.Targets == nil {
		return nil
	}
	train, _, err := splitRows(t, h.Share, h.Seed)
	if err != nil || !m.trainedOn(train) {
		return nil
	}
	return h
}
