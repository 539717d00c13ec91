//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// x ← Tanh(x) in place, eight numbers at a time. The method and the names are those
// of Tanh, the Go twin tanhGo. Needs AVX512F.
//
//	DI  x             Z14 |·|   Z18 M       Z21…Z27  c₈ … c₂      Z30 1
//	CX  numbers left  Z15 22    Z19 ln2Hi   Z28      2^(j/8)      Z31 2
//	AX  constants     Z17 log₂e Z20 ln2Lo   Z29      rest of it
//	K1  lanes in use
//
//	Z0 x                  Z3 r, c - 1, el       Z6 q, s, pl, small, 1/d
//	Z1 v, rh, eh, rem     Z4 k, y               Z7 t, ph, large, dl
//	Z2 z, dh              Z5 r²                 Z8 c, ph - rh

// func tanhAVX512(x []float64, c *expConsts)
TEXT ·tanhAVX512(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	MOVQ         c+24(FP), AX
	VBROADCASTSD expConsts_magnitude(AX), Z14
	VBROADCASTSD expConsts_tanhMax(AX), Z15
	VBROADCASTSD expConsts_log2e(AX), Z17
	VBROADCASTSD expConsts_shift(AX), Z18
	VBROADCASTSD expConsts_ln2Hi(AX), Z19
	VBROADCASTSD expConsts_ln2Lo(AX), Z20
	VBROADCASTSD expConsts_t8(AX), Z21
	VBROADCASTSD expConsts_t7(AX), Z22
	VBROADCASTSD expConsts_t6(AX), Z23
	VBROADCASTSD expConsts_t5(AX), Z24
	VBROADCASTSD expConsts_t4(AX), Z25
	VBROADCASTSD expConsts_t3(AX), Z26
	VBROADCASTSD expConsts_t2(AX), Z27
	VMOVUPD      expConsts_pow(AX), Z28
	VMOVUPD      expConsts_rest(AX), Z29
	VBROADCASTSD expConsts_one(AX), Z30
	VADDPD       Z30, Z30, Z31
	MOVL         $0xff, DX
	KMOVW        DX, K1
	TESTQ        CX, CX
	JZ           done

vector: // min(CX, 8) lanes exist
	CMPQ  CX, $8
	JGE   lanes
	MOVL  $1, DX
	SHLL  CX, DX
	DECL  DX
	KMOVW DX, K1

lanes:
	VMOVUPD.Z (DI), K1, Z0

	// v = 2·min(|x|, 22); the order of the operands lets NaN through.
	VPANDQ Z14, Z0, Z1
	VMINPD Z1, Z15, Z1
	VADDPD Z1, Z1, Z1

	// z, k, rh, r
	VMOVAPD      Z18, Z2
	VFMADD231PD  Z17, Z1, Z2
	VSUBPD       Z18, Z2, Z4
	VFNMADD231PD Z19, Z4, Z1
	VMOVAPD      Z1, Z3
	VFNMADD231PD Z20, Z4, Z3

	// q(r)
	VMULPD      Z3, Z3, Z5
	VMOVAPD     Z21, Z6
	VMOVAPD     Z22, Z7
	VFMADD213PD Z23, Z3, Z7
	VFMADD213PD Z7, Z5, Z6
	VMOVAPD     Z24, Z7
	VFMADD213PD Z25, Z3, Z7
	VFMADD213PD Z7, Z5, Z6
	VMOVAPD     Z26, Z7
	VFMADD213PD Z27, Z3, Z7
	VFMADD213PD Z7, Z5, Z6

	// s = r²·q + (t + t·rh - k·ln2Lo), ph = rh + s, pl = s - (ph - rh)
	VPERMPD      Z29, Z2, Z7
	VFMADD213PD  Z7, Z1, Z7
	VFNMADD231PD Z20, Z4, Z7
	VFMADD213PD  Z7, Z5, Z6
	VADDPD       Z1, Z6, Z7
	VSUBPD       Z1, Z7, Z8
	VSUBPD       Z8, Z6, Z6

	// c = 2^n·2^(j/8), eh = c·ph + (c - 1), el = c·ph + ((c - 1) - eh) + c·pl
	VPERMPD     Z28, Z2, Z8
	VSCALEFPD   Z4, Z8, Z8
	VSUBPD      Z30, Z8, Z3
	VMOVAPD     Z3, Z1
	VFMADD231PD Z7, Z8, Z1
	VSUBPD      Z1, Z3, Z3
	VFMADD231PD Z7, Z8, Z3
	VFMADD231PD Z6, Z8, Z3

	// dh = eh + 2, dl = small - (dh - large) + el
	VMAXPD Z31, Z1, Z7
	VMINPD Z31, Z1, Z6
	VADDPD Z7, Z6, Z2
	VSUBPD Z7, Z2, Z7
	VSUBPD Z7, Z6, Z7
	VADDPD Z3, Z7, Z7

	// y = eh/dh, corrected by the remainder; then the sign of x
	VDIVPD       Z2, Z30, Z6
	VMULPD       Z6, Z1, Z4
	VFNMADD231PD Z2, Z4, Z1
	VADDPD       Z3, Z1, Z1
	VFNMADD231PD Z7, Z4, Z1
	VFMADD213PD  Z4, Z6, Z1
	VPTERNLOGQ   $0xf4, Z14, Z0, Z1

	VMOVUPD Z1, K1, (DI)
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGT     vector

done:
	VZEROUPPER
	RET
