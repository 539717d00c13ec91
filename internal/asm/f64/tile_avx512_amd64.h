// Frame of the AVX-512 tile kernels: arguments, the tile of C in registers, and
// the walk along k.
//
//   func(c *float64, ldc int, a, b *float64, k int, load bool, next int)
//
//              b: 24 (16, 8) columns of one step
//             ┌────────┬────────┬────────┐
//             │  Z24   │  Z25   │  Z26   │
//   a: 8      ├────────┼────────┼────────┤
//   rows of   │  Z0    │  Z1    │  Z2    │ row 0      DI  c: rows 0 to 3
//   one step, │  Z3    │  Z4    │  Z5    │ row 1      R8  bytes from row to row
//   each      │  Z6    │  Z7    │  Z8    │ row 2      R9  3·R8
//   broadcast │  Z9    │  Z10   │  Z11   │ row 3      R10 c: rows 4 to 7
//   to a      │  Z12   │  Z13   │  Z14   │ row 4      SI  a, 64 bytes a step
//   register  │  Z15   │  Z16   │  Z17   │ row 5      BX  b, 192 (128, 64) bytes a step
//             │  Z18   │  Z19   │  Z20   │ row 6      DX  the next tile of C: rows 0 to 3
//             │  Z21   │  Z22   │  Z23   │ row 7      R13 the next tile of C: rows 4 to 7
//             └────────┴────────┴────────┘            R11 turns of four steps up to its prefetch
//                                                     R12 turns of four steps after it, ≤ 8
//                                                     CX  single steps at the end, ≤ 3
//
// Register 3·i+v holds vector v of row i in tiles of any width; narrow tiles
// leave out the columns on the right.

#define TILE_ARGS \
	MOVQ c+0(FP), DI; \
	MOVQ ldc+8(FP), R8; \
	MOVQ a+16(FP), SI; \
	MOVQ b+24(FP), BX; \
	MOVQ k+32(FP), CX; \
	MOVBLZX load+40(FP), AX; \
	MOVQ next+48(FP), DX; \
	SHLQ $3, R8; \
	LEAQ (R8)(R8*2), R9; \
	LEAQ (DI)(R8*4), R10; \
	LEAQ (DI)(DX*8), DX; \
	LEAQ (DX)(R8*4), R13; \
	MOVQ CX, R11; \
	SHRQ $2, R11; \
	ANDQ $3, CX; \
	MOVQ $8, R12; \
	CMPQ R11, R12; \
	CMOVQLT R11, R12; \
	SUBQ R12, R11; \
	TESTL AX, AX

// Column v of the tile: off = 64·v bytes into the rows.
#define LOAD_COLUMN(off, r0, r1, r2, r3, r4, r5, r6, r7) \
	VMOVUPD off(DI), r0; \
	VMOVUPD off(DI)(R8*1), r1; \
	VMOVUPD off(DI)(R8*2), r2; \
	VMOVUPD off(DI)(R9*1), r3; \
	VMOVUPD off(R10), r4; \
	VMOVUPD off(R10)(R8*1), r5; \
	VMOVUPD off(R10)(R8*2), r6; \
	VMOVUPD off(R10)(R9*1), r7

#define STORE_COLUMN(off, r0, r1, r2, r3, r4, r5, r6, r7) \
	VMOVUPD r0, off(DI); \
	VMOVUPD r1, off(DI)(R8*1); \
	VMOVUPD r2, off(DI)(R8*2); \
	VMOVUPD r3, off(DI)(R9*1); \
	VMOVUPD r4, off(R10); \
	VMOVUPD r5, off(R10)(R8*1); \
	VMOVUPD r6, off(R10)(R8*2); \
	VMOVUPD r7, off(R10)(R9*1)

#define ZERO_COLUMN(r0, r1, r2, r3, r4, r5, r6, r7) \
	VPXORQ r0, r0, r0; \
	VPXORQ r1, r1, r1; \
	VPXORQ r2, r2, r2; \
	VPXORQ r3, r3, r3; \
	VPXORQ r4, r4, r4; \
	VPXORQ r5, r5, r5; \
	VPXORQ r6, r6, r6; \
	VPXORQ r7, r7, r7

#define LOAD_1 LOAD_COLUMN(0, Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21)
#define LOAD_2 LOAD_1; LOAD_COLUMN(64, Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22)
#define LOAD_3 LOAD_2; LOAD_COLUMN(128, Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)

#define ZERO_1 ZERO_COLUMN(Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21)
#define ZERO_2 ZERO_1; ZERO_COLUMN(Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22)
#define ZERO_3 ZERO_2; ZERO_COLUMN(Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)

