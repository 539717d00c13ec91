// Frame of the NEON tile kernels: arguments, the tile of C in registers, and the
// walk along k.
//
//   func(c *float64, ldc int, a, b *float64, k int, load bool, next int)
//
//              b: 8 columns of one step
//   a: 6      ┌──────┬──────┬──────┬──────┐
//   rows of   │ V8   │ V9   │ V10  │ V11  │ row 0      R0  c
//   one step  │ V12  │ V13  │ V14  │ V15  │ row 1      R1  a, 48 bytes a step
//             │ V16  │ V17  │ V18  │ V19  │ row 2      R2  b, 64 bytes a step
//             │ V20  │ V21  │ V22  │ V23  │ row 3      R3  bytes from row to row
//             │ V24  │ V25  │ V26  │ V27  │ row 4      R4  turns of two steps up to the prefetch
//             │ V28  │ V29  │ V30  │ V31  │ row 5      R5  turns of two steps after it, ≤ 16
//             └──────┴──────┴──────┴──────┘            R6  whether a single step comes at the end
//                                                      R7  walks along the rows of c
//                                                      R9  walks along the rows of the next tile
//
// Register 8+4·i+v holds vector v of row i. V0 to V3 are the step's row of b, V4
// to V7 belong to the operation.

#define TILE_ARGS \
	MOVD c+0(FP), R0; \
	MOVD ldc+8(FP), R3; \
	MOVD a+16(FP), R1; \
	MOVD b+24(FP), R2; \
	MOVD k+32(FP), R4; \
	MOVBU load+40(FP), R8; \
	MOVD next+48(FP), R9; \
	LSL $3, R3; \
	ADD R9<<3, R0, R9; \
	AND $1, R4, R6; \
	LSR $1, R4; \
	MOVD $16, R5; \
	CMP R5, R4; \
	CSEL LT, R4, R5, R5; \
	SUB R5, R4

#define LOAD_TILE \
	MOVD R0, R7; \
	VLD1 (R7), [V8.D2, V9.D2, V10.D2, V11.D2]; \
	ADD R3, R7; \
	VLD1 (R7), [V12.D2, V13.D2, V14.D2, V15.D2]; \
	ADD R3, R7; \
	VLD1 (R7), [V16.D2, V17.D2, V18.D2, V19.D2]; \
	ADD R3, R7; \
	VLD1 (R7), [V20.D2, V21.D2, V22.D2, V23.D2]; \
	ADD R3, R7; \
	VLD1 (R7), [V24.D2, V25.D2, V26.D2, V27.D2]; \
	ADD R3, R7; \
	VLD1 (R7), [V28.D2, V29.D2, V30.D2, V31.D2]

#define STORE_TILE \
	MOVD R0, R7; \
	VST1 [V8.D2, V9.D2, V10.D2, V11.D2], (R7); \
	ADD R3, R7; \
	VST1 [V12.D2, V13.D2, V14.D2, V15.D2], (R7); \
	ADD R3, R7; \
	VST1 [V16.D2, V17.D2, V18.D2, V19.D2], (R7); \
	ADD R3, R7; \
	VST1 [V20.D2, V21.D2, V22.D2, V23.D2], (R7); \
	ADD R3, R7; \
	VST1 [V24.D2, V25.D2, V26.D2, V27.D2], (R7); \
	ADD R3, R7; \
	VST1 [V28.D2, V29.D2, V30.D2, V31.D2], (R7)

#define ZERO(r) VEOR r.B16, r.B16, r.B16

#define ZERO_TILE \
	ZERO(V8); ZERO(V9); ZERO(V10); ZERO(V11); \
	ZERO(V12); ZERO(V13); ZERO(V14); ZERO(V15); \
	ZERO(V16); ZERO(V17); ZERO(V18); ZERO(V19); \
	ZERO(V20); ZERO(V21); ZERO(V22); ZERO(V23); \
	ZERO(V24); ZERO(V25); ZERO(V26); ZERO(V27); \
	ZERO(V28); ZERO(V29); ZERO(V30); ZERO(V31)

