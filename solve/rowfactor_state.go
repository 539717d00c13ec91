package solve

import (
	"fmt"
	"math/bits"

	"github.com/seed92411348/kfda/matrix"
)

// RowState is all that a [RowFactor] has, for who keeps or sends it.
type RowState struct {
	Cols  int
	Nodes []RowNode // by their first blocks

	Block, Rows int           // the open block and the number of its rows
	Open        []float64     // the factor of its whole pieces, as RowNode has it, nil without rows
	Piece       *matrix.Dense // its other rows, Rows modulo [PieceRows] of them
}

// State returns that of f, with which it shares memory that neither changes.
func (f *RowFactor) State() RowState {
	s := RowState{Cols: f.cols, Nodes: f.nodes, Block: f.block, Rows: f.rows, Piece: matrix.New(0, 0)}
	if f.rows > 0 {
		f.sleep()
		s.Open = f.rest
	}
	if left := f.rows % PieceRows; left > 0 {
		s.Piece = matrix.Transpose(nil, f.piece.View(0, 0, f.cols, left))
	}
	return s
}

// RestoreRowFactor returns the RowFactor that had the state, of finite numbers. A state that none can have is
// an error.
func RestoreRowFactor(s RowState) (*RowFactor, error) {
	if s.Cols < 1 || s.Block < 0 || s.Rows < 0 || s.Piece == nil {
		return nil, fmt.Errorf("solve: %d columns, block %d with %d rows", s.Cols, s.Block, s.Rows)
	}
	f := NewRowFactor(s.Cols, s.Block)
	size := uint64(s.Cols) * uint64(s.Cols+1) / 2
	for _, n := range s.Nodes {
		if n.Level < 0 || n.Index < 0 || bits.Len(uint(n.Index))+n.Level > bits.UintSize-2 || n.end() > s.Block || uint64(len(n.Lower)) != size {
			return nil, fmt.Errorf("solve: node %d of level %d before block %d has %d numbers, want %d", n.Index, n.Level, s.Block, len(n.Lower), size)
		}
		if i := len(f.nodes) - 1; i >= 0 {
			switch last := f.nodes[i]; {
			case n.first() < last.end():
				return nil, &BlockError{Block: n.first(), Reason: "is there twice"}
			case n.Level == last.Level && n.Index^1 == last.Index:
				return nil, &BlockError{Block: n.first(), Reason: "is not joined with its sibling"}
			}
		}
		f.nodes = append(f.nodes, n)
	}
	left := s.Rows % PieceRows
	if s.Piece.Rows != left || left > 0 && s.Piece.Cols != s.Cols || s.Rows > 0 && uint64(len(s.Open)) != size {
		return nil, fmt.Errorf("solve: an open block of %d rows and %d columns has %d numbers and %d×%d rows", s.Rows, s.Cols, len(s.Open), s.Piece.Rows, s.Piece.Cols)
	}
	if f.rows = s.Rows; f.rows > 0 {
		f.rest, f.piece = s.Open, newPiece(f.cols)
		if left > 0 {
			matrix.Transpose(f.piece.View(0, 0, f.cols, left), s.Piece)
		}
	}
	return f, nil
}