#define STORE_1 STORE_COLUMN(0, Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21)
#define STORE_2 STORE_1; STORE_COLUMN(64, Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22)
#define STORE_3 STORE_2; STORE_COLUMN(128, Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)

// The tile of C that comes next.
#define PREFETCH_COLUMN(off) \
	PREFETCHT0 off(DX); \
	PREFETCHT0 off(DX)(R8*1); \
	PREFETCHT0 off(DX)(R8*2); \
	PREFETCHT0 off(DX)(R9*1); \
	PREFETCHT0 off(R13); \
	PREFETCHT0 off(R13)(R8*1); \
	PREFETCHT0 off(R13)(R8*2); \
	PREFETCHT0 off(R13)(R9*1)

#define PREFETCH_NEXT PREFETCH_COLUMN(0); PREFETCH_COLUMN(64); PREFETCH_COLUMN(128)

// Panels that follow each other are contiguous: 16 steps ahead are those of the
// same panels or the next. A step is one line of a and w of b.
#define AHEAD_1(ao, bo) \
	PREFETCHT0 1024+ao(SI); \
	PREFETCHT0 1024+bo(BX)

#define AHEAD_2(ao, bo) \
	PREFETCHT0 1024+ao(SI); \
	PREFETCHT0 2048+bo(BX); \
	PREFETCHT0 2112+bo(BX)

#define AHEAD_3(ao, bo) \
	PREFETCHT0 1024+ao(SI); \
	PREFETCHT0 3072+bo(BX); \
	PREFETCHT0 3136+bo(BX); \
	PREFETCHT0 3200+bo(BX)

// One row of one step. ENTRY(y, r, d), which the operation defines, adds the
// step's term of x = Z27 and y to the register r of C; it may use d, Z30, Z31 and
// mask K1.
#define ROW_3(off, r0, r1, r2) \
	VBROADCASTSD off(SI), Z27; \
	ENTRY(Z24, r0, Z28); \
	ENTRY(Z25, r1, Z29); \
	ENTRY(Z26, r2, Z28)

#define ROW_2(off, r0, r1) \
	VBROADCASTSD off(SI), Z27; \
	ENTRY(Z24, r0, Z28); \
	ENTRY(Z25, r1, Z29)

#define ROW_1(off, r0) \
	VBROADCASTSD off(SI), Z27; \
	ENTRY(Z24, r0, Z28)

// The same with x taken from memory by each entry: ENTRY_MEM(off, y, r, d).
#define ROW_MEM_3(off, r0, r1, r2) \
	ENTRY_MEM(off, Z24, r0, Z28); \
	ENTRY_MEM(off, Z25, r1, Z29); \
	ENTRY_MEM(off, Z26, r2, Z28)

// One step of k, from a at SI+ao and b at BX+bo.
#define STEP_3(ao, bo) \
	VMOVUPD bo+0(BX), Z24; \
	VMOVUPD bo+64(BX), Z25; \
	VMOVUPD bo+128(BX), Z26; \
	ROW_3(ao+0, Z0, Z1, Z2); \
	ROW_3(ao+8, Z3, Z4, Z5); \
	ROW_3(ao+16, Z6, Z7, Z8); \
	ROW_3(ao+24, Z9, Z10, Z11); \
	ROW_3(ao+32, Z12, Z13, Z14); \
	ROW_3(ao+40, Z15, Z16, Z17); \
	ROW_3(ao+48, Z18, Z19, Z20); \
	ROW_3(ao+56, Z21, Z22, Z23)

#define STEP_2(ao, bo) \
	VMOVUPD bo+0(BX), Z24; \
	VMOVUPD bo+64(BX), Z25; \
	ROW_2(ao+0, Z0, Z1); \
	ROW_2(ao+8, Z3, Z4); \
	ROW_2(ao+16, Z6, Z7); \
	ROW_2(ao+24, Z9, Z10); \
	ROW_2(ao+32, Z12, Z13); \
	ROW_2(ao+40, Z15, Z16); \
	ROW_2(ao+48, Z18, Z19); \
	ROW_2(ao+56, Z21, Z22)

#define STEP_1(ao, bo) \
	VMOVUPD bo+0(BX), Z24; \
	ROW_1(ao+0, Z0); \
	ROW_1(ao+8, Z3); \
	ROW_1(ao+16, Z6); \
	ROW_1(ao+24, Z9); \
	ROW_1(ao+32, Z12); \
	ROW_1(ao+40, Z15); \
	ROW_1(ao+48, Z18); \
	ROW_1(ao+56, Z21)

