//go:build !purego

#include "textflag.h"

// Forward substitution in a tile: see tile_solve.go, Go twin solveTileGo. Needs AVX512F.
//
//	DI  x, 192 bytes from row to row    Z(3i+v)  vector v of row i
//	SI  l, 64 bytes from row to row     Z24      an element of L

// Row i of x, which begins off bytes into it.
#define LOAD(off, r0, r1, r2) \
	VMOVUPD off(DI), r0; \
	VMOVUPD off+64(DI), r1; \
	VMOVUPD off+128(DI), r2

// x[i] ← x[i] − L[i,l]·x[l], with L[i,l] off bytes into l.
#define SUB(off, l0, l1, l2, r0, r1, r2) \
	VBROADCASTSD off(SI), Z24; \
	VFNMADD231PD Z24, l0, r0; \
	VFNMADD231PD Z24, l1, r1; \
	VFNMADD231PD Z24, l2, r2

// x[i] ← x[i]/L[i,i], which is final.
#define DIV(off, to, r0, r1, r2) \
	VBROADCASTSD off(SI), Z24; \
	VDIVPD Z24, r0, r0; \
	VDIVPD Z24, r1, r1; \
	VDIVPD Z24, r2, r2; \
	VMOVUPD r0, to(DI); \
	VMOVUPD r1, to+64(DI); \
	VMOVUPD r2, to+128(DI)

// func solveTile8x24AVX512(x, l *float64)
TEXT ·solveTile8x24AVX512(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ l+8(FP), SI

	LOAD(0, Z0, Z1, Z2)
	LOAD(192, Z3, Z4, Z5)
	LOAD(384, Z6, Z7, Z8)
	LOAD(576, Z9, Z10, Z11)
	LOAD(768, Z12, Z13, Z14)
	LOAD(960, Z15, Z16, Z17)
	LOAD(1152, Z18, Z19, Z20)
	LOAD(1344, Z21, Z22, Z23)

	DIV(0, 0, Z0, Z1, Z2)
	SUB(64, Z0, Z1, Z2, Z3, Z4, Z5)
	DIV(72, 192, Z3, Z4, Z5)
	SUB(128, Z0, Z1, Z2, Z6, Z7, Z8)
	SUB(136, Z3, Z4, Z5, Z6, Z7, Z8)
	DIV(144, 384, Z6, Z7, Z8)
	SUB(192, Z0, Z1, Z2, Z9, Z10, Z11)
	SUB(200, Z3, Z4, Z5, Z9, Z10, Z11)
	SUB(208, Z6, Z7, Z8, Z9, Z10, Z11)
	DIV(216, 576, Z9, Z10, Z11)
	SUB(256, Z0, Z1, Z2, Z12, Z13, Z14)
	SUB(264, Z3, Z4, Z5, Z12, Z13, Z14)
	SUB(272, Z6, Z7, Z8, Z12, Z13, Z14)
	SUB(280, Z9, Z10, Z11, Z12, Z13, Z14)
	DIV(288, 768, Z12, Z13, Z14)
	SUB(320, Z0, Z1, Z2, Z15, Z16, Z17)
	SUB(328, Z3, Z4, Z5, Z15, Z16, Z17)
	SUB(336, Z6, Z7, Z8, Z15, Z16, Z17)
	SUB(344, Z9, Z10, Z11, Z15, Z16, Z17)
	SUB(352, Z12, Z13, Z14, Z15, Z16, Z17)
	DIV(360, 960, Z15, Z16, Z17)
	SUB(384, Z0, Z1, Z2, Z18, Z19, Z20)
	SUB(392, Z3, Z4, Z5, Z18, Z19, Z20)
	SUB(400, Z6, Z7, Z8, Z18, Z19, Z20)
	SUB(408, Z9, Z10, Z11, Z18, Z19, Z20)
	SUB(416, Z12, Z13, Z14, Z18, Z19, Z20)
	SUB(424, Z15, Z16, Z17, Z18, Z19, Z20)
	DIV(432, 1152, Z18, Z19, Z20)
	SUB(448, Z0, Z1, Z2, Z21, Z22, Z23)
	SUB(456, Z3, Z4, Z5, Z21, Z22, Z23)
	SUB(464, Z6, Z7, Z8, Z21, Z22, Z23)
	SUB(472, Z9, Z10, Z11, Z21, Z22, Z23)
	SUB(480, Z12, Z13, Z14, Z21, Z22, Z23)
	SUB(488, Z15, Z16, Z17, Z21, Z22, Z23)
	SUB(496, Z18, Z19, Z20, Z21, Z22, Z23)
	DIV(504, 1344, Z21, Z22, Z23)
	VZEROUPPER
	RET
