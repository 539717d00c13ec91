//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The passes of sequential minimal optimisation over blocks of eight numbers: see
// smo.go. Need Advanced SIMD. blocks ≥ 1. A lane keeps the first of its largest
// values, because a later one must be larger to replace it.
//
//	V0 to V3  largest values     V24  index of the next two numbers
//	V4 to V7  their indices      V25  2, 2

DATA smoLanes2<>+0(SB)/8, $0
DATA smoLanes2<>+8(SB)/8, $1
GLOBL smoLanes2<>(SB), RODATA|NOPTR, $16

#define LOAD_CANDIDATES \
	VLD1.P 64(R0), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	VLD1 (R0), [V4.D2, V5.D2, V6.D2, V7.D2]; \
	SUB $64, R0; \
	MOVD $smoLanes2<>(SB), R9; \
	VLD1 (R9), [V25.D2]; \
	VDUP R8, V24.D2; \
	ADD2(25, 24, 24); \
	MOVD $2, R9; \
	VDUP R9, V25.D2

#define STORE_CANDIDATES \
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0); \
	VST1 [V4.D2, V5.D2, V6.D2, V7.D2], (R0)

// The two values in v against those of their lanes.
#define CHOOSE(v, values, indices) \
	FCMGT2(values, v, 31); \
	BIT2(31, v, values); \
	BIT2(31, 24, indices); \
	ADD2(25, 24, 24)

// func pairUpdateNEON(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)
//
//	R0  c     R1, R4  grad    R3  ki     V26  di
//	R6  left  R2      rise    R5  kj     V27  dj
TEXT ·pairUpdateNEON(SB), NOSPLIT, $0-72
	MOVD c+0(FP), R0
	MOVD first+8(FP), R8
	MOVD grad+16(FP), R1
	MOVD rise+24(FP), R2
	MOVD di+32(FP), R9
	VDUP R9, V26.D2
	MOVD ki+40(FP), R3
	MOVD dj+48(FP), R9
	VDUP R9, V27.D2
	MOVD kj+56(FP), R5
	MOVD blocks+64(FP), R6
	LOAD_CANDIDATES
	MOVD R1, R4
block:
	VLD1.P 64(R1), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R3), [V20.D2, V21.D2, V22.D2, V23.D2]
	FMLA2(20, 26, 16)
	FMLA2(21, 26, 17)
	FMLA2(22, 26, 18)
	FMLA2(23, 26, 19)
	VLD1.P 64(R5), [V20.D2, V21.D2, V22.D2, V23.D2]
	FMLA2(20, 27, 16)
	FMLA2(21, 27, 17)
	FMLA2(22, 27, 18)
	FMLA2(23, 27, 19)
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(R4)
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]
	FADD2(20, 16, 16)
	FADD2(21, 17, 17)
	FADD2(22, 18, 18)
	FADD2(23, 19, 19)
	CHOOSE(16, 0, 4)
	CHOOSE(17, 1, 5)
	CHOOSE(18, 2, 6)
	CHOOSE(19, 3, 7)
	SUB $1, R6
	CBNZ R6, block
	STORE_CANDIDATES
	RET

// Two numbers of largestGain: of their d in v and a in a to the candidates.
#define GAIN(v, a, gaps, values, indices) \
	FCMGT2(gaps, v, 30); \
	BIT2(30, v, gaps); \
	FCMGTZ2(a, 30); \
	BIF2(30, 29, a); \
	FCMGTZ2(v, 30); \
	FMUL2(v, v, v); \
	FDIV2(a, v, v); \
	AND2(30, v, v); \
	CHOOSE(v, values, indices)

// func largestGainNEON(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
//
//	R0  c      R1  grad    R3  ki    V8 to V11  gaps    V28  −2
//	R7  gaps   R2  fall    R5  kd    V26        gi      V29  LeastCurvature
//	R6  left                         V27        kii
TEXT ·largestGainNEON(SB), NOSPLIT, $0-80
	MOVD c+0(FP), R0
	MOVD gaps+8(FP), R7
	MOVD first+16(FP), R8
	MOVD grad+24(FP), R1
	MOVD fall+32(FP), R2
	MOVD gi+40(FP), R9
	VDUP R9, V26.D2
	MOVD ki+48(FP), R3
	MOVD kd+56(FP), R5
	MOVD kii+64(FP), R9
	VDUP R9, V27.D2
	MOVD blocks+72(FP), R6
	LOAD_CANDIDATES
	VLD1 (R7), [V8.D2, V9.D2, V10.D2, V11.D2]
	MOVD $0xc000000000000000, R9 // −2
	VDUP R9, V28.D2
	MOVD $0x3d719799812dea11, R9 // 1e-12
	VDUP R9, V29.D2
block:
	VLD1.P 64(R1), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]
	FADD2(20, 16, 16)
	FADD2(21, 17, 17)
	FADD2(22, 18, 18)
	FADD2(23, 19, 19)
	FSUB2(16, 26, 16)
	FSUB2(17, 26, 17)
	FSUB2(18, 26, 18)
	FSUB2(19, 26, 19)
	VLD1.P 64(R5), [V20.D2, V21.D2, V22.D2, V23.D2]
	VLD1.P 64(R3), [V12.D2, V13.D2, V14.D2, V15.D2]
	FADD2(20, 27, 20)
	FADD2(21, 27, 21)
	FADD2(22, 27, 22)
	FADD2(23, 27, 23)
	FMLA2(12, 28, 20)
	FMLA2(13, 28, 21)
	FMLA2(14, 28, 22)
	FMLA2(15, 28, 23)
	GAIN(16, 20, 8, 0, 4)
	GAIN(17, 21, 9, 1, 5)
	GAIN(18, 22, 10, 2, 6)
	GAIN(19, 23, 11, 3, 7)
	SUB $1, R6
	CBNZ R6, block
	STORE_CANDIDATES
	VST1 [V8.D2, V9.D2, V10.D2, V11.D2], (R7)
	RET
