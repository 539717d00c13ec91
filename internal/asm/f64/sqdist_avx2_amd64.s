//go:build !purego

#include "textflag.h"
#include "tile_avx2_amd64.h"

// d = A[i,k] − B[k,j], C[i,j] ← F(d, d, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs AVX2 and FMA. Arguments, registers and drawing: tile_avx2_amd64.h.
//
// Y12 and Y13 hold two vectors of the step's row of B; the third has no register
// left and is read for each row. Y14 is the row's element of A and, in the end,
// the last difference; Y15 the differences before.

#define FETCH_1(bo) \
	VMOVUPD bo+0(BX), Y12

#define FETCH_2(bo) \
	FETCH_1(bo); \
	VMOVUPD bo+32(BX), Y13

#define FETCH_3(bo) FETCH_2(bo)

#define ROW_1(off, bo, r0) \
	VBROADCASTSD off(SI), Y14; \
	VSUBPD Y12, Y14, Y15; \
	VFMADD231PD Y15, Y15, r0

#define ROW_2(off, bo, r0, r1) \
	ROW_1(off, bo, r0); \
	VSUBPD Y13, Y14, Y15; \
	VFMADD231PD Y15, Y15, r1

#define ROW_3(off, bo, r0, r1, r2) \
	ROW_2(off, bo, r0, r1); \
	VSUBPD bo+64(BX), Y14, Y14; \
	VFMADD231PD Y14, Y14, r2

// func sqDist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist4x12AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_3, AHEAD_3, 96, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func sqDist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist4x8AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_2, AHEAD_2, 64, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func sqDist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist4x4AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_1, AHEAD_1, 32, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func sqDistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine12AVX2(SB), NOSPLIT, $0-57
	LINE_3
	VZEROUPPER
	RET

// func sqDistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine4AVX2(SB), NOSPLIT, $0-57
	LINE_1
	VZEROUPPER
	RET
