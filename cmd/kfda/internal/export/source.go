package export

import (
	"fmt"
	"go/format"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/formula"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
)

// A source is written in a small part of Go, a statement a line, which is Go but for two
// words: slice(a, i) is a from its element i on, and all(a) all of an array. For C each line is
// translated; as every product is an operand of a fused operation or rounded by float64(…), a
// compiler that does not fuse on its own gives the same bits in both.
type source struct {
	body    strings.Builder
	numbers int
}

func (s *source) line(format string, args ...any) {
	fmt.Fprintf(&s.body, format+"\n", args...)
}

// block writes lines of text, which has the names of constants in braces: {n}.
func (s *source) block(text string, constants ...any) {
	for i := 0; i < len(constants); i += 2 {
		text = strings.ReplaceAll(text, "{"+constants[i].(string)+"}", literal(constants[i+1]))
	}
	s.body.WriteString(strings.TrimPrefix(text, "\n"))
}

func literal(v any) string {
	if x, ok := v.(float64); ok {
		return float(x)
	}
	return fmt.Sprint(v)
}

// float is a number to the bit.
func float(x float64) string {
	if x == float64(int64(x)) && x < 1e15 && x > -1e15 && 1/x > -1e300 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'x', -1, 64)
}

// array declares an array of numbers.
func (s *source) array(name string, values []float64) {
	s.numbers += len(values)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = float(v)
	}
	s.line("var %s = [%d]float64{%s}", name, len(values), strings.Join(texts, ", "))
}

// Source returns the model as source in Go or, with c, in C99.
func (m *Model) Source(c bool) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &source{}
	m.project(s)
	if m.Labels != nil {
		m.rule(s)
	} else {
		s.block("func Predict(x []float64) float64 {\n\tvar z [{p}]float64\n\tProject(x, all(z))\n\treturn z[0]\n}\n", "p", m.Components)
	}
	if s.numbers > MaxNumbers {
		return nil, fmt.Errorf("the model holds %d numbers, and a source at most %d; --format onnx has no such limit, and --model svm or lda keeps fewer", s.numbers, MaxNumbers)
	}
	text := functions(s.body.String()) + s.body.String()
	if c {
		return []byte(m.cSource(text)), nil
	}
	return format.Source([]byte(m.goSource(text)))
}

// project writes the function that projects a row.
func (m *Model) project(s *source) {
	d := m.Dim
	row, at := "x", "x"
	if m.Prepared != nil {
		m.declarePreparation(s)
		row, at = "all(r)", "r"
	}
	if m.Scaling != nil {
		s.array("shift", m.Scaling.Shift)
		s.array("scale", m.Scaling.Scale)
		s.array("rounding", m.Scaling.Rounding)
		row = "all(s)"
	}
	from := at
	if m.Scaling != nil {
		at = "s"
	}
	switch {
	case m.Machines != nil:
		m.machines(s, "machine", m.Machines, d)
	case m.Kernel != nil:
		s.array("rows", m.Rows.Data)
		s.array("alpha", m.Alpha.Data)
		if m.Centring != nil {
			s.array("means", m.Centring.Means)
			if m.Centring.Shares != nil {
				s.array("shares", m.Centring.Shares)
			}
		}
		kernel(s, "kernel", m.Kernel, d)
	default:
		s.array("origin", m.Origin)
		s.array("weights", m.Weights.Data)
	}
	if m.Offset != nil {
		s.array("offset", m.Offset)
	}
	s.line("func Project(x []float64, z []float64) {")
	if m.Prepared != nil {
		m.prepare(s)
	}
	if m.Scaling != nil {
		s.block(`
	var s [{d}]float64
	for j := 0; j < {d}; j++ {
		v := {x}[j] - shift[j]
		if math.Abs(v) <= rounding[j] {
			v = 0
		}
		s[j] = v / scale[j]
	}
`, "d", d, "x", from)
	}
	switch {
	case m.Machines != nil:
		s.line("	machineValues(%s, z)", row)
	case m.Kernel != nil:
		m.expansion(s, row)
	default:
		s.block(`
	for c := 0; c < {p}; c++ {
		v := 0.0
		for j := 0; j < {d}; j++ {
			v = math.FMA({row}[j]-origin[j], weights[j*{p}+c], v)
		}
		z[c] = v
	}
`, "p", m.Components, "d", d, "row", at)
	}
	s.line("}")
}

