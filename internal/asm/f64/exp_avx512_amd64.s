//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// x ← Exp(fl(s·x)) in place, eight numbers at a time. The method is that of
// Exp, the Go twin expScaleGo. Needs AVX512F.
//
//	DI  x             Z16 s     Z20 M          Z23…Z28  c₇ … c₂
//	CX  numbers left  Z17 -746  Z21 ln2Hi      Z29      2^(j/8), rounded
//	AX  constants     Z18 710   Z22 ln2Lo      Z30      relative rest of it
//	K1  lanes in use  Z19 log₂e                Z0…Z5, Z8…Z13  two vectors at work

#define CONSTANTS \
	MOVQ c+32(FP), AX; \
	VBROADCASTSD s+24(FP), Z16; \
	VBROADCASTSD expConsts_min(AX), Z17; \
	VBROADCASTSD expConsts_max(AX), Z18; \
	VBROADCASTSD expConsts_log2e(AX), Z19; \
	VBROADCASTSD expConsts_shift(AX), Z20; \
	VBROADCASTSD expConsts_ln2Hi(AX), Z21; \
	VBROADCASTSD expConsts_ln2Lo(AX), Z22; \
	VBROADCASTSD expConsts_c7(AX), Z23; \
	VBROADCASTSD expConsts_c6(AX), Z24; \
	VBROADCASTSD expConsts_c5(AX), Z25; \
	VBROADCASTSD expConsts_c4(AX), Z26; \
	VBROADCASTSD expConsts_c3(AX), Z27; \
	VBROADCASTSD expConsts_c2(AX), Z28; \
	VMOVUPD expConsts_pow(AX), Z29; \
	VMOVUPD expConsts_rest(AX), Z30

// x ← r, z ← x·log₂e + M, k ← k/8. The order of VMAXPD's and VMINPD's operands
// lets NaN through.
#define REDUCE(x, z, k) \
	VMULPD Z16, x, x; \
	VMAXPD x, Z17, x; \
	VMINPD x, Z18, x; \
	VMOVAPD Z20, z; \
	VFMADD231PD Z19, x, z; \
	VSUBPD Z20, z, k; \
	VFNMADD231PD Z21, k, x; \
	VFNMADD231PD Z22, k, x

// q ← q(x), r2 ← x².
#define POLYNOMIAL(x, r2, q, t) \
	VMULPD x, x, r2; \
	VMOVAPD Z23, q; \
	VFMADD213PD Z24, x, q; \
	VMOVAPD Z25, t; \
	VFMADD213PD Z26, x, t; \
	VFMADD213PD t, r2, q; \
	VMOVAPD Z27, t; \
	VFMADD213PD Z28, x, t; \
	VFMADD213PD t, r2, q

// q ← 2^n·(T + T·(x + (r2·q + rest))). The lookups take the low three bits of z;
// VSCALEFPD takes n = ⌊k/8⌋ and rounds subnormal results once.
#define RESULT(x, z, k, r2, q, t) \
	VPERMPD Z30, z, t; \
	VFMADD213PD t, r2, q; \
	VADDPD x, q, q; \
	VPERMPD Z29, z, t; \
	VFMADD213PD t, t, q; \
	VSCALEFPD k, q, q

// func expScaleAVX512(x []float64, s float64, c *expConsts)
TEXT ·expScaleAVX512(SB), NOSPLIT, $0-40
	MOVQ x_base+0(FP), DI
	MOVQ x_len+8(FP), CX
	CONSTANTS
	SUBQ $16, CX
	JLT  tail

pair:
	VMOVUPD (DI), Z0
	VMOVUPD 64(DI), Z8
	REDUCE(Z0, Z1, Z2)
	REDUCE(Z8, Z9, Z10)
	POLYNOMIAL(Z0, Z3, Z4, Z5)
	POLYNOMIAL(Z8, Z11, Z12, Z13)
	RESULT(Z0, Z1, Z2, Z3, Z4, Z5)
	RESULT(Z8, Z9, Z10, Z11, Z12, Z13)
	VMOVUPD Z4, (DI)
	VMOVUPD Z12, 64(DI)
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     pair

tail:
	ADDQ $16, CX
	JZ   done

masked: // one vector, of which min(CX, 8) lanes exist
	MOVL    $0xff, DX
	CMPQ    CX, $8
	JGE     lanes
	MOVL    $1, DX
	SHLL    CX, DX
	DECL    DX
lanes:
	KMOVW     DX, K1
	VMOVUPD.Z (DI), K1, Z0
	REDUCE(Z0, Z1, Z2)
	POLYNOMIAL(Z0, Z3, Z4, Z5)
	RESULT(Z0, Z1, Z2, Z3, Z4, Z5)
	VMOVUPD   Z4, K1, (DI)
	ADDQ      $64, DI
	SUBQ      $8, CX
	JGT       masked

done:
	VZEROUPPER
	RET
