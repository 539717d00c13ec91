//go:build purego || !amd64

package f64

// What dispatch.go names and never calls where the tiers of amd64 are not available.

func productLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)    {}
func productLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)     {}
func sqDistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)     {}
func sqDistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)      {}
func l1DistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)     {}
func l1DistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)      {}
func chiSqLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)      {}
func chiSqLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)       {}
func productLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)      {}
func productLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)       {}
func sqDistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)       {}
func sqDistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)        {}
func l1DistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)       {}
func l1DistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)        {}
func chiSqLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)        {}
func chiSqLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)         {}
func product8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)     {}
func product8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)     {}
func product8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)      {}
func product8x16of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int) {}
func product8x8of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)  {}
func sqDist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)      {}
func sqDist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)      {}
func sqDist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)       {}
func l1Dist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)      {}
func l1Dist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)      {}
func l1Dist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)       {}
func chiSq8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)       {}
func chiSq8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)       {}
func chiSq8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)        {}
func product4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)       {}
func product4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)        {}
func product4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)        {}
func product4x8of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)    {}
func product4x4of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)    {}
func sqDist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)        {}
func sqDist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func sqDist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func l1Dist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)        {}
func l1Dist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func l1Dist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func chiSq4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)         {}
func chiSq4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)          {}
func chiSq4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)          {}
func tileRows8x24AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool) {
}
func tileRows8x16AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool) {
}
func tileRows8x8AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool) {
}
func pairs8x24AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool) {
}
func pairs8x16AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool) {
}
func pairs8x8AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool) {
}
func transpose8AVX512(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)      {}
func transpose4AVX2(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)        {}
func copyRowsAVX512(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)    {}
func copyRowsAVX2(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)      {}
func copyPanelsAVX512(dst *float64, ldd int, src *float64, lds, panels, rows int)             {}
func copyPanelsAVX2(dst *float64, ldd int, src *float64, lds, panels, rows int)               {}
func solveTile8x24AVX512(x, l *float64)                                                       {}
func solveTile4x12AVX2(x, l *float64)                                                         {}
func divideComplexAVX512(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int) {}
func divideComplexAVX2(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)   {}
func subtractLanesAVX2(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)              {}
func divideLanesAVX2(y, x, d, t *float64, xs, im, entries int)                                {}
func doubled16AVX512(s, c, a *float64, lda int, b *float64, ldb, k, cols int)                 {}
func doubled16AVX2(s, c, a *float64, lda int, b *float64, ldb, k, cols int)                   {}
func addLanesAVX512(s *Lanes, x *float64, blocks int)                                         {}
func addLanesAVX2(s *Lanes, x *float64, blocks int)                                           {}
func addProductLanesAVX512(s *Lanes, x, y *float64, blocks int)                               {}
func addProductLanesAVX2(s *Lanes, x, y *float64, blocks int)                                 {}
func addScaledProductLanesAVX512(s *Lanes, x, y *float64, blocks int, sx, sy float64)         {}
func addScaledProductLanesAVX2(s *Lanes, x, y *float64, blocks int, sx, sy float64)           {}
func maxAbsBitsAVX512(x *float64, blocks int) uint64                                          { return 0 }
func maxAbsBitsAVX2(x *float64, blocks int) uint64                                            { return 0 }
func allFiniteAVX512(x *float64, blocks int) bool                                             { return false }
func allFiniteAVX2(x *float64, blocks int) bool                                               { return false }
func expScaleAVX512(x []float64, s float64, c *expConsts)                                     {}
func expScaleAVX2(x []float64, s float64, c *expConsts)                                       {}
func tanhAVX512(x []float64, c *expConsts)                                                    {}
func tanhAVX2(x []float64, c *expConsts)                                                      {}
func affinePowAVX512(x []float64, gamma, coef0 float64, n int)                                {}
func affinePowAVX2(x []float64, gamma, coef0 float64, n int)                                  {}
func centreAVX512(x, y *float64, m, grand float64, vectors int)                               {}
func centreAVX2(x, y *float64, m, grand float64, vectors int)                                 {}
func cosineAVX512(dots *float64, square float64, squares *float64, blocks int)                {}
func cosineAVX2(dots *float64, square float64, squares *float64, blocks int)                  {}
func rotateAVX512(x, y *float64, s, tau float64, blocks int)                                  {}
func rotateAVX2(x, y *float64, s, tau float64, blocks int)                                    {}
func pairUpdateAVX512(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int) {
}
func pairUpdateAVX2(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int) {
}
func largestGainAVX512(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int) {
}
func largestGainAVX2(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int) {
}
