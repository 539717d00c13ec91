//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Sums of products in doubled precision: see doubled.go, Go twin doubledGo. Needs
// Advanced SIMD.
//
//	            b: one element of each column, spread to V22
//	a: 4 of the┌──────────┬─────────┬─────────┬─────────┬─────────┐   R0, R1  s and c
//	16 rows of │ V0, V10  │ V2, V12 │ V4, V14 │ V6, V16 │ V8, V18 │   R2, R3  a, bytes from step to step
//	one step in├──────────┼─────────┼─────────┼─────────┼─────────┤   R4, R5  b, bytes from step to step
//	V20 and V21│ V1, V11  │ V3, V13 │ V5, V15 │ V7, V17 │ V9, V19 │   R6      steps left
//	           └──────────┴─────────┴─────────┴─────────┴─────────┘   R7      columns, 1 to 5
//
// R8 counts the times that four rows are done, R9, R10 and R11 keep a, b and k for them.

// s, c ← s, c and the product of a and V22; t is for s before, z and z less the product,
// which is subtracted from c: c is not −0, so that the sign of a zero plays no part.
#define ENTRY(a, s, c, t) \
	MOV2(s, t); \
	FMLA2(22, a, s); \
	FSUB2(t, s, t); \
	FMLS2(22, a, t); \
	FSUB2(t, c, c)

#define ROWS \
	VLD1 (R2), [V20.D2, V21.D2]; \
	ADD R3, R2; \
	MOVD R4, R12; \
	ADD R5, R4

#define COLUMN(s0, c0, s1, c1) \
	VLD1R.P 8(R12), [V22.D2]; \
	ENTRY(20, s0, c0, 23); \
	ENTRY(21, s1, c1, 24)

#define COLUMN0 COLUMN(0, 10, 1, 11)
#define COLUMN1 COLUMN(2, 12, 3, 13)
#define COLUMN2 COLUMN(4, 14, 5, 15)
#define COLUMN3 COLUMN(6, 16, 7, 17)
#define COLUMN4 COLUMN(8, 18, 9, 19)

#define LOAD(j, s0, c0, s1, c1) \
	ADD $(128*j), R0, R12; \
	VLD1 (R12), [s0.D2, s1.D2]; \
	ADD $(128*j), R1, R12; \
	VLD1 (R12), [c0.D2, c1.D2]

#define STORE(j, s0, c0, s1, c1) \
	ADD $(128*j), R0, R12; \
	VST1 [s0.D2, s1.D2], (R12); \
	ADD $(128*j), R1, R12; \
	VST1 [c0.D2, c1.D2], (R12)

// func doubled16NEON(s, c, a *float64, lda int, b *float64, ldb, k, cols int)
TEXT ·doubled16NEON(SB), NOSPLIT, $0-64
	MOVD s+0(FP), R0
	MOVD c+8(FP), R1
	MOVD a+16(FP), R9
	MOVD lda+24(FP), R3
	MOVD b+32(FP), R10
	MOVD ldb+40(FP), R5
	MOVD k+48(FP), R11
	MOVD cols+56(FP), R7
	LSL $3, R3
	LSL $3, R5
	MOVD $4, R8

rows:
	MOVD R9, R2
	MOVD R10, R4
	MOVD R11, R6

	LOAD(0, V0, V10, V1, V11)
	CMP $2, R7
	BLT steps1

	LOAD(1, V2, V12, V3, V13)
	CMP $3, R7
	BLT steps2

	LOAD(2, V4, V14, V5, V15)
	CMP $4, R7
	BLT steps3

	LOAD(3, V6, V16, V7, V17)
	CMP $5, R7
	BLT steps4

	LOAD(4, V8, V18, V9, V19)

steps5:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	COLUMN3
	COLUMN4
	SUB $1, R6
	CBNZ R6, steps5
	B store5

steps4:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	COLUMN3
	SUB $1, R6
	CBNZ R6, steps4
	B store4

steps3:
	ROWS
	COLUMN0
	COLUMN1
	COLUMN2
	SUB $1, R6
	CBNZ R6, steps3
	B store3

steps2:
	ROWS
	COLUMN0
	COLUMN1
	SUB $1, R6
	CBNZ R6, steps2
	B store2

steps1:
	ROWS
	COLUMN0
	SUB $1, R6
	CBNZ R6, steps1
	B store1

store5:
	STORE(4, V8, V18, V9, V19)

store4:
	STORE(3, V6, V16, V7, V17)

store3:
	STORE(2, V4, V14, V5, V15)

store2:
	STORE(1, V2, V12, V3, V13)

store1:
	STORE(0, V0, V10, V1, V11)
	ADD $32, R0
	ADD $32, R1
	ADD $32, R9
	SUB $1, R8
	CBNZ R8, rows
	RET
