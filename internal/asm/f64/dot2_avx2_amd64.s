//go:build !purego

#include "textflag.h"

// Sums of products in doubled precision: see dot2.go, Go twin dot2Go. Needs AVX2 and FMA.
//
//	            b: 4 columns of one step, in Y8
//	a: one     ┌───────────┐
//	element of │ Y0 and Y4 │ row 0     DI, DX  s and c: row 0     R8, R9    bytes from row to row
//	four rows, │ Y1 and Y5 │ row 1                                          of s and c, and 3·R8
//	spread to  │ Y2 and Y6 │ row 2     SI      a: row 0           R10, R11  the same of a
//	Y9         │ Y3 and Y7 │ row 3     BX      b                  R12       bytes from step to step of b
//	           └───────────┘           CX      steps left         Y15       ones
//
// The chain of a sum is one addition a step, that of its errors another: four rows
// hide their latency. Where additions and multiply-adds have pipes of their own,
// three of the eight additions are done as multiply-adds by one, which round alike.

// s, c ← s, c and the product of the element of a at addr and b.
#define ENTRY(addr, s, c) \
	VBROADCASTSD addr, Y9; \
	VMULPD Y8, Y9, Y10; \
	VFMSUB213PD Y10, Y8, Y9; \
	VADDPD Y10, s, Y11; \
	VSUBPD s, Y11, Y12; \
	VSUBPD Y12, Y11, Y13; \
	VSUBPD Y13, s, Y13; \
	VSUBPD Y12, Y10, Y10; \
	VFMADD231PD Y15, Y10, Y13; \
	VFMADD231PD Y15, Y9, Y13; \
	VFMADD231PD Y15, Y13, c; \
	VMOVAPD Y11, s

// func dot2x4AVX2(s, c *float64, ld int, a *float64, lda int, b *float64, width, k int)
TEXT ·dot2x4AVX2(SB), NOSPLIT, $0-64
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
	VMOVQ AX, X15
	VBROADCASTSD X15, Y15

	VMOVUPD (DI), Y0
	VMOVUPD (DI)(R8*1), Y1
	VMOVUPD (DI)(R8*2), Y2
	VMOVUPD (DI)(R9*1), Y3
	VMOVUPD (DX), Y4
	VMOVUPD (DX)(R8*1), Y5
	VMOVUPD (DX)(R8*2), Y6
	VMOVUPD (DX)(R9*1), Y7

step:
	VMOVUPD (BX), Y8
	ENTRY((SI), Y0, Y4)
	ENTRY((SI)(R10*1), Y1, Y5)
	ENTRY((SI)(R10*2), Y2, Y6)
	ENTRY((SI)(R11*1), Y3, Y7)
	ADDQ $8, SI
	ADDQ R12, BX
	SUBQ $1, CX
	JNZ step

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, (DI)(R8*1)
	VMOVUPD Y2, (DI)(R8*2)
	VMOVUPD Y3, (DI)(R9*1)
	VMOVUPD Y4, (DX)
	VMOVUPD Y5, (DX)(R8*1)
	VMOVUPD Y6, (DX)(R8*2)
	VMOVUPD Y7, (DX)(R9*1)
	VZEROUPPER
	RET
