package table

import (
	"math"
	"runtime/debug"
	"slices"

	"github.com/seed92411348/kfda/internal/splitmix"
)

// inParts reports whether the table is never held as a whole.
func (b *builder) inParts() bool { return b.opt.Take != nil || b.opt.Sample > 0 }

// collectOften makes garbage small beside a table that is held as a whole, until undo is called.
func (b *builder) collectOften(percent int) (undo func()) {
	if b.inParts() {
		return func() {}
	}
	former := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(former) }
}

// makeRoom ends the rows that are held where a further one is not to be held beside them.
func (b *builder) makeRoom() error {
	const block = 1024 // rows
	n := len(b.rows) - b.counted
	if b.opt.Take != nil && b.opt.Batch > 0 && n >= b.opt.Batch || b.opt.Sample > 0 && n >= max(1, min(block, b.opt.Sample/2)) {
		return b.endRows(true)
	}
	return nil
}

// endRows checks and counts the rows since the last call, and hands them on, or keeps those of
// the sample, where that is wanted.
func (b *builder) endRows(more bool) error {
	b.more = more
	rule := b.missingRule()
	if b.opt.Layout == nil {
		for row := b.counted; row < len(b.labels); row++ {
			b.merged.add(!b.lacksLabelIn(row))
		}
	}
	selected := len(b.rows) - b.counted
	switch {
	case rule != RefuseMissing:
		b.leaveOut()
	case b.opt.Sample > 0:
		m, _ := b.gapsIn(nil)
		b.found.add(m)
	}
	b.kept += len(b.rows) - b.counted
	if b.opt.Target && b.labelled() {
		b.readTargets()
	}
	if b.opt.Layout == nil {
		b.countRows()
	}
	if b.opt.Take != nil {
		if err := b.handOn(); err != nil {
			return err
		}
	} else if b.opt.Sample > 0 {
		b.thin()
		b.gapped = false
	}
	if b.inParts() {
		b.selected += selected
	}
	return nil
}

// countRows counts the classes and looks at the columns of a training table.
func (b *builder) countRows() {
	if b.sparse == nil {
		for i := range b.contents {
			b.countCells(i)
		}
	}
	if b.opt.Target {
		return
	}
	for _, label := range b.labels[b.counted:] {
		b.count[label]++
	}
}

// handOn gives the rows to Options.Take, and forgets them.
func (b *builder) handOn() error {
	if len(b.rows) > 0 {
		t, err := b.settled()
		if err != nil {
			return err
		}
		t.Seen = b.seen
		if b.taken = b.opt.Take(t); b.taken != nil {
			return b.taken
		}
	}
	b.cut(0)
	b.gapped, b.held = false, 0
	clear(b.texts)
	clear(b.classes)
	return nil
}

// sample says which rows stay.
type sample struct {
	key   uint64 // of the hashes
	bound uint64 // the largest hash of those that stay, but for those of classes
	least map[string]uint64
	most  int // rows that are held before those are left out that need not stay
}

// thin leaves out rows that are not of the sample: all such after the last row, and else when they
// are as many as those that stay.
func (b *builder) thin() {
	s := &b.sample
	if s.least == nil {
		s.key, s.bound, s.least = splitmix.At(0, 0), math.MaxUint64, map[string]uint64{}
		s.most = b.opt.Sample
	}
	hash := func(row int) uint64 { return splitmix.At(s.key, uint64(b.rows[row])) }
	if !b.opt.Target {
		for row := b.counted; row < len(b.rows); row++ {
			if least, known := s.least[b.labels[row]]; !known || hash(row) < least {
				s.least[b.labels[row]] = hash(row)
			}
		}
	}
	stays := func(row int) bool {
		h := hash(row)
		return row < b.counted || h <= s.bound || !b.opt.Target && h == s.least[b.labels[row]]
	}
	b.keep(stays)
	if b.counted = len(b.rows); b.counted <= s.most && b.more {
		return
	}
	b.counted = 0
	hashes := make([]uint64, 0, len(b.rows))
	for row := range b.rows {
		if h := hash(row); h <= s.bound {
			hashes = append(hashes, h)
		}
	}
	if len(hashes) > b.opt.Sample {
		slices.Sort(hashes)
		s.bound = hashes[b.opt.Sample-1]
	}
	b.keep(stays)
	b.counted = len(b.rows)
	s.most = max(3*b.opt.Sample/2, 3*len(b.rows)/2)
}
