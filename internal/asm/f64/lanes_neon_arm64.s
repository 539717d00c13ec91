//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Eight lanes over blocks of eight numbers: see lanes.go. Need Advanced SIMD.
// blocks ≥ 1.
//
//	R1  x     R3        blocks left
//	R2  y     V0 to V3  the lanes

// func addLanesNEON(s *Lanes, x *float64, blocks int)
TEXT ·addLanesNEON(SB), NOSPLIT, $0-24
	MOVD s+0(FP), R0
	MOVD x+8(FP), R1
	MOVD blocks+16(FP), R3
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
block:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	FADD2(4, 0, 0)
	FADD2(5, 1, 1)
	FADD2(6, 2, 2)
	FADD2(7, 3, 3)
	SUB $1, R3
	CBNZ R3, block
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R0)
	RET

// func addProductLanesNEON(s *Lanes, x, y *float64, blocks int)
TEXT ·addProductLanesNEON(SB), NOSPLIT, $0-32
	MOVD s+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	MOVD blocks+24(FP), R3
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
block:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	FMLA2(16, 4, 0)
	FMLA2(17, 5, 1)
	FMLA2(18, 6, 2)
	FMLA2(19, 7, 3)
	SUB $1, R3
	CBNZ R3, block
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R0)
	RET

// func addScaledProductLanesNEON(s *Lanes, x, y *float64, blocks int, sx, sy float64)
TEXT ·addScaledProductLanesNEON(SB), NOSPLIT, $0-48
	MOVD s+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	MOVD blocks+24(FP), R3
	MOVD sx+32(FP), R4
	MOVD sy+40(FP), R5
	VDUP R4, V20.D2
	VDUP R5, V21.D2
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
block:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	FMUL2(20, 4, 4)
	FMUL2(20, 5, 5)
	FMUL2(20, 6, 6)
	FMUL2(20, 7, 7)
	FMUL2(21, 16, 16)
	FMUL2(21, 17, 17)
	FMUL2(21, 18, 18)
	FMUL2(21, 19, 19)
	FMLA2(16, 4, 0)
	FMLA2(17, 5, 1)
	FMLA2(18, 6, 2)
	FMLA2(19, 7, 3)
	SUB $1, R3
	CBNZ R3, block
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R0)
	RET

// func maxAbsBitsNEON(x *float64, blocks int) uint64
//
// V16 clears the sign. FMAX keeps a NaN once it has met one.
TEXT ·maxAbsBitsNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R1
	MOVD blocks+8(FP), R3
	MOVD $0x7fffffffffffffff, R4
	VDUP R4, V16.D2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
block:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VAND V16.B16, V4.B16, V4.B16
	VAND V16.B16, V5.B16, V5.B16
	VAND V16.B16, V6.B16, V6.B16
	VAND V16.B16, V7.B16, V7.B16
	FMAX2(4, 0, 0)
	FMAX2(5, 1, 1)
	FMAX2(6, 0, 0)
	FMAX2(7, 1, 1)
	SUB $1, R3
	CBNZ R3, block
	FMAX2(1, 0, 0)
	VEXT $8, V0.B16, V0.B16, V1.B16
	FMAX2(1, 0, 0)
	VMOV V0.D[0], R0
	MOVD R0, ret+16(FP)
	RET

// func allFiniteNEON(x *float64, blocks int) bool
//
// V0 collects the bits of x − x, which are zero for finite x.
TEXT ·allFiniteNEON(SB), NOSPLIT, $0-17
	MOVD x+0(FP), R1
	MOVD blocks+8(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
block:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	FSUB2(4, 4, 4)
	FSUB2(5, 5, 5)
	FSUB2(6, 6, 6)
	FSUB2(7, 7, 7)
	VORR V4.B16, V5.B16, V5.B16
	VORR V6.B16, V7.B16, V7.B16
	VORR V5.B16, V0.B16, V0.B16
	VORR V7.B16, V0.B16, V0.B16
	SUB $1, R3
	CBNZ R3, block
	VMOV V0.D[0], R0
	VMOV V0.D[1], R2
	ORR R2, R0
	CMP $0, R0
	CSET EQ, R0
	MOVB R0, ret+16(FP)
	RET
