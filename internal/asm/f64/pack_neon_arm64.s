//go:build !purego

#include "textflag.h"

// Transposition of 2×2 blocks in registers, and copies of short rows, both with
// an exclusive or that can flip signs: see pack.go. Need Advanced SIMD.

// func transpose2NEON(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)
//
// dst[j·ldd+i] = src[i·lds+j] for i < 2, j < 2·blocks.
//
//	R1, R2  rows 0 and 1 of the block in src     R0  column 0 in dst
//	R4      bytes from row to row of dst         R5  blocks left
//	V7      the bits to flip
TEXT ·transpose2NEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD ldd+8(FP), R4
	MOVD src+16(FP), R1
	MOVD lds+24(FP), R3
	MOVD blocks+32(FP), R5
	MOVD flip+40(FP), R6
	VDUP R6, V7.D2
	LSL $3, R3
	LSL $3, R4
	ADD R3, R1, R2

block:
	VLD1.P 16(R1), [V0.D2]
	VLD1.P 16(R2), [V1.D2]
	VEOR V7.B16, V0.B16, V0.B16
	VEOR V7.B16, V1.B16, V1.B16
	VZIP1 V1.D2, V0.D2, V2.D2
	VZIP2 V1.D2, V0.D2, V3.D2
	VST1 [V2.D2], (R0)
	ADD R4, R0
	VST1 [V3.D2], (R0)
	ADD R4, R0
	SUB $1, R5
	CBNZ R5, block
	RET

// func copyRowsNEON(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)
//
// dst[l·ldd+j] = src[l·lds+j] for l < rows, j < cols, cols = 6 or 8.
//
//	R1, R3  src and bytes from row to row     R5  rows left
//	R0, R4  dst and bytes from row to row     V7  the bits to flip
TEXT ·copyRowsNEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD ldd+8(FP), R4
	MOVD src+16(FP), R1
	MOVD lds+24(FP), R3
	MOVD cols+32(FP), R2
	MOVD rows+40(FP), R5
	MOVD flip+48(FP), R6
	VDUP R6, V7.D2
	LSL $3, R3
	LSL $3, R4
	CMP $6, R2
	BEQ three

four:
	VLD1 (R1), [V0.D2, V1.D2, V2.D2, V3.D2]
	ADD R3, R1
	VEOR V7.B16, V0.B16, V0.B16
	VEOR V7.B16, V1.B16, V1.B16
	VEOR V7.B16, V2.B16, V2.B16
	VEOR V7.B16, V3.B16, V3.B16
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R0)
	ADD R4, R0
	SUB $1, R5
	CBNZ R5, four
	RET

three:
	VLD1 (R1), [V0.D2, V1.D2, V2.D2]
	ADD R3, R1
	VEOR V7.B16, V0.B16, V0.B16
	VEOR V7.B16, V1.B16, V1.B16
	VEOR V7.B16, V2.B16, V2.B16
	VST1 [V0.D2, V1.D2, V2.D2], (R0)
	ADD R4, R0
	SUB $1, R5
	CBNZ R5, three
	RET

// func copyPanelsNEON(dst *float64, ldd int, src *float64, lds, panels, rows int)
//
// dst[p·ldd+8·l+j] = src[l·lds+8·p+j] for p < panels, l < rows, j < 8.
//
//	R1, R3  row l of src, bytes from row to row      R7, R8  walk along the row
//	R0, R4  step l of the first panel, bytes from    R5      rows left
//	        panel to panel                           R6      panels left in the row
TEXT ·copyPanelsNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD ldd+8(FP), R4
	MOVD src+16(FP), R1
	MOVD lds+24(FP), R3
	MOVD panels+32(FP), R2
	MOVD rows+40(FP), R5
	LSL $3, R3
	LSL $3, R4

row:
	MOVD R1, R7
	MOVD R0, R8
	MOVD R2, R6
panel:
	VLD1.P 64(R7), [V0.D2, V1.D2, V2.D2, V3.D2]
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R8)
	ADD R4, R8
	SUB $1, R6
	CBNZ R6, panel
	ADD R3, R1
	ADD $64, R0
	SUB $1, R5
	CBNZ R5, row
	RET
