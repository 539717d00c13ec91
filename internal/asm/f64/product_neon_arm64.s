//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "tile_neon_arm64.h"

// C[i,j] ← F(A[i,k], B[k,j], C[i,j]) for k = 0, 1, …: see portable_tile.go.
// Needs Advanced SIMD. Arguments, registers and drawing: tile_neon_arm64.h.
//
// V4 to V6 hold the step's six elements of A; lane h of V(4+p) is row 2p+h. A step
// is 24 multiply-adds and 2 load instructions for 7 registers.

#define PRODUCT_ROW(m, lane, r0, r1, r2, r3) \
	FMLALANE2(m, lane, 0, r0); \
	FMLALANE2(m, lane, 1, r1); \
	FMLALANE2(m, lane, 2, r2); \
	FMLALANE2(m, lane, 3, r3)

#define PRODUCT_STEP \
	VLD1.P 48(R1), [V4.D2, V5.D2, V6.D2]; \
	VLD1.P 64(R2), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	PRODUCT_ROW(4, 0, 8, 9, 10, 11); \
	PRODUCT_ROW(4, 1, 12, 13, 14, 15); \
	PRODUCT_ROW(5, 0, 16, 17, 18, 19); \
	PRODUCT_ROW(5, 1, 20, 21, 22, 23); \
	PRODUCT_ROW(6, 0, 24, 25, 26, 27); \
	PRODUCT_ROW(6, 1, 28, 29, 30, 31)

// func product6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)
TEXT ·product6x8NEON(SB), NOSPLIT, $0-56
	TILE(PRODUCT_STEP)
	RET

// In the kernels of a single row the element of A is spread over V4.

#define ENTRY(y, r) \
	FMLA2(y, 4, r)

// func productLine8NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·productLine8NEON(SB), NOSPLIT, $0-57
	LINE_4
	RET

// func productLine2NEON(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
TEXT ·productLine2NEON(SB), NOSPLIT, $0-57
	LINE_1
	RET
