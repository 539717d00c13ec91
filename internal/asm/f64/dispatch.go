package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels of every tier, by what they compute. A call is direct, and arguments on the
// stack stay there. Kernels of vectors take whole vectors or blocks of eight numbers, at
// least one; what is left over is for the loops in Go.

// wholeVectors returns how many of n numbers whole vectors of the tier make up.
func wholeVectors(n int) int {
	switch isa.Current() {
	case isa.AVX512:
		return n &^ 7
	case isa.AVX2:
		return n &^ 3
	case isa.NEON:
		return n &^ 1
	}
	return 0
}

// transposeRows returns the number of rows that transposeBlocks works on, and how
// many of n rows such blocks make up.
func transposeRows(n int) (block, rows int) {
	switch isa.Current() {
	case isa.AVX512:
		return 8, n &^ 7
	case isa.AVX2:
		return 4, n &^ 3
	case isa.NEON:
		return 2, n &^ 1
	}
	return 4, n &^ 3
}

// transposeBlocks transposes a row of square blocks.
func transposeBlocks(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64) {
	switch isa.Current() {
	case isa.AVX512:
		transpose8AVX512(dst, ldd, src, lds, blocks, flip)
	case isa.AVX2:
		transpose4AVX2(dst, ldd, src, lds, blocks, flip)
	case isa.NEON:
		transpose2NEON(dst, ldd, src, lds, blocks, flip)
	default:
		transpose4Go(dst, ldd, src, lds, blocks, flip)
	}
}

// copyCols returns how many of n columns copyRowCols can copy at once, and how many
// of the width places it then fills.
func copyCols(n, width int) (cols, places int) {
	switch isa.Current() {
	case isa.AVX512:
		cols = min(n, 24)
		if places = (cols + 7) &^ 7; places > width {
			cols &^= 7
			places = cols
		}
		return cols, places
	case isa.AVX2:
		cols = min(n&^3, 12)
	case isa.NEON:
		if n >= 6 {
			cols = min(n&^1, 8)
		}
	}
	return cols, cols
}

// copyRowCols copies rows of that many columns.
func copyRowCols(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64) {
	switch isa.Current() {
	case isa.AVX512:
		copyRowsAVX512(dst, ldd, src, lds, cols, rows, flip)
	case isa.AVX2:
		copyRowsAVX2(dst, ldd, src, lds, cols, rows, flip)
	case isa.NEON:
		copyRowsNEON(dst, ldd, src, lds, cols, rows, flip)
	}
}

