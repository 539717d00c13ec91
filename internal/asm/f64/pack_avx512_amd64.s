//go:build !purego

#include "textflag.h"

// Transposition of 8×8 blocks in registers, and copies of short rows, both with
// an exclusive or that can flip signs: see pack.go. Need AVX512F and AVX512DQ.

// func transpose8AVX512(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)
//
// dst[j·ldd+i] = src[i·lds+j] for i < 8, j < 8·blocks.
//
//	SI, R10  rows 0 and 4 of the block in src      DI, R11  columns 0 and 4 in dst
//	R8       bytes from row to row of src          R12      bytes from row to row of dst
//	AX, DX   rows 8 and 12, which the next call,   R13      3·R12
//	         if not the next block, is likely      CX       blocks left
//	         to want                               Z31      the bits to flip
//	R9       3·R8
TEXT ·transpose8AVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ ldd+8(FP), R12
	MOVQ src+16(FP), SI
	MOVQ lds+24(FP), R8
	MOVQ blocks+32(FP), CX
	VPBROADCASTQ flip+40(FP), Z31
	SHLQ $3, R8
	SHLQ $3, R12
	LEAQ (R8)(R8*2), R9
	LEAQ (R12)(R12*2), R13
	LEAQ (SI)(R8*4), R10
	LEAQ (DI)(R12*4), R11
	LEAQ (SI)(R8*8), AX
	LEAQ (R10)(R8*8), DX

block:
	PREFETCHT0 (AX)
	PREFETCHT0 (AX)(R8*1)
	PREFETCHT0 (AX)(R8*2)
	PREFETCHT0 (AX)(R9*1)
	PREFETCHT0 (DX)
	PREFETCHT0 (DX)(R8*1)
	PREFETCHT0 (DX)(R8*2)
	PREFETCHT0 (DX)(R9*1)

	VXORPD (SI), Z31, Z0
	VXORPD (SI)(R8*1), Z31, Z1
	VXORPD (SI)(R8*2), Z31, Z2
	VXORPD (SI)(R9*1), Z31, Z3
	VXORPD (R10), Z31, Z4
	VXORPD (R10)(R8*1), Z31, Z5
	VXORPD (R10)(R8*2), Z31, Z6
	VXORPD (R10)(R9*1), Z31, Z7

	// Pairs of rows: Z8 has the even columns 0 2 4 6 of rows 0 and 1, Z9 the odd
	// ones, Z10 and Z11 those of rows 2 and 3, and so on.
	VUNPCKLPD Z1, Z0, Z8
	VUNPCKHPD Z1, Z0, Z9
	VUNPCKLPD Z3, Z2, Z10
	VUNPCKHPD Z3, Z2, Z11
	VUNPCKLPD Z5, Z4, Z12
	VUNPCKHPD Z5, Z4, Z13
	VUNPCKLPD Z7, Z6, Z14
	VUNPCKHPD Z7, Z6, Z15

	// Fours of rows: Z0 has columns 0 and 4 of rows 0 to 3, Z1 columns 2 and 6,
	// Z2 and Z3 those of rows 4 to 7; Z4 to Z7 the same of columns 1 5, 3 7.
	VSHUFF64X2 $0x88, Z10, Z8, Z0
	VSHUFF64X2 $0xdd, Z10, Z8, Z1
	VSHUFF64X2 $0x88, Z14, Z12, Z2
	VSHUFF64X2 $0xdd, Z14, Z12, Z3
	VSHUFF64X2 $0x88, Z11, Z9, Z4
	VSHUFF64X2 $0xdd, Z11, Z9, Z5
	VSHUFF64X2 $0x88, Z15, Z13, Z6
	VSHUFF64X2 $0xdd, Z15, Z13, Z7

	// Whole columns.
	VSHUFF64X2 $0x88, Z2, Z0, Z8
	VSHUFF64X2 $0xdd, Z2, Z0, Z12
	VSHUFF64X2 $0x88, Z3, Z1, Z10
	VSHUFF64X2 $0xdd, Z3, Z1, Z14
	VSHUFF64X2 $0x88, Z6, Z4, Z9
	VSHUFF64X2 $0xdd, Z6, Z4, Z13
	VSHUFF64X2 $0x88, Z7, Z5, Z11
	VSHUFF64X2 $0xdd, Z7, Z5, Z15

	VMOVUPD Z8, (DI)
	VMOVUPD Z9, (DI)(R12*1)
	VMOVUPD Z10, (DI)(R12*2)
	VMOVUPD Z11, (DI)(R13*1)
	VMOVUPD Z12, (R11)
	VMOVUPD Z13, (R11)(R12*1)
	VMOVUPD Z14, (R11)(R12*2)
	VMOVUPD Z15, (R11)(R13*1)

	ADDQ $64, SI
	ADDQ $64, R10
	ADDQ $64, AX
	ADDQ $64, DX
	LEAQ (DI)(R12*8), DI
	LEAQ (R11)(R12*8), R11
	SUBQ $1, CX
	JNZ block

	VZEROUPPER
	RET

