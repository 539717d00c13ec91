//go:build !purego

package f64

// The assembly of AVX-512 and AVX2. A tile of C is in registers: see the drawings in
// tile_avx512_amd64.h and tile_avx2_amd64.h.

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

//go:noescape
func product8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x16of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x8of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x8of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x4of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func tileRows8x24AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)

//go:noescape
func tileRows8x16AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)

//go:noescape
func tileRows8x8AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)

//go:noescape
func pairs8x24AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)

//go:noescape
func pairs8x16AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)

//go:noescape
func pairs8x8AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)

//go:noescape
func transpose8AVX512(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func transpose4AVX2(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func copyRowsAVX512(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyRowsAVX2(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyPanelsAVX512(dst *float64, ldd int, src *float64, lds, panels, rows int)

//go:noescape
func copyPanelsAVX2(dst *float64, ldd int, src *float64, lds, panels, rows int)

//go:noescape
func solveTile8x24AVX512(x, l *float64)

//go:noescape
func solveTile4x12AVX2(x, l *float64)

//go:noescape
func divideComplexAVX512(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)

//go:noescape
func divideComplexAVX2(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)

//go:noescape
func subtractLanesAVX2(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)

//go:noescape
func divideLanesAVX2(y, x, d, t *float64, xs, im, entries int)

//go:noescape
func doubled16AVX512(s, c, a *float64, lda int, b *float64, ldb, k, cols int)

//go:noescape
func doubled16AVX2(s, c, a *float64, lda int, b *float64, ldb, k, cols int)

//go:noescape
func addLanesAVX512(s *Lanes, x *float64, blocks int)

//go:noescape
func addLanesAVX2(s *Lanes, x *float64, blocks int)

//go:noescape
func addProductLanesAVX512(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addProductLanesAVX2(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addScaledProductLanesAVX512(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func addScaledProductLanesAVX2(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func maxAbsBitsAVX512(x *float64, blocks int) uint64

//go:noescape
func maxAbsBitsAVX2(x *float64, blocks int) uint64

//go:noescape
func allFiniteAVX512(x *float64, blocks int) bool

//go:noescape
func allFiniteAVX2(x *float64, blocks int) bool

//go:noescape
func expScaleAVX512(x []float64, s float64, c *expConsts)

//go:noescape
func expScaleAVX2(x []float64, s float64, c *expConsts)

//go:noescape
func tanhAVX512(x []float64, c *expConsts)

//go:noescape
func tanhAVX2(x []float64, c *expConsts)

//go:noescape
func affinePowAVX512(x []float64, gamma, coef0 float64, n int)

//go:noescape
func affinePowAVX2(x []float64, gamma, coef0 float64, n int)

//go:noescape
func centreAVX512(x, y *float64, m, grand float64, vectors int)

//go:noescape
func centreAVX2(x, y *float64, m, grand float64, vectors int)

//go:noescape
func cosineAVX512(dots *float64, square float64, squares *float64, blocks int)

//go:noescape
func cosineAVX2(dots *float64, square float64, squares *float64, blocks int)

//go:noescape
func rotateAVX512(x, y *float64, s, tau float64, blocks int)

//go:noescape
func rotateAVX2(x, y *float64, s, tau float64, blocks int)

//go:noescape
func pairUpdateAVX512(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func pairUpdateAVX2(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func largestGainAVX512(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)

//go:noescape
func largestGainAVX2(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
