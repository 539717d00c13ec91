//go:build !purego

#include "textflag.h"

// Sums of products in doubled precision: see doubled.go, Go twin doubledGo. Needs
// AVX512F.
//
//	            b: one element of each column, spread to Z22
//	a: 16 rows ┌──────────┬─────────┬─────────┬─────────┬─────────┐   DI, DX  s and c
//	of one step│ Z0, Z10  │ Z2, Z12 │ Z4, Z14 │ Z6, Z16 │ Z8, Z18 │   SI, R8  a, bytes from step to step
//	in Z20 and ├──────────┼─────────┼─────────┼─────────┼─────────┤   BX, R9  b, bytes from step to step
//	Z21        │ Z1, Z11  │ Z3, Z13 │ Z5, Z15 │ Z7, Z17 │ Z9, Z19 │   CX      steps left
//	           └──────────┴─────────┴─────────┴─────────┴─────────┘   R10     columns, 1 to 5

// s, c ← s, c and the product of a and Z22; t is for s before, z and the remainder.
#define ENTRY(a, s, c, t) \
	VMOVAPD s, t; \
	VFMADD231PD a, Z22, s; \
	VSUBPD t, s, t; \
	VFMSUB231PD a, Z22, t; \
	VADDPD t, c, c

#define ROWS \
	VMOVUPD (SI), Z20; \
	VMOVUPD 64(SI), Z21; \
	ADDQ R8, SI

#define COLUMN(j, s0, c0, s1, c1) \
	VBROADCASTSD (8*j)(BX), Z22; \
	ENTRY(Z20, s0, c0, Z23); \
	ENTRY(Z21, s1, c1, Z24)

#define COLUMN0 COLUMN(0, Z0, Z10, Z1, Z11)
#define COLUMN1 COLUMN(1, Z2, Z12, Z3, Z13)
#define COLUMN2 COLUMN(2, Z4, Z14, Z5, Z15)
#define COLUMN3 COLUMN(3, Z6, Z16, Z7, Z17)
#define COLUMN4 COLUMN(4, Z8, Z18, Z9, Z19)

#define LOAD(j, s0, c0, s1, c1) \
	VMOVUPD (128*j)(DI), s0; \
	VMOVUPD (128*j+64)(DI), s1; \
	VMOVUPD (128*j)(DX), c0; \
	VMOVUPD (128*j+64)(DX), c1

#define STORE(j, s0, c0, s1, c1) \
	VMOVUPD s0, (128*j)(DI); \
	VMOVUPD s1, (128*j+64)(DI); \
	VMOVUPD c0, (128*j)(DX); \
	VMOVUPD c1, (128*j+64)(DX)

// func doubled16AVX512(s, c, a *float64, lda int, b *float64, ldb, k, cols int)
TEXT ·doubled16AVX512(SB), NOSPLIT, $0-64
	MOVQ s+0(FP), DI
	MOVQ c+8(FP), DX
	MOVQ a+16(FP), SI
	MOVQ lda+24(FP), R8
	MOVQ b+32(FP), BX
	MOVQ ldb+40(FP), R9
	MOVQ k+48(FP), CX
	MOVQ cols+56(FP), R10
	SHLQ $3, R8
	SHLQ $3, R9

	LOAD(0, Z0, Z10, Z1, Z11)
	CMPQ R10, $2
	JLT steps1

	LOAD(1, Z2, Z12, Z3, Z13)
	CMPQ R10, $3
	JLT steps2

	LOAD(2, Z4, Z14, Z5, Z15)
	CMPQ R10, $4
	JLT steps3

	LOAD(3, Z6, Z16, Z7, Z17)
	CMPQ R10, $5
	JLT steps4

	LOAD(4, Z8, Z18, Z9, Z19)

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
	STORE(4, Z8, Z18, Z9, Z19)

store4:
	STORE(3, Z6, Z16, Z7, Z17)

store3:
	STORE(2, Z4, Z14, Z5, Z15)

store2:
	STORE(1, Z2, Z12, Z3, Z13)

store1:
	STORE(0, Z0, Z10, Z1, Z11)
	VZEROUPPER
	RET