// copyPanels packs whole panels of rows that are contiguous in src, and reports
// whether it could.
func copyPanels(dst []float64, shape Shape, src Source, panels, k int) bool {
	switch isa.Current() {
	case isa.AVX512:
		copyPanelsAVX512(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	case isa.AVX2:
		copyPanelsAVX2(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	case isa.NEON:
		copyPanelsNEON(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	default:
		return false
	}
	return true
}

func solveTile(shape Shape, x, l []float64) {
	switch isa.Current() {
	case isa.AVX512:
		solveTile8x24AVX512(&x[0], &l[0])
	case isa.AVX2:
		solveTile4x12AVX2(&x[0], &l[0])
	case isa.NEON:
		solveTile6x8NEON(&x[0], &l[0])
	default:
		solveTileGo(shape, x, l)
	}
}

// divideComplex is DivideComplex for n > 0 numbers, wholeVectors of them.
func divideComplex(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, n int) {
	switch isa.Current() {
	case isa.AVX512:
		divideComplexAVX512(lre, lim, q, e, ure, uim, dre, dim, t, n/8)
	case isa.AVX2:
		divideComplexAVX2(lre, lim, q, e, ure, uim, dre, dim, t, n/4)
	case isa.NEON:
		divideComplexNEON(lre, lim, q, e, ure, uim, dre, dim, t, n/2)
	}
}

// LanesOfTier returns how many lanes of ComplexLanes the tier has a kernel for. That of
// AVX2 serves both tiers: what they wait for is memory and, with few entries, the call.
func LanesOfTier() int {
	switch isa.Current() {
	case isa.AVX512, isa.AVX2:
		return 4
	case isa.NEON:
		return 2
	}
	return 1
}

func subtractLanes(c, a, u *float64, cs, as, im, ak, uk, entries, steps int) {
	if isa.Current() == isa.NEON {
		subtractLanesNEON(c, a, u, cs, as, im, ak, uk, entries, steps)
	} else {
		subtractLanesAVX2(c, a, u, cs, as, im, ak, uk, entries, steps)
	}
}

func divideLanes(y, x, d, t *float64, xs, im, entries int) {
	if isa.Current() == isa.NEON {
		divideLanesNEON(y, x, d, t, xs, im, entries)
	} else {
		divideLanesAVX2(y, x, d, t, xs, im, entries)
	}
}

// doubled runs k ≥ 1 steps of Doubled for up to doubledColumns columns.
func doubled(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	switch isa.Current() {
	case isa.AVX512:
		doubled16AVX512(s, c, a, lda, b, ldb, k, cols)
	case isa.AVX2:
		doubled16AVX2(s, c, a, lda, b, ldb, k, cols)
	case isa.NEON:
		doubled16NEON(s, c, a, lda, b, ldb, k, cols)
	default:
		doubledGo(s, c, a, lda, b, ldb, k, cols)
	}
}

func addLanes(s *Lanes, x []float64) {
	switch isa.Current() {
	case isa.AVX512:
		addLanesAVX512(s, &x[0], len(x)/8)
	case isa.AVX2:
		addLanesAVX2(s, &x[0], len(x)/8)
	case isa.NEON:
		addLanesNEON(s, &x[0], len(x)/8)
	default:
		addLanesGo(s, x)
	}
}

func addProductLanes(s *Lanes, x, y []float64) {
	switch isa.Current() {
	case isa.AVX512:
		addProductLanesAVX512(s, &x[0], &y[0], len(x)/8)
	case isa.AVX2:
		addProductLanesAVX2(s, &x[0], &y[0], len(x)/8)
	case isa.NEON:
		addProductLanesNEON(s, &x[0], &y[0], len(x)/8)
	default:
		addProductLanesGo(s, x, y)
	}
}

func addScaledProductLanes(s *Lanes, x, y []float64, sx, sy float64) {
	switch isa.Current() {
	case isa.AVX512:
		addScaledProductLanesAVX512(s, &x[0], &y[0], len(x)/8, sx, sy)
	case isa.AVX2:
		addScaledProductLanesAVX2(s, &x[0], &y[0], len(x)/8, sx, sy)
	case isa.NEON:
		addScaledProductLanesNEON(s, &x[0], &y[0], len(x)/8, sx, sy)
	default:
		addScaledProductLanesGo(s, x, y, sx, sy)
	}
}

func maxAbsBits(x []float64) uint64 {
	switch isa.Current() {
	case isa.AVX512:
		return maxAbsBitsAVX512(&x[0], len(x)/8)
	case isa.AVX2:
		return maxAbsBitsAVX2(&x[0], len(x)/8)
	case isa.NEON:
		return maxAbsBitsNEON(&x[0], len(x)/8)
	}
	return maxAbsBitsGo(x)
}

func allFinite(x []float64) bool {
	switch isa.Current() {
	case isa.AVX512:
		return allFiniteAVX512(&x[0], len(x)/8)
	case isa.AVX2:
		return allFiniteAVX2(&x[0], len(x)/8)
	case isa.NEON:
		return allFiniteNEON(&x[0], len(x)/8)
	}
	return allFiniteGo(x)
}

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) {
	switch isa.Current() {
	case isa.AVX512:
		expScaleAVX512(x, s, expData)
	case isa.AVX2:
		expScaleAVX2(x, s, expData)
	case isa.NEON:
		expScaleNEON(x, s, expData)
	default:
		expScaleGo(x, s)
	}
}

// tanh replaces every x by Tanh(x).
func tanh(x []float64) {
	switch isa.Current() {
	case isa.AVX512:
		tanhAVX512(x, expData)
	case isa.AVX2:
		tanhAVX2(x, expData)
	case isa.NEON:
		tanhNEON(x, expData)
	default:
		tanhGo(x)
	}
}

// affinePow replaces every x by F(γ, x, c)ⁿ.
func affinePow(x []float64, gamma, coef0 float64, n int) {
	switch isa.Current() {
	case isa.AVX512:
		affinePowAVX512(x, gamma, coef0, n)
	case isa.AVX2:
		affinePowAVX2(x, gamma, coef0, n)
	case isa.NEON:
		affinePowNEON(x, gamma, coef0, n)
	default:
		affinePowGo(x, gamma, coef0, n)
	}
}

// centre is Centre for n > 0 numbers, wholeVectors of them.
func centre(x, y *float64, m, g float64, n int) {
	switch isa.Current() {
	case isa.AVX512:
		centreAVX512(x, y, m, g, n/8)
	case isa.AVX2:
		centreAVX2(x, y, m, g, n/4)
	case isa.NEON:
		centreNEON(x, y, m, g, n/2)
	}
}

// cosineBlocks is Cosine for blocks of eight numbers. It reports whether the tier has it.
func cosineBlocks(dots *float64, square float64, squares *float64, blocks int) bool {
	switch isa.Current() {
	case isa.AVX512:
		cosineAVX512(dots, square, squares, blocks)
	case isa.AVX2:
		cosineAVX2(dots, square, squares, blocks)
	case isa.NEON:
		cosineNEON(dots, square, squares, blocks)
	default:
		return false
	}
	return true
}

// rotateBlocks is Rotate for blocks of eight pairs. It reports whether the tier has it.
func rotateBlocks(x, y *float64, s, tau float64, blocks int) bool {
	switch isa.Current() {
	case isa.AVX512:
		rotateAVX512(x, y, s, tau, blocks)
	case isa.AVX2:
		rotateAVX2(x, y, s, tau, blocks)
	case isa.NEON:
		rotateNEON(x, y, s, tau, blocks)
	default:
		return false
	}
	return true
}

func pairUpdate(c *candidates, first int, g, rise []float64, di float64, ki []float64, dj float64, kj []float64) {
	switch isa.Current() {
	case isa.AVX512:
		pairUpdateAVX512(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	case isa.AVX2:
		pairUpdateAVX2(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	case isa.NEON:
		pairUpdateNEON(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	default:
		pairUpdateGo(c, first, g, rise, di, ki, dj, kj)
	}
}

func largestGain(c *candidates, gaps *[8]float64, first int, g, fall []float64, gi float64, ki, kd []float64, kii float64) {
	switch isa.Current() {
	case isa.AVX512:
		largestGainAVX512(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	case isa.AVX2:
		largestGainAVX2(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	case isa.NEON:
		largestGainNEON(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	default:
		largestGainGo(c, gaps, first, g, fall, gi, ki, kd, kii)
	}
}
