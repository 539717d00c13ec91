//go:build !purego

#include "textflag.h"

// x ← tⁿ, t = F(γ, x, c), powers from the left, in place, 16 numbers at a time, then
// one. The Go twin is affinePowGo. Needs AVX2 and FMA.
//
//	DI  x             BX  n - 1            Y0…Y3  t       Y8  γ
//	CX  numbers left  DX  products to do   Y4…Y7  power   Y9  c

// func affinePowAVX2(x []float64, gamma, coef0 float64, n int)
TEXT ·affinePowAVX2(SB), NOSPLIT, $0-48
	MOVQ         x_base+0(FP), DI
	MOVQ         x_len+8(FP), CX
	VBROADCASTSD gamma+24(FP), Y8
	VBROADCASTSD coef0+32(FP), Y9
	MOVQ         n+40(FP), BX
	DECQ         BX
	SUBQ         $16, CX
	JLT          end

four:
	VMOVUPD     (DI), Y0
	VMOVUPD     32(DI), Y1
	VMOVUPD     64(DI), Y2
	VMOVUPD     96(DI), Y3
	VFMADD213PD Y9, Y8, Y0
	VFMADD213PD Y9, Y8, Y1
	VFMADD213PD Y9, Y8, Y2
	VFMADD213PD Y9, Y8, Y3
	VMOVAPD     Y0, Y4
	VMOVAPD     Y1, Y5
	VMOVAPD     Y2, Y6
	VMOVAPD     Y3, Y7
	MOVQ        BX, DX
	TESTQ       DX, DX
	JZ          stored

power:
	VMULPD Y0, Y4, Y4
	VMULPD Y1, Y5, Y5
	VMULPD Y2, Y6, Y6
	VMULPD Y3, Y7, Y7
	DECQ   DX
	JNZ    power

stored:
	VMOVUPD Y4, (DI)
	VMOVUPD Y5, 32(DI)
	VMOVUPD Y6, 64(DI)
	VMOVUPD Y7, 96(DI)
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     four

end:
	ADDQ $16, CX
	JZ   done

single:
	VMOVSD      (DI), X0
	VFMADD213SD X9, X8, X0
	VMOVAPD     X0, X4
	MOVQ        BX, DX
	TESTQ       DX, DX
	JZ          singleStored

singlePower:
	VMULSD X0, X4, X4
	DECQ   DX
	JNZ    singlePower

singleStored:
	VMOVSD X4, (DI)
	ADDQ   $8, DI
	DECQ   CX
	JNZ    single

done:
	VZEROUPPER
	RET
