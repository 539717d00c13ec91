//go:build !purego

#include "textflag.h"

// Transposition of 4×4 blocks in registers, and copies of short rows, both with
// an exclusive or that can flip signs: see pack.go. Need AVX2.

// func transpose4AVX2(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)
//
// dst[j·ldd+i] = src[i·lds+j] for i < 4, j < 4·blocks.
//
//	SI  row 0 of the block in src        DI   column 0 in dst
//	R8  bytes from row to row of src     R12  bytes from row to row of dst
//	R9  3·R8                             R13  3·R12
//	R10 row 4, which the next call, if   CX   blocks left
//	    not the next block, is likely
//	    to want
//	Y15 the bits to flip
TEXT ·transpose4AVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ ldd+8(FP), R12
	MOVQ src+16(FP), SI
	MOVQ lds+24(FP), R8
	MOVQ blocks+32(FP), CX
	VPBROADCASTQ flip+40(FP), Y15
	SHLQ $3, R8
	SHLQ $3, R12
	LEAQ (R8)(R8*2), R9
	LEAQ (R12)(R12*2), R13
	LEAQ (SI)(R8*4), R10

block:
	PREFETCHT0 (R10)
	PREFETCHT0 (R10)(R8*1)
	PREFETCHT0 (R10)(R8*2)
	PREFETCHT0 (R10)(R9*1)

	VXORPD (SI), Y15, Y0
	VXORPD (SI)(R8*1), Y15, Y1
	VXORPD (SI)(R8*2), Y15, Y2
	VXORPD (SI)(R9*1), Y15, Y3

	// Pairs of rows: Y4 has the even columns 0 2 of rows 0 and 1, Y5 the odd ones,
	// Y6 and Y7 those of rows 2 and 3.
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7

	// Whole columns.
	VPERM2F128 $0x20, Y6, Y4, Y0
	VPERM2F128 $0x20, Y7, Y5, Y1
	VPERM2F128 $0x31, Y6, Y4, Y2
	VPERM2F128 $0x31, Y7, Y5, Y3

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, (DI)(R12*1)
	VMOVUPD Y2, (DI)(R12*2)
	VMOVUPD Y3, (DI)(R13*1)

	ADDQ $32, SI
	ADDQ $32, R10
	LEAQ (DI)(R12*4), DI
	SUBQ $1, CX
	JNZ block

	VZEROUPPER
	RET

// func copyRowsAVX2(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)
//
// dst[l·ldd+j] = src[l·lds+j] for l < rows, j < cols, cols = 4, 8 or 12.
//
//	SI, R8  src and bytes from row to row     CX   rows left
//	DI, R9  dst and bytes from row to row     Y15  the bits to flip
TEXT ·copyRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ ldd+8(FP), R9
	MOVQ src+16(FP), SI
	MOVQ lds+24(FP), R8
	MOVQ cols+32(FP), AX
	MOVQ rows+40(FP), CX
	VPBROADCASTQ flip+48(FP), Y15
	SHLQ $3, R8
	SHLQ $3, R9
	CMPQ AX, $8
	JEQ two
	JGT three

one:
	VXORPD (SI), Y15, Y0
	VMOVUPD Y0, (DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ one
	JMP done

two:
	VXORPD (SI), Y15, Y0
	VXORPD 32(SI), Y15, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ two
	JMP done

three:
	PREFETCHT0 (SI)(R8*8)
	PREFETCHT0 64(SI)(R8*8)
	VXORPD (SI), Y15, Y0
	VXORPD 32(SI), Y15, Y1
	VXORPD 64(SI), Y15, Y2
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	ADDQ R8, SI
	ADDQ R9, DI
	SUBQ $1, CX
	JNZ three

done:
	VZEROUPPER
	RET

// func copyPanelsAVX2(dst *float64, ldd int, src *float64, lds, panels, rows int)
//
// dst[p·ldd+12·l+j] = src[l·lds+12·p+j] for p < panels, l < rows, j < 12.
//
//	SI, R8  row l of src, bytes from row to row        R11, R12  walk along the row
//	DI, R9  step l of the first panel, bytes from      CX        rows left
//	        panel to panel                             DX        panels left in the row
TEXT ·copyPanelsAVX2(SB), NOSPLIT, $0-48
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
	VMOVUPD (R11), Y0
	VMOVUPD 32(R11), Y1
	VMOVUPD 64(R11), Y2
	VMOVUPD Y0, (R12)
	VMOVUPD Y1, 32(R12)
	VMOVUPD Y2, 64(R12)
	ADDQ $96, R11
	ADDQ R9, R12
	SUBQ $1, DX
	JNZ panel
	ADDQ R8, SI
	ADDQ $96, DI
	SUBQ $1, CX
	JNZ row

	VZEROUPPER
	RET
