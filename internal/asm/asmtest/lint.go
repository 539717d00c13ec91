package asmtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Lint checks the assembly of the package in the current folder, for amd64 and for
// arm64, by what the assembler makes of it:
//
//   - every function has a declaration in Go with //go:noescape, and arguments of the
//     size that its TEXT line says, in a frame of size 0;
//   - registers that belong to the runtime or the platform are not used;
//   - VZEROUPPER comes right before every return of a function that uses YMM or ZMM
//     registers;
//   - instructions, registers and suffixes are those of the file's tier, by its name:
//     NAME_avx2_amd64.s, NAME_avx512_amd64.s, NAME_neon_arm64.s;
//   - encoded words come from the macros of a header, which have tests of their own.
func Lint(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			declared := declarations(t, arch)
			functions := assembled(t, arch)
			if len(functions) == 0 {
				t.Fatal("the assembler lists no functions")
			}
			for _, f := range functions {
				f.check(t, declared)
			}
			for name := range declared {
				if !slices.ContainsFunc(functions, func(f *function) bool { return f.name == name }) {
					t.Errorf("%s is declared and not assembled", name)
				}
			}
		})
	}
	sources, err := filepath.Glob("*.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("WORD")) || bytes.Contains(text, []byte("BYTE")) {
			t.Errorf("%s: an encoded instruction outside of a header's macros", file)
		}
	}
}

// GoCommand runs the go command for an architecture and returns all its output. It
// skips the test where the source cannot be assembled: without a go command, and
// under an emulator.
func GoCommand(t *testing.T, arch string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("needs the go command: %v", err)
	}
	if host, err := exec.Command("go", "env", "GOHOSTARCH").Output(); err != nil || strings.TrimSpace(string(host)) != runtime.GOARCH {
		t.Skipf("runs on the machine's own architecture only (%s)", bytes.TrimSpace(host))
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// declarations returns the functions without a body in the files for an
// architecture, with the size of their arguments and results.
func declarations(t *testing.T, arch string) map[string]int {
	t.Helper()
	list := GoCommand(t, arch, "list", "-f", "{{join .GoFiles \"\\n\"}}")
	declared := make(map[string]int)
	for _, file := range strings.Fields(list) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body != nil {
				continue
			}
			if f.Doc == nil || !slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noescape" }) {
				t.Errorf("%s: %s without //go:noescape", file, f.Name.Name)
			}
			size, err := argumentSize(f.Type)
			if err != nil {
				t.Errorf("%s: %s: %v", file, f.Name.Name, err)
			}
			declared[f.Name.Name] = size
		}
	}
	return declared
}

// argumentSize returns the bytes of arguments and results on the stack.
func argumentSize(f *ast.FuncType) (int, error) {
	size := 0
	add := func(fields *ast.FieldList) error {
		if fields == nil {
			return nil
		}
		for _, field := range fields.List {
			width, align := 8, 8
			switch x := field.Type.(type) {
			case *ast.StarExpr:
			case *ast.ArrayType:
				if x.Len != nil {
					return fmt.Errorf("an array as argument")
				}
				width = 24
			case *ast.Ident:
				switch x.Name {
				case "int", "uint64", "float64", "uintptr":
				case "bool":
					width, align = 1, 1
				default:
					return fmt.Errorf("argument of type %s", x.Name)
				}
			default:
				return fmt.Errorf("argument of type %T", x)
			}
			for range max(1, len(field.Names)) {
				size = (size+align-1)/align*align + width
			}
		}
		return nil
	}
	if err := add(f.Params); err != nil {
		return 0, err
	}
	if f.Results != nil {
		size = (size + 7) / 8 * 8
	}
	return size, add(f.Results)
}

// function is an assembled function.
type function struct {
	name, file   string
	frame        string // of its TEXT line
	instructions []instruction
}

type instruction struct {
	line           int
	name, operands string
}

var listing = regexp.MustCompile(`^\t0x[0-9a-f]+ [0-9]+ \(([^()]+\.s):([0-9]+)\)\t(\S+)\t?(.*)$`)

// assembled returns the functions of the package's assembly for an architecture, as
// the assembler lists them, with all macros expanded.
func assembled(t *testing.T, arch string) []*function {
	t.Helper()
	var functions []*function
	for _, line := range strings.Split(GoCommand(t, arch, "build", "-asmflags=-S", "."), "\n") {
		m := listing.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		switch name := m[3]; name {
		case "TEXT":
			symbol, rest, _ := strings.Cut(m[4], "(SB)")
			frame := rest[strings.LastIndex(rest, "$")+1:]
			functions = append(functions, &function{name: symbol[strings.LastIndex(symbol, ".")+1:], file: filepath.Base(m[1]), frame: frame})
		case "FUNCDATA", "PCDATA":
		default:
			f := functions[len(functions)-1]
			f.instructions = append(f.instructions, instruction{number, name, m[4]})
		}
	}
	return functions
}

func (f *function) check(t *testing.T, declared map[string]int) {
	size, ok := declared[f.name]
	if !ok {
		t.Errorf("%s: %s is not declared", f.file, f.name)
	} else if want := fmt.Sprintf("0-%d", size); f.frame != want {
		t.Errorf("%s: %s has $%s, its declaration $%s", f.file, f.name, f.frame, want)
	}
	tier := tierOf(f.file)
	wide := false
	for i, in := range f.instructions {
		if reason := tier.refuses(in); reason != "" {
			t.Errorf("%s:%d: %s %s: %s", f.file, in.line, in.name, in.operands, reason)
		}
		wide = wide || wideRegister.MatchString(in.operands)
		if in.name == "RET" && wide && (i == 0 || f.instructions[i-1].name != "VZEROUPPER") {
			t.Errorf("%s:%d: %s returns without VZEROUPPER", f.file, in.line, f.name)
		}
	}
	if n := len(f.instructions); n == 0 || f.instructions[n-1].name != "RET" {
		t.Errorf("%s: %s does not end in RET", f.file, f.name)
	}
}

