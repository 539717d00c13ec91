// Vector instructions on two float64 that the assembler has no mnemonic for, built
// from their fields. Operands are register numbers, in the assembler's order:
// the destination last.

#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn + Vm
#define FSUB2(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn − Vm
#define FMUL2(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn · Vm
#define FDIV2(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn / Vm
#define FABD2(m, n, d) WORD $(0x6EE0D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← |Vn − Vm|
#define FNEG2(n, d) WORD $(0x6EE0F800 | (n)<<5 | (d))   // Vd ← −Vn
#define FCMEQZ2(n, d) WORD $(0x4EE0D800 | (n)<<5 | (d))   // Vd ← all ones where Vn = 0, else zeros
#define BIC2(m, n, d) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn and not Vm
#define FMLALANE2(m, lane, n, d) WORD $(0x4FC01000 | (m)<<16 | (lane)<<11 | (n)<<5 | (d))   // Vd ← Vd + Vn · Vm[lane]
#define FMLA2(m, n, d) WORD $(0x4E60CC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vd + Vn · Vm
#define FMAX2(m, n, d) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d))   // Vd ← max(Vn, Vm), NaN if one is
#define FMIN2(m, n, d) WORD $(0x4EE0F400 | (m)<<16 | (n)<<5 | (d))   // Vd ← min(Vn, Vm), NaN if one is
#define FMLS2(m, n, d) WORD $(0x4EE0CC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vd − Vn · Vm
#define MOV2(n, d) WORD $(0x4EA01C00 | (n)<<16 | (n)<<5 | (d))   // Vd ← Vn
#define SUB2(m, n, d) WORD $(0x6EE08400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn − Vm, integers of 64 bits
#define SHL2(s, n, d) WORD $(0x4F405400 | (s)<<16 | (n)<<5 | (d))   // Vd ← Vn << s, integers of 64 bits
#define USHR2(s, n, d) WORD $(0x6F800400 - (s)<<16 | (n)<<5 | (d))   // Vd ← Vn >> s, unsigned integers of 64 bits
#define ZIP1D(m, n, d) WORD $(0x4EC03800 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn[0], Vm[0]
#define ZIP2D(m, n, d) WORD $(0x4EC07800 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn[1], Vm[1]
#define UMOVD(lane, n, r) WORD $(0x4E083C00 | (lane)<<20 | (n)<<5 | (r))   // Rr ← Vn[lane]
#define LDRQ(i, base, d) WORD $(0x3CE07800 | (i)<<16 | (base)<<5 | (d))   // Vd ← 16 bytes at Rbase + 16·Ri
#define ADD2(m, n, d) WORD $(0x4EE08400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn + Vm, integers of 64 bits
#define AND2(m, n, d) WORD $(0x4E201C00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn and Vm
#define BIF2(m, n, d) WORD $(0x6EE01C00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn where Vm is zeros
#define BIT2(m, n, d) WORD $(0x6EA01C00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn where Vm is ones
#define FCMGT2(m, n, d) WORD $(0x6EE0E400 | (m)<<16 | (n)<<5 | (d))   // Vd ← all ones where Vn > Vm, else zeros
#define FCMGTZ2(n, d) WORD $(0x4EE0C800 | (n)<<5 | (d))   // Vd ← all ones where Vn > 0, else zeros
#define FSQRT2(n, d) WORD $(0x6EE1F800 | (n)<<5 | (d))   // Vd ← √Vn
