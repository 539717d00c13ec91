//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "neon_arm64.h"

// x ← Exp(fl(s·x)) in place, two numbers at a time, one at the end. The method
// is that of Exp, the Go twin expScaleGo. Needs Advanced SIMD.
//
//	R0  x             V0…V6    a vector at work: x or r; z; k, r² or 2^a; q; t, u, v
//	R1  numbers left  V8…V14   another
//	R2  constants     V16 s    V18 710    V20 M      V22 ln2Lo
//	R3  expTable      V17 -746 V19 log₂e  V21 ln2Hi  V23…V28 c₇ … c₂

// x ← r, z ← x·log₂e + M.
#define REDUCE(x, z, k) \
	FMUL2(16, x, x); \
	FMAX2(17, x, x); \
	FMIN2(18, x, x); \
	MOV2(20, z); \
	FMLA2(19, x, z); \
	FSUB2(20, z, k); \
	FMLS2(21, k, x); \
	FMLS2(22, k, x)

// q ← q(x), r2 ← x².
#define POLYNOMIAL(x, r2, q, t) \
	FMUL2(x, x, r2); \
	MOV2(24, q); \
	FMLA2(23, x, q); \
	MOV2(26, t); \
	FMLA2(25, x, t); \
	FMLA2(q, r2, t); \
	MOV2(28, q); \
	FMLA2(27, x, q); \
	FMLA2(t, r2, q)

// t, v ← T, rest of both lanes, from the pairs (T, rest) that the low three bits of z choose.
#define LOOKUP(z, t, u, v) \
	UMOVD(0, z, 4); \
	UMOVD(1, z, 5); \
	AND $7, R4; \
	AND $7, R5; \
	LDRQ(4, 3, u); \
	LDRQ(5, 3, v); \
	ZIP1D(v, u, t); \
	ZIP2D(v, u, v)

// q ← (T' + T'·(x + (r2·q + rest)))·2^b,  T' = 2^a·T. The exponent field of 2^a is
// z>>4<<52, that of 2^b is z>>3<<52 less it.
#define RESULT(x, z, r2, q, t, rest) \
	FMLA2(q, r2, rest); \
	FADD2(rest, x, x); \
	USHR2(4, z, r2); \
	SHL2(52, r2, r2); \
	USHR2(3, z, z); \
	SHL2(52, z, z); \
	SUB2(r2, z, z); \
	FMUL2(r2, t, t); \
	MOV2(t, q); \
	FMLA2(x, t, q); \
	FMUL2(z, q, q)

// func expScaleNEON(x []float64, s float64, c *expConsts)
TEXT ·expScaleNEON(SB), NOSPLIT, $0-40
	MOVD  x_base+0(FP), R0
	MOVD  x_len+8(FP), R1
	MOVD  c+32(FP), R2
	MOVD  $·expTable(SB), R3
	FMOVD s+24(FP), F16
	VDUP  V16.D[0], V16.D2
	FMOVQ expConsts_min(R2), F17
	FMOVQ expConsts_max(R2), F18
	FMOVQ expConsts_log2e(R2), F19
	FMOVQ expConsts_shift(R2), F20
	FMOVQ expConsts_ln2Hi(R2), F21
	FMOVQ expConsts_ln2Lo(R2), F22
	FMOVQ expConsts_c7(R2), F23
	FMOVQ expConsts_c6(R2), F24
	FMOVQ expConsts_c5(R2), F25
	FMOVQ expConsts_c4(R2), F26
	FMOVQ expConsts_c3(R2), F27
	FMOVQ expConsts_c2(R2), F28
	SUBS  $4, R1
	BLT   end

pair:
	FMOVQ (R0), F0
	FMOVQ 16(R0), F8
	REDUCE(0, 1, 2)
	REDUCE(8, 9, 10)
	POLYNOMIAL(0, 2, 3, 4)
	POLYNOMIAL(8, 10, 11, 12)
	LOOKUP(1, 4, 5, 6)
	LOOKUP(9, 12, 13, 14)
	RESULT(0, 1, 2, 3, 4, 6)
	RESULT(8, 9, 10, 11, 12, 14)
	FMOVQ F3, (R0)
	FMOVQ F11, 16(R0)
	ADD   $32, R0
	SUBS  $4, R1
	BGE   pair

end:
	ADDS $4, R1
	BEQ  done

single: // one number; the other lane holds 0
	FMOVD (R0), F0
	REDUCE(0, 1, 2)
	POLYNOMIAL(0, 2, 3, 4)
	LOOKUP(1, 4, 5, 6)
	RESULT(0, 1, 2, 3, 4, 6)
	FMOVD F3, (R0)
	ADD   $8, R0
	SUBS  $1, R1
	BGT   single

done:
	RET
