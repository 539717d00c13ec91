//go:build !purego

#include "textflag.h"

// Forward substitution in a tile: see tile_solve.go, Go twin solveTileGo. Needs AVX2 and FMA.
//
//	DI  x, 96 bytes from row to row    Y(3i+v)  vector v of row i
//	SI  l, 32 bytes from row to row     Y12      an element of L

// Row i of x, which begins off bytes into it.
#define LOAD(off, r0, r1, r2) \
	VMOVUPD off(DI), r0; \
	VMOVUPD off+32(DI), r1; \
	VMOVUPD off+64(DI), r2

// x[i] ← x[i] − L[i,l]·x[l], with L[i,l] off bytes into l.
#define SUB(off, l0, l1, l2, r0, r1, r2) \
	VBROADCASTSD off(SI), Y12; \
	VFNMADD231PD Y12, l0, r0; \
	VFNMADD231PD Y12, l1, r1; \
	VFNMADD231PD Y12, l2, r2

// x[i] ← x[i]/L[i,i], which is final.
#define DIV(off, to, r0, r1, r2) \
	VBROADCASTSD off(SI), Y12; \
	VDIVPD Y12, r0, r0; \
	VDIVPD Y12, r1, r1; \
	VDIVPD Y12, r2, r2; \
	VMOVUPD r0, to(DI); \
	VMOVUPD r1, to+32(DI); \
	VMOVUPD r2, to+64(DI)

// func solveTile4x12AVX2(x, l *float64)
TEXT ·solveTile4x12AVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ l+8(FP), SI

	LOAD(0, Y0, Y1, Y2)
	LOAD(96, Y3, Y4, Y5)
	LOAD(192, Y6, Y7, Y8)
	LOAD(288, Y9, Y10, Y11)

	DIV(0, 0, Y0, Y1, Y2)
	SUB(32, Y0, Y1, Y2, Y3, Y4, Y5)
	DIV(40, 96, Y3, Y4, Y5)
	SUB(64, Y0, Y1, Y2, Y6, Y7, Y8)
	SUB(72, Y3, Y4, Y5, Y6, Y7, Y8)
	DIV(80, 192, Y6, Y7, Y8)
	SUB(96, Y0, Y1, Y2, Y9, Y10, Y11)
	SUB(104, Y3, Y4, Y5, Y9, Y10, Y11)
	SUB(112, Y6, Y7, Y8, Y9, Y10, Y11)
	DIV(120, 288, Y9, Y10, Y11)
	VZEROUPPER
	RET
