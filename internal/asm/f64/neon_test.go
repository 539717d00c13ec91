package f64

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
)

var updateNEON = flag.Bool("update-neon", false, "write testdata/neon.txt with aarch64-linux-gnu-as")

// neonText is what an assembler that knows the instruction calls each macro of
// neon_arm64.h. {m}, {n} and so on are the macro's operands.
var neonText = map[string]string{
	"FADD2":     "fadd v{d}.2d, v{n}.2d, v{m}.2d",
	"FSUB2":     "fsub v{d}.2d, v{n}.2d, v{m}.2d",
	"FMUL2":     "fmul v{d}.2d, v{n}.2d, v{m}.2d",
	"FDIV2":     "fdiv v{d}.2d, v{n}.2d, v{m}.2d",
	"FABD2":     "fabd v{d}.2d, v{n}.2d, v{m}.2d",
	"FSQRT2":    "fsqrt v{d}.2d, v{n}.2d",
	"FNEG2":     "fneg v{d}.2d, v{n}.2d",
	"FCMEQZ2":   "fcmeq v{d}.2d, v{n}.2d, #0.0",
	"FCMGTZ2":   "fcmgt v{d}.2d, v{n}.2d, #0.0",
	"FCMGT2":    "fcmgt v{d}.2d, v{n}.2d, v{m}.2d",
	"BIC2":      "bic v{d}.16b, v{n}.16b, v{m}.16b",
	"AND2":      "and v{d}.16b, v{n}.16b, v{m}.16b",
	"BIF2":      "bif v{d}.16b, v{n}.16b, v{m}.16b",
	"BIT2":      "bit v{d}.16b, v{n}.16b, v{m}.16b",
	"FMLALANE2": "fmla v{d}.2d, v{n}.2d, v{m}.d[{lane}]",
	"FMLA2":     "fmla v{d}.2d, v{n}.2d, v{m}.2d",
	"FMLS2":     "fmls v{d}.2d, v{n}.2d, v{m}.2d",
	"FMAX2":     "fmax v{d}.2d, v{n}.2d, v{m}.2d",
	"FMIN2":     "fmin v{d}.2d, v{n}.2d, v{m}.2d",
	"MOV2":      "mov v{d}.16b, v{n}.16b",
	"ADD2":      "add v{d}.2d, v{n}.2d, v{m}.2d",
	"SUB2":      "sub v{d}.2d, v{n}.2d, v{m}.2d",
	"SHL2":      "shl v{d}.2d, v{n}.2d, #{s}",
	"USHR2":     "ushr v{d}.2d, v{n}.2d, #{s}",
	"ZIP1D":     "zip1 v{d}.2d, v{n}.2d, v{m}.2d",
	"ZIP2D":     "zip2 v{d}.2d, v{n}.2d, v{m}.2d",
	"UMOVD":     "umov x{r}, v{n}.d[{lane}]",
	"LDRQ":      "ldr q{d}, [x{base}, x{i}, lsl #4]",
}

// operandValues are the values that the test gives to an operand: every bit of its
// field, alone and with all others.
func operandValues(name string) []int {
	switch name {
	case "lane":
		return []int{0, 1}
	case "s":
		return []int{1, 2, 4, 8, 16, 32, 63}
	case "r", "base", "i":
		return []int{0, 1, 2, 4, 8, 15, 16}
	}
	return []int{0, 1, 2, 4, 8, 16, 31}
}

var neonMacro = regexp.MustCompile(`(?m)^#define (\w+)\(([^)]*)\) WORD`)

// TestNEONMacros assembles every macro with many operands and compares the words
// with those of another assembler, which testdata/neon.txt records.
func TestNEONMacros(t *testing.T) {
	header := must.Get(os.ReadFile("neon_arm64.h"))(t)
	var source strings.Builder
	source.WriteString("#include \"neon_arm64.h\"\nTEXT ·f(SB), 4, $0-0\n") // 4 is NOSPLIT
	var texts []string
	macros := neonMacro.FindAllStringSubmatch(string(header), -1)
	for _, m := range macros {
		name := m[1]
		template, ok := neonText[name]
		if !ok {
			t.Fatalf("%s has no text to compare with", name)
		}
		operands := strings.Split(strings.ReplaceAll(m[2], " ", ""), ",")
		// One operand takes all its values while the others keep one of two.
		for at := range operands {
			for other := range 2 {
				for _, v := range operandValues(operands[at]) {
					values := make([]string, len(operands))
					text := template
					for i, operand := range operands {
						x := v
						if i != at {
							x = operandValues(operand)[1+other*3%(len(operandValues(operand))-1)]
						}
						values[i] = strconv.Itoa(x)
						text = strings.ReplaceAll(text, "{"+operand+"}", values[i])
					}
					fmt.Fprintf(&source, "\t%s(%s)\n", name, strings.Join(values, ", "))
					texts = append(texts, text)
				}
			}
		}
	}
	source.WriteString("\tRET\n")
	if n := strings.Count(string(header), "WORD"); n != len(macros) {
		t.Fatalf("%d macros are understood, %d words are in the header", len(macros), n)
	}

	if *updateNEON {
		writeNEONReference(t, texts)
	}
	want := make(map[string]uint64)
	reference := must.Get(os.ReadFile("testdata/neon.txt"))(t)
	for _, line := range strings.Split(strings.TrimSpace(string(reference)), "\n") {
		word, text, _ := strings.Cut(line, " ")
		want[text] = must.Get(strconv.ParseUint(word, 16, 32))(t)
	}

	dir := t.TempDir()
	file := filepath.Join(dir, "words.s")
	must.Do(t, os.WriteFile(file, []byte(source.String()), 0o666))
	listing := asmtest.GoCommand(t, "arm64", "tool", "asm", "-p", "words", "-I", ".", "-S", "-o", filepath.Join(dir, "words.o"), file)
	words := regexp.MustCompile(`\tWORD\t\$(\d+)`).FindAllStringSubmatch(listing, -1)
	if len(words) != len(texts) {
		t.Fatalf("%d words for %d instructions", len(words), len(texts))
	}
	for i, text := range texts {
		got := must.Get(strconv.ParseUint(words[i][1], 10, 32))(t)
		if w, ok := want[text]; !ok {
			t.Errorf("%s is not in testdata/neon.txt: write it with go test -run NEON -update-neon", text)
		} else if got != w {
			t.Errorf("%s is %08x, the macro gives %08x", text, w, got)
		}
	}
}