// func copyRowsAVX512(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)
//
// dst[l·ldd+j] = src[l·lds+j] for l < rows, j < cols, 1 ≤ cols ≤ 24, and +0 in the
// rest of the last eight.
//
//	SI, R8  src and bytes from row to row     CX   rows left
//	DI, R9  dst and bytes from row to row     Z31  the bits to flip
//	K1      the last eight that are in src
TEXT ·copyRowsAVX512(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ ldd+8(FP), R9
	MOVQ src+16(FP), SI
	MOVQ lds+24(FP), R8
	MOVQ cols+32(FP), AX
	VPBROADCASTQ flip+48(FP), Z31
	SHLQ $3, R8
	SHLQ $3, R9

	// 8·(AX−1)+1 … 8·AX columns.
	LEAQ -1(AX), CX
	ANDL $7, CX
	MOVL $2, DX
	SHLL CX, DX
	SUBL $1, DX
	KMOVB DX, K1
	ADDQ $7, AX
	SHRQ $3, AX
	MOVQ rows+40(FP), CX
	CMPQ AX, $2
	JEQ two
	JGT three

one:
	PREFETCHT0 64(SI)
	VXORPD.Z (SI), Z31, K1, Z0
	VMOVUPD Z0, (DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ one
	JMP done

two:
	PREFETCHT0 (SI)(R8*8)
	PREFETCHT0 64(SI)(R8*8)
	VXORPD (SI), Z31, Z0
	VXORPD.Z 64(SI), Z31, K1, Z1
	VMOVUPD Z0, (DI)
	VMOVUPD Z1, 64(DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ two
	JMP done

three:
	PREFETCHT0 (SI)(R8*8)
	PREFETCHT0 64(SI)(R8*8)
	PREFETCHT0 128(SI)(R8*8)
	VXORPD (SI), Z31, Z0
	VXORPD 64(SI), Z31, Z1
	VXORPD.Z 128(SI), Z31, K1, Z2
	VMOVUPD Z0, (DI)
	VMOVUPD Z1, 64(DI)
	VMOVUPD Z2, 128(DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ three

done:
	VZEROUPPER
	RET

// func copyPanelsAVX512(dst *float64, ldd int, src *float64, lds, panels, rows int)
//
// dst[p·ldd+24·l+j] = src[l·lds+24·p+j] for p < panels, l < rows, j < 24.
//
//	SI, R8  row l of src, bytes from row to row        R11, R12  walk along the row
//	DI, R9  step l of the first panel, bytes from      CX        rows left
//	        panel to panel                             DX        panels left in the row
TEXT ·copyPanelsAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ ldd+8(FP), R9
	MOVQ src+16(FP), SI
	MOVQ lds+24(FP), R8
	MOVQ panels+32(FP), R10
	MOVQ rows+40(FP), CX
	SHLQ $3, R8
	SHLQ $3, R9

row:
	MOVQ SI, R11
	MOVQ DI, R12
	MOVQ R10, DX
panel:
	PREFETCHT0 (R11)(R8*2)
	PREFETCHT0 64(R11)(R8*2)
	PREFETCHT0 128(R11)(R8*2)
	VMOVUPD (R11), Z0
	VMOVUPD 64(R11), Z1
	VMOVUPD 128(R11), Z2
	VMOVUPD Z0, (R12)
	VMOVUPD Z1, 64(R12)
	VMOVUPD Z2, 128(R12)
	ADDQ $192, R11
	ADDQ R9, R12
	SUBQ $1, DX
	JNZ panel
	ADDQ R8, SI
	ADDQ $192, DI
	SUBQ $1, CX
	JNZ row

	VZEROUPPER
	RET
