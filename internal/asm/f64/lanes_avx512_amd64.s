//go:build !purego

#include "textflag.h"

// Eight lanes over blocks of eight numbers: see lanes.go. Need AVX512F and
// AVX512DQ. blocks ≥ 1.
//
//	SI  x     CX  blocks left
//	DX  y     Z0  the lanes

// func addLanesAVX512(s *Lanes, x *float64, blocks int)
TEXT ·addLanesAVX512(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ blocks+16(FP), CX
	VMOVUPD (DI), Z0
block:
	VADDPD (SI), Z0, Z0
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VMOVUPD Z0, (DI)
	VZEROUPPER
	RET

// func addProductLanesAVX512(s *Lanes, x, y *float64, blocks int)
TEXT ·addProductLanesAVX512(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ blocks+24(FP), CX
	VMOVUPD (DI), Z0
block:
	VMOVUPD (SI), Z1
	VFMADD231PD (DX), Z1, Z0
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $1, CX
	JNZ block
	VMOVUPD Z0, (DI)
	VZEROUPPER
	RET

// func addScaledProductLanesAVX512(s *Lanes, x, y *float64, blocks int, sx, sy float64)
TEXT ·addScaledProductLanesAVX512(SB), NOSPLIT, $0-48
	MOVQ s+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ blocks+24(FP), CX
	VBROADCASTSD sx+32(FP), Z3
	VBROADCASTSD sy+40(FP), Z4
	VMOVUPD (DI), Z0
block:
	VMULPD (SI), Z3, Z1
	VMULPD (DX), Z4, Z2
	VFMADD231PD Z1, Z2, Z0
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $1, CX
	JNZ block
	VMOVUPD Z0, (DI)
	VZEROUPPER
	RET

// func maxAbsBitsAVX512(x *float64, blocks int) uint64
//
// Z2 clears the sign; magnitudes order like unsigned integers.
TEXT ·maxAbsBitsAVX512(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ $0x7fffffffffffffff, AX
	VPBROADCASTQ AX, Z2
	VPXORQ Z0, Z0, Z0
block:
	VPANDQ (SI), Z2, Z1
	VPMAXUQ Z1, Z0, Z0
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUQ Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUQ X1, X0, X0
	VPUNPCKHQDQ X0, X0, X1
	VPMAXUQ X1, X0, X0
	VMOVQ X0, ret+16(FP)
	VZEROUPPER
	RET

// func allFiniteAVX512(x *float64, blocks int) bool
//
// Z0 collects the bits of x − x, which are zero for finite x.
TEXT ·allFiniteAVX512(SB), NOSPLIT, $0-17
	MOVQ x+0(FP), SI
	MOVQ blocks+8(FP), CX
	VPXORQ Z0, Z0, Z0
block:
	VMOVUPD (SI), Z1
	VSUBPD Z1, Z1, Z1
	VORPD Z1, Z0, Z0
	ADDQ $64, SI
	SUBQ $1, CX
	JNZ block
	VPTESTMQ Z0, Z0, K1
	KTESTB K1, K1
	SETEQ ret+16(FP)
	VZEROUPPER
	RET
