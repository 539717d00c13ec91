//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Sums of products in doubled precision: see dot2.go, Go twin dot2Go. Needs Advanced
// SIMD.
//
//	            b: 4 columns of one step, in V0 and V1
//	a: one     ┌────────────┬────────────┐
//	element of │ V8 and V16 │ V9 and V17 │ row 0    R0, R1  s and c: row 0
//	four rows, │ V10    V18 │ V11    V19 │ row 1    R2      bytes from row to row of s and c
//	spread to  │ V12    V20 │ V13    V21 │ row 2    R3, R4, R5, R6  a: rows 0 to 3
//	V2         │ V14    V22 │ V15    V23 │ row 3    R7      b
//	           └────────────┴────────────┘          R8      bytes from step to step of b
//	                                                R9      steps left
//
// V3 … V7 are p, −e, t, z and the error of the sum, of even vectors; V24 … V28 of odd
// ones.

// s, c ← s, c and the product of a and b. p − a·b is −e, or +0 for +0, which makes no
// difference: the error of the sum that it is subtracted from is not −0.
#define ENTRY(b, s, c, p, e, t, z, u) \
	FMUL2(b, 2, p); \
	MOV2(p, e); \
	FMLS2(b, 2, e); \
	FADD2(p, s, t); \
	FSUB2(s, t, z); \
	FSUB2(z, t, u); \
	FSUB2(u, s, u); \
	FSUB2(z, p, p); \
	FADD2(p, u, u); \
	FSUB2(e, u, u); \
	FADD2(u, c, c); \
	MOV2(t, s)

#define ROW(a, s0, c0, s1, c1) \
	VLD1R.P 8(a), [V2.D2]; \
	ENTRY(0, s0, c0, 3, 4, 5, 6, 7); \
	ENTRY(1, s1, c1, 24, 25, 26, 27, 28)

// func dot2x4NEON(s, c *float64, ld int, a *float64, lda int, b *float64, width, k int)
TEXT ·dot2x4NEON(SB), NOSPLIT, $0-64
	MOVD s+0(FP), R0
	MOVD c+8(FP), R1
	MOVD ld+16(FP), R2
	MOVD a+24(FP), R3
	MOVD lda+32(FP), R10
	MOVD b+40(FP), R7
	MOVD width+48(FP), R8
	MOVD k+56(FP), R9
	LSL $3, R2
	LSL $3, R8
	ADD R10<<3, R3, R4
	ADD R10<<3, R4, R5
	ADD R10<<3, R5, R6

	MOVD R0, R11
	VLD1 (R11), [V8.D2, V9.D2]
	ADD R2, R11
	VLD1 (R11), [V10.D2, V11.D2]
	ADD R2, R11
	VLD1 (R11), [V12.D2, V13.D2]
	ADD R2, R11
	VLD1 (R11), [V14.D2, V15.D2]
	MOVD R1, R11
	VLD1 (R11), [V16.D2, V17.D2]
	ADD R2, R11
	VLD1 (R11), [V18.D2, V19.D2]
	ADD R2, R11
	VLD1 (R11), [V20.D2, V21.D2]
	ADD R2, R11
	VLD1 (R11), [V22.D2, V23.D2]

step:
	VLD1 (R7), [V0.D2, V1.D2]
	ADD R8, R7
	ROW(R3, 8, 16, 9, 17)
	ROW(R4, 10, 18, 11, 19)
	ROW(R5, 12, 20, 13, 21)
	ROW(R6, 14, 22, 15, 23)
	SUB $1, R9
	CBNZ R9, step

	VST1 [V8.D2, V9.D2], (R0)
	ADD R2, R0
	VST1 [V10.D2, V11.D2], (R0)
	ADD R2, R0
	VST1 [V12.D2, V13.D2], (R0)
	ADD R2, R0
	VST1 [V14.D2, V15.D2], (R0)
	VST1 [V16.D2, V17.D2], (R1)
	ADD R2, R1
	VST1 [V18.D2, V19.D2], (R1)
	ADD R2, R1
	VST1 [V20.D2, V21.D2], (R1)
	ADD R2, R1
	VST1 [V22.D2, V23.D2], (R1)
	RET
