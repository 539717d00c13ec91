//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// lineWidth returns how many of n columns the next call of line takes, 0 for none.
func lineWidth(n int) int {
	switch isa.Current() {
	case isa.AVX512:
		return min(n, 24)
	case isa.AVX2:
		if n >= 12 {
			return 12
		}
		if n >= 4 {
			return 4
		}
	}
	return 0
}

// line is Line for lineWidth columns.
func line(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {
	wide := cols > 8
	if isa.Current() == isa.AVX512 {
		switch op {
		case Product:
			if wide {
				productLine24AVX512(c, a, as, b, bs, k, cols, load)
			} else {
				productLine8AVX512(c, a, as, b, bs, k, cols, load)
			}
		case SquaredDistance:
			if wide {
				sqDistLine24AVX512(c, a, as, b, bs, k, cols, load)
			} else {
				sqDistLine8AVX512(c, a, as, b, bs, k, cols, load)
			}
		case ManhattanDistance:
			if wide {
				l1DistLine24AVX512(c, a, as, b, bs, k, cols, load)
			} else {
				l1DistLine8AVX512(c, a, as, b, bs, k, cols, load)
			}
		case ChiSquared:
			if wide {
				chiSqLine24AVX512(c, a, as, b, bs, k, cols, load)
			} else {
				chiSqLine8AVX512(c, a, as, b, bs, k, cols, load)
			}
		}
		return
	}
	switch op {
	case Product:
		if wide {
			productLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			productLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case SquaredDistance:
		if wide {
			sqDistLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			sqDistLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case ManhattanDistance:
		if wide {
			l1DistLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			l1DistLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case ChiSquared:
		if wide {
			chiSqLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			chiSqLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	}
}

//go:noescape
func productLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func productLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func productLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func productLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func sqDistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func l1DistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)

//go:noescape
func chiSqLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
