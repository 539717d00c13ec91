package main

import (
	"context"
	"fmt"
)

// footprint is the memory of an entry.
type footprint struct {
	row          row
	entry        entry
	loaded, peak float64 // bytes
}

// memory measures the entries of a group, each in a process of its own.
func (b *bench) memory(ctx context.Context, g group) []footprint {
	var all []footprint
	for _, r := range g.rows {
		fmt.Fprintf(b.progress, "%s: %s\n", g.title, r.what)
		for _, e := range r.entries {
			f, err := b.footprint(ctx, r, e)
			if err != nil {
				b.fail(g, r, e.label, err)
				continue
			}
			all = append(all, f)
		}
	}
	return all
}

func (b *bench) footprint(ctx context.Context, r row, e entry) (footprint, error) {
	f := footprint{row: r, entry: e}
	if err := b.absent[e.program]; err != nil {
		return f, err
	}
	p, err := start(ctx, b.programs[e.program], r.threads, e.env...)
	if err != nil {
		return f, err
	}
	defer p.close()
	if _, err := p.ask(ctx, "setup "+e.task); err != nil {
		return f, err
	}
	loaded, err := p.ask(ctx, "memory")
	if err != nil {
		return f, err
	}
	if _, err := p.ask(ctx, "run 1"); err != nil {
		return f, err
	}
	peak, err := p.ask(ctx, "memory")
	f.loaded, f.peak = loaded.Value, peak.Value
	return f, err
}
