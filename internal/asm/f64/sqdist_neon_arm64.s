//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "tile_neon_arm64.h"

// d = A[i,k] − B[k,j], C[i,j] ← F(d, d, C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs Advanced SIMD. Arguments, registers and drawing: tile_neon_arm64.h.
//
// V5 is the difference.

#define ENTRY(y, r) \
	FSUB2(y, 4, 5); \
	FMLA2(5, 5, r)

// func sqDist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·sqDist6x8NEON(SB), NOSPLIT, $0-56
	TILE(STEP)
	RET

// func sqDistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine8NEON(SB), NOSPLIT, $0-57
	LINE_4
	RET

// func sqDistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·sqDistLine2NEON(SB), NOSPLIT, $0-57
	LINE_1
	RET
