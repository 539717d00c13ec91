//go:build !purego

#include "textflag.h"

// Sums of products in doubled precision: see doubled.go, Go twin doubledGo. Needs AVX2
// and FMA.
//
//	            b: one element of each column, spread to Y11
//	a: 4 of the┌────────┬────────┬────────┬────────┬────────┐   DI, DX  s and c
//	16 rows of │ Y0, Y5 │ Y1, Y6 │ Y2, Y7 │ Y3, Y8 │ Y4, Y9 │   SI, R8  a, bytes from step to step
//	one step in└────────┴────────┴────────┴────────┴────────┘   BX, R9  b, bytes from step to step
//	Y10                                                         CX      steps left
//	                                                            R10     columns, 1 to 5
// R11 counts the times that four rows are done, R12, AX and R13 keep a, b and k for them.

// s, c ← s, c and the product of Y10 and Y11; Y12 is for s before, z and the remainder.
#define COLUMN(j, s, c) \
	VBROADCASTSD (8*j)(BX), Y11; \
	VMOVAPD s, Y12; \
	VFMADD231PD Y10, Y11, s; \
	VSUBPD Y12, s, Y12; \
	VFMSUB231PD Y10, Y11, Y12; \
	VADDPD Y12, c, c

#define ROWS \
	VMOVUPD (SI), Y10; \
	ADDQ R8, SI

#define COLUMN0 COLUMN(0, Y0, Y5)
#define COLUMN1 COLUMN(1, Y1, Y6)
#define COLUMN2 COLUMN(2, Y2, Y7)
#define COLUMN3 COLUMN(3, Y3, Y8)
#define COLUMN4 COLUMN(4, Y4, Y9)

#define LOAD(j, s, c) \
	VMOVUPD (128*j)(DI), s; \
	VMOVUPD (128*j)(DX), c

#define STORE(j, s, c) \
	VMOVUPD s, (128*j)(DI); \
	VMOVUPD c, (128*j)(DX)

// func doubled16AVX2(s, c, a *float64, lda int, b *float64, ldb, k, cols int)
TEXT ·doubled16AVX2(SB), NOSPLIT, $0-64
	MOVQ s+0(FP), DI
	MOVQ c+8(FP), DX
	MOVQ a+16(FP), R12
	MOVQ lda+24(FP), R8
	MOVQ b+32(FP), AX
	MOVQ ldb+40(FP), R9
	MOVQ k+48(FP), R13
	MOVQ cols+56(FP), R10
	SHLQ $3, R8
	SHLQ $3, R9
	MOVQ $4, R11

rows:
	MOVQ R12, SI
	MOVQ AX, BX
	MOVQ R13, CX

	LOAD(0, Y0, Y5)
	CMPQ R10, $2
	JLT steps1

	LOAD(1, Y1, Y6)
	CMPQ R10, $3
	JLT steps2

	LOAD(2, Y2, Y7)
	CMPQ R10, $4
	JLT steps3

	LOAD(3, Y3, Y8)
	CMPQ R10, $5
	JLT steps4

	LOAD(4, Y4, Y9)

steps5:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	COLUMN3
	COLUMN4
	ADDQ R9, BX
	SUBQ $1, CX
	JNZ steps5
	JMP store5

steps4:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	COLUMN3
	ADDQ R9, BX
	SUBQ $1, CX
	JNZ steps4
	JMP store4

steps3:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	ADDQ R9, BX
	SUBQ $1, CX
	JNZ steps3
	JMP store3

steps2:
	ROWS
	COLUMN0
	COLUMN1
	ADDQ R9, BX
	SUBQ $1, CX
	JNZ steps2
	JMP store2

steps1:
	ROWS
	COLUMN0
	ADDQ R9, BX
	SUBQ $1, CX
	JNZ steps1
	JMP store1

store5:
	STORE(4, Y4, Y9)

store4:
	STORE(3, Y3, Y8)

store3:
	STORE(2, Y2, Y7)

store2:
	STORE(1, Y1, Y6)

store1:
	STORE(0, Y0, Y5)
	ADDQ $32, DI
	ADDQ $32, DX
	ADDQ $32, R12
	SUBQ $1, R11
	JNZ rows
	VZEROUPPER
	RET
