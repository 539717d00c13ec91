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
		width := lineWidth(len(c) - j)
		if width == 0 {
			goLine(op, c[j:], a, as, b[j:], bs, k, load)
			return
		}
		for l := 0; l < k; l += lineSteps {
			to, x, y, steps, on := &c[j], &a[l*as], &b[l*bs+j], min(k-l, lineSteps), load || l > 0
			switch isa.Current() {
			case isa.AVX512:
				lineAVX512(op, to, x, as, y, bs, steps, width, on)
			case isa.AVX2:
				lineAVX2(op, to, x, as, y, bs, steps, width, on)
			case isa.NEON:
				lineNEON(op, to, x, as, y, bs, steps, width, on)
			}
		}
		j += width
	}
}

// lineSteps bounds the work of a call of assembly, which cannot be preempted.
const lineSteps = 1 << 13

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
				c[j] = math.FMA(x, y[j], s)
			}
		case SquaredDistance:
			for j, s := range c {
				d := x - y[j]
				c[j] = math.FMA(d, d, s)
			}
		case ManhattanDistance:
			for j, s := range c {
				c[j] = s + math.Abs(x-y[j])
			}
		case ChiSquared:
			for j, s := range c {
				if d := x - y[j]; d != 0 {
					c[j] = math.FMA(d, d/(x+y[j]), s)
				}
			}
		}
	}
}
