package gram

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// Lines computes kernel values with the training rows for one row at a time, with
// the same bits as [Evaluator.Cross]. It keeps a second copy of the rows, laid out
// for that, which is worth it for many single rows. It is safe for concurrent use.
type Lines struct {
	e      *Evaluator
	panels []float64 // lineColumns training rows at a time, transposed
}

// lineColumns is the number of training rows in a panel: of a hundred features they
// fit the second cache.
const lineColumns = 96

// NewLines copies the training rows of e.
func NewLines(e *Evaluator) *Lines {
	misuse.NotNil("gram: NewLines", "e", e)
	l := &Lines{e: e}
	if _, ok := e.kernel.(pairwise); !ok {
		return l
	}
	x := e.rows.x
	if x.Cols == 0 {
		return l
	}
	l.panels = pages.Floats(x.Rows * x.Cols)
	for j := 0; j < x.Rows; j += lineColumns {
		n := min(lineColumns, x.Rows-j)
		f64.Transpose(l.panels[j*x.Cols:], n, x.Data[j*x.Stride:], x.Stride, n, x.Cols)
	}
	return l
}

// Cross sets dst, m×n, to the kernel values of the rows of y with the training
// rows, as [Evaluator.Cross] does, with the same errors.
func (l *Lines) Cross(dst, y *matrix.Dense) error {
	misuse.NotNil("gram: Lines.Cross", "dst", dst, "y", y, "the evaluator of zero Lines", l.e)
	k, ok := l.e.kernel.(pairwise)
	if !ok || l.panels == nil {
		_, err := l.e.Cross(dst, y)
		return err
	}
	if y.Cols != l.e.Dim() {
		return &ShapeError{What: "new rows", Rows: y.Rows, Cols: y.Cols, WantRows: y.Rows, WantCols: l.e.Dim()}
	}
	if dst.Rows != y.Rows || dst.Cols != l.e.Order() {
		panic(fmt.Sprintf("gram: Lines: destination %d×%d for a %d×%d result", dst.Rows, dst.Cols, y.Rows, l.e.Order()))
	}
	l.e.checkOverlap("Lines", dst, y)
	if err := matrix.CheckFinite(y); err != nil {
		return err
	}
	a, err := k.rows(y)
	if err != nil {
		return err
	}
	n, d := l.e.Order(), a.x.Cols
	finite := true
	for i := range y.Rows {
		row, to := a.x.Row(i), dst.Row(i)
		for j := 0; j < n; j += lineColumns {
			values := to[j:min(j+lineColumns, n)]
			f64.Line(k.op(), values, row, 1, l.panels[j*d:], len(values), d, false)
			k.apply(values, a, i, l.e.rows, j)
			finite = finite && f64.AllFinite(values)
		}
	}
	if !finite {
		return firstNotFinite(dst, false)
	}
	return nil
}
