// Frame of the AVX2 tile kernels: arguments, the tile of C in registers, and the
// walk along k.
//
//   func(c *float64, ldc int, a, b *float64, k int, load bool, next int)
//
//              b: 12 (8, 4) columns of one step
//   a: 4      ┌────────┬────────┬────────┐
//   rows of   │  Y0    │  Y1    │  Y2    │ row 0      DI  c
//   one step, │  Y3    │  Y4    │  Y5    │ row 1      R8  bytes from row to row
//   each      │  Y6    │  Y7    │  Y8    │ row 2      R9  3·R8
//   broadcast │  Y9    │  Y10   │  Y11   │ row 3      SI  a, 32 bytes a step
//             └────────┴────────┴────────┘            BX  b, 96 (64, 32) bytes a step
//                                                     DX  the next tile of C
//                                                     R11 turns of four steps up to its prefetch
//                                                     R12 turns of four steps after it, ≤ 8
//                                                     CX  single steps at the end, ≤ 3
//
// Register 3·i+v holds vector v of row i in tiles of any width; narrow tiles
// leave out the columns on the right. Y12 to Y15 belong to the operation, which
// defines FETCH_w(bo), the work of one step before its rows, with b at BX+bo,
// and ROW_w(off, bo, …), the work for one row, with its element of A at SI+off.

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
	LEAQ (DI)(DX*8), DX; \
	MOVQ CX, R11; \
	SHRQ $2, R11; \
	ANDQ $3, CX; \
	MOVQ $8, R12; \
	CMPQ R11, R12; \
	CMOVQLT R11, R12; \
	SUBQ R12, R11; \
	TESTL AX, AX

// Column v of the tile: off = 32·v bytes into the rows.
#define LOAD_COLUMN(off, r0, r1, r2, r3) \
	VMOVUPD off(DI), r0; \
	VMOVUPD off(DI)(R8*1), r1; \
	VMOVUPD off(DI)(R8*2), r2; \
	VMOVUPD off(DI)(R9*1), r3

#define STORE_COLUMN(off, r0, r1, r2, r3) \
	VMOVUPD r0, off(DI); \
	VMOVUPD r1, off(DI)(R8*1); \
	VMOVUPD r2, off(DI)(R8*2); \
	VMOVUPD r3, off(DI)(R9*1)

#define ZERO_COLUMN(r0, r1, r2, r3) \
	VXORPD r0, r0, r0; \
	VXORPD r1, r1, r1; \
	VXORPD r2, r2, r2; \
	VXORPD r3, r3, r3

#define LOAD_1 LOAD_COLUMN(0, Y0, Y3, Y6, Y9)
#define LOAD_2 LOAD_1; LOAD_COLUMN(32, Y1, Y4, Y7, Y10)
#define LOAD_3 LOAD_2; LOAD_COLUMN(64, Y2, Y5, Y8, Y11)

#define ZERO_1 ZERO_COLUMN(Y0, Y3, Y6, Y9)
#define ZERO_2 ZERO_1; ZERO_COLUMN(Y1, Y4, Y7, Y10)
#define ZERO_3 ZERO_2; ZERO_COLUMN(Y2, Y5, Y8, Y11)

#define STORE_1 STORE_COLUMN(0, Y0, Y3, Y6, Y9)
#define STORE_2 STORE_1; STORE_COLUMN(32, Y1, Y4, Y7, Y10)
#define STORE_3 STORE_2; STORE_COLUMN(64, Y2, Y5, Y8, Y11)

// The tile of C that comes next; its rows may begin anywhere in a line.
#define PREFETCH_COLUMN(off) \
	PREFETCHT0 off(DX); \
	PREFETCHT0 off(DX)(R8*1); \
	PREFETCHT0 off(DX)(R8*2); \
	PREFETCHT0 off(DX)(R9*1)

#define PREFETCH_NEXT PREFETCH_COLUMN(0); PREFETCH_COLUMN(64)

