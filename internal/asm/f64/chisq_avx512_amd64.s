//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// d = A[i,k] − B[k,j], q = d/(A[i,k] + B[k,j]), 0 where d = 0,
// C[i,j] ← F(d, q, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs AVX512F and AVX512DQ. Arguments, registers and drawing: tile_avx512_amd64.h.
//
// Z30 is the sum and then q, Z31 zero, and K1 marks the lanes with d ≠ 0.

#define ENTRY(y, r, d) \
	VSUBPD y, Z27, d; \
	VADDPD y, Z27, Z30; \
	VCMPPD $4, Z31, d, K1; \
	VDIVPD.Z Z30, d, K1, Z30; \
	VFMADD231PD Z30, d, r

// func chiSq8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq8x24AVX512(SB), NOSPLIT, $0-56
	VPXORQ Z31, Z31, Z31
	TILE(STEP_3, AHEAD_3, 192, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func chiSq8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq8x16AVX512(SB), NOSPLIT, $0-56
	VPXORQ Z31, Z31, Z31
	TILE(STEP_2, AHEAD_2, 128, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func chiSq8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq8x8AVX512(SB), NOSPLIT, $0-56
	VPXORQ Z31, Z31, Z31
	TILE(STEP_1, AHEAD_1, 64, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET

// func chiSqLine24AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine24AVX512(SB), NOSPLIT, $0-57
	VPXORQ Z31, Z31, Z31
	LINE_3
	VZEROUPPER
	RET

// func chiSqLine8AVX512(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine8AVX512(SB), NOSPLIT, $0-57
	VPXORQ Z31, Z31, Z31
	LINE_1
	VZEROUPPER
	RET
