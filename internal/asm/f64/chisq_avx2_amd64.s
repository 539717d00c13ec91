//go:build !purego

#include "textflag.h"
#include "tile_avx2_amd64.h"

// d = A[i,k] − B[k,j], q = d/(A[i,k] + B[k,j]), 0 where d = 0,
// C[i,j] ← F(d, q, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs AVX2 and FMA. Arguments, registers and drawing: tile_avx2_amd64.h.
//
// Y14 is the row's element of A, Y13 is d, Y12 the sum and then q, Y15 marks the
// lanes with d ≠ 0.

#define FETCH_1(bo)
#define FETCH_2(bo)
#define FETCH_3(bo)

#define ENTRY(bo, r) \
	VSUBPD bo(BX), Y14, Y13; \
	VADDPD bo(BX), Y14, Y12; \
	VDIVPD Y12, Y13, Y12; \
	VXORPD Y15, Y15, Y15; \
	VCMPPD $4, Y15, Y13, Y15; \
	VANDPD Y15, Y12, Y12; \
	VFMADD231PD Y12, Y13, r

#define ROW_1(off, bo, r0) \
	VBROADCASTSD off(SI), Y14; \
	ENTRY(bo+0, r0)

#define ROW_2(off, bo, r0, r1) \
	ROW_1(off, bo, r0); \
	ENTRY(bo+32, r1)

#define ROW_3(off, bo, r0, r1, r2) \
	ROW_2(off, bo, r0, r1); \
	ENTRY(bo+64, r2)

// func chiSq4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq4x12AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_3, AHEAD_3, 96, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func chiSq4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq4x8AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_2, AHEAD_2, 64, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func chiSq4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq4x4AVX2(SB), NOSPLIT, $0-56
	TILE(STEP_1, AHEAD_1, 32, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func chiSqLine12AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine12AVX2(SB), NOSPLIT, $0-57
	LINE_3
	VZEROUPPER
	RET

// func chiSqLine4AVX2(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine4AVX2(SB), NOSPLIT, $0-57
	LINE_1
	VZEROUPPER
	RET