// The same where the operation reads more registers than there are ports: six of
// the eight rows take x from memory (with eight, loads could become the limit).
#define STEP_MEM_3(ao, bo) \
	VMOVUPD bo+0(BX), Z24; \
	VMOVUPD bo+64(BX), Z25; \
	VMOVUPD bo+128(BX), Z26; \
	ROW_MEM_3(ao+0, Z0, Z1, Z2); \
	ROW_MEM_3(ao+8, Z3, Z4, Z5); \
	ROW_MEM_3(ao+16, Z6, Z7, Z8); \
	ROW_3(ao+24, Z9, Z10, Z11); \
	ROW_MEM_3(ao+32, Z12, Z13, Z14); \
	ROW_MEM_3(ao+40, Z15, Z16, Z17); \
	ROW_MEM_3(ao+48, Z18, Z19, Z20); \
	ROW_3(ao+56, Z21, Z22, Z23)

// TILE is a whole kernel but for VZEROUPPER and RET. step is STEP_w or
// STEP_MEM_3,
// ahead is AHEAD_w, and a step of b is bw bytes.
#define TILE(step, ahead, bw, load, zero, store) \
	TILE_ARGS; \
	JZ overwrite; \
	load; \
	JMP begin; \
overwrite: \
	zero; \
begin: \
	TESTQ R11, R11; \
	JZ fetch; \
turn: \
	ahead(0, 0); \
	step(0, 0); \
	ahead(64, bw); \
	step(64, bw); \
	ahead(128, 2*bw); \
	step(128, 2*bw); \
	ahead(192, 3*bw); \
	step(192, 3*bw); \
	ADDQ $256, SI; \
	ADDQ $(4*bw), BX; \
	SUBQ $1, R11; \
	JNZ turn; \
fetch: \
	MOVQ R12, R11; \
	XORL R12, R12; \
	TESTQ R11, R11; \
	JZ single; \
	PREFETCH_NEXT; \
	JMP turn; \
single: \
	SUBQ $1, CX; \
	JLT done; \
	step(0, 0); \
	ADDQ $64, SI; \
	ADDQ $bw, BX; \
	JMP single; \
done: \
	store

// The same for a single row of C, with a and b anywhere:
//
//   func(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
//
//	DI  c                        R8  bytes from step to step of a
//	SI  a                        R9  bytes from step to step of b
//	BX  b                        CX  steps left
//	Z0 Z1 Z2   up to 24 columns of C, which K2, K3 and K4 mark, or Z0 up to 8
//	Z24 … Z26  the step's columns of b
#define LINE_ARGS \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ as+16(FP), R8; \
	MOVQ b+24(FP), BX; \
	MOVQ bs+32(FP), R9; \
	MOVBLZX load+56(FP), AX; \
	SHLQ $3, R8; \
	SHLQ $3, R9; \
	VPXORQ Z0, Z0, Z0; \
	VPXORQ Z1, Z1, Z1; \
	VPXORQ Z2, Z2, Z2

// A bit for each column in R10.
#define LINE_MASK \
	MOVQ cols+48(FP), CX; \
	MOVL $1, R10; \
	SHLL CX, R10; \
	SUBL $1, R10; \
	MOVQ k+40(FP), CX

#define LINE_3 \
	LINE_ARGS; \
	LINE_MASK; \
	KMOVB R10, K2; \
	SHRL $8, R10; \
	KMOVB R10, K3; \
	SHRL $8, R10; \
	KMOVB R10, K4; \
	TESTL AX, AX; \
	JZ step; \
	VMOVUPD.Z (DI), K2, Z0; \
	VMOVUPD.Z 64(DI), K3, Z1; \
	VMOVUPD.Z 128(DI), K4, Z2; \
step: \
	VMOVUPD.Z (BX), K2, Z24; \
	VMOVUPD.Z 64(BX), K3, Z25; \
	VMOVUPD.Z 128(BX), K4, Z26; \
	ROW_3(0, Z0, Z1, Z2); \
	ADDQ R8, SI; \
	ADDQ R9, BX; \
	SUBQ $1, CX; \
	JNZ step; \
	VMOVUPD Z0, K2, (DI); \
	VMOVUPD Z1, K3, 64(DI); \
	VMOVUPD Z2, K4, 128(DI)

#define LINE_1 \
	LINE_ARGS; \
	LINE_MASK; \
	KMOVB R10, K2; \
	TESTL AX, AX; \
	JZ step; \
	VMOVUPD.Z (DI), K2, Z0; \
step: \
	VMOVUPD.Z (BX), K2, Z24; \
	ROW_1(0, Z0); \
	ADDQ R8, SI; \
	ADDQ R9, BX; \
	SUBQ $1, CX; \
	JNZ step; \
	VMOVUPD Z0, K2, (DI)
