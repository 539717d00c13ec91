//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "tile_neon_arm64.h"

// C[i,j] ← C[i,j] + |A[i,k] − B[k,j]| for k = 0, 1, …: see portable_tile.go.
// Needs Advanced SIMD. Arguments, registers and drawing: tile_neon_arm64.h.
//
// V5 is the absolute difference.

#define ENTRY(y, r) \
	FABD2(y, 4, 5); \
	FADD2(5, r, r)

// func l1Dist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·l1Dist6x8NEON(SB), NOSPLIT, $0-56
	TILE(STEP)
	RET

// func l1DistLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine8NEON(SB), NOSPLIT, $0-57
	LINE_4
	RET

// func l1DistLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·l1DistLine2NEON(SB), NOSPLIT, $0-57
	LINE_1
	RET