var wideRegister = regexp.MustCompile(`\b[YZ][0-9]+\b`)

// tier is what the files of a tier may use.
type tier struct {
	instructions map[string]bool
	reserved     *regexp.Regexp // registers
	missing      *regexp.Regexp // registers that the tier does not have
	suffixes     bool           // such as .Z and .BCST
}

func (t *tier) refuses(in instruction) string {
	name, suffix, _ := strings.Cut(in.name, ".")
	switch {
	case !t.instructions[name]:
		return "not an instruction of this tier (if it is one, add it to the list)"
	case suffix != "" && !t.suffixes:
		return "a suffix of another tier"
	case t.reserved.MatchString(in.operands):
		return "a reserved register"
	case t.missing != nil && t.missing.MatchString(in.operands):
		return "a register of another tier"
	}
	return ""
}

func tierOf(file string) *tier {
	switch {
	case strings.HasSuffix(file, "_avx2_amd64.s"):
		return &avx2
	case strings.HasSuffix(file, "_amd64.s"):
		return &avx512 // also files that hold kernels of both tiers
	}
	return &neon
}

var (
	reservedX86 = regexp.MustCompile(`\b(BP|R14|R15)\b`)

	avx2 = tier{
		instructions: set(scalarX86, avxX86),
		reserved:     reservedX86,
		missing:      regexp.MustCompile(`\b(Z[0-9]+|K[0-7]|[XY](1[6-9]|2[0-9]|3[01]))\b`),
	}
	avx512 = tier{
		instructions: set(scalarX86, avxX86, avx512X86),
		reserved:     reservedX86,
		suffixes:     true,
	}
	neon = tier{
		instructions: set(instructionsARM),
		reserved:     regexp.MustCompile(`\b(R18|R18_PLATFORM|R2[6-9]|g)\b`),
		suffixes:     true, // .P
	}
)

func set(lists ...string) map[string]bool {
	s := make(map[string]bool)
	for _, list := range lists {
		for _, name := range strings.Fields(list) {
			s[name] = true
		}
	}
	return s
}

const (
	scalarX86 = `
		ADDQ ANDL ANDQ BSRQ CMOVQLT CMPQ DECL DECQ INCQ JCC JCS JEQ JGE JGT JHI JLE JLS JLT JMP JNE LEAQ MOVBLZX MOVL MOVQ
		NEGQ ORQ PREFETCHT0 RET SETEQ SHLL SHLQ SHRL SHRQ SUBL SUBQ TESTL TESTQ XORL XORQ`

	// AVX, AVX2 and FMA.
	avxX86 = `
		VADDPD VADDSD VANDNPD VANDPD VBLENDPS VBLENDVPD VBROADCASTSD VCMPPD VDIVPD VDIVSD VEXTRACTF128 VMAXPD VMAXSD VMINPD VMINSD
		VMASKMOVPD VMOVAPD VMOVDQA VMOVDQU VMOVMSKPD VMOVQ VMOVSD VMOVSLDUP VMOVUPD VMULPD VMULSD VORPD VPERM2F128 VPERMILPD VPTEST VROUNDPD
		VSQRTPD VSQRTSD VSUBPD VSUBSD VUNPCKHPD VUNPCKLPD VXORPD VZEROUPPER
		VEXTRACTI128 VGATHERQPD VPADDQ VPAND VPANDN VPBROADCASTQ VPCMPEQQ VPCMPGTQ VPERMPD VPERMPS VPERMQ VPOR VPSLLQ VPSRLQ VPSUBQ
		VPUNPCKHQDQ VPUNPCKLQDQ VPXOR
		VFMADD132PD VFMADD213PD VFMADD213SD VFMADD231PD VFMADD231SD VFMSUB132PD VFMSUB213PD VFMSUB231PD
		VFNMADD132PD VFNMADD213PD VFNMADD231PD VFNMADD231SD`

	// AVX-512 F, DQ, VL and BW.
	avx512X86 = `
		KANDB KMOVB KMOVW KORTESTB KTESTB VBLENDMPD VEXTRACTF64X4 VEXTRACTI64X4 VMOVDQA64 VMOVDQU64 VPANDQ VPMAXUQ VPMINUQ
		VPORQ VPTERNLOGQ VPTESTMQ VPXORQ VRNDSCALEPD VSCALEFPD VSHUFF64X2 VPERMT2PD`

	// The base and Advanced SIMD.
	instructionsARM = `
		ADD ADDS AND B BEQ BGE BGT BLE BLT BNE CBNZ CBZ CMP CSEL CSET FADDD FCMPD FMADDD FMOVD FMOVQ FMULD FSUBD JMP LSL LSR MOVB
		MOVBU MOVD ORR PRFM RET SUB SUBS VADD VAND VBIF VBIT VBSL VCMEQ VDUP VEOR VEXT VFMLA VFMLS VLD1 VLD1R VMOV VORR VSHL
		VST1 VSUB VTRN1 VTRN2 VUSHR VUZP1 VUZP2 VZIP1 VZIP2 WORD`
)
