// Vector instructions on two float64 that the assembler has no mnemonic for, built
// from their fields. Operands are register numbers, in the assembler's order:
// the destination last.

#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn + Vm
#define FSUB2(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn − Vm
#define FMUL2(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn · Vm
#define FDIV2(m, n, d) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn / Vm
#define FABD2(m, n, d) WORD $(0x6EE0D400 | (m)<<16 | (n)<<5 | (d))   // Vd ← |Vn − Vm|
#define FCMEQZ2(n, d) WORD $(0x4EE0D800 | (n)<<5 | (d))   // Vd ← all ones where Vn = 0, else zeros
#define BIC2(m, n, d) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vn and not Vm
#define FMLALANE2(m, lane, n, d) WORD $(0x4FC01000 | (m)<<16 | (lane)<<11 | (n)<<5 | (d))   // Vd ← Vd + Vn · Vm[lane]
#define FMLA2(m, n, d) WORD $(0x4E60CC00 | (m)<<16 | (n)<<5 | (d))   // Vd ← Vd + Vn · Vm
