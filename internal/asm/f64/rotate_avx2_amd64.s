//go:build !purego

#include "textflag.h"

// A plane rotation: see rows.go. Needs AVX2 and FMA.
//
//	SI  x     Y14  s       CX  blocks of eight left
//	DI  y     Y15  tau

// HALF rotates four pairs.
#define HALF(off, x, y, u, v) \
	VMOVUPD off(SI), x; \
	VMOVUPD off(DI), y; \
	VMOVAPD y, u; \
	VMOVAPD x, v; \
	VFMADD231PD x, Y15, u; \
	VFNMADD231PD y, Y15, v; \
	VFNMADD231PD u, Y14, x; \
	VFMADD231PD v, Y14, y; \
	VMOVUPD x, off(SI); \
	VMOVUPD y, off(DI)

// func rotateAVX2(x, y *float64, s, tau float64, blocks int)
TEXT ·rotateAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	VBROADCASTSD s+16(FP), Y14
	VBROADCASTSD tau+24(FP), Y15
	MOVQ blocks+32(FP), CX
block:
	HALF(0, Y0, Y1, Y2, Y3)
	HALF(32, Y4, Y5, Y6, Y7)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $1, CX
	JNE block
	VZEROUPPER
	RET