// writeNEONReference records the words that GNU as makes of the texts.
func writeNEONReference(t *testing.T, texts []string) {
	t.Helper()
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	dir := t.TempDir()
	source, object := filepath.Join(dir, "neon.s"), filepath.Join(dir, "neon.o")
	must.Do(t, os.WriteFile(source, []byte(strings.Join(texts, "\n")+"\n"), 0o666))
	if out, err := exec.Command("aarch64-linux-gnu-as", "-o", object, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out := must.Get(exec.Command("aarch64-linux-gnu-objdump", "-d", object).Output())(t)
	words := regexp.MustCompile(`(?m)^ *[0-9a-f]+:\t([0-9a-f]{8})`).FindAllSubmatch(out, -1)
	if len(words) != len(texts) {
		t.Fatalf("%d words for %d texts", len(words), len(texts))
	}
	var lines strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&lines, "%s %s\n", words[i][1], text)
	}
	must.Do(t, os.MkdirAll("testdata", 0o777))
	must.Do(t, os.WriteFile("testdata/neon.txt", []byte(lines.String()), 0o666))
}

// TestNEONProductStep counts what one step of k of the product tile costs: mr·nr/2
// multiply-adds by element and at most (mr+nr)/2 + 2 loads of a register, and
// nothing else for each of its elements.
func TestNEONProductStep(t *testing.T) {
	root := strings.TrimSpace(asmtest.GoCommand(t, "arm64", "env", "GOROOT"))
	listing := asmtest.GoCommand(t, "arm64", "tool", "asm", "-p", "f64", "-I", ".", "-I", filepath.Join(root, "pkg", "include"),
		"-S", "-o", filepath.Join(t.TempDir(), "product.o"), "product_neon_arm64.s")
	// The first branch backwards closes the loop.
	line := regexp.MustCompile(`(?m)^\t0x[0-9a-f]+ (\d+) \(.*\)\t(\S+)\t(.*)$`)
	var body [][]string
	lines := line.FindAllStringSubmatch(listing, -1)
	for i, m := range lines {
		if m[2] != "CBNZ" {
			continue
		}
		target := must.Get(strconv.Atoi(m[3][strings.LastIndex(m[3], " ")+1:]))(t)
		start := slices.IndexFunc(lines, func(m []string) bool {
			pc, err := strconv.Atoi(strings.TrimLeft(m[1], "0"))
			return err == nil && pc == target
		})
		if start < 0 {
			t.Fatalf("no instruction at %d", target)
		}
		body = lines[start : i+1]
		break
	}
	const steps, rows, cols = 2, 6, 8
	multiplyAdds, registers, others := 0, 0, 0
	for _, m := range body {
		switch name, operands := m[2], m[3]; {
		case name == "WORD":
			w, err := strconv.ParseUint(strings.TrimPrefix(operands, "$"), 10, 32)
			if err != nil || w&0xffc0f400 != 0x4fc01000 {
				t.Errorf("%s is not a multiply-add by element (%v)", operands, err)
			}
			multiplyAdds++
		case strings.HasPrefix(name, "VLD1"):
			registers += strings.Count(operands, "V")
		default:
			others++
		}
	}
	if multiplyAdds != steps*rows*cols/2 || registers > steps*((rows+cols)/2+2) || others != 2 {
		t.Errorf("%d steps have %d multiply-adds, %d registers loaded and %d other instructions", steps, multiplyAdds, registers, others)
	}
	t.Logf("%d steps: %d multiply-adds, %d registers loaded, %d instructions for the loop", steps, multiplyAdds, registers, others)
}
