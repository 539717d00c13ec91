//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Complex numbers in two lanes: see complex.go, Go twins subtractGo and divideGo.
// Needs Advanced SIMD.

// func subtractLanesNEON(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)
//
//	R0  c     R3  bytes from c_i to c_(i+1)      V0, V1    c.re, c.im
//	R1  a_0l  R4  bytes from a_il to a_(i+1)l    V2, V3    a.re, a.im
//	R2  u_l   R5  bytes from re to im            V16, V17  u.re, u.im
//	R8  c_i   R6  bytes from a_il to a_i(l+1)
//	R9  a_il  R7  bytes from u_l to u_(l+1)
//	R10 c_i's imaginary part                     R12 entries left in the step
//	R11 a_il's imaginary part                    R13 steps left
TEXT ·subtractLanesNEON(SB), NOSPLIT, $0-80
	MOVD c+0(FP), R0
	MOVD a+8(FP), R1
	MOVD u+16(FP), R2
	MOVD cs+24(FP), R3
	MOVD as+32(FP), R4
	MOVD im+40(FP), R5
	MOVD ak+48(FP), R6
	MOVD uk+56(FP), R7
	MOVD entries+64(FP), R14
	MOVD steps+72(FP), R13
	LSL $3, R3
	LSL $3, R4
	LSL $3, R5
	LSL $3, R6
	LSL $3, R7

step:
	VLD1 (R2), [V16.D2, V17.D2]
	MOVD R0, R8
	MOVD R1, R9
	MOVD R14, R12

entry:
	ADD R5, R8, R10
	ADD R5, R9, R11
	VLD1 (R8), [V0.D2]
	VLD1 (R10), [V1.D2]
	VLD1 (R9), [V2.D2]
	VLD1 (R11), [V3.D2]
	FMLS2(16, 2, 0)
	FMLS2(17, 2, 1)
	FMLA2(17, 3, 0)
	FMLS2(16, 3, 1)
	VST1 [V0.D2], (R8)
	VST1 [V1.D2], (R10)
	ADD R3, R8
	ADD R4, R9
	SUB $1, R12
	CBNZ R12, entry

	ADD R6, R1
	ADD R7, R2
	SUB $1, R13
	CBNZ R13, step
	RET

// func divideLanesNEON(y, x, d, t *float64, xs, im, entries int)
//
//	R0  y_i   R4  bytes from entry to entry    V0, V1  x.re, x.im    V8, V9  d.re, d.im
//	R1  x_i   R5  bytes from re to im          V4, V5  y.re, y.im    V10     t
//	R6  entries left                           R7      the imaginary part
TEXT ·divideLanesNEON(SB), NOSPLIT, $0-56
	MOVD y+0(FP), R0
	MOVD x+8(FP), R1
	MOVD d+16(FP), R2
	MOVD t+24(FP), R3
	MOVD xs+32(FP), R4
	MOVD im+40(FP), R5
	MOVD entries+48(FP), R6
	LSL $3, R4
	LSL $3, R5
	VLD1 (R2), [V8.D2, V9.D2]
	VLD1 (R3), [V10.D2]

quotient:
	ADD R5, R1, R7
	VLD1 (R1), [V0.D2]
	VLD1 (R7), [V1.D2]
	FMUL2(9, 1, 4)     // x.im·d.im + x.re·d.re
	FMLA2(8, 0, 4)
	FMUL2(9, 0, 5)     // −x.re·d.im + x.im·d.re
	FNEG2(5, 5)
	FMLA2(8, 1, 5)
	FDIV2(10, 4, 4)
	FDIV2(10, 5, 5)
	ADD R5, R0, R7
	VST1 [V4.D2], (R0)
	VST1 [V5.D2], (R7)
	ADD R4, R0
	ADD R4, R1
	SUB $1, R6
	CBNZ R6, quotient
	RET
