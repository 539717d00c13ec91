//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "tile_neon_arm64.h"

// d = A[i,k] − B[k,j], t = A[i,k] + B[k,j], C[i,j] ← C[i,j] + d²/t, and where t = 0
// C[i,j] stays, for k = 0, 1, …: see chisq.go.
// Needs Advanced SIMD. Arguments, registers and drawing: tile_neon_arm64.h.
//
// V5 is d, d² and d²/t, V6 is t, V7 marks t = 0. Where it clears d²/t, C[i,j] + 0
// leaves C[i,j], which is never −0.

#define ENTRY(y, r) \
	FSUB2(y, 4, 5); \
	FADD2(y, 4, 6); \
	FMUL2(5, 5, 5); \
	FCMEQZ2(6, 7); \
	FDIV2(6, 5, 5); \
	BIC2(7, 5, 5); \
	FADD2(5, r, r)

// func chiSq6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool)
TEXT ·chiSq6x8NEON(SB), NOSPLIT, $0-41
	TILE(STEP)
	RET
