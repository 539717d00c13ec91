//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// d = A[i,k] − B[k,j], C[i,j] ← F(d, d, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs AVX512F and AVX512DQ. Arguments, registers and drawing: tile_avx512_amd64.h.

#define ENTRY(y, r, d) \
	VSUBPD y, Z27, d; \
	VFMADD231PD d, d, r

#define ENTRY_MEM(off, y, r, d) \
	VSUBPD.BCST off(SI), y, d; \
	VFMADD231PD d, d, r

// func sqDist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist8x24AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_MEM_3, AHEAD_3, 192, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func sqDist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist8x16AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_2, AHEAD_2, 128, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func sqDist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist8x8AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_1, AHEAD_1, 64, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func sqDistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine24AVX512(SB), NOSPLIT, $0-57
	LINE_3
	VZEROUPPER
	RET

// func sqDistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine8AVX512(SB), NOSPLIT, $0-57
	LINE_1
	VZEROUPPER
	RET
