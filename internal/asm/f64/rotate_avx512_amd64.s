//go:build !purego

#include "textflag.h"

// A plane rotation: see rows.go. Needs AVX512F.
//
//	SI  x     Z30  s       CX  blocks of eight left
//	DI  y     Z31  tau

// func rotateAVX512(x, y *float64, s, tau float64, blocks int)
TEXT ·rotateAVX512(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	VBROADCASTSD s+16(FP), Z30
	VBROADCASTSD tau+24(FP), Z31
	MOVQ blocks+32(FP), CX
block:
	VMOVUPD (SI), Z0
	VMOVUPD (DI), Z1
	VMOVAPD Z1, Z2
	VMOVAPD Z0, Z3
	VFMADD231PD Z0, Z31, Z2
	VFNMADD231PD Z1, Z31, Z3
	VFNMADD231PD Z2, Z30, Z0
	VFMADD231PD Z3, Z30, Z1
	VMOVUPD Z0, (SI)
	VMOVUPD Z1, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $1, CX
	JNE block
	VZEROUPPER
	RET
