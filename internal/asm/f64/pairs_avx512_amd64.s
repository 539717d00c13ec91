//go:build !purego

#include "textflag.h"
#include "tile_avx512_amd64.h"

// A tile of a product whose left factor is read where it is: see tile_unpacked.go. Needs
// AVX512F. The tile and its registers are those of tile_avx512_amd64.h.
//
//	SI, R10  p: rows 0 and 4                 R8   bytes from row to row of p
//	DX       q: row 0, 8 bytes to the next   AX   bytes from step to step of p
//	BX       b, a row of it for each step    R11  bytes from step to step of q
//	CX       steps left, of p and q in turn  R12  a row of p in the next tile
//	                                         DI   bytes from the last of its eight rows
//	                                              to the first, eight steps on
//
// What the next tile wants is fetched meanwhile: of q the next line at each step, of p
// one line of a row, the eight rows in turn.

#define FETCH_1 \
	VMOVUPD (BX), Z24

#define FETCH_2 FETCH_1; \
	VMOVUPD 64(BX), Z25

#define FETCH_3 FETCH_2; \
	VMOVUPD 128(BX), Z26

#define ROW_P1(a, r0, r1, r2) \
	VBROADCASTSD a, Z27; \
	VFMADD231PD Z24, Z27, r0

#define ROW_P2(a, r0, r1, r2) ROW_P1(a, r0, r1, r2); \
	VFMADD231PD Z25, Z27, r1

#define ROW_P3(a, r0, r1, r2) ROW_P2(a, r0, r1, r2); \
	VFMADD231PD Z26, Z27, r2

#define PAIRS(fetch, row, bw, load, store) \
	MOVQ c+0(FP), DI; \
	MOVQ ldc+8(FP), R8; \
	SHLQ $3, R8; \
	LEAQ (R8)(R8*2), R9; \
	LEAQ (DI)(R8*4), R10; \
	load; \
	MOVQ p+16(FP), SI; \
	MOVQ prs+24(FP), R8; \
	MOVQ pcs+32(FP), AX; \
	MOVQ q+40(FP), DX; \
	MOVQ qcs+48(FP), R11; \
	MOVQ b+56(FP), BX; \
	MOVQ steps+64(FP), CX; \
	SHLQ $3, R8; \
	SHLQ $3, AX; \
	SHLQ $3, R11; \
	LEAQ (R8)(R8*2), R9; \
	LEAQ (SI)(R8*4), R10; \
	LEAQ (SI)(R8*8), R12; \
	MOVQ AX, DI; \
	SUBQ R8, DI; \
	SHLQ $3, DI; \
	MOVBLZX qfirst+72(FP), R13; \
	TESTL R13, R13; \
	JNZ q; \
p: \
	fetch; \
	PREFETCHT0 (R12); \
	row((SI), Z0, Z1, Z2); \
	row((SI)(R8*1), Z3, Z4, Z5); \
	row((SI)(R8*2), Z6, Z7, Z8); \
	row((SI)(R9*1), Z9, Z10, Z11); \
	row((R10), Z12, Z13, Z14); \
	row((R10)(R8*1), Z15, Z16, Z17); \
	row((R10)(R8*2), Z18, Z19, Z20); \
	row((R10)(R9*1), Z21, Z22, Z23); \
	ADDQ AX, SI; \
	ADDQ AX, R10; \
	ADDQ R8, R12; \
	ADDQ $bw, BX; \
	SUBQ $1, CX; \
	JZ done; \
	TESTL $14, CX; \
	JNZ q; \
	ADDQ DI, R12; \
q: \
	fetch; \
	PREFETCHT0 120(DX); \
	row((DX), Z0, Z1, Z2); \
	row(8(DX), Z3, Z4, Z5); \
	row(16(DX), Z6, Z7, Z8); \
	row(24(DX), Z9, Z10, Z11); \
	row(32(DX), Z12, Z13, Z14); \
	row(40(DX), Z15, Z16, Z17); \
	row(48(DX), Z18, Z19, Z20); \
	row(56(DX), Z21, Z22, Z23); \
	ADDQ R11, DX; \
	ADDQ $bw, BX; \
	SUBQ $1, CX; \
	JNZ p; \
done: \
	MOVQ c+0(FP), DI; \
	MOVQ ldc+8(FP), R8; \
	SHLQ $3, R8; \
	LEAQ (R8)(R8*2), R9; \
	LEAQ (DI)(R8*4), R10; \
	store

// func pairs8x24AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)
TEXT ·pairs8x24AVX512(SB), NOSPLIT, $0-73
	PAIRS(FETCH_3, ROW_P3, 192, LOAD_3, STORE_3)
	VZEROUPPER
	RET

// func pairs8x16AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)
TEXT ·pairs8x16AVX512(SB), NOSPLIT, $0-73
	PAIRS(FETCH_2, ROW_P2, 128, LOAD_2, STORE_2)
	VZEROUPPER
	RET

// func pairs8x8AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)
TEXT ·pairs8x8AVX512(SB), NOSPLIT, $0-73
	PAIRS(FETCH_1, ROW_P1, 64, LOAD_1, STORE_1)
	VZEROUPPER
	RET
