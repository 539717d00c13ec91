//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "tile_neon_arm64.h"

// d = A[i,k] − B[k,j], q = d/(A[i,k] + B[k,j]), 0 where d = 0,
// C[i,j] ← F(d, q, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs Advanced SIMD. Arguments, registers and drawing: tile_neon_arm64.h.
//
// V5 is d, V6 the sum and then q, V7 marks the lanes with d = 0.

#define ENTRY(y, r) \
	FSUB2(y, 4, 5); \
	FADD2(y, 4, 6); \
	FCMEQZ2(5, 7); \
	FDIV2(6, 5, 6); \
	BIC2(7, 6, 6); \
	FMLA2(6, 5, r)

// func chiSq6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·chiSq6x8NEON(SB), NOSPLIT, $0-56
	TILE(STEP)
	RET

// func chiSqLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine8NEON(SB), NOSPLIT, $0-57
	LINE_4
	RET

// func chiSqLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·chiSqLine2NEON(SB), NOSPLIT, $0-57
	LINE_1
	RET
