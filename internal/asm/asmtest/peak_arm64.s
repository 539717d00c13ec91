//go:build !purego

#include "textflag.h"

// Fused multiply-adds on independent registers, for the rate of the pipes.

#define FMA(r) VFMLA V30.D2, V31.D2, r.D2

// func peakNEON(turns int)
TEXT ·peakNEON(SB), NOSPLIT, $0-8
	MOVD turns+0(FP), R0
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16
turn:
	FMA(V0); FMA(V1); FMA(V2); FMA(V3); FMA(V4); FMA(V5); FMA(V6); FMA(V7)
	FMA(V8); FMA(V9); FMA(V10); FMA(V11); FMA(V12); FMA(V13); FMA(V14); FMA(V15)
	FMA(V16); FMA(V17); FMA(V18); FMA(V19); FMA(V20); FMA(V21); FMA(V22); FMA(V23)
	SUB $1, R0
	CBNZ R0, turn
	RET
