package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// exported are models of every method, kernel and classifier, on wines.
var exported = map[string]string{
	"plain":       "",
	"perclass":    "--classifier gaussian-per-class --kernel linear",
	"centroid":    "--classifier centroid --kernel laplacian",
	"knn":         "--classifier knn --kernel poly --degree 3 --coef0 1",
	"knnpriors":   "--classifier knn --neighbors 4 --priors 0.2,0.3,0.5",
	"machines":    "--classifier svm --kernel cosine --probability",
	"chi":         "--kernel chi2 --scale none",
	"sigmoid":     "--kernel sigmoid --regularizer ridge",
	"mixed":       "--missing mean",
	"indicator":   "--missing indicator --model lda",
	"combined":    "",
	"lda":         "--model lda",
	"ldaminmax":   "--model lda --scale minmax --classifier svm",
	"kpca":        "--model kpca --components 6",
	"kpcaknn":     "--model kpca --components 3 --classifier gaussian --kernel poly",
	"ridge":       "--model ridge",
	"numbers":     "--target label",
	"linear":      "--target label --kernel linear --scale standard --ridge 0.3",
	"svm":         "--model svm --C 10",
	"probability": "--model svm --probability --kernel poly",
	"two":         "--rows 0:130 --classifier centroid",
	"twopriors":   "--rows 0:130 --priors 0.9,0.1",
	"tworidge":    "--rows 0:130 --model ridge --kernel linear",
	"weighted":    "--class-weight balanced",
	"twosvm":      "--rows 0:130 --model svm --probability",
	"twokpca":     "--rows 0:130 --model kpca --components 4",
}

// exportedModel fits a model; the command has no flag for a combined kernel.
func exportedModel(t *testing.T, name, flags string) string {
	if isMixed(name) {
		return fitted(t, writeBytes(t, "mixed.csv", []byte(mixedTable(t))), strings.Fields(flags)...)
	}
	if strings.Contains(flags, "--target") {
		text := strings.ReplaceAll(read(t, "demo/wine.csv"), "class_", "1.")
		return fitted(t, writeBytes(t, "numbers.csv", []byte(text)), strings.Fields(flags)...)
	}
	if name != "combined" {
		return fitted(t, "demo/wine.csv", strings.Fields(flags)...)
	}
	k := gram.Sum{Terms: []gram.Kernel{
		gram.Scaled{Factor: 0.5, Kernel: gram.RBF{Gamma: 0.1}},
		gram.Product{Factors: []gram.Kernel{gram.Linear{}, gram.Laplacian{Gamma: 0.01}, gram.Cosine{}}},
		gram.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2},
	}}
	data := must.Get(table.Read("demo/wine.csv", nil, table.Options{}))(t)
	m := must.Get(discriminant.Fit(t.Context(), discriminant.KFDA{Kernel: k, Scaling: discriminant.Standard}, data.X, data.Labels))(t)
	return writeBytes(t, "m", must.Get(m.MarshalBinary())(t))
}

func isMixed(name string) bool { return name == "mixed" || name == "indicator" }

