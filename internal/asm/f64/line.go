package f64

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/isa"
)

// Line runs k steps of op on one row of C, for operands that need not be packed:
// for every j,
//
//	s = c[j] if load, else +0
//	for l = 0 … k−1: s ← op(a[l·as], b[l·bs+j], s)
//	c[j] = s
//
// Without load, c is not read.
func Line(op Op, c, a []float64, as int, b []float64, bs, k int, load bool) {
	if len(c) == 0 {
		return
	}
	if k == 0 {
		if !load {
			clear(c)
		}
		return
	}
	if k < 0 || as < 0 || bs < 0 || len(a) < (k-1)*as+1 || len(b) < (k-1)*bs+len(c) {
		panic(fmt.Sprintf("f64: Line: %d columns, %d steps, len(a) = %d, as = %d, len(b) = %d, bs = %d", len(c), k, len(a), as, len(b), bs))
	}
	for j := 0; j < len(c); {
		rest := len(c) - j
		width, whole := lineWidth(rest), wholeLine()
		switch {
		case rest < whole && rest != width && k >= longLine:
			padLine(op, c[j:], a, as, b[j:], bs, k, whole, load)
			return
		case width == 0:
			goLine(op, c[j:], a, as, b[j:], bs, k, load)
			return
		}
		runLine(op, c[j:], a, as, b[j:], bs, k, width, load)
		j += width
	}
}

// longLine steps of a chain are worth to copy some columns.
const longLine = 64

// maxLine is the most columns of a kernel without masks.
const maxLine = 12

// wholeLine returns the columns of the widest kernel, 0 where that takes fewer as well.
func wholeLine() int {
	switch isa.Current() {
	case isa.AVX2:
		return 12
	case isa.NEON:
		return 8
	}
	return 0
}

// padLine is Line for fewer columns than width, of which it has the chains run side by
// side all the same: those too many read what follows in b, and a copy of the last rows,
// which nothing follows.
func padLine(op Op, c, a []float64, as int, b []float64, bs, k, width int, load bool) {
	var s, row [maxLine]float64
	if load {
		copy(s[:], c)
	}
	inside := k
	if bs > 0 {
		inside = min(k, (len(b)-width+bs)/bs)
	}
	if len(b) < width {
		inside = 0
	}
	runLine(op, s[:], a, as, b, bs, inside, width, load)
	for l := inside; l < k; l++ {
		copy(row[:], b[l*bs:][:len(c)])
		runLine(op, s[:], a[l*as:], as, row[:], bs, 1, width, load || l > 0)
	}
	copy(c, s[:])
}

// lineSteps bounds the work of a call of assembly, which cannot be preempted.
const lineSteps = 1 << 13

// runLine is Line for as many columns as a kernel takes.
func runLine(op Op, c, a []float64, as int, b []float64, bs, k, width int, load bool) {
	for l := 0; l < k; l += lineSteps {
		to, x, y, steps, on := &c[0], &a[l*as], &b[l*bs], min(k-l, lineSteps), load || l > 0
		switch isa.Current() {
		case isa.AVX512:
			lineAVX512(op, to, x, as, y, bs, steps, width, on)
		case isa.AVX2:
			lineAVX2(op, to, x, as, y, bs, steps, width, on)
		case isa.NEON:
			lineNEON(op, to, x, as, y, bs, steps, width, on)
		}
	}
}

// goLine is Line in Go.
func goLine(op Op, c, a []float64, as int, b []float64, bs, k int, load bool) {
	if !load {
		clear(c)
	}
	for l := range k {
		x, y := a[l*as], b[l*bs:][:len(c)]
		switch op {
		case Product:
			for j, s := range c {
				c[j] = FMA(x, y[j], s)
			}
		case SquaredDistance:
			for j, s := range c {
				d := x - y[j]
				c[j] = FMA(d, d, s)
			}
		case ManhattanDistance:
			for j, s := range c {
				c[j] = s + math.Abs(x-y[j])
			}
		case ChiSquared:
			for j, s := range c {
				if d := x - y[j]; d != 0 {
					c[j] = FMA(d, d/(x+y[j]), s)
				}
			}
		}
	}
}
