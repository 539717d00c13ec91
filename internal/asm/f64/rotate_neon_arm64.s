//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// A plane rotation: see rows.go. Needs Advanced SIMD.
//
//	R0  x     V30  s       R2  blocks of eight left
//	R1  y     V31  tau

// PAIR rotates the pairs in Vx and Vy; it uses V16 and V17.
#define PAIR(x, y) \
	MOV2(y, 16); \
	MOV2(x, 17); \
	FMLA2(x, 31, 16); \
	FMLS2(y, 31, 17); \
	FMLS2(16, 30, x); \
	FMLA2(17, 30, y)

// func rotateNEON(x, y *float64, s, tau float64, blocks int)
TEXT ·rotateNEON(SB), NOSPLIT, $0-40
	MOVD x+0(FP), R0
	MOVD y+8(FP), R1
	MOVD s+16(FP), R3
	MOVD tau+24(FP), R4
	MOVD blocks+32(FP), R2
	VDUP R3, V30.D2
	VDUP R4, V31.D2
block:
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1 (R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	PAIR(0, 4)
	PAIR(1, 5)
	PAIR(2, 6)
	PAIR(3, 7)
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R1)
	SUB $1, R2
	CBNZ R2, block
	RET
