//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// C[i,j] ← C[i,j] + |A[i,k] − B[k,j]| for k = 0, 1, …: see portable_tile.go.
// Needs AVX512F and AVX512DQ. Arguments, registers and drawing: tile_avx512_amd64.h.
//
// Z31 clears the sign. Z30 holds ones: the sum is F(|d|, 1, C[i,j]), the same
// value as an addition, and leaves the adders to the subtractions.

#define CONSTANTS \
	MOVQ $0x3ff0000000000000, AX; \
	VPBROADCASTQ AX, Z30; \
	MOVQ $0x7fffffffffffffff, AX; \
	VPBROADCASTQ AX, Z31

#define ENTRY(y, r, d) \
	VSUBPD y, Z27, d; \
	VANDPD Z31, d, d; \
	VFMADD231PD Z30, d, r

#define ENTRY_MEM(off, y, r, d) \
	VSUBPD.BCST off(SI), y, d; \
	VANDPD Z31, d, d; \
	VFMADD231PD Z30, d, r

// func l1Dist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist8x24AVX512(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_MEM_3, AHEAD_3, 192, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func l1Dist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist8x16AVX512(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_2, AHEAD_2, 128, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func l1Dist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist8x8AVX512(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_1, AHEAD_1, 64, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func l1DistLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine24AVX512(SB), NOSPLIT, $0-57
	CONSTANTS
	LINE_3
	VZEROUPPER
	RET

// func l1DistLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine8AVX512(SB), NOSPLIT, $0-57
	CONSTANTS
	LINE_1
	VZEROUPPER
	RET
