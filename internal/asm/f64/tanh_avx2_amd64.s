//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// x ← Tanh(x) in place, four numbers at a time. The method and the names are
// those of Tanh, the Go twin tanhGo; the lookups are those of expScaleAVX2. Needs AVX2
// and FMA.
//
//	DI  x             AX  constants     Y14 1
//	CX  numbers left  BX  masks         Y15 lanes in use
//
//	Y0 x                  Y3 r, c - 1, el       Y6 q, s, pl, small, 1/d
//	Y1 v, rh, eh, rem     Y4 k, y               Y7 t, ph, large, dl
//	Y2 z, dh              Y5 r², 2^n            Y8 c, ph - rh

// func tanhAVX2(x []float64, c *expConsts)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-32
	MOVQ    x_base+0(FP), DI
	MOVQ    x_len+8(FP), CX
	MOVQ    c+24(FP), AX
	LEAQ    expConsts_lanes(AX), BX
	VMOVUPD (BX), Y15
	VMOVUPD expConsts_one(AX), Y14
	TESTQ   CX, CX
	JZ      done

vector: // min(CX, 4) lanes exist
	CMPQ    CX, $4
	JGE     lanes
	MOVQ    CX, DX
	NEGQ    DX
	VMOVUPD 32(BX)(DX*8), Y15

lanes:
	VMASKMOVPD (DI), Y15, Y0

	// v = 2·min(|x|, 22); the order of the operands lets NaN through.
	VANDPD  expConsts_magnitude(AX), Y0, Y1
	VMOVUPD expConsts_tanhMax(AX), Y2
	VMINPD  Y1, Y2, Y1
	VADDPD  Y1, Y1, Y1

	// z, k, rh, r
	VMOVUPD      expConsts_log2e(AX), Y2
	VFMADD213PD  expConsts_shift(AX), Y1, Y2
	VSUBPD       expConsts_shift(AX), Y2, Y4
	VFNMADD231PD expConsts_ln2Hi(AX), Y4, Y1
	VMOVAPD      Y1, Y3
	VFNMADD231PD expConsts_ln2Lo(AX), Y4, Y3

	// q(r)
	VMULPD      Y3, Y3, Y5
	VMOVUPD     expConsts_t8(AX), Y6
	VMOVUPD     expConsts_t7(AX), Y7
	VFMADD213PD expConsts_t6(AX), Y3, Y7
	VFMADD213PD Y7, Y5, Y6
	VMOVUPD     expConsts_t5(AX), Y7
	VFMADD213PD expConsts_t4(AX), Y3, Y7
	VFMADD213PD Y7, Y5, Y6
	VMOVUPD     expConsts_t3(AX), Y7
	VFMADD213PD expConsts_t2(AX), Y3, Y7
	VFMADD213PD Y7, Y5, Y6

	// s = r²·q + (t + t·rh - k·ln2Lo), ph = rh + s, pl = s - (ph - rh)
	VMOVSLDUP    Y2, Y8
	VPERMPS      expConsts_restWord(AX), Y8, Y7
	VFMADD213PD  Y7, Y1, Y7
	VFNMADD231PD expConsts_ln2Lo(AX), Y4, Y7
	VFMADD213PD  Y7, Y5, Y6
	VADDPD       Y1, Y6, Y7
	VSUBPD       Y1, Y7, Y5
	VSUBPD       Y5, Y6, Y6

	// c = 2^n·2^(j/8): z>>3<<52 is the exponent field of n + 2046, and 1 is that of 1023.
	VPERMPS  expConsts_powLo(AX), Y8, Y5
	VPERMPS  expConsts_powHi(AX), Y8, Y8
	VBLENDPS $0xaa, Y8, Y5, Y8
	VPSRLQ   $3, Y2, Y5
	VPSLLQ   $52, Y5, Y5
	VPSUBQ   Y14, Y5, Y5
	VPADDQ   Y5, Y8, Y8

	// eh = c·ph + (c - 1), el = c·ph + ((c - 1) - eh) + c·pl
	VSUBPD      Y14, Y8, Y3
	VMOVAPD     Y3, Y1
	VFMADD231PD Y7, Y8, Y1
	VSUBPD      Y1, Y3, Y3
	VFMADD231PD Y7, Y8, Y3
	VFMADD231PD Y6, Y8, Y3

	// dh = eh + 2, dl = small - (dh - large) + el
	VADDPD Y14, Y14, Y4
	VMAXPD Y4, Y1, Y7
	VMINPD Y4, Y1, Y6
	VADDPD Y7, Y6, Y2
	VSUBPD Y7, Y2, Y7
	VSUBPD Y7, Y6, Y7
	VADDPD Y3, Y7, Y7

	// y = eh/dh, corrected by the remainder; then the sign of x
	VDIVPD       Y2, Y14, Y6
	VMULPD       Y6, Y1, Y4
	VFNMADD231PD Y2, Y4, Y1
	VADDPD       Y3, Y1, Y1
	VFNMADD231PD Y7, Y4, Y1
	VFMADD213PD  Y4, Y6, Y1
	VMOVUPD      expConsts_magnitude(AX), Y5
	VANDNPD      Y0, Y5, Y5
	VORPD        Y5, Y1, Y1

	VMASKMOVPD Y1, Y15, (DI)
	ADDQ       $32, DI
	SUBQ       $4, CX
	JGT        vector

done:
	VZEROUPPER
	RET
