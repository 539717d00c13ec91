package solve

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// Both factorizations, and the solve with many unknowns, spend their time in
// real products C ± A·Bᵀ, in which every entry continues its chain.

// sharedWork is the number of multiply-adds from which a call is worth a team of
// workers. Which of them does what never changes a result. Tests lower it.
var sharedWork = 0x1p22

// newTeam returns a team for a call of as many multiply-adds as the product of the
// factors, nil for the calling goroutine alone. Close must follow.
func newTeam(factors ...int) *block.Team {
	work := 1.0
	for _, f := range factors {
		work = float64(work * float64(f))
	}
	if work < sharedWork {
		return nil
	}
	return block.NewTeam()
}

// product continues the chains of the given part of C by A·Bᵀ, or by −A·Bᵀ.
func product(team *block.Team, mode block.Mode, part block.Part, c, a, b *matrix.Dense) {
	if a.Cols == 0 {
		return
	}
	block.Run(team, block.Job{
		Op: f64.Product, Mode: mode, Part: part,
		C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b), TransB: true,
	})
}

// productJob is C ± A·B or C = A·B, all as they are stored.
func productJob(mode block.Mode, c, a, b *matrix.Dense) block.Job {
	return block.Job{Op: f64.Product, Mode: mode, C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b)}
}

// rowsInTask is the number of rows below a panel in a task: whole tiles, up to 64.
func rowsInTask(shape f64.Shape) int { return 64 / shape.Cols * shape.Cols }

// panels are the columns of a k×n matrix, packed as block.Update wants them for its
// second factor.
type panels struct {
	shape f64.Shape
	n, k  int
	data  []float64
}

// panelsSize returns how many numbers the panels of n columns may have.
func panelsSize(shape f64.Shape, n, k int) int { return (n + shape.Cols) * k }

// from returns the panel that begins with column j, and the numbers in a step of it.
func (p *panels) from(j int) (panel []float64, width int) {
	width = p.shape.PanelWidth(min(p.shape.Cols, p.n-j))
	return p.data[j*p.k:][:width*p.k], width
}

// columns calls f for columns j … j+n-1, panel after panel: for some of them, at is
// the place of the first among all, steps its numbers, width apart.
func (p *panels) columns(j, n int, f func(at int, steps []float64, width, some int)) {
	for at := 0; at < n; {
		in := (j + at) % p.shape.Cols
		panel, width := p.from(j + at - in)
		some := min(n-at, width-in)
		f(at, panel[in:], width, some)
		at += some
	}
}
