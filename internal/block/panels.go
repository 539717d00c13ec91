package block

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
)

// Panels are a packed matrix B, as large as B itself. They do not follow later
// changes of B.
type Panels struct {
	tier isa.Tier
	n, k int
	data []float64 // panels of all columns, stretch by stretch
}

// PackB packs B, of k×n, or of n×k where it is stored transposed.
func PackB(b Mat, trans bool) *Panels {
	k, n := b.Rows, b.Cols
	if trans {
		k, n = n, k
	}
	p := &Panels{tier: isa.Current(), n: n, k: k}
	shape := f64.TileShape()
	width := padded(n, shape.Cols)
	p.data = grow(nil, width*k)
	job := Job{B: b, TransB: trans}
	stretches := stretchesOf(k)
	for s := range stretches {
		l0, l1 := divide(k, 1, stretches, s)
		f64.PackPanels(p.data[width*l0:], shape, job.colsOfB(0, l0, k), n, l1-l0)
	}
	return p
}

// fit reports whether a job on n columns and k steps can use the panels: they are
// of no use on another tier, and backwards.
func (p *Panels) fit(job *Job, n, k int) bool {
	return p != nil && p.tier == isa.Current() && p.n == n && p.k == k && !job.Backward
}

// stretch returns the panels of the stretch of k that begins at l0.
func (p *Panels) stretch(l0, l1, width int) []float64 { return p.data[width*l0 : width*l1] }

// padded rounds n up to a multiple of unit.
func padded(n, unit int) int { return (n + unit - 1) / unit * unit }
