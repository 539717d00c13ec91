package gram

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Evaluator evaluates a kernel against fixed training rows x₀, …, xₙ₋₁. It is
// safe for concurrent use. It keeps the matrix of the rows, which the caller
// must not change, and where the kernel wants it a number per row (Cosine)
// or a mapped copy (FeatureMap).
//
// A kernel value has the same bits whichever method computes it: in Matrix,
// Rows, Cross and Diag it depends on its two rows of features alone, and not
// on their order.
type Evaluator struct {
	kernel Kernel
	x      *matrix.Dense
	rows   rows
}

// NewEvaluator resolves the kernel (see Resolve) and prepares it for the rows
// of x, an n×d matrix; for Precomputed, x is the n×n kernel matrix itself.
//
// Errors: *ParameterError; *matrix.NotFiniteError for an entry of x that is not
// finite; *DomainError for a feature that the kernel is not defined for;
// *NotFiniteError for a mapped feature; *ShapeError and *NotSymmetricError for
// a precomputed matrix.
func NewEvaluator(k Kernel, x *matrix.Dense) (*Evaluator, error) {
	misuse.NotNil("gram: NewEvaluator", "x", x)
	k, err := Resolve(k, x)
	if err != nil {
		return nil, err
	}
	if _, ok := k.(Precomputed); ok {
		if x, err = symmetric(x); err != nil {
			return nil, err
		}
	}
	r, err := k.rows(x)
	if err != nil {
		return nil, err
	}
	r.packed = new(packed)
	return &Evaluator{kernel: k, x: x, rows: r}, nil
}

// Kernel returns the kernel with its parameters resolved.
func (e *Evaluator) Kernel() Kernel { return clone(e.kernel) }

// X returns the training rows, which must not be changed; for Precomputed the kernel
// matrix, symmetric to the bit.
func (e *Evaluator) X() *matrix.Dense { return e.x }

// Order returns the number n of training rows.
func (e *Evaluator) Order() int {
	misuse.NotNil("gram: Evaluator.Order", "the kernel of a zero Evaluator", e.kernel)
	return e.x.Rows
}

// Dim returns the number of columns that a new row must have: d, or n for
// Precomputed.
func (e *Evaluator) Dim() int {
	misuse.NotNil("gram: Evaluator.Dim", "the kernel of a zero Evaluator", e.kernel)
	return e.x.Cols
}

// Matrix sets dst to the n×n kernel matrix of the training rows, exactly
// symmetric, and returns it; nil allocates it. A value that is not finite is a
// *NotFiniteError, which names the first such entry of the lower triangle, by
// rows; dst is then incomplete. Half of the n² values are computed, at about
// d multiply-adds each.
func (e *Evaluator) Matrix(dst *matrix.Dense) (*matrix.Dense, error) {
	return e.MatrixContext(context.Background(), dst)
}