// mixedTable is that of the wines with a category and a truth value for numbers, and gaps.
func mixedTable(t *testing.T) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(read(t, "demo/wine.csv")), "\n") {
		cells := strings.Split(line, ",")
		if i > 0 {
			cells[0] = []string{"red", "white", "rosé"}[len(cells[1])*i%3]
			cells[4] = []string{"yes", "no"}[i*i/7%2]
			if i%5 == 0 {
				cells[2], cells[0] = "", ""
			}
			if i%11 == 0 {
				cells[7] = ""
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// mixedRows are the rows of mixed tables, with a level that the training rows do not have.
func mixedRows(x [][]float64) (mixed [][]float64) {
	for i, row := range x {
		row = slices.Clone(row)
		row[0], row[4] = float64(i%4), float64(i%2)
		if i%3 == 0 {
			row[0], row[2] = math.NaN(), math.NaN()
		}
		if i%7 == 0 {
			row[5], row[7] = -2, math.NaN()
		}
		mixed = append(mixed, row)
	}
	return mixed
}

// rowsFor are the rows that a model is tried on.
func rowsFor(name string, x [][]float64) [][]float64 {
	if isMixed(name) {
		return mixedRows(x)
	}
	return x
}

// exportRows are rows near those of the wines, and some far from all.
func exportRows(t *testing.T, n int) [][]float64 {
	records := must.Get(csv.NewReader(strings.NewReader(read(t, "demo/wine.csv"))).ReadAll())(t)
	records = records[1:]
	seed := uint64(1)
	rows := make([][]float64, n)
	for i := range rows {
		for _, cell := range records[i%len(records)][:13] {
			seed = seed*6364136223846793005 + 1442695040888963407
			v := must.Get(strconv.ParseFloat(cell, 64))(t)
			if i >= len(records) {
				v *= 0.5 + float64(seed>>40)/(1<<24)
			}
			if i%97 == 96 {
				v *= 1e3
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}

func bytesOf(rows [][]float64) []byte {
	var b []byte
	for _, row := range rows {
		for _, v := range row {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// computed are the projections, the class and, where the model knows them, the probabilities of
// the rows, as an exported program writes them; of a regression the prediction twice.
func computed(t *testing.T, m *savedModel, x [][]float64) (all [][]float64) {
	table := must.Get(matrix.FromRows(x))(t)
	z := must.Get(m.Project(nil, table))(t)
	if m.numbers != nil {
		for i := range x {
			all = append(all, []float64{z.At(i, 0), z.At(i, 0)})
		}
		return all
	}
	labels := must.Get(m.Predict(nil, table))(t)
	p, err := m.Posteriors(nil, table)
	for i := range x {
		row := append([]float64{}, z.Row(i)...)
		for j, class := range m.Classes() {
			if class == labels[i] {
				row = append(row, float64(j))
			}
		}
		if err == nil {
			row = append(row, p.Row(i)...)
		}
		all = append(all, row)
	}
	return all
}

const goMain = `package main

import (
	"bufio"
	"encoding/binary"
	"os"
%s)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	x, rows1, rows2 := []float64(nil), make([]float64, 13), make([]float64, 13)
	for binary.Read(in, binary.LittleEndian, rows1) == nil {
		binary.Read(in, binary.LittleEndian, rows2)
%s	}
}
`

// The source in Go computes the same bits as the model.
func TestExportedGo(t *testing.T) {
	if testing.Short() {
		t.Skip("a program is built: left to the long tests")
	}
	dir, x := t.TempDir(), exportRows(t, 1000)
	write(t, filepath.Join(dir, "go.mod"), "module exported\n\ngo 1.26\n")
	var imports, calls strings.Builder
	var want [][][]float64
	for name, flags := range exported {
		path := exportedModel(t, name, flags)
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		works(t, "export", path, "--format", "go", "-o", filepath.Join(folder, "model.go"))
		fmt.Fprintf(&imports, "\t%s \"exported/%s\"\n", name, name)
		fmt.Fprintf(&calls, "\t\t{\n\t\t\tx = %s\n\t\t\tvar z [%s.Components]float64\n\t\t\t%s.Project(x, z[:])\n\t\t\tbinary.Write(out, binary.LittleEndian, z[:])\n\t\t\tbinary.Write(out, binary.LittleEndian, float64(%s.%s(x)))\n", map[bool]string{true: "rows2", false: "rows1"}[isMixed(name)], name, name, name, answerOf(flags))
		m := load(t, path)
		want = append(want, computed(t, m, rowsFor(name, x)))
		if len(want[len(want)-1][0]) > m.Components()+1 {
			fmt.Fprintf(&calls, "\t\t\tvar p [%s.Classes]float64\n\t\t\t%s.Posteriors(x, p[:])\n\t\t\tbinary.Write(out, binary.LittleEndian, p[:])\n", name, name)
		}
		calls.WriteString("\t\t}\n")
	}
	write(t, filepath.Join(dir, "main.go"), fmt.Sprintf(goMain, imports.String(), calls.String()))
	var pairs []byte
	for i, row := range mixedRows(x) {
		pairs = append(pairs, bytesOf([][]float64{x[i], row})...)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = dir, append(os.Environ(), "GOWORK=off"), bytes.NewReader(pairs), os.Stderr
	got := must.Get(cmd.Output())(t)
	var all []byte
	for i := range x {
		for _, model := range want {
			all = append(all, bytesOf(model[i:i+1])...)
		}
	}
	if !bytes.Equal(got, all) {
		t.Errorf("the exported sources write %d bytes that differ from the %d of the models", len(got), len(all))
	}
}

// answerOf is the function of an exported source that answers.
func answerOf(flags string) string {
	if strings.Contains(flags, "--target") {
		return "Predict"
	}
	return "Classify"
}

const cMain = `
#include <stdio.h>
int main(void) {
	double x[13], z[%d], p[%d];
	while (fread(x, 8, 13, stdin) == 13) {
		kfda_project(x, z);
		fwrite(z, 8, %d, stdout);
		p[0] = kfda_%s(x);
		fwrite(p, 8, 1, stdout);
		%s
	}
	return 0;
}
`

// The source in C computes what the model does: the same bits where its compiler fuses no
// operations and its fma and sqrt are rounded correctly.
func TestExportedC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || testing.Short() {
		t.Skip("gcc is needed, and time")
	}
	dir, x := t.TempDir(), exportRows(t, 1000)
	for name, flags := range exported {
		path := exportedModel(t, name, flags)
		m := load(t, path)
		source, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
		works(t, "export", path, "--format", "c", "-o", source)
		want := computed(t, m, rowsFor(name, x))
		posteriors, classes := "", 1
		if m.numbers == nil {
			classes = len(m.Classes())
		}
		if len(want[0]) > m.Components()+1 {
			posteriors = fmt.Sprintf("kfda_posteriors(x, p); fwrite(p, 8, %d, stdout);", classes)
		}
		write(t, source, read(t, source)+fmt.Sprintf(cMain, m.Components(), classes, m.Components(), strings.ToLower(answerOf(flags)), posteriors))
		if out, err := exec.Command(gcc, "-std=c99", "-O2", "-Wall", "-Werror", "-ffp-contract=off", "-o", program, source, "-lm").CombinedOutput(); err != nil {
			t.Errorf("%s: gcc: %v\n%.2000s", name, err, out)
			continue
		}
		cmd := exec.Command(program)
		cmd.Stdin = bytes.NewReader(bytesOf(rowsFor(name, x)))
		if got := must.Get(cmd.Output())(t); !bytes.Equal(got, bytesOf(want)) {
			t.Errorf("%s: the program writes other bits than the model", name)
		}
	}
}

// What cannot be exported is refused by name.
func TestExportRefused(t *testing.T) {
	model := fitted(t, "demo/wine.csv", "--model", "lda")
	kernel := writeBytes(t, "k.csv", []byte("3,1,0,0,a\n1,3,0,0,a\n0,0,3,1,b\n0,0,1,3,b\n"))
	precomputed := fitted(t, kernel, "--kernel", "precomputed", "--model", "svm")
	for _, kind := range []string{"onnx", "c", "go"} {
		fails(t, statusData, []string{"kernel precomputed cannot be exported"}, "export", precomputed, "--format", kind, "-o", "-")
	}
	var large strings.Builder
	for i := range 120 {
		large.WriteString(strings.Repeat(strconv.Itoa(i*i%97)+",", 900) + strconv.Itoa(i%2) + "\n")
	}
	wide := fitted(t, writeBytes(t, "wide.csv", []byte(large.String())))
	fails(t, statusData, []string{"a source at most 100000", "--format onnx"}, "export", wide, "--format", "c", "-o", "-")
	fails(t, statusUsage, []string{"want onnx, c, go or card"}, "export", model, "--format", "java", "-o", "-")
	says(t, works(t, "export", model, "--format", "card", "-o", "-"), "# A model of lda", "`class_0` | 59", "How far to trust it")
	numbers := exportedModel(t, "numbers", exported["numbers"])
	says(t, works(t, "export", numbers, "--format", "card", "-o", "-"), "A regression of `label` on 13 features", "with the target", "--target label")
}
