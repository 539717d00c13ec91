//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"

// x ← Tanh(x) in place, two numbers at a time, one at the end. The method and the
// names are those of Tanh, the Go twin tanhGo. Needs Advanced SIMD.
//
//	R0  x             V15 2     V19 M       V22…V28  c₈ … c₂
//	R1  numbers left  V16 22    V20 ln2Hi   V29      1
//	R2  constants     V17 |·|   V21 ln2Lo
//	R3  expTable      V18 log₂e
//
//	V0 x                  V3 r, c - 1, el       V6 q, s, pl, small, 1/d
//	V1 v, rh, eh, rem     V4 k, y               V7 t, ph, large, dl
//	V2 z, dh              V5 r²                 V8 c, ph - rh    V9, V10 pairs of the table

// func tanhNEON(x []float64, c *expConsts)
TEXT ·tanhNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), R0
	MOVD  x_len+8(FP), R1
	MOVD  c+24(FP), R2
	MOVD  $·expTable(SB), R3
	FMOVQ expConsts_tanhMax(R2), F16
	FMOVQ expConsts_magnitude(R2), F17
	FMOVQ expConsts_log2e(R2), F18
	FMOVQ expConsts_shift(R2), F19
	FMOVQ expConsts_ln2Hi(R2), F20
	FMOVQ expConsts_ln2Lo(R2), F21
	FMOVQ expConsts_t8(R2), F22
	FMOVQ expConsts_t7(R2), F23
	FMOVQ expConsts_t6(R2), F24
	FMOVQ expConsts_t5(R2), F25
	FMOVQ expConsts_t4(R2), F26
	FMOVQ expConsts_t3(R2), F27
	FMOVQ expConsts_t2(R2), F28
	FMOVQ expConsts_one(R2), F29
	FADD2(29, 29, 15)
	CBZ   R1, done

vector: // min(R1, 2) numbers; without a second one its lane holds 0
	CMP   $2, R1
	BLT   loadOne
	FMOVQ (R0), F0
	B     loaded

loadOne:
	FMOVD (R0), F0

loaded:
	// v = 2·min(|x|, 22)
	VAND V17.B16, V0.B16, V1.B16
	FMIN2(16, 1, 1)
	FADD2(1, 1, 1)

	// z, k, rh, r
	MOV2(19, 2)
	FMLA2(18, 1, 2)
	FSUB2(19, 2, 4)
	FMLS2(20, 4, 1)
	MOV2(1, 3)
	FMLS2(21, 4, 3)

	// q(r)
	FMUL2(3, 3, 5)
	MOV2(24, 6)
	FMLA2(23, 3, 6)
	FMLA2(22, 5, 6)
	MOV2(26, 7)
	FMLA2(25, 3, 7)
	FMLA2(6, 5, 7)
	MOV2(28, 6)
	FMLA2(27, 3, 6)
	FMLA2(7, 5, 6)

	// The pairs (2^(j/8), rest) that the low three bits of z choose
	UMOVD(0, 2, 4)
	UMOVD(1, 2, 5)
	AND $7, R4
	AND $7, R5
	LDRQ(4, 3, 9)
	LDRQ(5, 3, 10)
	ZIP2D(10, 9, 8)

	// s = r²·q + (t + t·rh - k·ln2Lo), ph = rh + s, pl = s - (ph - rh)
	MOV2(8, 7)
	FMLA2(8, 1, 7)
	FMLS2(21, 4, 7)
	FMLA2(6, 5, 7)
	MOV2(7, 6)
	FADD2(1, 6, 7)
	FSUB2(1, 7, 8)
	FSUB2(8, 6, 6)

	// c = 2^n·2^(j/8): z>>3<<52 is the exponent field of n + 2046, and 1 is that of 1023.
	ZIP1D(10, 9, 8)
	USHR2(3, 2, 2)
	SHL2(52, 2, 2)
	SUB2(29, 2, 2)
	FMUL2(2, 8, 8)

	// eh = c·ph + (c - 1), el = c·ph + ((c - 1) - eh) + c·pl
	FSUB2(29, 8, 3)
	MOV2(3, 1)
	FMLA2(7, 8, 1)
	FSUB2(1, 3, 3)
	FMLA2(7, 8, 3)
	FMLA2(6, 8, 3)

	// dh = eh + 2, dl = small - (dh - large) + el
	FMAX2(15, 1, 7)
	FMIN2(15, 1, 6)
	FADD2(7, 6, 2)
	FSUB2(7, 2, 7)
	FSUB2(7, 6, 7)
	FADD2(3, 7, 7)

	// y = eh/dh, corrected by the remainder; then the sign of x
	FDIV2(2, 29, 6)
	FMUL2(6, 1, 4)
	FMLS2(2, 4, 1)
	FADD2(3, 1, 1)
	FMLS2(7, 4, 1)
	FMLA2(6, 1, 4)
	VBIT V17.B16, V4.B16, V0.B16

	SUBS  $2, R1
	BLT   storeOne
	FMOVQ F0, (R0)
	ADD   $16, R0
	BGT   vector

done:
	RET

storeOne:
	FMOVD F0, (R0)
	RET
