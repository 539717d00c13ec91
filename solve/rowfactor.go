package solve

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// RowFactor finds the triangular factor R of a matrix A = QR, AᵀA = RᵀR, whose rows arrive in
// numbered blocks, in any order, on one machine or on many (Demmel, Grigori, Hoemmen & Langou,
// "Communication-optimal parallel and sequential QR and LU factorizations", SIAM J. Sci.
// Comput. 34, 2012). It never forms AᵀA, which would square the condition number.
//
// The rows of a block are factored in their order, in pieces of [PieceRows]. The factors of the
// blocks 2i and 2i+1 are joined to that of the blocks 2i, 2i+1, and so on: in a binary tree
// of block numbers, so that R has the same bits however the blocks were shared out and
// whichever was first. About log₂ of the number of blocks factors are kept, each of p(p+1)/2
// numbers for p columns. Cost: 2np² flops for n rows and 2p³/3 for each block.
//
// A zero RowFactor has no columns; see [NewRowFactor].
type RowFactor struct {
	cols  int
	nodes []RowNode     // by their first blocks
	block int           // the open one
	rows  int           // of it, that have arrived
	open  triangle      // the factor of its whole pieces, without panels while it rests
	rest  []float64     // that, as RowNode has it
	piece *matrix.Dense // rows that are not factored yet, as columns
}

// RowNode is the factor of the blocks Index·2^Level … (Index+1)·2^Level − 1: the lower
// triangle of L = Rᵀ by rows, with diagonal elements of any sign.
type RowNode struct {
	Level, Index int
	Lower        []float64
}

func (n RowNode) first() int { return n.Index << n.Level }
func (n RowNode) end() int   { return (n.Index + 1) << n.Level }

// PieceRows is the number of rows that are factored together.
const PieceRows = 512

// BlockError says that the blocks of a RowFactor do not fit together.
type BlockError struct {
	Block  int
	Reason string
}

func (e *BlockError) Error() string { return fmt.Sprintf("solve: block %d %s", e.Block, e.Reason) }

// NewRowFactor returns that of no rows of some columns, and opens the block of that number.
func NewRowFactor(cols, block int) *RowFactor {
	if cols < 1 || block < 0 {
		panic(fmt.Sprintf("solve: NewRowFactor: %d columns, block %d", cols, block))
	}
	return &RowFactor{cols: cols, block: block}
}

// Cols returns the number of columns.
func (f *RowFactor) Cols() int { return f.cols }

// Block returns the number of the open block, and how many rows it has.
func (f *RowFactor) Block() (block, rows int) { return f.block, f.rows }

// Append adds rows to the open block. An element that is not finite is a
// *matrix.NotFiniteError, and nothing is added.
func (f *RowFactor) Append(rows *matrix.Dense) error {
	misuse.NotNil("solve: RowFactor.Append", "rows", rows)
	if rows.Cols != f.cols {
		panic(fmt.Sprintf("solve: RowFactor.Append: %d×%d rows of a matrix of %d columns", rows.Rows, rows.Cols, f.cols))
	}
	if err := matrix.CheckFinite(rows); err != nil {
		return err
	}
	f.wake()
	for i := 0; i < rows.Rows; {
		at := f.rows % PieceRows
		some := min(rows.Rows-i, PieceRows-at)
		matrix.Transpose(f.piece.View(0, at, f.cols, some), rows.View(i, 0, some, f.cols))
		f.rows, i = f.rows+some, i+some
		if at+some == PieceRows {
			absorb(f.open, f.piece, false)
		}
	}
	return nil
}

// wake makes the open block ready for rows.
func (f *RowFactor) wake() {
	switch {
	case f.open.panels != nil:
	case f.rest != nil:
		f.open, f.rest = unpack(f.cols, f.rest), nil
	default:
		f.open = newTriangle(f.cols)
	}
	if f.piece == nil {
		f.piece = newPiece(f.cols)
	}
}

// sleep leaves the open block, of which there are rows, as what it shares with others.
func (f *RowFactor) sleep() {
	if f.open.panels != nil {
		f.rest = f.open.pack()
		f.close()
	}
}

// close gives up the memory of the open block.
func (f *RowFactor) close() {
	f.open.free()
	f.open = triangle{}
}

// newPiece returns memory for the rows of a piece, as columns. Lines of 4 KiB would compete for the same
// places in a cache.
func newPiece(cols int) *matrix.Dense {
	return matrix.New(cols, PieceRows+8).View(0, 0, cols, PieceRows)
}

// EndBlock ends the open block, which may have no rows, and opens the next one. An element of
// the factor beyond the range of float64 is a *RangeError, and a block that there is already a
// *BlockError; f is then of no further use.
func (f *RowFactor) EndBlock() error {
	node := RowNode{Index: f.block}
	if f.rows == 0 {
		node.Lower = make([]float64, f.cols*(f.cols+1)/2)
	} else {
		f.wake()
		if left := f.rows % PieceRows; left > 0 {
			absorb(f.open, f.piece.View(0, 0, f.cols, left), false)
		}
		node.Lower = f.open.pack()
		f.piece = nil // the joins that follow need as much
		f.close()
	}
	if err := checkNode(node); err != nil {
		return err
	}
	f.block, f.rows = f.block+1, 0
	return f.add(node)
}

