//go:build !purego

#include "textflag.h"

// Complex quotients: see complex.go, Go twin divideComplexGo. Needs AVX512F and AVX512DQ.
//
//	DI, SI    l.re, l.im     Z0, Z1    u.re, u.im     Z8, Z9  d.re, d.im
//	DX, BX    q, e           Z2, Z3    l.re, l.im     Z10      t
//	R8, R9    u.re, u.im     Z4, Z5    u.re·d.im and u.im·d.im, then e and q
//	CX        vectors left   R10       bytes into all of them

// func divideComplexAVX512(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)
TEXT ·divideComplexAVX512(SB), NOSPLIT, $0-80
	MOVQ lre+0(FP), DI
	MOVQ lim+8(FP), SI
	MOVQ q+16(FP), DX
	MOVQ e+24(FP), BX
	MOVQ ure+32(FP), R8
	MOVQ uim+40(FP), R9
	VBROADCASTSD dre+48(FP), Z8
	VBROADCASTSD dim+56(FP), Z9
	VBROADCASTSD t+64(FP), Z10
	MOVQ vectors+72(FP), CX
	XORL R10, R10

vector:
	VMOVUPD (R8)(R10*1), Z0
	VMOVUPD (R9)(R10*1), Z1
	VMULPD Z9, Z0, Z4
	VMULPD Z9, Z1, Z5
	VFMADD231PD Z8, Z0, Z5
	VFMSUB231PD Z8, Z1, Z4
	VDIVPD Z10, Z5, Z2
	VDIVPD Z10, Z4, Z3
	VMOVUPD Z2, (DI)(R10*1)
	VMOVUPD Z3, (SI)(R10*1)

	VMOVUPD (BX)(R10*1), Z4
	VFNMADD231PD Z1, Z2, Z4
	VFNMADD231PD Z0, Z3, Z4
	VMOVUPD Z4, (BX)(R10*1)

	VMULPD Z3, Z3, Z5
	VFMADD231PD Z2, Z2, Z5
	VMOVUPD Z5, (DX)(R10*1)
	ADDQ $64, R10
	SUBQ $1, CX
	JNZ vector

	VZEROUPPER
	RET
