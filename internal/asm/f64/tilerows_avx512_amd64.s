//go:build !purego

#include "textflag.h"

// A tile of a product whose rows of A are where they are: see tile_unpacked.go. Needs AVX512F.
//
//	DI   c: rows 0 to 3        R8   bytes from row to row of c     R9   3·R8
//	R10  c: rows 4 to 7
//	SI   a: rows 0 to 3        R11  bytes from row to row of a     R12  3·R11
//	R13  a: rows 4 to 7
//	BX   b, 192 bytes a step   CX   turns of four steps left       DX   single steps, ≤ 3
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

#define TILE_OF(op) \
	COLUMN(op, 0, Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21); \
	COLUMN(op, 64, Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22); \
	COLUMN(op, 128, Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)

#define ROW(at, r0, r1, r2) \
	VBROADCASTSD at, Z27; \
	VFMADD231PD Z24, Z27, r0; \
	VFMADD231PD Z25, Z27, r1; \
	VFMADD231PD Z26, Z27, r2

#define STEP(ao, bo) \
	PREFETCHT0 3072+bo(BX); \
	PREFETCHT0 3136+bo(BX); \
	PREFETCHT0 3200+bo(BX); \
	VMOVUPD bo+0(BX), Z24; \
	VMOVUPD bo+64(BX), Z25; \
	VMOVUPD bo+128(BX), Z26; \
	ROW(ao(SI), Z0, Z1, Z2); \
	ROW(ao(SI)(R11*1), Z3, Z4, Z5); \
	ROW(ao(SI)(R11*2), Z6, Z7, Z8); \
	ROW(ao(SI)(R12*1), Z9, Z10, Z11); \
	ROW(ao(R13), Z12, Z13, Z14); \
	ROW(ao(R13)(R11*1), Z15, Z16, Z17); \
	ROW(ao(R13)(R11*2), Z18, Z19, Z20); \
	ROW(ao(R13)(R12*1), Z21, Z22, Z23)

// func tileRows8x24AVX512(c *float64, ldc int, a *float64, lda int, b *float64, k int, load bool)
TEXT ·tileRows8x24AVX512(SB), NOSPLIT, $0-49
	MOVQ c+0(FP), DI
	MOVQ ldc+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ lda+24(FP), R11
	MOVQ b+32(FP), BX
	MOVQ k+40(FP), CX
	MOVBLZX load+48(FP), AX
	SHLQ $3, R8
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), R10
	LEAQ (R11)(R11*2), R12
	LEAQ (SI)(R11*4), R13
	MOVQ CX, DX
	ANDQ $3, DX
	SHRQ $2, CX
	TESTL AX, AX
	JZ overwrite
	TILE_OF(LOAD)
	JMP begin
overwrite:
	TILE_OF(ZERO)
begin:
	TESTQ CX, CX
	JZ single
turn:
	PREFETCHT0 512(SI)
	PREFETCHT0 512(SI)(R11*1)
	PREFETCHT0 512(SI)(R11*2)
	PREFETCHT0 512(SI)(R12*1)
	PREFETCHT0 512(R13)
	PREFETCHT0 512(R13)(R11*1)
	PREFETCHT0 512(R13)(R11*2)
	PREFETCHT0 512(R13)(R12*1)
	STEP(0, 0)
	STEP(8, 192)
	STEP(16, 384)
	STEP(24, 576)
	ADDQ $32, SI
	ADDQ $32, R13
	ADDQ $768, BX
	SUBQ $1, CX
	JNZ turn
single:
	SUBQ $1, DX
	JLT done
	STEP(0, 0)
	ADDQ $8, SI
	ADDQ $8, R13
	ADDQ $192, BX
	JMP single
done:
	TILE_OF(STORE)
	VZEROUPPER
	RET