// checkNode looks for what has left the range of float64.
func checkNode(n RowNode) error {
	if size := f64.MaxAbs(n.Lower); size-size != 0 {
		return &RangeError{What: "element of the triangular factor", Size: size}
	}
	return nil
}

// add puts a node in its place, and joins it with its sibling where that is there.
func (f *RowFactor) add(node RowNode) error {
	for {
		at, _ := slices.BinarySearchFunc(f.nodes, node, func(a, b RowNode) int { return cmp.Compare(a.first(), b.first()) })
		for _, i := range []int{at - 1, at} {
			if i >= 0 && i < len(f.nodes) && f.nodes[i].first() < node.end() && node.first() < f.nodes[i].end() {
				return &BlockError{Block: max(f.nodes[i].first(), node.first()), Reason: "is there twice"}
			}
		}
		sibling := at // a later one, or
		if node.Index%2 == 1 {
			sibling = at - 1
		}
		if sibling < 0 || sibling == len(f.nodes) || f.nodes[sibling].Level != node.Level || f.nodes[sibling].Index != node.Index^1 {
			f.nodes = slices.Insert(f.nodes, at, node)
			return nil
		}
		left, right := f.nodes[sibling], node
		if node.Index%2 == 0 {
			left, right = right, left
		}
		f.nodes = slices.Delete(f.nodes, sibling, sibling+1)
		l := unpack(f.cols, left.Lower)
		l.absorbLower(right.Lower)
		node = RowNode{Level: node.Level + 1, Index: node.Index / 2, Lower: l.pack()}
		l.free()
		if err := checkNode(node); err != nil {
			return err
		}
	}
}

// Merge adds the blocks of g, which is not changed. The open blocks must have no rows. Where a
// block is in both, the error is a *BlockError, and f is as it was.
func (f *RowFactor) Merge(g *RowFactor) error {
	misuse.NotNil("solve: RowFactor.Merge", "g", g)
	if f.cols != g.cols {
		panic(fmt.Sprintf("solve: RowFactor.Merge: %d and %d columns", f.cols, g.cols))
	}
	for _, h := range []*RowFactor{f, g} {
		if h.rows > 0 {
			return &BlockError{Block: h.block, Reason: "has not ended"}
		}
	}
	before := slices.Clone(f.nodes)
	for _, node := range g.nodes {
		if err := f.add(node); err != nil {
			f.nodes = before
			return err
		}
	}
	f.block = max(f.block, g.block)
	return nil
}

// Lower returns the lower triangle of Rᵀ by rows, with a diagonal ≥ 0, of all blocks and of what the
// open one has, as if that had ended. Where one of the blocks 0, 1, … up to the last is not there,
// the error is a *BlockError.
func (f *RowFactor) Lower() ([]float64, error) {
	whole := &RowFactor{cols: f.cols, nodes: slices.Clone(f.nodes), block: f.block, rows: f.rows}
	if f.rows > 0 {
		f.sleep()
		whole.rest = f.rest
		if left := f.rows % PieceRows; left > 0 {
			whole.piece = newPiece(f.cols)
			whole.piece.View(0, 0, f.cols, left).CopyFrom(f.piece.View(0, 0, f.cols, left))
		}
		if err := whole.EndBlock(); err != nil {
			return nil, err
		}
	}
	l, next := triangle{}, 0
	for _, node := range whole.nodes {
		if node.first() != next {
			return nil, &BlockError{Block: next, Reason: "is missing"}
		}
		next = node.end()
		if l.panels == nil {
			l = unpack(f.cols, node.Lower)
		} else {
			l.absorbLower(node.Lower)
		}
	}
	if l.panels == nil {
		l = newTriangle(f.cols)
	}
	defer l.free()
	l.positive()
	lower := l.pack()
	return lower, checkNode(RowNode{Lower: lower})
}

// JoinFactors returns the lower triangle, by rows, of C with CCᵀ = LLᵀ + MMᵀ and a diagonal ≥ 0 for
// such triangles of L and M of order n: Cᵀ is the triangular factor of [Lᵀ; Mᵀ], found without squaring it.
func JoinFactors(n int, l, m []float64) []float64 {
	mustHold("JoinFactors", n, l)
	mustHold("JoinFactors", n, m)
	joined := unpack(n, l)
	defer joined.free()
	joined.absorbLower(m)
	joined.positive()
	return joined.pack()
}

// JoinRidge sets dst to [JoinFactors] of L and ridge·I, of which only the first columns are not zero, and
// returns it; nil allocates it.
func JoinRidge(dst, l *matrix.Dense, ridge float64, columns int) *matrix.Dense {
	misuse.NotNil("solve: JoinRidge", "l", l)
	mustSquare("JoinRidge", l)
	n := l.Rows
	if columns < 0 || columns > n {
		panic(fmt.Sprintf("solve: JoinRidge: %d columns of a %d×%d factor", columns, n, n))
	}
	if dst == nil {
		dst = matrix.New(n, n)
	}
	mustBe("JoinRidge", "dst", dst, n, n)
	dst.CopyFrom(l)
	memory := pages.Take(n * n)
	defer pages.Leave(memory)
	diagonal, _ := cut(*memory, n, n)
	clear(diagonal.Data)
	for i := range columns {
		diagonal.Set(i, i, ridge)
	}
	joined := lowerOf(dst)
	absorb(joined, diagonal, true)
	joined.positive()
	return dst
}
