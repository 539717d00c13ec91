//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// x ← (x − (m + y)) + g in place: see rows.go, Go twin centreGo. Needs Advanced
// SIMD.
//
//	R0  x             V0  y, then m + y     V8  m
//	R1  y             V1  x                 V9  grand
//	R2  vectors left

// func centreNEON(x, y *float64, m, grand float64, vectors int)
TEXT ·centreNEON(SB), NOSPLIT, $0-40
	MOVD x+0(FP), R0
	MOVD y+8(FP), R1
	MOVD m+16(FP), R3
	VDUP R3, V8.D2
	MOVD grand+24(FP), R3
	VDUP R3, V9.D2
	MOVD vectors+32(FP), R2

vector:
	VLD1.P 16(R1), [V0.D2]
	VLD1 (R0), [V1.D2]
	FADD2(0, 8, 0)
	FSUB2(0, 1, 1)
	FADD2(9, 1, 1)
	VST1.P [V1.D2], 16(R0)
	SUB $1, R2
	CBNZ R2, vector
	RET
