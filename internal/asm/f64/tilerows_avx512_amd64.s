//go:build !purego

#include "textflag.h"

// A tile of a product whose left factor is read where it is: see tile_unpacked.go. Needs AVX512F.
//
//	DI   c: rows 0 to 3        R8   bytes from row to row of c     R9   3·R8
//	R10  c: rows 4 to 7
//	SI   a: rows 0 to 3        R11  bytes from row to row of a     R12  3·R11
//	R13  a: rows 4 to 7        AX   bytes from step to step of a
//	BX   b, 64 bytes a step and vector
//	CX   turns of four steps left                                  DX   single steps, ≤ 3
//	Z0 … Z23  the tile: 3·i+v is vector v of row i
//	Z24 … Z26 b of a step      Z27  the number of a row

#define COLUMN(op, off, r0, r1, r2, r3, r4, r5, r6, r7) \
	op(off(DI), r0); \
	op(off(DI)(R8*1), r1); \
	op(off(DI)(R8*2), r2); \
	op(off(DI)(R9*1), r3); \
	op(off(R10), r4); \
	op(off(R10)(R8*1), r5); \
	op(off(R10)(R8*2), r6); \
	op(off(R10)(R9*1), r7)

#define LOAD(at, r) VMOVUPD at, r
#define STORE(at, r) VMOVUPD r, at
#define ZERO(at, r) VPXORQ r, r, r

#define TILE_1(op) COLUMN(op, 0, Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21)
#define TILE_2(op) TILE_1(op); COLUMN(op, 64, Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22)
#define TILE_3(op) TILE_2(op); COLUMN(op, 128, Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)

#define ROW_1(at, r0, r1, r2) \
	VBROADCASTSD at, Z27; \
	VFMADD231PD Z24, Z27, r0
#define ROW_2(at, r0, r1, r2) \
	ROW_1(at, r0, r1, r2); \
	VFMADD231PD Z25, Z27, r1
#define ROW_3(at, r0, r1, r2) \
	ROW_2(at, r0, r1, r2); \
	VFMADD231PD Z26, Z27, r2

#define B_1(off) \
	PREFETCHT0 3072+off(BX); \
	VMOVUPD off(BX), Z24
#define B_2(off) \
	B_1(off); \
	PREFETCHT0 3136+off(BX); \
	VMOVUPD off+64(BX), Z25
#define B_3(off) \
	B_2(off); \
	PREFETCHT0 3200+off(BX); \
	VMOVUPD off+128(BX), Z26

#define STEP(row, panel, off) \
	panel(off); \
	row((SI), Z0, Z1, Z2); \
	row((SI)(R11*1), Z3, Z4, Z5); \
	row((SI)(R11*2), Z6, Z7, Z8); \
	row((SI)(R12*1), Z9, Z10, Z11); \
	row((R13), Z12, Z13, Z14); \
	row((R13)(R11*1), Z15, Z16, Z17); \
	row((R13)(R11*2), Z18, Z19, Z20); \
	row((R13)(R12*1), Z21, Z22, Z23); \
	ADDQ AX, SI; \
	ADDQ AX, R13

#define KERNEL(tile, row, panel, width) \
	MOVQ c+0(FP), DI; \
	MOVQ ldc+8(FP), R8; \
	MOVQ a+16(FP), SI; \
	MOVQ ars+24(FP), R11; \
	MOVQ b+40(FP), BX; \
	MOVQ k+48(FP), CX; \
	MOVBLZX load+56(FP), AX; \
	SHLQ $3, R8; \
	SHLQ $3, R11; \
	LEAQ (R8)(R8*2), R9; \
	LEAQ (DI)(R8*4), R10; \
	LEAQ (R11)(R11*2), R12; \
	LEAQ (SI)(R11*4), R13; \
	MOVQ CX, DX; \
	ANDQ $3, DX; \
	SHRQ $2, CX; \
	TESTL AX, AX; \
	JZ overwrite; \
	tile(LOAD); \
	JMP begin; \
overwrite: \
	tile(ZERO); \
begin: \
	MOVQ acs+32(FP), AX; \
	SHLQ $3, AX; \
	TESTQ CX, CX; \
	JZ single; \
turn: \
	PREFETCHT0 512(SI); \
	PREFETCHT0 512(SI)(R11*1); \
	PREFETCHT0 512(SI)(R11*2); \
	PREFETCHT0 512(SI)(R12*1); \
	PREFETCHT0 512(R13); \
	PREFETCHT0 512(R13)(R11*1); \
	PREFETCHT0 512(R13)(R11*2); \
	PREFETCHT0 512(R13)(R12*1); \
	STEP(row, panel, 0); \
	STEP(row, panel, width); \
	STEP(row, panel, 2*width); \
	STEP(row, panel, 3*width); \
	ADDQ $(4*width), BX; \
	SUBQ $1, CX; \
	JNZ turn; \
single: \
	SUBQ $1, DX; \
	JLT done; \
	STEP(row, panel, 0); \
	ADDQ $width, BX; \
	JMP single; \
done: \
	tile(STORE); \
	VZEROUPPER; \
	RET

// func tileRows8x24AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)
TEXT ·tileRows8x24AVX512(SB), NOSPLIT, $0-57
	KERNEL(TILE_3, ROW_3, B_3, 192)

// func tileRows8x16AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)
TEXT ·tileRows8x16AVX512(SB), NOSPLIT, $0-57
	KERNEL(TILE_2, ROW_2, B_2, 128)

// func tileRows8x8AVX512(c *float64, ldc int, a *float64, ars, acs int, b *float64, k int, load bool)
TEXT ·tileRows8x8AVX512(SB), NOSPLIT, $0-57
	KERNEL(TILE_1, ROW_1, B_1, 64)
