//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Forward substitution in a tile: see tile_solve.go, Go twin solveTileGo. Needs
// Advanced SIMD.
//
//	R0  x, 64 bytes from row to row     V(8+4i+v)  vector v of row i
//	R1  walks along l                   V0         an element of L

// x[i] ← x[i] − L[i,l]·x[l].
#define SUB(l0, l1, l2, l3, r0, r1, r2, r3) \
	VLD1R.P 8(R1), [V0.D2]; \
	FMLS2(0, l0, r0); \
	FMLS2(0, l1, r1); \
	FMLS2(0, l2, r2); \
	FMLS2(0, l3, r3)

// x[i] ← x[i]/L[i,i]; the rest of the row of L, skip bytes, is not there.
#define DIV(skip, r0, r1, r2, r3) \
	VLD1R (R1), [V0.D2]; \
	ADD $(8+skip), R1; \
	FDIV2(0, r0, r0); \
	FDIV2(0, r1, r1); \
	FDIV2(0, r2, r2); \
	FDIV2(0, r3, r3)

// func solveTile6x8NEON(x, l *float64)
TEXT ·solveTile6x8NEON(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD l+8(FP), R1
	MOVD R0, R2

	VLD1.P 64(R2), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1.P 64(R2), [V12.D2, V13.D2, V14.D2, V15.D2]
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]
	VLD1.P 64(R2), [V24.D2, V25.D2, V26.D2, V27.D2]
	VLD1.P 64(R2), [V28.D2, V29.D2, V30.D2, V31.D2]

	DIV(40, 8, 9, 10, 11)
	SUB(8, 9, 10, 11, 12, 13, 14, 15)
	DIV(32, 12, 13, 14, 15)
	SUB(8, 9, 10, 11, 16, 17, 18, 19)
	SUB(12, 13, 14, 15, 16, 17, 18, 19)
	DIV(24, 16, 17, 18, 19)
	SUB(8, 9, 10, 11, 20, 21, 22, 23)
	SUB(12, 13, 14, 15, 20, 21, 22, 23)
	SUB(16, 17, 18, 19, 20, 21, 22, 23)
	DIV(16, 20, 21, 22, 23)
	SUB(8, 9, 10, 11, 24, 25, 26, 27)
	SUB(12, 13, 14, 15, 24, 25, 26, 27)
	SUB(16, 17, 18, 19, 24, 25, 26, 27)
	SUB(20, 21, 22, 23, 24, 25, 26, 27)
	DIV(8, 24, 25, 26, 27)
	SUB(8, 9, 10, 11, 28, 29, 30, 31)
	SUB(12, 13, 14, 15, 28, 29, 30, 31)
	SUB(16, 17, 18, 19, 28, 29, 30, 31)
	SUB(20, 21, 22, 23, 28, 29, 30, 31)
	SUB(24, 25, 26, 27, 28, 29, 30, 31)
	DIV(0, 28, 29, 30, 31)

	VST1.P [V8.D2, V9.D2, V10.D2, V11.D2], 64(R0)
	VST1.P [V12.D2, V13.D2, V14.D2, V15.D2], 64(R0)
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(R0)
	VST1.P [V20.D2, V21.D2, V22.D2, V23.D2], 64(R0)
	VST1.P [V24.D2, V25.D2, V26.D2, V27.D2], 64(R0)
	VST1.P [V28.D2, V29.D2, V30.D2, V31.D2], 64(R0)
	RET
