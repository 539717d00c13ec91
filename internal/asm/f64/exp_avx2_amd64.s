//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// x ← Exp(fl(s·x)) in place, four numbers at a time, fewer at the end. The
// method is that of Exp, the Go twin expScaleGo. Needs AVX2 and FMA.
//
//	DI  x                   Y0…Y4    a vector at work: x or r; z; k or r²; q; t
//	CX  numbers left        Y5…Y9    another
//	AX  constants           Y10…Y14  a third (at the end Y14 is the mask)
//	BX  masks               Y15      s
//
// Three vectors are at work together, because a chain is some 60 cycles long.
// That leaves one register for a constant; the others come from memory.

// x ← r, z ← x·log₂e + M. The order of VMAXPD's and VMINPD's operands lets NaN
// through.
#define REDUCE(x, z, k) \
	VMULPD Y15, x, x; \
	VMOVUPD expConsts_min(AX), z; \
	VMAXPD x, z, x; \
	VMOVUPD expConsts_max(AX), z; \
	VMINPD x, z, x; \
	VMOVUPD expConsts_log2e(AX), z; \
	VFMADD213PD expConsts_shift(AX), x, z; \
	VSUBPD expConsts_shift(AX), z, k; \
	VFNMADD231PD expConsts_ln2Hi(AX), k, x; \
	VFNMADD231PD expConsts_ln2Lo(AX), k, x

// q ← q(x), r2 ← x².
#define POLYNOMIAL(x, r2, q, t) \
	VMULPD x, x, r2; \
	VMOVUPD expConsts_c7(AX), q; \
	VFMADD213PD expConsts_c6(AX), x, q; \
	VMOVUPD expConsts_c5(AX), t; \
	VFMADD213PD expConsts_c4(AX), x, t; \
	VFMADD213PD t, r2, q; \
	VMOVUPD expConsts_c3(AX), t; \
	VFMADD213PD expConsts_c2(AX), x, t; \
	VFMADD213PD t, r2, q

// q ← (T' + T'·(x + (r2·q + rest)))·2^b,  T' = 2^a·2^(j/8).
//
// The index of the lookups, of 32-bit words, is the low three bits of z in both
// halves of a lane. Rest has equal halves; T' is put together from its low and its high
// half and the exponent field of 2^a, z>>4<<52. That of 2^b is z>>3<<52 less it.
#define RESULT(x, z, r2, q, t) \
	VMOVSLDUP z, t; \
	VPERMPS expConsts_restWord(AX), t, t; \
	VFMADD213PD t, r2, q; \
	VADDPD x, q, q; \
	VMOVSLDUP z, x; \
	VPERMPS expConsts_powLo(AX), x, t; \
	VPERMPS expConsts_powHi(AX), x, x; \
	VBLENDPS $0xaa, x, t, t; \
	VPSLLQ $48, z, x; \
	VPAND expConsts_exponent(AX), x, x; \
	VPSLLQ $49, z, z; \
	VPAND expConsts_exponent(AX), z, z; \
	VPSUBQ x, z, z; \
	VPADDQ x, t, t; \
	VFMADD213PD t, t, q; \
	VMULPD z, q, q

// func expScaleAVX2(x []float64, s float64, c *expConsts)
TEXT ·expScaleAVX2(SB), NOSPLIT, $0-40
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	MOVQ         c+32(FP), AX
	VBROADCASTSD s+24(FP), Y15
	SUBQ         $12, CX
	JLT          end

triple:
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y5
	VMOVUPD 64(DI), Y10
	REDUCE(Y0, Y1, Y2)
	REDUCE(Y5, Y6, Y7)
	REDUCE(Y10, Y11, Y12)
	POLYNOMIAL(Y0, Y2, Y3, Y4)
	POLYNOMIAL(Y5, Y7, Y8, Y9)
	POLYNOMIAL(Y10, Y12, Y13, Y14)
	RESULT(Y0, Y1, Y2, Y3, Y4)
	RESULT(Y5, Y6, Y7, Y8, Y9)
	RESULT(Y10, Y11, Y12, Y13, Y14)
	VMOVUPD Y3, (DI)
	VMOVUPD Y8, 32(DI)
	VMOVUPD Y13, 64(DI)
	ADDQ    $96, DI
	SUBQ    $12, CX
	JGE     triple

end:
	ADDQ $12, CX
	JZ   done
	LEAQ expConsts_lanes(AX), BX

masked: // one vector, of which min(CX, 4) lanes exist
	MOVQ       $4, DX
	CMPQ       CX, DX
	CMOVQLT    CX, DX
	NEGQ       DX
	VMOVUPD    32(BX)(DX*8), Y14
	VMASKMOVPD (DI), Y14, Y0
	REDUCE(Y0, Y1, Y2)
	POLYNOMIAL(Y0, Y2, Y3, Y4)
	RESULT(Y0, Y1, Y2, Y3, Y4)
	VMASKMOVPD Y3, Y14, (DI)
	ADDQ       $32, DI
	SUBQ       $4, CX
	JGT        masked

done:
	VZEROUPPER
	RET
