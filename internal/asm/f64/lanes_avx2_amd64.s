//go:build !purego

#include "textflag.h"

// Eight lanes over blocks of eight numbers: see lanes.go. Need AVX2 and FMA.
// blocks ≥ 1.
//
//	SI  x     CX      blocks left
//	DX  y     Y0, Y1  the lanes

// func addLanesAVX2(s *Lanes, x *float64, blocks int)
TEXT ·addLanesAVX2(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
block:
	VADDPD (SI), Y0, Y0
	VADDPD 32(SI), Y1, Y1
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func addProductLanesAVX2(s *Lanes, x, y *float64, blocks int)
TEXT ·addProductLanesAVX2(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ blocks+24(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
block:
	VMOVUPD (SI), Y2
	VMOVUPD 32(SI), Y3
	VFMADD231PD (DX), Y2, Y0
	VFMADD231PD 32(DX), Y3, Y1
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $1, CX
	JNZ block
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func addScaledProductLanesAVX2(s *Lanes, x, y *float64, blocks int, sx, sy float64)
TEXT ·addScaledProductLanesAVX2(SB), NOSPLIT, $0-48
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ blocks+24(FP), CX
	VBROADCASTSD sx+32(FP), Y6
	VBROADCASTSD sy+40(FP), Y7
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
block:
	VMULPD (SI), Y6, Y2
	VMULPD 32(SI), Y6, Y3
	VMULPD (DX), Y7, Y4
	VMULPD 32(DX), Y7, Y5
	VFMADD231PD Y2, Y4, Y0
	VFMADD231PD Y3, Y5, Y1
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $1, CX
	JNZ block
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func maxAbsBitsAVX2(x *float64, blocks int) uint64
//
// Y4 clears the sign; magnitudes order like signed integers.
TEXT ·maxAbsBitsAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ blocks+8(FP), CX
	VPCMPEQQ Y4, Y4, Y4
	VPSRLQ $1, Y4, Y4
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
block:
	VPAND (SI), Y4, Y2
	VPAND 32(SI), Y4, Y3
	VPCMPGTQ Y0, Y2, Y5
	VPCMPGTQ Y1, Y3, Y6
	VBLENDVPD Y5, Y2, Y0, Y0
	VBLENDVPD Y6, Y3, Y1, Y1
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VPCMPGTQ Y0, Y1, Y5
	VBLENDVPD Y5, Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPCMPGTQ X0, X1, X5
	VBLENDVPD X5, X1, X0, X0
	VPUNPCKHQDQ X0, X0, X1
	VPCMPGTQ X0, X1, X5
	VBLENDVPD X5, X1, X0, X0
	VMOVQ X0, ret+16(FP)
	VZEROUPPER
	RET

// func allFiniteAVX2(x *float64, blocks int) bool
//
// Y0 collects the bits of x − x, which are zero for finite x.
TEXT ·allFiniteAVX2(SB), NOSPLIT, $0-17
	MOVQ x+0(FP), SI
	MOVQ blocks+8(FP), CX
	VXORPD Y0, Y0, Y0
block:
	VMOVUPD (SI), Y1
	VMOVUPD 32(SI), Y2
	VSUBPD Y1, Y1, Y1
	VSUBPD Y2, Y2, Y2
	VORPD Y1, Y0, Y0
	VORPD Y2, Y0, Y0
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VPTEST Y0, Y0
	SETEQ ret+16(FP)
	VZEROUPPER
	RET
