//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Cosines from dot products: see rows.go. Needs Advanced SIMD.
//
//	R0  dots       V28  the square    V30  ones     R2  blocks of eight left
//	R1  squares                       V31  −ones

// ENTRY makes cosines of the dot products Vd and the squares Vq; it uses V16.
#define ENTRY(d, q) \
	FMUL2(q, 28, q); \
	FCMEQZ2(q, 16); \
	FSQRT2(q, q); \
	FDIV2(q, d, d); \
	BIC2(16, d, d); \
	FMIN2(30, d, d); \
	FMAX2(31, d, d)

// func cosineNEON(dots *float64, square float64, squares *float64, blocks int)
TEXT ·cosineNEON(SB), NOSPLIT, $0-32
	MOVD dots+0(FP), R0
	MOVD square+8(FP), R3
	MOVD squares+16(FP), R1
	MOVD blocks+24(FP), R2
	VDUP R3, V28.D2
	MOVD $0x3ff0000000000000, R3
	VDUP R3, V30.D2
	MOVD $0xbff0000000000000, R3
	VDUP R3, V31.D2
block:
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	ENTRY(0, 4)
	ENTRY(1, 5)
	ENTRY(2, 6)
	ENTRY(3, 7)
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	SUB $1, R2
	CBNZ R2, block
	RET
