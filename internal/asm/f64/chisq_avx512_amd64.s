//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// d = A[i,k] − B[k,j], t = A[i,k] + B[k,j], C[i,j] ← C[i,j] + d²/t, and where t = 0
// C[i,j] stays, for k = 0, 1, …: see chisq.go.
// Needs AVX512F. Arguments, registers and drawing: tile_avx512_amd64.h.
//
// Z30 is t, Z31 zero, and K1 marks the lanes with t ≠ 0.

#define ENTRY(y, r, d) \
	VSUBPD y, Z27, d; \
	VADDPD y, Z27, Z30; \
	VMULPD d, d, d; \
	VCMPPD $4, Z31, Z30, K1; \
	VDIVPD Z30, d, d; \
	VADDPD d, r, K1, r

// func chiSq8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool)
TEXT ·chiSq8x24AVX512(SB), NOSPLIT, $0-41
	VPXORQ Z31, Z31, Z31
	TILE(STEP_3, 192, LOAD_3, ZERO_3, STORE_3)
	VZEROUPPER
	RET

// func chiSq8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool)
TEXT ·chiSq8x16AVX512(SB), NOSPLIT, $0-41
	VPXORQ Z31, Z31, Z31
	TILE(STEP_2, 128, LOAD_2, ZERO_2, STORE_2)
	VZEROUPPER
	RET

// func chiSq8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool)
TEXT ·chiSq8x8AVX512(SB), NOSPLIT, $0-41
	VPXORQ Z31, Z31, Z31
	TILE(STEP_1, 64, LOAD_1, ZERO_1, STORE_1)
	VZEROUPPER
	RET