// expansion writes the kernel values of a row, centred where the model does, and their sums.
func (m *Model) expansion(s *source, row string) {
	s.block(`
	var k [{n}]float64
	for i := 0; i < {n}; i++ {
		k[i] = kernel({row}, slice(rows, i*{d}))
	}
`, "n", m.Rows.Rows, "d", m.Dim, "row", row)
	if c := m.Centring; c != nil {
		add, count := "lanes[i%8] + k[i]", " / "+float(float64(len(c.Means)))
		if c.Shares != nil {
			add, count = "math.FMA(k[i], shares[i], lanes[i%8])", ""
		}
		s.block(`
	var lanes [8]float64
	for i := 0; i < {n}; i++ {
		k[i] = k[i] - {shift}
		lanes[i%8] = {add}
	}
	mean := (((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))){count}
	for i := 0; i < {n}; i++ {
		k[i] = (k[i] - (mean + means[i])) + {all}
	}
`, "n", len(c.Means), "shift", "("+float(c.Shift)+")", "add", add, "count", count, "all", "("+float(c.Mean)+")")
	}
	plus := ""
	if m.Offset != nil {
		plus = " + offset[c]"
	}
	s.block(`
	for c := 0; c < {p}; c++ {
		v := 0.0
		for i := 0; i < {n}; i++ {
			v = math.FMA(k[i], alpha[i*{p}+c], v)
		}
		z[c] = v{plus}
	}
`, "n", m.Rows.Rows, "p", m.Components, "plus", plus)
}

// kernel writes the function of a kernel between two rows of d numbers.
func kernel(s *source, name string, k gram.Kernel, d int) {
	uses := map[string]bool{}
	value := kernelValue(k, uses)
	s.line("func %s(x []float64, y []float64) float64 {", name)
	for _, sum := range []string{"dot", "xx", "yy", "squares", "distance", "chi"} {
		if uses[sum] {
			s.line("	%s := 0.0", sum)
		}
	}
	s.line("	for k := 0; k < %d; k++ {", d)
	if uses["squares"] || uses["distance"] || uses["chi"] {
		s.line("		d := x[k] - y[k]")
	}
	for _, step := range [][2]string{
		{"dot", "dot = math.FMA(x[k], y[k], dot)"}, {"xx", "xx = math.FMA(x[k], x[k], xx)"}, {"yy", "yy = math.FMA(y[k], y[k], yy)"},
		{"squares", "squares = math.FMA(d, d, squares)"}, {"distance", "distance += math.Abs(d)"},
	} {
		if uses[step[0]] {
			s.line("		%s", step[1])
		}
	}
	if uses["chi"] {
		s.block(`
		if d != 0 {
			chi = math.FMA(d, d/(x[k]+y[k]), chi)
		}
`)
	}
	s.line("	}")
	s.line("	return %s", value)
	s.line("}")
}

// kernelValue is the expression of a kernel from sums over the features, which it notes.
func kernelValue(k gram.Kernel, uses map[string]bool) string {
	decay := func(sum string, gamma float64) string {
		uses[sum] = true
		return fmt.Sprintf("exp(float64((%s) * %s))", float(-gamma), sum)
	}
	switch k := k.(type) {
	case gram.RBF:
		return decay("squares", k.Gamma)
	case gram.Laplacian:
		return decay("distance", k.Gamma)
	case gram.ChiSquared:
		return decay("chi", k.Gamma)
	case gram.Polynomial:
		uses["dot"] = true
		return fmt.Sprintf("power(math.FMA(%s, dot, %s), %d)", float(k.Gamma), float(k.Coef0), k.Degree)
	case gram.Sigmoid:
		uses["dot"] = true
		return fmt.Sprintf("tanh(math.FMA(%s, dot, %s))", float(k.Gamma), float(k.Coef0))
	case gram.Cosine:
		uses["dot"], uses["xx"], uses["yy"] = true, true, true
		return "cosine(dot, xx, yy)"
	case gram.Scaled:
		return fmt.Sprintf("float64(%s * %s)", float(k.Factor), kernelValue(k.Kernel, uses))
	case gram.Sum:
		v := kernelValue(k.Terms[0], uses)
		for _, t := range k.Terms[1:] {
			v = "(" + v + " + " + kernelValue(t, uses) + ")"
		}
		return v
	case gram.Product:
		v := kernelValue(k.Factors[0], uses)
		for _, t := range k.Factors[1:] {
			v = "float64(" + v + " * " + kernelValue(t, uses) + ")"
		}
		return v
	}
	uses["dot"] = true
	return "dot"
}

