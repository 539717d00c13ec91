//go:build purego || !arm64

package f64

// What dispatch.go names and never calls where the tier of arm64 is not available.

func productLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)        {}
func productLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)        {}
func sqDistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)         {}
func sqDistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)         {}
func l1DistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)         {}
func l1DistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)         {}
func chiSqLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)          {}
func chiSqLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)          {}
func product6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func sqDist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)          {}
func l1Dist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)          {}
func chiSq6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)           {}
func transpose2NEON(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)      {}
func copyRowsNEON(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)    {}
func copyPanelsNEON(dst *float64, ldd int, src *float64, lds, panels, rows int)             {}
func solveTile6x8NEON(x, l *float64)                                                        {}
func divideComplexNEON(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int) {}
func subtractLanesNEON(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)            {}
func divideLanesNEON(y, x, d, t *float64, xs, im, entries int)                              {}
func doubled16NEON(s, c, a *float64, lda int, b *float64, ldb, k, cols int)                 {}
func addLanesNEON(s *Lanes, x *float64, blocks int)                                         {}
func addProductLanesNEON(s *Lanes, x, y *float64, blocks int)                               {}
func addScaledProductLanesNEON(s *Lanes, x, y *float64, blocks int, sx, sy float64)         {}
func maxAbsBitsNEON(x *float64, blocks int) uint64                                          { return 0 }
func allFiniteNEON(x *float64, blocks int) bool                                             { return false }
func expScaleNEON(x []float64, s float64, c *expConsts)                                     {}
func tanhNEON(x []float64, c *expConsts)                                                    {}
func affinePowNEON(x []float64, gamma, coef0 float64, n int)                                {}
func centreNEON(x, y *float64, m, grand float64, vectors int)                               {}
func cosineNEON(dots *float64, square float64, squares *float64, blocks int)                {}
func rotateNEON(x, y *float64, s, tau float64, blocks int)                                  {}
func pairUpdateNEON(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int) {
}
func largestGainNEON(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int) {
}
