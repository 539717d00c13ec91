//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Complex quotients: see complex.go, Go twin divideComplexGo. Needs Advanced
// SIMD.
//
//	R0, R1  l.re, l.im       V0, V1  u.re, u.im     V8, V9  d.re, d.im
//	R2, R3  q, e             V2, V3  l.re, l.im     V10     t
//	R4, R5  u.re, u.im       V4, V5  at work
//	R6      vectors left

// func divideComplexNEON(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)
TEXT ·divideComplexNEON(SB), NOSPLIT, $0-80
	MOVD lre+0(FP), R0
	MOVD lim+8(FP), R1
	MOVD q+16(FP), R2
	MOVD e+24(FP), R3
	MOVD ure+32(FP), R4
	MOVD uim+40(FP), R5
	MOVD dre+48(FP), R7
	VDUP R7, V8.D2
	MOVD dim+56(FP), R7
	VDUP R7, V9.D2
	MOVD t+64(FP), R7
	VDUP R7, V10.D2
	MOVD vectors+72(FP), R6

vector:
	VLD1.P 16(R4), [V0.D2]
	VLD1.P 16(R5), [V1.D2]
	FMUL2(9, 1, 4)     // u.im·d.im + u.re·d.re
	FMLA2(8, 0, 4)
	FMUL2(9, 0, 5)     // −u.re·d.im + u.im·d.re
	FNEG2(5, 5)
	FMLA2(8, 1, 5)
	FDIV2(10, 4, 2)
	FDIV2(10, 5, 3)
	VST1.P [V2.D2], 16(R0)
	VST1.P [V3.D2], 16(R1)

	VLD1 (R3), [V4.D2]
	FMLS2(1, 2, 4)
	FMLS2(0, 3, 4)
	VST1.P [V4.D2], 16(R3)

	FMUL2(3, 3, 5)
	FMLA2(2, 2, 5)
	VST1.P [V5.D2], 16(R2)
	SUB $1, R6
	CBNZ R6, vector
	RET