// machines writes the function of the values of machines.
func (m *Model) machines(s *source, name string, v *formula.Machines, d int) {
	s.array(name+"Rows", v.Rows.Data)
	s.array(name+"Coefficients", v.Coefficients.Data)
	kernel(s, name+"Kernel", v.Kernel, d)
	s.block(`
func {name}Term(k []float64, from int, to int, column int) float64 {
	v := 0.0
	for i := from; i < to; i++ {
		v = math.FMA(k[i], {name}Coefficients[i*{w}+column], v)
	}
	return v
}
func {name}Values(x []float64, v []float64) {
	var k [{n}]float64
	for i := 0; i < {n}; i++ {
		k[i] = {name}Kernel(x, slice({name}Rows, i*{d}))
	}
`, "name", name, "w", v.Coefficients.Cols, "n", v.Rows.Rows, "d", d)
	starts := make([]int, len(v.Counts)+1)
	for j, n := range v.Counts {
		starts[j+1] = starts[j] + n
	}
	p := 0
	for a := range v.Counts {
		for b := a + 1; b < len(v.Counts); b++ {
			s.line("	v[%d] = (%sTerm(all(k), %d, %d, %d) + %sTerm(all(k), %d, %d, %d)) + (%s)", p,
				name, starts[a], starts[a+1], b-1, name, starts[b], starts[b+1], a, float(v.Biases[p]))
			p++
		}
	}
	s.line("}")
}

// goSource is the text as a file of Go.
func (m *Model) goSource(text string) string {
	text = regexp.MustCompile(`slice\((\w+), ([^)]*)\)`).ReplaceAllString(text, "$1[$2:]")
	text = regexp.MustCompile(`all\((\w+)\)`).ReplaceAllString(text, "$1[:]")
	var labels []string
	for _, l := range m.Labels {
		labels = append(labels, strconv.Quote(l))
	}
	about := "// " + strings.Join(m.about(), "\n// ") + "\n"
	classes, sizes := "", fmt.Sprintf("const Features, Components = %d, %d\n\n", m.Inputs, m.Components)
	if labels != nil {
		sizes = fmt.Sprintf("const Features, Components, Classes = %d, %d, %d\n\n", m.Inputs, m.Components, m.Classes)
		classes = "var Labels = [...]string{" + strings.Join(labels, ", ") + "}\n\n"
	}
	return about + "package model\n\nimport \"math\"\n\n" + classes + sizes +
		"func bits(x float64) uint64 { return math.Float64bits(x) }\nfunc fromBits(u uint64) float64 { return math.Float64frombits(u) }\n\n" + text
}

// about says what the functions do.
func (m *Model) about() []string {
	lines := []string{
		"A model that kfda wrote: " + fmt.Sprintf("%s, %d classes.", plural.Count(m.Inputs, "feature"), m.Classes),
		"Project writes the projections of the features x to z, Classify returns the number of the",
		"class of x, from 0, in Labels.",
	}
	if m.Labels == nil {
		lines = []string{fmt.Sprintf("A regression that kfda wrote: %d features.", m.Inputs), "Predict returns the prediction for the features x,", "Project writes it to z."}
	}
	if m.hasPosteriors() {
		lines[2] += " Posteriors writes the probability of each class to p."
	}
	if m.Fills {
		lines = append(lines, "A missing cell is NaN.")
	}
	for j := range m.Inputs {
		line := ""
		if m.Names != nil {
			line += " " + strconv.Quote(m.Names[j])
		}
		if m.Columns != nil {
			switch c := m.Columns[j]; c.Kind {
			case table.Category, table.Boolean:
				var levels []string
				for k, text := range c.Levels {
					levels = append(levels, fmt.Sprintf("%d for %q", k, text))
				}
				line += " " + c.Kind.String() + ", " + strings.Join(levels, ", ")
			case table.Date:
				line += " days since 1970-01-01"
			case table.Measure:
				line += " in " + c.Levels[0]
			}
		}
		if line != "" {
			lines = append(lines, strings.ReplaceAll(fmt.Sprintf("x[%d]:%s", j, line), "*/", "* /"))
		}
	}
	return lines
}

