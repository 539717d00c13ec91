//go:build !purego

#include "textflag.h"

// x ← (x − (m + y)) + g in place: see rows.go, Go twin centreGo. Needs AVX512F.
//
//	DI  x             Z0  y, then m + y     Z8  m
//	SI  y             Z1  x                 Z9  grand
//	CX  vectors left

// func centreAVX512(x, y *float64, m, grand float64, vectors int)
TEXT ·centreAVX512(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	VBROADCASTSD m+16(FP), Z8
	VBROADCASTSD grand+24(FP), Z9
	MOVQ vectors+32(FP), CX

vector:
	VADDPD (SI), Z8, Z0
	VMOVUPD (DI), Z1
	VSUBPD Z0, Z1, Z1
	VADDPD Z9, Z1, Z1
	VMOVUPD Z1, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $1, CX
	JNZ vector

	VZEROUPPER
	RET