// Panels that follow each other are contiguous: 16 steps ahead are those of the
// same panels or the next. Two steps are one line of a and w of b.
#define AHEAD_1(ao, bo) \
	PREFETCHT0 512+ao(SI); \
	PREFETCHT0 512+bo(BX)

#define AHEAD_2(ao, bo) \
	PREFETCHT0 512+ao(SI); \
	PREFETCHT0 1024+bo(BX); \
	PREFETCHT0 1088+bo(BX)

#define AHEAD_3(ao, bo) \
	PREFETCHT0 512+ao(SI); \
	PREFETCHT0 1536+bo(BX); \
	PREFETCHT0 1600+bo(BX); \
	PREFETCHT0 1664+bo(BX)

// One step of k, from a at SI+ao and b at BX+bo.
#define STEP_3(ao, bo) \
	FETCH_3(bo); \
	ROW_3(ao+0, bo, Y0, Y1, Y2); \
	ROW_3(ao+8, bo, Y3, Y4, Y5); \
	ROW_3(ao+16, bo, Y6, Y7, Y8); \
	ROW_3(ao+24, bo, Y9, Y10, Y11)

#define STEP_2(ao, bo) \
	FETCH_2(bo); \
	ROW_2(ao+0, bo, Y0, Y1); \
	ROW_2(ao+8, bo, Y3, Y4); \
	ROW_2(ao+16, bo, Y6, Y7); \
	ROW_2(ao+24, bo, Y9, Y10)

#define STEP_1(ao, bo) \
	FETCH_1(bo); \
	ROW_1(ao+0, bo, Y0); \
	ROW_1(ao+8, bo, Y3); \
	ROW_1(ao+16, bo, Y6); \
	ROW_1(ao+24, bo, Y9)

// TILE is a whole kernel but for VZEROUPPER and RET. step is STEP_w,
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
	step(32, bw); \
	ahead(64, 2*bw); \
	step(64, 2*bw); \
	step(96, 3*bw); \
	ADDQ $128, SI; \
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
	ADDQ $32, SI; \
	ADDQ $bw, BX; \
	JMP single; \
done: \
	store

// The same for a single row of C, with a and b anywhere:
//
//   func(c, a *float64, as int, b *float64, bs, k, cols int, load bool)
//
//	DI  c          R8  bytes from step to step of a
//	SI  a          R9  bytes from step to step of b
//	BX  b          CX  steps left
//	Y0 Y1 Y2  12 columns of C, or Y0 4 of them
#define LINE_ARGS \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ as+16(FP), R8; \
	MOVQ b+24(FP), BX; \
	MOVQ bs+32(FP), R9; \
	MOVQ k+40(FP), CX; \
	MOVBLZX load+56(FP), AX; \
	SHLQ $3, R8; \
	SHLQ $3, R9; \
	VXORPD Y0, Y0, Y0; \
	VXORPD Y1, Y1, Y1; \
	VXORPD Y2, Y2, Y2; \
	TESTL AX, AX

#define LINE_3 \
	LINE_ARGS; \
	JZ step; \
	VMOVUPD (DI), Y0; \
	VMOVUPD 32(DI), Y1; \
	VMOVUPD 64(DI), Y2; \
step: \
	FETCH_3(0); \
	ROW_3(0, 0, Y0, Y1, Y2); \
	ADDQ R8, SI; \
	ADDQ R9, BX; \
	SUBQ $1, CX; \
	JNZ step; \
	VMOVUPD Y0, (DI); \
	VMOVUPD Y1, 32(DI); \
	VMOVUPD Y2, 64(DI)

#define LINE_1 \
	LINE_ARGS; \
	JZ step; \
	VMOVUPD (DI), Y0; \
step: \
	FETCH_1(0); \
	ROW_1(0, 0, Y0); \
	ADDQ R8, SI; \
	ADDQ R9, BX; \
	SUBQ $1, CX; \
	JNZ step; \
	VMOVUPD Y0, (DI)
