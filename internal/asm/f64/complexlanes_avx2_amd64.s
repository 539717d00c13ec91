//go:build !purego

#include "textflag.h"

// Complex numbers in four lanes: see complex.go, Go twins subtractGo and divideGo.
// Needs AVX2 and FMA.

// func subtractLanesAVX2(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)
//
//	DI  c     R8   bytes from c_i to c_(i+1)      Y0, Y1    c.re, c.im
//	SI  a_0l  R9   bytes from a_il to a_(i+1)l    Y2, Y3    a.re, a.im
//	DX  u_l   R10  bytes from re to im            Y14, Y15  u.re, u.im
//	R13 c_i   R11  bytes from a_il to a_i(l+1)
//	AX  a_il  R12  bytes from u_l to u_(l+1)
//	CX  entries left in the step                  BX  steps left
TEXT ·subtractLanesAVX2(SB), NOSPLIT, $0-80
	MOVQ c+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ u+16(FP), DX
	MOVQ cs+24(FP), R8
	MOVQ as+32(FP), R9
	MOVQ im+40(FP), R10
	MOVQ ak+48(FP), R11
	MOVQ uk+56(FP), R12
	MOVQ steps+72(FP), BX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11
	SHLQ $3, R12

step:
	VMOVUPD (DX), Y14
	VMOVUPD 32(DX), Y15
	MOVQ DI, R13
	MOVQ SI, AX
	MOVQ entries+64(FP), CX

entry:
	VMOVUPD (R13), Y0
	VMOVUPD (R13)(R10*1), Y1
	VMOVUPD (AX), Y2
	VMOVUPD (AX)(R10*1), Y3
	VFNMADD231PD Y14, Y2, Y0
	VFNMADD231PD Y15, Y2, Y1
	VFMADD231PD Y15, Y3, Y0
	VFNMADD231PD Y14, Y3, Y1
	VMOVUPD Y0, (R13)
	VMOVUPD Y1, (R13)(R10*1)
	ADDQ R8, R13
	ADDQ R9, AX
	SUBQ $1, CX
	JNZ entry

	ADDQ R11, SI
	ADDQ R12, DX
	SUBQ $1, BX
	JNZ step

	VZEROUPPER
	RET

// func divideLanesAVX2(y, x, d, t *float64, xs, im, entries int)
//
//	DI  y_i   R8   bytes from entry to entry      Y0, Y1  x.re, x.im    Y8, Y9  d.re, d.im
//	SI  x_i   R10  bytes from re to im            Y4, Y5  y.im, y.re    Y10     t
//	CX  entries left
TEXT ·divideLanesAVX2(SB), NOSPLIT, $0-56
	MOVQ y+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ d+16(FP), DX
	MOVQ t+24(FP), BX
	MOVQ xs+32(FP), R8
	MOVQ im+40(FP), R10
	MOVQ entries+48(FP), CX
	SHLQ $3, R8
	SHLQ $3, R10
	VMOVUPD (DX), Y8
	VMOVUPD 32(DX), Y9
	VMOVUPD (BX), Y10

quotient:
	VMOVUPD (SI), Y0
	VMOVUPD (SI)(R10*1), Y1
	VMULPD Y9, Y0, Y4
	VMULPD Y9, Y1, Y5
	VFMADD231PD Y8, Y0, Y5
	VFMSUB231PD Y8, Y1, Y4
	VDIVPD Y10, Y5, Y5
	VDIVPD Y10, Y4, Y4
	VMOVUPD Y5, (DI)
	VMOVUPD Y4, (DI)(R10*1)
	ADDQ R8, SI
	ADDQ R8, DI
	SUBQ $1, CX
	JNZ quotient

	VZEROUPPER
	RET
