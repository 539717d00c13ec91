package f64

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/isa"
)

// Op is what a tile accumulates along k.
type Op uint8

const (
	Product           Op = iota // s ← F(x, y, s)
	SquaredDistance             // d = x − y, s ← F(d, d, s)
	ManhattanDistance           // s ← s + |x − y|
	ChiSquared                  // d = x − y, q = d/(x + y) or 0 where d = 0, s ← F(d, q, s)
)

func (op Op) String() string {
	switch op {
	case Product:
		return "product"
	case SquaredDistance:
		return "squared distance"
	case ManhattanDistance:
		return "Manhattan distance"
	case ChiSquared:
		return "chi-squared"
	}
	return fmt.Sprintf("Op(%d)", uint8(op))
}

// Shape is the size of a tier's tile of C.
//
// A panel of A holds Rows rows of A step by step: element (i, k) at k·Rows + i.
// A panel of B holds up to Cols columns of B in the same way: element (k, j) at
// k·width + j, where width is PanelWidth of their number. Places without a row
// or a column hold zeros.
type Shape struct {
	Rows, Cols int
	Vector     int // columns in a register: panel widths are its multiples
}

// PanelWidth returns the width of the panel for cols ≤ s.Cols columns of B.
func (s Shape) PanelWidth(cols int) int {
	return (cols + s.Vector - 1) / s.Vector * s.Vector
}

// TileShape returns the shape of the current tier's tiles.
func TileShape() Shape { return shapes[isa.Current()] }

var shapes = [...]Shape{
	isa.Portable: {Rows: 8, Cols: 8, Vector: 8},
	isa.NEON:     {Rows: 6, Cols: 8, Vector: 8},
	isa.AVX2:     {Rows: 4, Cols: 12, Vector: 4},
	isa.AVX512:   {Rows: 8, Cols: 24, Vector: 8},
}

// MaxTile is the number of entries of the largest tile of any tier.
const MaxTile = 8 * 24

// Tile runs k steps of op on a tile of C. For i < rows and j < cols,
//
//	s = c[i·ldc+j] if load, else +0
//	for l = 0 … k−1: s ← op(a(i,l), b(l,j), s)
//	c[i·ldc+j] = s
//
// where a and b are packed panels of the current TileShape and the width of b
// is PanelWidth(cols). Every entry is one chain in the order of l: chains cut at
// any l, with load set for all parts but the first, have the same bits. Without
// load, c is not read; the tile of C that comes next, which is fetched meanwhile,
// begins next values after this one. Nothing but the rows×cols entries of c is written, and
// nothing at all when there are none.
func Tile(op Op, c []float64, ldc, rows, cols int, a, b []float64, k int, load bool, next int) {
	shape := TileShape()
	if rows <= 0 || cols <= 0 {
		return
	}
	width := shape.PanelWidth(cols)
	if rows > shape.Rows || cols > shape.Cols || k < 0 || len(a) < k*shape.Rows || len(b) < k*width || len(c) < (rows-1)*ldc+cols {
		panic(fmt.Sprintf("f64: Tile: %d×%d entries of a %d×%d tile, %d steps, len(a) = %d, len(b) = %d, len(c) = %d, ldc = %d",
			rows, cols, shape.Rows, shape.Cols, k, len(a), len(b), len(c), ldc))
	}
	if k == 0 {
		if !load {
			for i := range rows {
				clear(c[i*ldc : i*ldc+cols])
			}
		}
		return
	}
	if rows <= shape.Rows/4 {
		// The registers of a whole tile would be mostly empty.
		for i := range rows {
			Line(op, c[i*ldc:i*ldc+cols], a[i:], shape.Rows, b, width, k, load)
		}
		return
	}
	if rows == shape.Rows && cols == width {
		fullTile(op, shape, &c[0], ldc, &a[0], &b[0], k, width, load, next)
		return
	}
	edgeTile(op, shape, c, ldc, rows, cols, a, b, k, width, load)
}

// TilePart is Tile for a whole panel of A and a panel of B of which only columns
// from … to−1 are wanted: it spares the others as far as a kernel can. c has all
// shape.Rows rows and all columns of the panel of B, which is width wide; those that
// are not wanted may be overwritten too.
func TilePart(op Op, c []float64, ldc, from, to int, a, b []float64, width, k int, load bool) {
	shape := TileShape()
	if from < 0 || from >= to || to > width || width > shape.Cols || width%shape.Vector != 0 ||
		k < 0 || len(a) < k*shape.Rows || len(b) < k*width || len(c) < (shape.Rows-1)*ldc+width {
		panic(fmt.Sprintf("f64: TilePart: columns %d to %d of %d, %d steps, len(a) = %d, len(b) = %d, len(c) = %d, ldc = %d",
			from, to, width, k, len(a), len(b), len(c), ldc))
	}
	if k == 0 {
		if !load {
			for i := range shape.Rows {
				clear(c[i*ldc+from : i*ldc+to])
			}
		}
		return
	}
	from = from / shape.Vector * shape.Vector
	cols := shape.PanelWidth(to - from)
	if op == Product && width == shape.Cols && cols < width {
		productPart(&c[from], ldc, &a[0], &b[from], k, cols, load)
	} else {
		fullTile(op, shape, &c[0], ldc, &a[0], &b[0], k, width, load, 0)
	}
}

// edgeTile is Tile where the tile does not fill its registers: it runs the same
// kernel on a scratch tile and keeps the entries that exist.
func edgeTile(op Op, shape Shape, c []float64, ldc, rows, cols int, a, b []float64, k, width int, load bool) {
	var scratch [MaxTile]float64
	if load {
		for i := range rows {
			copy(scratch[i*width:], c[i*ldc:i*ldc+cols])
		}
	}
	fullTile(op, shape, &scratch[0], width, &a[0], &b[0], k, width, load, 0)
	for i := range rows {
		copy(c[i*ldc:i*ldc+cols], scratch[i*width:])
	}
}
