package solve

import "github.com/seed92411348/kfda/matrix"

// choleskyPanel is the work on columns lo … lo+nb-1. The rows of L are the left
// operand of products, the same rows negated the right one.
type choleskyPanel struct {
	diag        []*operand // rows of the diagonal block, negated, strip by strip
	left, right *operand   // L below the panel
}

func newCholeskyPanel(n, nb int) *choleskyPanel {
	p := &choleskyPanel{}
	for c := 0; c < nb; c += strip {
		p.diag = append(p.diag, newRight(min(strip, nb-c), c))
	}
	below := max(n-nb, 0)
	p.left, p.right = newLeft(below, nb), newRight(below, nb)
	return p
}

// eliminate runs the chains of columns lo … hi-1 of a to their end and updates
// what lies below and to the right.
func (p *choleskyPanel) eliminate(a *matrix.Dense, lo, hi int) error {
	nb, below := hi-lo, a.Rows-hi
	block := a.View(lo, lo, nb, nb)
	if err := choleskyBlock(block); err != nil {
		err.Pivot += lo
		return err
	}
	if below == 0 {
		return nil
	}
	p.packDiagonal(block)
	p.left.reset(below, nb)
	p.right.reset(below, nb)
	for i0 := 0; i0 < below; i0 += panelRows {
		p.rowsBelow(a.View(hi, lo, below, nb), block, i0, min(i0+panelRows, below))
	}
	addLower(a.View(hi, hi, below, below), p.left, p.right, nb)
	return nil
}

// packDiagonal packs the diagonal block as the operands of the rows below.
func (p *choleskyPanel) packDiagonal(block *matrix.Dense) {
	for c := strip; c < block.Rows; c += strip { // nothing comes before the first strip
		w := min(strip, block.Rows-c)
		op := p.diag[c/strip]
		op.reset(w, c)
		for j := range w {
			packNegated(op, j, 0, block.Row(c + j)[:c])
		}
	}
}

// rowsBelow eliminates rows i0 … i1-1 below the panel, strip by strip.
func (p *choleskyPanel) rowsBelow(a, block *matrix.Dense, i0, i1 int) {
	for c := 0; c < a.Cols; c += strip {
		w := min(strip, a.Cols-c)
		addProduct(a.Data[i0*a.Stride+c:], a.Stride, p.left, i0, i1, p.diag[c/strip], 0, w, c)
		triangle := block.View(c, c, w, w)
		for i := i0; i < i1; i++ {
			x := a.Row(i)[c : c+w]
			substitute(x, triangle)
			l, step := p.left.row(i)
			for k, v := range x {
				l[(c+k)*step] = v
			}
			packNegated(p.right, i, c, x)
		}
	}
}

// packNegated packs -x as elements c, c+1, … of row i of op.
func packNegated(op *operand, i, c int, x []float64) {
	dst, step := op.row(i)
	for k, v := range x {
		dst[(c+k)*step] = -v
	}
}