var (
	cFor      = regexp.MustCompile(`^for (\w+) := ([^;]*); ([^;]*); (.*) \{$`)
	cWhile    = regexp.MustCompile(`^for (.*) \{$`)
	cIf       = regexp.MustCompile(`^(\} else )?if (.*) \{$`)
	cVar      = regexp.MustCompile(`^var (\w+) \[(\d+)\]float64$`)
	cInt      = regexp.MustCompile(`^var (\w+) (int|uint64) = (.*)$`)
	cArray    = regexp.MustCompile(`^var (\w+) = \[(\d+)\](float64|int)\{(.*)\}$`)
	cDeclare  = regexp.MustCompile(`^(\w+) := (.*)$`)
	cFunc     = regexp.MustCompile(`^func (\w+)\((.*)\) ?(float64|int)? ?\{$`)
	cReplaced = strings.NewReplacer("math.FMA(", "fma(", "math.Abs(", "fabs(", "math.Sqrt(", "sqrt(", "math.Max(", "fmax(", "math.Min(", "fmin(", "math.Copysign(", "copysign(")
	cWords    = regexp.MustCompile(`\b(exp|tanh|Posteriors|Project|float64|int)\(`)
	cTypes    = map[string]string{"float64": "double", "int": "int", "uint64": "uint64_t", "": "void"}
	cNames    = map[string]string{"Project": "kfda_project", "Classify": "kfda_classify", "Predict": "kfda_predict", "Posteriors": "kfda_posteriors", "exp": "kfda_exp", "tanh": "kfda_tanh", "float64": "(double)", "int": "(int)"}
)

// cSource is the text as a file of C99.
func (m *Model) cSource(text string) string {
	text = regexp.MustCompile(`slice\((\w+), ([^)]*)\)`).ReplaceAllString(text, "$1 + $2")
	text = regexp.MustCompile(`all\((\w+)\)`).ReplaceAllString(text, "$1")
	var b strings.Builder
	var labels []string
	for _, l := range m.Labels {
		labels = append(labels, cString(l))
	}
	about := strings.NewReplacer("Project", "kfda_project", "Classify", "kfda_classify", "Predict", "kfda_predict", "Posteriors", "kfda_posteriors", "Labels", "kfda_labels").Replace(strings.Join(m.about()[:3], "\n * "))
	fmt.Fprintf(&b, "/* %s\n * Compile with -std=c99 -ffp-contract=off, link with -lm.\n * %s */\n", about, strings.Join(m.about()[3:], "\n * "))
	fmt.Fprintf(&b, "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n")
	fmt.Fprintf(&b, "const int kfda_features = %d, kfda_components = %d;\n", m.Inputs, m.Components)
	if labels != nil {
		fmt.Fprintf(&b, "const int kfda_classes = %d;\nconst char *const kfda_labels[] = {%s};\n\n", m.Classes, strings.Join(labels, ", "))
	}
	b.WriteString("static inline uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }\n")
	b.WriteString("static inline double fromBits(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }\n\n")
	for line := range strings.Lines(text) {
		code := strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
		b.WriteString(line[:len(line)-1-len(code)] + cLine(code) + "\n")
	}
	return b.String()
}

// cLine translates a line.
func cLine(code string) string {
	switch {
	case code == "" || code == "}" || code == "} else {" || strings.HasPrefix(code, "//"):
		return code
	case cArray.MatchString(code):
		a := cArray.FindStringSubmatch(code)
		return fmt.Sprintf("static const %s %s[%s] = {%s};", cTypes[a[3]], a[1], a[2], a[4])
	case cFunc.MatchString(code):
		f := cFunc.FindStringSubmatch(code)
		var params []string
		for _, p := range strings.Split(f[2], ", ") {
			name, kind, _ := strings.Cut(p, " ")
			switch {
			case kind == "[]float64" && strings.Contains("x y k", name):
				params = append(params, "const double *"+name)
			case kind == "[]float64":
				params = append(params, "double *"+name)
			default:
				params = append(params, cTypes[kind]+" "+name)
			}
		}
		name, static := cNames[f[1]], ""
		if name == "" {
			name = f[1]
		}
		if f[1][0] >= 'a' {
			static = "static "
		}
		return fmt.Sprintf("%s%s %s(%s) {", static, cTypes[f[3]], name, strings.Join(params, ", "))
	}
	code = cReplaced.Replace(cWords.ReplaceAllStringFunc(code, func(call string) string { return cNames[call[:len(call)-1]] + "(" }))
	if a := cFor.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("for (int %s = %s; %s; %s) {", a[1], a[2], a[3], a[4])
	}
	if a := cWhile.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("while (%s) {", a[1])
	}
	if a := cIf.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("%sif (%s) {", a[1], a[2])
	}
	if a := cVar.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("double %s[%s] = {0};", a[1], a[2])
	}
	if a := cInt.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("%s %s = %s;", cTypes[a[2]], a[1], a[3])
	}
	if a := cDeclare.FindStringSubmatch(code); a != nil {
		return fmt.Sprintf("double %s = %s;", a[1], a[2])
	}
	return code + ";"
}

// cString is a string of C in ASCII.
func cString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
