//go:build !purego

#include "textflag.h"

// Sums of products in doubled precision: see dot2.go, Go twin dot2Go. Needs AVX512F.
//
//	            b: 8 columns of one step, in Z8
//	a: one     ┌───────────┐
//	element of │ Z0 and Z4 │ row 0     DI, DX  s and c: row 0     R8, R9    bytes from row to row
//	four rows, │ Z1 and Z5 │ row 1                                          of s and c, and 3·R8
//	spread to  │ Z2 and Z6 │ row 2     SI      a: row 0           R10, R11  the same of a
//	Z9         │ Z3 and Z7 │ row 3     BX      b                  R12       bytes from step to step of b
//	           └───────────┘           CX      steps left         Z31       ones
//
// The chain of a sum is one addition a step, that of its errors another: four rows
// hide their latency. Where additions and multiply-adds have pipes of their own,
// three of the eight additions are done as multiply-adds by one, which round alike.

// s, c ← s, c and the product of the element of a at addr and b.
#define ENTRY(addr, s, c) \
	VBROADCASTSD addr, Z9; \
	VMULPD Z8, Z9, Z10; \
	VFMSUB213PD Z10, Z8, Z9; \
	VADDPD Z10, s, Z11; \
	VSUBPD s, Z11, Z12; \
	VSUBPD Z12, Z11, Z13; \
	VSUBPD Z13, s, Z13; \
	VSUBPD Z12, Z10, Z10; \
	VFMADD231PD Z31, Z10, Z13; \
	VFMADD231PD Z31, Z9, Z13; \
	VFMADD231PD Z31, Z13, c; \
	VMOVAPD Z11, s

// func dot2x8AVX512(s, c *float64, ld int, a *float64, lda int, b *float64, width, k int)
TEXT ·dot2x8AVX512(SB), NOSPLIT, $0-64
	MOVQ s+0(FP), DI
	MOVQ c+8(FP), DX
	MOVQ ld+16(FP), R8
	MOVQ a+24(FP), SI
	MOVQ lda+32(FP), R10
	MOVQ b+40(FP), BX
	MOVQ width+48(FP), R12
	MOVQ k+56(FP), CX
	SHLQ $3, R8
	SHLQ $3, R10
	SHLQ $3, R12
	LEAQ (R8)(R8*2), R9
	LEAQ (R10)(R10*2), R11
	MOVQ $0x3ff0000000000000, AX
	VPBROADCASTQ AX, Z31

	VMOVUPD (DI), Z0
	VMOVUPD (DI)(R8*1), Z1
	VMOVUPD (DI)(R8*2), Z2
	VMOVUPD (DI)(R9*1), Z3
	VMOVUPD (DX), Z4
	VMOVUPD (DX)(R8*1), Z5
	VMOVUPD (DX)(R8*2), Z6
	VMOVUPD (DX)(R9*1), Z7

step:
	VMOVUPD (BX), Z8
	ENTRY((SI), Z0, Z4)
	ENTRY((SI)(R10*1), Z1, Z5)
	ENTRY((SI)(R10*2), Z2, Z6)
	ENTRY((SI)(R11*1), Z3, Z7)
	ADDQ $8, SI
	ADDQ R12, BX
	SUBQ $1, CX
	JNZ step

	VMOVUPD Z0, (DI)
	VMOVUPD Z1, (DI)(R8*1)
	VMOVUPD Z2, (DI)(R8*2)
	VMOVUPD Z3, (DI)(R9*1)
	VMOVUPD Z4, (DX)
	VMOVUPD Z5, (DX)(R8*1)
	VMOVUPD Z6, (DX)(R8*2)
	VMOVUPD Z7, (DX)(R9*1)
	VZEROUPPER
	RET
