//go:build !purego

#include "textflag.h"

// Cosines from dot products: see rows.go. Needs AVX512F.
//
//	DI  dots       Z28  the square    Z30  ones     CX  blocks of eight left
//	SI  squares    Z29  zeros         Z31  −ones    K1  marks q ≠ 0

// func cosineAVX512(dots *float64, square float64, squares *float64, blocks int)
TEXT ·cosineAVX512(SB), NOSPLIT, $0-32
	MOVQ dots+0(FP), DI
	VBROADCASTSD square+8(FP), Z28
	MOVQ squares+16(FP), SI
	MOVQ blocks+24(FP), CX
	VPXORQ Z29, Z29, Z29
	MOVQ $0x3ff0000000000000, AX
	VPBROADCASTQ AX, Z30
	MOVQ $0xbff0000000000000, AX
	VPBROADCASTQ AX, Z31
block:
	VMULPD (SI), Z28, Z0
	VCMPPD $4, Z29, Z0, K1
	VSQRTPD Z0, Z0
	VMOVUPD (DI), Z1
	VDIVPD.Z Z0, Z1, K1, Z1
	// A quotient that is not a number comes through.
	VMINPD Z1, Z30, Z1
	VMAXPD Z1, Z31, Z1
	VMOVUPD Z1, (DI)
	ADDQ $64, DI
	ADDQ $64, SI
	SUBQ $1, CX
	JNE block
	VZEROUPPER
	RET
