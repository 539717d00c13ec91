//go:build !purego

#include "textflag.h"

// Cosines from dot products: see rows.go. Needs AVX2.
//
//	DI  dots       Y12  the square    Y14  ones     CX  blocks of four left
//	SI  squares    Y13  zeros         Y15  −ones

// func cosineAVX2(dots *float64, square float64, squares *float64, blocks int)
TEXT ·cosineAVX2(SB), NOSPLIT, $0-32
	MOVQ dots+0(FP), DI
	VBROADCASTSD square+8(FP), Y12
	MOVQ squares+16(FP), SI
	MOVQ blocks+24(FP), CX
	VXORPD Y13, Y13, Y13
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X14
	VPBROADCASTQ X14, Y14
	MOVQ $0xbff0000000000000, AX
	VMOVQ AX, X15
	VPBROADCASTQ X15, Y15
	SHLQ $1, CX
block:
	VMULPD (SI), Y12, Y0
	VCMPPD $4, Y13, Y0, Y2
	VSQRTPD Y0, Y0
	VMOVUPD (DI), Y1
	VDIVPD Y0, Y1, Y1
	VANDPD Y2, Y1, Y1
	// A quotient that is not a number comes through.
	VMINPD Y1, Y14, Y1
	VMAXPD Y1, Y15, Y1
	VMOVUPD Y1, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $1, CX
	JNE block
	VZEROUPPER
	RET
