//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// C[i,j] ← F(A[i,k], B[k,j], C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs AVX512F and AVX512DQ. Arguments, registers and drawing: tile_avx512_amd64.h.

#define ENTRY(y, r, d) \
	VFMADD231PD y, Z27, r

// func product8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product8x24AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_3, AHEAD_3, 192, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func product8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product8x16AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_2, AHEAD_2, 128, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func product8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product8x8AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_1, AHEAD_1, 64, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// The same for some columns of a panel of B of 24.

// func product8x16of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product8x16of24AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_2, AHEAD_2, 192, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func product8x8of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product8x8of24AVX512(SB), NOSPLIT, $0-56
	TILE(STEP_1, AHEAD_1, 192, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func productLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·productLine24AVX512(SB), NOSPLIT, $0-57
	LINE_3
	VZEROUPPER
	RET

// func productLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·productLine8AVX512(SB), NOSPLIT, $0-57
	LINE_1
	VZEROUPPER
	RET
