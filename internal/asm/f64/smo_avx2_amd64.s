//go:build !purego

#include "textflag.h"

// The passes of sequential minimal optimisation over blocks of eight numbers: see
// smo.go. Need AVX2 and FMA. blocks ≥ 1. A lane keeps the first of its largest
// values, because a later one must be larger to replace it.
//
//	Y0, Y1  largest values     Y4      first index of the block + 0 … 3
//	Y2, Y3  their indices      Y5      4, 4, …

DATA smoLanes4<>+0(SB)/8, $0
DATA smoLanes4<>+8(SB)/8, $1
DATA smoLanes4<>+16(SB)/8, $2
DATA smoLanes4<>+24(SB)/8, $3
GLOBL smoLanes4<>(SB), RODATA|NOPTR, $32

#define LOAD_CANDIDATES \
	VMOVUPD (DI), Y0; \
	VMOVUPD 32(DI), Y1; \
	VMOVDQU 64(DI), Y2; \
	VMOVDQU 96(DI), Y3; \
	VMOVQ AX, X4; \
	VPBROADCASTQ X4, Y4; \
	VPADDQ smoLanes4<>(SB), Y4, Y4; \
	MOVQ $4, AX; \
	VMOVQ AX, X5; \
	VPBROADCASTQ X5, Y5

#define STORE_CANDIDATES \
	VMOVUPD Y0, (DI); \
	VMOVUPD Y1, 32(DI); \
	VMOVDQU Y2, 64(DI); \
	VMOVDQU Y3, 96(DI)

// The values in v, of the indices Y4, against a half of the lanes; t is scratch.
#define CHOOSE(v, t, values, indices) \
	VCMPPD $0x1e, values, v, t; \
	VBLENDVPD t, v, values, values; \
	VBLENDVPD t, Y4, indices, indices; \
	VPADDQ Y5, Y4, Y4

// func pairUpdateAVX2(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)
//
//	DI  c     SI  grad   R8  ki     Y6  di
//	CX  left  DX  rise   R9  kj     Y7  dj
TEXT ·pairUpdateAVX2(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ first+8(FP), AX
	MOVQ grad+16(FP), SI
	MOVQ rise+24(FP), DX
	VBROADCASTSD di+32(FP), Y6
	MOVQ ki+40(FP), R8
	VBROADCASTSD dj+48(FP), Y7
	MOVQ kj+56(FP), R9
	MOVQ blocks+64(FP), CX
	LOAD_CANDIDATES
	XORQ BX, BX
block:
	VMOVUPD (SI)(BX*1), Y8
	VMOVUPD 32(SI)(BX*1), Y9
	VFMADD231PD (R8)(BX*1), Y6, Y8
	VFMADD231PD 32(R8)(BX*1), Y6, Y9
	VFMADD231PD (R9)(BX*1), Y7, Y8
	VFMADD231PD 32(R9)(BX*1), Y7, Y9
	VMOVUPD Y8, (SI)(BX*1)
	VMOVUPD Y9, 32(SI)(BX*1)
	VADDPD (DX)(BX*1), Y8, Y8
	VADDPD 32(DX)(BX*1), Y9, Y9
	CHOOSE(Y8, Y10, Y0, Y2)
	CHOOSE(Y9, Y11, Y1, Y3)
	ADDQ $64, BX
	SUBQ $1, CX
	JNZ block
	STORE_CANDIDATES
	VZEROUPPER
	RET

// Half a block of largestGain, from off on: d into v, its gain into v. t and a are
// scratch.
#define GAIN(off, v, a, t, gaps) \
	VMOVUPD off(SI)(BX*1), v; \
	VADDPD off(DX)(BX*1), v, v; \
	VSUBPD v, Y6, v; \
	VCMPPD $0x1e, gaps, v, t; \
	VBLENDVPD t, v, gaps, gaps; \
	VADDPD off(R9)(BX*1), Y7, a; \
	VFMADD231PD off(R8)(BX*1), Y14, a; \
	VXORPD t, t, t; \
	VCMPPD $0x1e, t, a, t; \
	VBLENDVPD t, a, Y15, a; \
	VXORPD t, t, t; \
	VCMPPD $0x1e, t, v, t; \
	VMULPD v, v, v; \
	VDIVPD a, v, v; \
	VANDPD t, v, v

// func largestGainAVX2(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
//
//	DI  c      SI  grad   R8  ki     Y6  gi     Y12, Y13  gaps
//	R10 gaps   DX  fall   R9  kd     Y7  kii    Y14       −2
//	CX  left                                    Y15       LeastCurvature
TEXT ·largestGainAVX2(SB), NOSPLIT, $0-80
	MOVQ c+0(FP), DI
	MOVQ gaps+8(FP), R10
	MOVQ first+16(FP), AX
	MOVQ grad+24(FP), SI
	MOVQ fall+32(FP), DX
	VBROADCASTSD gi+40(FP), Y6
	MOVQ ki+48(FP), R8
	MOVQ kd+56(FP), R9
	VBROADCASTSD kii+64(FP), Y7
	MOVQ blocks+72(FP), CX
	LOAD_CANDIDATES
	VMOVUPD (R10), Y12
	VMOVUPD 32(R10), Y13
	MOVQ $0xc000000000000000, AX // −2
	VMOVQ AX, X14
	VBROADCASTSD X14, Y14
	MOVQ $0x3d719799812dea11, AX // 1e-12
	VMOVQ AX, X15
	VBROADCASTSD X15, Y15
	XORQ BX, BX
block:
	GAIN(0, Y8, Y9, Y10, Y12)
	CHOOSE(Y8, Y10, Y0, Y2)
	GAIN(32, Y8, Y9, Y10, Y13)
	CHOOSE(Y8, Y10, Y1, Y3)
	ADDQ $64, BX
	SUBQ $1, CX
	JNZ block
	STORE_CANDIDATES
	VMOVUPD Y12, (R10)
	VMOVUPD Y13, 32(R10)
	VZEROUPPER
	RET