// MatrixContext is Matrix under a context, which is checked before each block of values;
// once it is done its error is returned, with dst incomplete.
func (e *Evaluator) MatrixContext(ctx context.Context, dst *matrix.Dense) (*matrix.Dense, error) {
	misuse.NotNil("gram: Evaluator.MatrixContext", "ctx", ctx, "the kernel of a zero Evaluator", e.kernel)
	n := e.Order()
	dst = e.destination("Matrix", dst, n)
	team := block.TeamUntil(ctx, n, n, (e.Dim()+mapTerms)/2)
	defer team.Close()
	finite := fill(team, e.kernel, block.Symmetric, whole(dst), e.rows, 0, e.rows, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !finite {
		return nil, firstNotFinite(dst, true)
	}
	return dst, nil
}

// mapTerms is about the work of a kernel's map in multiply-adds.
const mapTerms = 16

// Rows fills the r×n matrix dst with rows i0, …, i0+r−1 of the kernel matrix,
// the same bits as Matrix. It does not look for values that are not finite.
func (e *Evaluator) Rows(dst *matrix.Dense, i0 int) {
	misuse.NotNil("gram: Evaluator.Rows", "dst", dst, "the kernel of a zero Evaluator", e.kernel)
	if i0 < 0 || dst.Rows > e.Order()-i0 || dst.Cols != e.Order() {
		panic(fmt.Sprintf("gram: Rows: %d×%d at row %d of a %d×%d kernel matrix", dst.Rows, dst.Cols, i0, e.Order(), e.Order()))
	}
	e.checkOverlap("Rows", dst, e.x)
	e.fill(dst, e.rows, i0)
}

// Cross sets dst to the m×n matrix of the kernel values of the rows of y with
// the training rows, entry (i, j) = k(yᵢ, xⱼ), and returns it; nil allocates
// it. For Precomputed, y holds those values itself.
//
// y must have Dim columns (*ShapeError), finite entries (*matrix.NotFiniteError)
// in the kernel's domain (*DomainError), and finite kernel values
// (*NotFiniteError).
func (e *Evaluator) Cross(dst, y *matrix.Dense) (*matrix.Dense, error) {
	misuse.NotNil("gram: Evaluator.Cross", "y", y, "the kernel of a zero Evaluator", e.kernel)
	r, err := e.newRows(y)
	if err != nil {
		return nil, err
	}
	dst = e.destination("Cross", dst, y.Rows)
	e.checkOverlap("Cross", dst, y)
	if !e.fill(dst, r, 0) {
		return nil, firstNotFinite(dst, false)
	}
	return dst, nil
}

// newRows prepares new rows.
func (e *Evaluator) newRows(y *matrix.Dense) (rows, error) {
	if y.Cols != e.Dim() {
		return rows{}, &ShapeError{What: "new rows", Rows: y.Rows, Cols: y.Cols, WantRows: y.Rows, WantCols: e.Dim()}
	}
	if err := matrix.CheckFinite(y); err != nil {
		return rows{}, err
	}
	return e.kernel.rows(y)
}

// Diag sets dst to the diagonal of the kernel matrix, the same bits as
// Matrix, and returns it; nil allocates it. It does not look for values that
// are not finite.
func (e *Evaluator) Diag(dst []float64) []float64 {
	misuse.NotNil("gram: Evaluator.Diag", "the kernel of a zero Evaluator", e.kernel)
	if dst == nil {
		dst = make([]float64, e.Order())
	}
	if len(dst) != e.Order() {
		panic(fmt.Sprintf("gram: Diag: dst of %d for a %d×%d kernel matrix", len(dst), e.Order(), e.Order()))
	}
	e.checkOverlap("Diag", &matrix.Dense{Rows: 1, Cols: len(dst), Stride: len(dst), Data: dst}, e.x)
	switch e.kernel.(type) {
	case RBF, Laplacian: // exp(0)
		for i := range dst {
			dst[i] = 1
		}
		return dst
	}
	for i := range dst {
		fill(nil, e.kernel, block.Whole, tile{dst[i:], 1, 1, 1}, e.rows, i, e.rows, i)
	}
	return dst
}

// fill sets dst to the kernel values of rows a[i0], a[i0+1], … with the
// training rows, and reports whether all of them are finite.
func (e *Evaluator) fill(dst *matrix.Dense, a rows, i0 int) bool {
	team := block.TeamFor(dst.Rows, dst.Cols, e.Dim()+mapTerms)
	defer team.Close()
	return fill(team, e.kernel, block.Whole, whole(dst), a, i0, e.rows, 0)
}

func (e *Evaluator) destination(op string, dst *matrix.Dense, rows int) *matrix.Dense {
	if dst == nil {
		return matrix.New(rows, e.Order())
	}
	if dst.Rows != rows || dst.Cols != e.Order() {
		panic(fmt.Sprintf("gram: %s: destination %d×%d for a %d×%d result", op, dst.Rows, dst.Cols, rows, e.Order()))
	}
	e.checkOverlap(op, dst, e.x)
	return dst
}

func (e *Evaluator) checkOverlap(op string, dst, rows *matrix.Dense) {
	if matrix.Overlap(dst, rows) {
		panic(fmt.Sprintf("gram: %s: destination %d×%d overlaps rows %d×%d", op, dst.Rows, dst.Cols, rows.Rows, rows.Cols))
	}
}

// whole returns the matrix as a tile.
func whole(k *matrix.Dense) tile { return tile{k.Data, k.Stride, k.Rows, k.Cols} }

// firstNotFinite returns the error of the first entry that is not finite, of the lower
// triangle or of all.
func firstNotFinite(k *matrix.Dense, lower bool) *NotFiniteError {
	for i := range k.Rows {
		row := k.Row(i)
		if lower {
			row = row[:i+1]
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &NotFiniteError{What: "kernel value", Row: i, Col: j, Value: v}
			}
		}
	}
	return nil
}

// Matrix is NewEvaluator and its Matrix.
func Matrix(dst *matrix.Dense, k Kernel, x *matrix.Dense) (*matrix.Dense, error) {
	e, err := NewEvaluator(k, x)
	if err != nil {
		return nil, err
	}
	return e.Matrix(dst)
}

// Cross is NewEvaluator for the rows of x, and its Cross for those of y.
func Cross(dst *matrix.Dense, k Kernel, y, x *matrix.Dense) (*matrix.Dense, error) {
	misuse.NotNil("gram: Cross", "x", x, "y", y)
	e, err := NewEvaluator(k, x)
	if err != nil {
		return nil, err
	}
	return e.Cross(dst, y)
}

// Diag is NewEvaluator and its Diag, with a *NotFiniteError for a value that is
// not finite.
func Diag(dst []float64, k Kernel, x *matrix.Dense) ([]float64, error) {
	e, err := NewEvaluator(k, x)
	if err != nil {
		return nil, err
	}
	dst = e.Diag(dst)
	for i, v := range dst {
		if v-v != 0 {
			return nil, &NotFiniteError{What: "kernel value", Row: i, Col: i, Value: v}
		}
	}
	return dst, nil
}
