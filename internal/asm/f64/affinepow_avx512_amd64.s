//go:build !purego

#include "textflag.h"

// x ← tⁿ, t = F(γ, x, c), powers from the left, in place, 32 numbers at a time, then
// eight, fewer at the end. The Go twin is affinePowGo. Needs AVX512F.
//
//	DI  x             BX  n - 1            Z0…Z3  t       Z8  γ
//	CX  numbers left  DX  products to do   Z4…Z7  power   Z9  c
//	                  K1  lanes in use

// func affinePowAVX512(x []float64, gamma, coef0 float64, n int)
TEXT ·affinePowAVX512(SB), NOSPLIT, $0-48
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	VBROADCASTSD gamma+24(FP), Z8
	VBROADCASTSD coef0+32(FP), Z9
	MOVQ         n+40(FP), BX
	DECQ         BX
	SUBQ         $32, CX
	JLT          end

four:
	VMOVUPD     (DI), Z0
	VMOVUPD     64(DI), Z1
	VMOVUPD     128(DI), Z2
	VMOVUPD     192(DI), Z3
	VFMADD213PD Z9, Z8, Z0
	VFMADD213PD Z9, Z8, Z1
	VFMADD213PD Z9, Z8, Z2
	VFMADD213PD Z9, Z8, Z3
	VMOVAPD     Z0, Z4
	VMOVAPD     Z1, Z5
	VMOVAPD     Z2, Z6
	VMOVAPD     Z3, Z7
	MOVQ        BX, DX
	TESTQ       DX, DX
	JZ          stored

power:
	VMULPD Z0, Z4, Z4
	VMULPD Z1, Z5, Z5
	VMULPD Z2, Z6, Z6
	VMULPD Z3, Z7, Z7
	DECQ   DX
	JNZ    power

stored:
	VMOVUPD Z4, (DI)
	VMOVUPD Z5, 64(DI)
	VMOVUPD Z6, 128(DI)
	VMOVUPD Z7, 192(DI)
	ADDQ    $256, DI
	SUBQ    $32, CX
	JGE     four

end:
	ADDQ $32, CX
	JZ   done

masked: // one vector, of which min(CX, 8) lanes exist
	MOVL $0xff, DX
	CMPQ CX, $8
	JGE  lanes
	MOVL $1, DX
	SHLL CX, DX
	DECL DX

lanes:
	KMOVW       DX, K1
	VMOVUPD.Z   (DI), K1, Z0
	VFMADD213PD Z9, Z8, Z0
	VMOVAPD     Z0, Z4
	MOVQ        BX, DX
	TESTQ       DX, DX
	JZ          maskedStored

maskedPower:
	VMULPD Z0, Z4, Z4
	DECQ   DX
	JNZ    maskedPower

maskedStored:
	VMOVUPD Z4, K1, (DI)
	ADDQ    $64, DI
	SUBQ    $8, CX
	JGT     masked

done:
	VZEROUPPER
	RET
