package block

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// Mat is a row-major matrix: element (i, j) is Data[i*Stride+j]. It has the
// fields of matrix.Dense, so that one converts to the other.
type Mat struct {
	Rows, Cols int
	Stride     int
	Data       []float64
}

// Mode says where the chains of a result start.
type Mode uint8

const (
	Overwrite Mode = iota // at +0; C is not read
	Add                   // at C
	Subtract              // at C, with the first factor negated: C − A·B
)

// A Job is one blocked computation: for the entries of Part,
//
//	s = +0, or C[i,j] by Mode
//	for l = 0 … k−1 (Backward: k−1 … 0):  s ← Op(A(i,l), B(l,j), s)
//	C[i,j] = s
//
// with A of m×k and B of k×n, both possibly stored transposed. C must not
// overlap A or B. Modes other than Overwrite need f64.Product; parts other than
// Whole need a square C.
type Job struct {
	Op             f64.Op
	Mode           Mode
	Part           Part
	C, A, B        Mat
	TransA, TransB bool // A is stored as k×m, B as n×k
	Backward       bool

	// Panels, where set, are those that PackB made of B (and TransB). They spare the
	// packing of a B that many jobs share.
	Panels *Panels

	// Epilogue, where set, gets every computed entry once, as soon as it is
	// finished and before mirroring: row is C[i, j…j+len(row)−1], and what
	// Epilogue leaves there is the result. Calls run at the same time on several
	// workers.
	Epilogue func(row []float64, i, j int)
}

// sizes returns m, n and k and panics unless they fit together.
func (job *Job) sizes() (m, n, k int) {
	m, k = job.A.Rows, job.A.Cols
	if job.TransA {
		m, k = k, m
	}
	kb, n := job.B.Rows, job.B.Cols
	if job.TransB {
		kb, n = n, kb
	}
	if job.C.Rows != m || job.C.Cols != n || kb != k {
		panic(fmt.Sprintf("block: %d×%d from %d×%d times %d×%d", job.C.Rows, job.C.Cols, m, k, kb, n))
	}
	if job.Part != Whole && m != n {
		panic(fmt.Sprintf("block: part of a %d×%d matrix", m, n))
	}
	if job.Mode != Overwrite && job.Op != f64.Product {
		panic(fmt.Sprintf("block: %v onto a former value", job.Op))
	}
	for _, x := range [...]*Mat{&job.C, &job.A, &job.B} {
		if x.Rows > 0 && x.Cols > 0 && (x.Stride < x.Cols || len(x.Data) < (x.Rows-1)*x.Stride+x.Cols) {
			panic(fmt.Sprintf("block: %d×%d matrix with stride %d in %d values", x.Rows, x.Cols, x.Stride, len(x.Data)))
		}
	}
	return m, n, k
}

// rowsOfA returns A from its element (i, l) on, as f64.Pack reads it: l in the
// order of the chains.
func (job *Job) rowsOfA(i, l, k int) f64.Source {
	return source(&job.A, !job.TransA, job.Backward, i, l, k)
}

// colsOfB returns Bᵀ from its element (j, l) on.
func (job *Job) colsOfB(j, l, k int) f64.Source {
	return source(&job.B, job.TransB, job.Backward, j, l, k)
}

// source returns the element (i, l) of x (stored by rows along l, or transposed)
// and what follows it; backward counts l from k−1 down.
func source(x *Mat, alongRows, backward bool, i, l, k int) f64.Source {
	s := f64.Source{Data: x.Data, RowStride: x.Stride, ColStride: 1}
	if !alongRows {
		s.RowStride, s.ColStride = 1, x.Stride
	}
	if backward {
		l = k - 1 - l
		s.Start = i*s.RowStride + l*s.ColStride
		s.ColStride = -s.ColStride
		return s
	}
	s.Start = i*s.RowStride + l*s.ColStride
	return s
}
