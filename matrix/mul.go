package matrix

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
)

// Trans says whether an operand enters a product as it is or transposed.
type Trans bool

const (
	NoTrans    Trans = false
	Transposed Trans = true
)

// shape returns the shape of op(a).
func (t Trans) shape(a *Dense) (rows, cols int) {
	if t {
		return a.Cols, a.Rows
	}
	return a.Rows, a.Cols
}

// Mul sets dst to op(A)·op(B) and returns it. What dst held is never read.
//
// Entry (i, j) is the chain
//
//	c = +0;  for k = 0, 1, …:  c = FMA(op(A)[i,k], op(B)[k,j], c)
//
// with one rounding a step, whatever the sizes, strides and transposes. dst
// must have the shape of the product, or be nil, and may not overlap A or B.
// 2·m·n·k floating-point operations for an m×k times a k×n.
func Mul(dst, a *Dense, ta Trans, b *Dense, tb Trans) *Dense {
	misuse.NotNil("matrix: Mul", "a", a, "b", b)
	rows, cols := productShape("Mul", a, ta, b, tb)
	dst = destination("Mul", dst, rows, cols)
	mustNotOverlap("Mul", "dst", dst, "a", a)
	mustNotOverlap("Mul", "dst", dst, "b", b)
	product(nil, block.Overwrite, block.Whole, dst, a, ta, b, tb)
	return dst
}

// AddMul adds op(A)·op(B) to C: the chain of Mul, started from C[i,j]. C may
// not overlap A or B.
func AddMul(c, a *Dense, ta Trans, b *Dense, tb Trans) {
	misuse.NotNil("matrix: AddMul", "c", c, "a", a, "b", b)
	update("AddMul", block.Add, c, a, ta, b, tb)
}

// SubMul subtracts op(A)·op(B) from C: the chain of AddMul with −op(A). C may
// not overlap A or B.
func SubMul(c, a *Dense, ta Trans, b *Dense, tb Trans) {
	misuse.NotNil("matrix: SubMul", "c", c, "a", a, "b", b)
	update("SubMul", block.Subtract, c, a, ta, b, tb)
}

func update(op string, mode block.Mode, c, a *Dense, ta Trans, b *Dense, tb Trans) {
	rows, cols := productShape(op, a, ta, b, tb)
	destination(op, c, rows, cols)
	mustNotOverlap(op, "c", c, "a", a)
	mustNotOverlap(op, "c", c, "b", b)
	product(nil, mode, block.Whole, c, a, ta, b, tb)
}

// SymRankK sets dst to op(A)·op(A)ᵀ and returns it: the entries with i ≥ j
// are the chains of Mul, the others are copies of their mirror images. What dst
// held is never read. dst may be nil and may not overlap A. n²·k
// floating-point operations for an n×k op(A), half of Mul's.
func SymRankK(dst, a *Dense, ta Trans) *Dense {
	misuse.NotNil("matrix: SymRankK", "a", a)
	n, _ := ta.shape(a)
	dst = destination("SymRankK", dst, n, n)
	mustNotOverlap("SymRankK", "dst", dst, "a", a)
	product(nil, block.Overwrite, block.Symmetric, dst, a, ta, a, !ta)
	return dst
}

// AddSymRankK adds op(A)·op(A)ᵀ to the symmetric C. Only the lower triangle
// of C is read; the upper one becomes its mirror image. C may not overlap A.
func AddSymRankK(c, a *Dense, ta Trans) {
	misuse.NotNil("matrix: AddSymRankK", "c", c, "a", a)
	n, k := ta.shape(a)
	if c.Rows != n || c.Cols != n {
		panic(fmt.Sprintf("matrix: AddSymRankK: %d×%d from the rows of a %d×%d", c.Rows, c.Cols, n, k))
	}
	mustNotOverlap("AddSymRankK", "c", c, "a", a)
	product(nil, block.Add, block.Symmetric, c, a, ta, a, !ta)
}

// MulVec sets dst to op(A)·x and returns it: the chains of Mul for a single
// column. dst must have the length of the product, or be nil, and may not
// overlap A or x.
func MulVec(dst []float64, a *Dense, ta Trans, x []float64) []float64 {
	misuse.NotNil("matrix: MulVec", "a", a)
	rows, cols := ta.shape(a)
	if len(x) != cols {
		panic(fmt.Sprintf("matrix: MulVec: %d×%d times a vector of %d", rows, cols, len(x)))
	}
	if dst == nil {
		dst = make([]float64, rows)
	} else if len(dst) != rows {
		panic(fmt.Sprintf("matrix: MulVec: dst of %d for %d×%d times a vector of %d", len(dst), rows, cols, len(x)))
	}
	mustNotOverlap("MulVec", "dst", vectorOf(dst), "a", a)
	mustNotOverlap("MulVec", "dst", vectorOf(dst), "x", vectorOf(x))
	if ta {
		f64.Line(f64.Product, dst, x, 1, a.Data, a.Stride, len(x), false)
	} else {
		clear(dst)
		dotRows(dst, a, x)
	}
	return dst
}

// Transpose sets dst to Aᵀ and returns it. dst may be nil and may not overlap
// A.
func Transpose(dst, a *Dense) *Dense {
	misuse.NotNil("matrix: Transpose", "a", a)
	dst = destination("Transpose", dst, a.Cols, a.Rows)
	mustNotOverlap("Transpose", "dst", dst, "a", a)
	if team := block.TeamFor(a.Rows, a.Cols, transposeTerms); team != nil {
		defer team.Close()
		team.Rows(a.Rows, func(lo, hi int) { transpose(dst, a, lo, hi) })
	} else {
		transpose(dst, a, 0, a.Rows)
	}
	return dst
}

// transposeTerms is about the work of an element in multiply-adds.
const transposeTerms = 8

// transpose does the rows lo … hi−1 of A.
func transpose(dst, a *Dense, lo, hi int) {
	const tile = 64 // rows and columns that stay in the first cache together
	for i0 := lo; i0 < hi; i0 += tile {
		for j0 := 0; j0 < a.Cols; j0 += tile {
			f64.Transpose(dst.Data[j0*dst.Stride+i0:], dst.Stride, a.Data[i0*a.Stride+j0:], a.Stride,
				min(tile, hi-i0), min(tile, a.Cols-j0))
		}
	}
}

// product runs the chains of a part of C with ±op(A)·op(B).
func product(team *block.Team, mode block.Mode, part block.Part, c, a *Dense, ta Trans, b *Dense, tb Trans) {
	block.Run(team, block.Job{
		Op: f64.Product, Mode: mode, Part: part,
		C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b), TransA: bool(ta), TransB: bool(tb),
	})
}

func productShape(op string, a *Dense, ta Trans, b *Dense, tb Trans) (rows, cols int) {
	m, k := ta.shape(a)
	l, n := tb.shape(b)
	if k != l {
		panic(fmt.Sprintf("matrix: %s: %d×%d times %d×%d", op, m, k, l, n))
	}
	return m, n
}

// destination returns dst, or a new matrix for nil, of the wanted shape.
func destination(op string, dst *Dense, rows, cols int) *Dense {
	if dst == nil {
		return New(rows, cols)
	}
	if dst.Rows != rows || dst.Cols != cols {
		panic(fmt.Sprintf("matrix: %s: destination %d×%d for a %d×%d result", op, dst.Rows, dst.Cols, rows, cols))
	}
	return dst
}
