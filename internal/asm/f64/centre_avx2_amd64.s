//go:build !purego

#include "textflag.h"

// x ← (x − (m + y)) + g in place: see rows.go, Go twin centreGo. Needs AVX2.
//
//	DI  x             Y0  y, then m + y     Y8  m
//	SI  y             Y1  x                 Y9  grand
//	CX  vectors left

// func centreAVX2(x, y *float64, m, grand float64, vectors int)
TEXT ·centreAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	VBROADCASTSD m+16(FP), Y8
	VBROADCASTSD grand+24(FP), Y9
	MOVQ vectors+32(FP), CX

vector:
	VADDPD (SI), Y8, Y0
	VMOVUPD (DI), Y1
	VSUBPD Y0, Y1, Y1
	VADDPD Y9, Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $1, CX
	JNZ vector

	VZEROUPPER
	RET
