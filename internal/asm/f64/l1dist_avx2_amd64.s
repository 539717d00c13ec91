//go:build !purego

#include "textflag.h"
#include "tile_avx2_amd64.h"

// C[i,j] ← C[i,j] + |A[i,k] − B[k,j]| for k = 0, 1, …: see portable_tile.go.
// Needs AVX2 and FMA. Arguments, registers and drawing: tile_avx2_amd64.h.
//
// Y14 is the row's element of A, Y15 a difference, Y13 clears the sign. Y12 holds
// ones: the sum is F(|d|, 1, C[i,j]), the same value as an addition, and leaves
// the adders to the subtractions.

#define CONSTANTS \
	VPCMPEQQ Y13, Y13, Y13; \
	VPSRLQ $1, Y13, Y13; \
	MOVQ $0x3ff0000000000000, AX; \
	VMOVQ AX, X12; \
	VPBROADCASTQ X12, Y12

#define FETCH_1(bo)
#define FETCH_2(bo)
#define FETCH_3(bo)

#define ENTRY(bo, r) \
	VSUBPD bo(BX), Y14, Y15; \
	VANDPD Y13, Y15, Y15; \
	VFMADD231PD Y12, Y15, r

#define ROW_1(off, bo, r0) \
	VBROADCASTSD off(SI), Y14; \
	ENTRY(bo+0, r0)

#define ROW_2(off, bo, r0, r1) \
	ROW_1(off, bo, r0); \
	ENTRY(bo+32, r1)

#define ROW_3(off, bo, r0, r1, r2) \
	ROW_2(off, bo, r0, r1); \
	ENTRY(bo+64, r2)

// func l1Dist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist4x12AVX2(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_3, AHEAD_3, 96, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func l1Dist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist4x8AVX2(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_2, AHEAD_2, 64, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func l1Dist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist4x4AVX2(SB), NOSPLIT, $0-56
	CONSTANTS
	TILE(STEP_1, AHEAD_1, 32, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func l1DistLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine12AVX2(SB), NOSPLIT, $0-57
	CONSTANTS
	LINE_3
	VZEROUPPER
	RET

// func l1DistLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine4AVX2(SB), NOSPLIT, $0-57
	CONSTANTS
	LINE_1
	VZEROUPPER
	RET
