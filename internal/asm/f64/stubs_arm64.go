//go:build !purego

package f64

// The assembly of NEON: see the drawing of a tile in tile_neon_arm64.h.

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

//go:noescape
func product6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func transpose2NEON(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func copyRowsNEON(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyPanelsNEON(dst *float64, ldd int, src *float64, lds, panels, rows int)

//go:noescape
func solveTile6x8NEON(x, l *float64)

//go:noescape
func divideComplexNEON(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)

//go:noescape
func subtractLanesNEON(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)

//go:noescape
func divideLanesNEON(y, x, d, t *float64, xs, im, entries int)

//go:noescape
func doubled16NEON(s, c, a *float64, lda int, b *float64, ldb, k, cols int)

//go:noescape
func addLanesNEON(s *Lanes, x *float64, blocks int)

//go:noescape
func addProductLanesNEON(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addScaledProductLanesNEON(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func maxAbsBitsNEON(x *float64, blocks int) uint64

//go:noescape
func allFiniteNEON(x *float64, blocks int) bool

//go:noescape
func expScaleNEON(x []float64, s float64, c *expConsts)

//go:noescape
func tanhNEON(x []float64, c *expConsts)

//go:noescape
func affinePowNEON(x []float64, gamma, coef0 float64, n int)

//go:noescape
func centreNEON(x, y *float64, m, grand float64, vectors int)

//go:noescape
func cosineNEON(dots *float64, square float64, squares *float64, blocks int)

//go:noescape
func rotateNEON(x, y *float64, s, tau float64, blocks int)

//go:noescape
func pairUpdateNEON(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func largestGainNEON(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