// The tile of C that comes next.
#define PREFETCH_NEXT \
	PRFM (R9), PLDL1KEEP; \
	ADD R3, R9; \
	PRFM (R9), PLDL1KEEP; \
	ADD R3, R9; \
	PRFM (R9), PLDL1KEEP; \
	ADD R3, R9; \
	PRFM (R9), PLDL1KEEP; \
	ADD R3, R9; \
	PRFM (R9), PLDL1KEEP; \
	ADD R3, R9; \
	PRFM (R9), PLDL1KEEP

// One step of an operation that takes the element of A spread over V4: ENTRY(y, r),
// which the operation defines, adds the step's term of x = V4 and y to the
// register r of C (both by number); it may use V5 to V7.
#define ROW(r0, r1, r2, r3) \
	VLD1R.P 8(R1), [V4.D2]; \
	ENTRY(0, r0); \
	ENTRY(1, r1); \
	ENTRY(2, r2); \
	ENTRY(3, r3)

#define STEP \
	VLD1.P 64(R2), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	ROW(8, 9, 10, 11); \
	ROW(12, 13, 14, 15); \
	ROW(16, 17, 18, 19); \
	ROW(20, 21, 22, 23); \
	ROW(24, 25, 26, 27); \
	ROW(28, 29, 30, 31)

// TILE is a whole kernel but for RET; step is one step of k.
#define TILE(step) \
	TILE_ARGS; \
	CBZ R8, overwrite; \
	LOAD_TILE; \
	B begin; \
overwrite: \
	ZERO_TILE; \
begin: \
	CBZ R4, fetch; \
turn: \
	step; \
	step; \
	SUB $1, R4; \
	CBNZ R4, turn; \
fetch: \
	MOVD R5, R4; \
	MOVD $0, R5; \
	CBZ R4, single; \
	PREFETCH_NEXT; \
	B turn; \
single: \
	CBZ R6, done; \
	step; \
done: \
	STORE_TILE

// The same for a single row of C, with a and b anywhere:
//
//   func(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
//
//	R0  c          R3  bytes from step to step of a
//	R1  a          R9  bytes from step to step of b
//	R2  b          R4  steps left
//	V8 to V11  8 columns of C, or V8 2 of them
#define LINE_ARGS \
	MOVD c+0(FP), R0; \
	MOVD a+8(FP), R1; \
	MOVD as+16(FP), R3; \
	MOVD b+24(FP), R2; \
	MOVD bs+32(FP), R9; \
	MOVD k+40(FP), R4; \
	MOVBU load+56(FP), R8; \
	LSL $3, R3; \
	LSL $3, R9; \
	ZERO(V8); ZERO(V9); ZERO(V10); ZERO(V11)

#define LINE_4 \
	LINE_ARGS; \
	CBZ R8, step; \
	VLD1 (R0), [V8.D2, V9.D2, V10.D2, V11.D2]; \
step: \
	VLD1R (R1), [V4.D2]; \
	ADD R3, R1; \
	VLD1 (R2), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	ADD R9, R2; \
	ENTRY(0, 8); \
	ENTRY(1, 9); \
	ENTRY(2, 10); \
	ENTRY(3, 11); \
	SUB $1, R4; \
	CBNZ R4, step; \
	VST1 [V8.D2, V9.D2, V10.D2, V11.D2], (R0)

#define LINE_1 \
	LINE_ARGS; \
	CBZ R8, step; \
	VLD1 (R0), [V8.D2]; \
step: \
	VLD1R (R1), [V4.D2]; \
	ADD R3, R1; \
	VLD1 (R2), [V0.D2]; \
	ADD R9, R2; \
	ENTRY(0, 8); \
	SUB $1, R4; \
	CBNZ R4, step; \
	VST1 [V8.D2], (R0)
