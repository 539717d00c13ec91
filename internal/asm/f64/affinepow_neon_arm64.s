//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// x ← tⁿ, t = F(γ, x, c), powers from the left, in place, 8 numbers at a time, then
// one. The Go twin is affinePowGo. Needs Advanced SIMD.
//
//	R0  x             R2  n - 1            V0…V3  x, power   V8  γ
//	R1  numbers left  R3  products to do   V4…V7  t          V9  c

// func affinePowNEON(x []float64, gamma, coef0 float64, n int)
TEXT ·affinePowNEON(SB), NOSPLIT, $0-48
	MOVD  x_base+0(FP), R0
	MOVD  x_len+8(FP), R1
	FMOVD gamma+24(FP), F8
	VDUP  V8.D[0], V8.D2
	FMOVD coef0+32(FP), F9
	VDUP  V9.D[0], V9.D2
	MOVD  n+40(FP), R2
	SUB   $1, R2
	SUBS  $8, R1
	BLT   end

four:
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	MOV2(9, 4)
	MOV2(9, 5)
	MOV2(9, 6)
	MOV2(9, 7)
	FMLA2(0, 8, 4)
	FMLA2(1, 8, 5)
	FMLA2(2, 8, 6)
	FMLA2(3, 8, 7)
	MOV2(4, 0)
	MOV2(5, 1)
	MOV2(6, 2)
	MOV2(7, 3)
	MOVD R2, R3
	CBZ  R3, stored

power:
	FMUL2(4, 0, 0)
	FMUL2(5, 1, 1)
	FMUL2(6, 2, 2)
	FMUL2(7, 3, 3)
	SUB  $1, R3
	CBNZ R3, power

stored:
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	SUBS   $8, R1
	BGE    four

end:
	ADDS $8, R1
	BEQ  done

single:
	FMOVD  (R0), F0
	FMADDD F0, F9, F8, F4
	FMOVD  F4, F0
	MOVD   R2, R3
	CBZ    R3, singleStored

singlePower:
	FMULD F4, F0, F0
	SUB   $1, R3
	CBNZ  R3, singlePower

singleStored:
	FMOVD.P F0, 8(R0)
	SUBS    $1, R1
	BGT     single

done:
	RET
