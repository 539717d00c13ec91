//go:build !purego

#include "textflag.h"

// Complex quotients: see complex.go, Go twin divideComplexGo. Needs AVX2 and FMA.
//
//	DI, SI    l.re, l.im     Y0, Y1    u.re, u.im     Y8, Y9  d.re, d.im
//	DX, BX    q, e           Y2, Y3    l.re, l.im     Y10      t
//	R8, R9    u.re, u.im     Y4, Y5    u.re·d.im and u.im·d.im, then e and q
//	CX        vectors left   R10       bytes into all of them

// func divideComplexAVX2(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)
TEXT ·divideComplexAVX2(SB), NOSPLIT, $0-80
	MOVQ lre+0(FP), DI
	MOVQ lim+8(FP), SI
	MOVQ q+16(FP), DX
	MOVQ e+24(FP), BX
	MOVQ ure+32(FP), R8
	MOVQ uim+40(FP), R9
	VBROADCASTSD dre+48(FP), Y8
	VBROADCASTSD dim+56(FP), Y9
	VBROADCASTSD t+64(FP), Y10
	MOVQ vectors+72(FP), CX
	XORL R10, R10

vector:
	VMOVUPD (R8)(R10*1), Y0
	VMOVUPD (R9)(R10*1), Y1
	VMULPD Y9, Y0, Y4
	VMULPD Y9, Y1, Y5
	VFMADD231PD Y8, Y0, Y5
	VFMSUB231PD Y8, Y1, Y4
	VDIVPD Y10, Y5, Y2
	VDIVPD Y10, Y4, Y3
	VMOVUPD Y2, (DI)(R10*1)
	VMOVUPD Y3, (SI)(R10*1)

	VMOVUPD (BX)(R10*1), Y4
	VFNMADD231PD Y1, Y2, Y4
	VFNMADD231PD Y0, Y3, Y4
	VMOVUPD Y4, (BX)(R10*1)

	VMULPD Y3, Y3, Y5
	VFMADD231PD Y2, Y2, Y5
	VMOVUPD Y5, (DX)(R10*1)
	ADDQ $32, R10
	SUBQ $1, CX
	JNZ vector

	VZEROUPPER
	RET
