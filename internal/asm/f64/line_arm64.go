//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// lineWidth returns how many of n columns the next call of line takes, 0 for none.
func lineWidth(n int) int {
	switch {
	case isa.Current() != isa.NEON || n < 2:
		return 0
	case n >= 8:
		return 8
	}
	return 2
}

// line is Line for lineWidth columns.
func line(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {
	wide := cols == 8
	switch op {
	case Product:
		if wide {
			productLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			productLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case SquaredDistance:
		if wide {
			sqDistLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			sqDistLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case ManhattanDistance:
		if wide {
			l1DistLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			l1DistLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case ChiSquared:
		if wide {
			chiSqLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			chiSqLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	}
}

//go:noescape
func productLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func productLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
