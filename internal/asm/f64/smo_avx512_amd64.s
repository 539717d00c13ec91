//go:build !purego

#include "textflag.h"

// The passes of sequential minimal optimisation over blocks of eight numbers: see
// smo.go. Need AVX512F and AVX512DQ. blocks ≥ 1. A lane keeps the first of its
// largest values, because a later one must be larger to replace it.
//
//	Z0  largest values        Z4  first index of the block + 0 … 7
//	Z1  their indices         Z5  8, 8, …

DATA smoLanes<>+0(SB)/8, $0
DATA smoLanes<>+8(SB)/8, $1
DATA smoLanes<>+16(SB)/8, $2
DATA smoLanes<>+24(SB)/8, $3
DATA smoLanes<>+32(SB)/8, $4
DATA smoLanes<>+40(SB)/8, $5
DATA smoLanes<>+48(SB)/8, $6
DATA smoLanes<>+56(SB)/8, $7
GLOBL smoLanes<>(SB), RODATA|NOPTR, $64

#define LOAD_CANDIDATES \
	VMOVUPD (DI), Z0; \
	VMOVDQU64 64(DI), Z1; \
	VPBROADCASTQ AX, Z4; \
	VPADDQ smoLanes<>(SB), Z4, Z4; \
	MOVQ $8, AX; \
	VPBROADCASTQ AX, Z5

#define STORE_CANDIDATES \
	VMOVUPD Z0, (DI); \
	VMOVDQU64 Z1, 64(DI)

// func pairUpdateAVX512(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)
//
//	DI  c     SI  grad   R8  ki     Z2  di
//	CX  left  DX  rise   R9  kj     Z3  dj
TEXT ·pairUpdateAVX512(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ first+8(FP), AX
	MOVQ grad+16(FP), SI
	MOVQ rise+24(FP), DX
	VBROADCASTSD di+32(FP), Z2
	MOVQ ki+40(FP), R8
	VBROADCASTSD dj+48(FP), Z3
	MOVQ kj+56(FP), R9
	MOVQ blocks+64(FP), CX
	LOAD_CANDIDATES
	XORQ BX, BX
block:
	VMOVUPD (SI)(BX*1), Z6
	VFMADD231PD (R8)(BX*1), Z2, Z6
	VFMADD231PD (R9)(BX*1), Z3, Z6
	VMOVUPD Z6, (SI)(BX*1)
	VADDPD (DX)(BX*1), Z6, Z7
	VCMPPD $0x1e, Z0, Z7, K1 // the value is larger, and not NaN
	VMOVAPD Z7, K1, Z0
	VMOVDQA64 Z4, K1, Z1
	VPADDQ Z5, Z4, Z4
	ADDQ $64, BX
	SUBQ $1, CX
	JNZ block
	STORE_CANDIDATES
	VZEROUPPER
	RET

// func largestGainAVX512(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
//
//	DI  c      SI  grad   R8  ki     Z2  gi     Z10  −2
//	R10 gaps   DX  fall   R9  kd     Z3  kii    Z11  LeastCurvature
//	CX  left                         Z8  gaps   Z12  0
TEXT ·largestGainAVX512(SB), NOSPLIT, $0-80
	MOVQ c+0(FP), DI
	MOVQ gaps+8(FP), R10
	MOVQ first+16(FP), AX
	MOVQ grad+24(FP), SI
	MOVQ fall+32(FP), DX
	VBROADCASTSD gi+40(FP), Z2
	MOVQ ki+48(FP), R8
	MOVQ kd+56(FP), R9
	VBROADCASTSD kii+64(FP), Z3
	MOVQ blocks+72(FP), CX
	LOAD_CANDIDATES
	VMOVUPD (R10), Z8
	MOVQ $0xc000000000000000, AX // −2
	VPBROADCASTQ AX, Z10
	MOVQ $0x3d719799812dea11, AX // 1e-12
	VPBROADCASTQ AX, Z11
	VPXORQ Z12, Z12, Z12
	XORQ BX, BX
block:
	VMOVUPD (SI)(BX*1), Z6
	VADDPD (DX)(BX*1), Z6, Z6
	VSUBPD Z6, Z2, Z6
	VCMPPD $0x1e, Z8, Z6, K1
	VMOVAPD Z6, K1, Z8
	VCMPPD $0x1e, Z12, Z6, K2 // d > 0
	VADDPD (R9)(BX*1), Z3, Z7
	VFMADD231PD (R8)(BX*1), Z10, Z7
	VCMPPD $0x1e, Z12, Z7, K3
	VBLENDMPD Z7, Z11, K3, Z7
	VMULPD Z6, Z6, Z6
	VDIVPD.Z Z7, Z6, K2, Z6 // 0 where d ≤ 0
	VCMPPD $0x1e, Z0, Z6, K1
	VMOVAPD Z6, K1, Z0
	VMOVDQA64 Z4, K1, Z1
	VPADDQ Z5, Z4, Z4
	ADDQ $64, BX
	SUBQ $1, CX
	JNZ block
	STORE_CANDIDATES
	VMOVUPD Z8, (R10)
	VZEROUPPER
	RET
