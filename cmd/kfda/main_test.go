package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// Standardised, a column of ten times 0.1 is 0 and does not count.
func TestCase25ConstantColumn(t *testing.T) {
	// The table has no labels: the first five rows become p, the others q.
	text := read(t, cases.File(t, "25-scaler-constant-column/train.csv"))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, label := range strings.Fields("label p p p p p q q q q q") {
		lines[i] += "," + label
	}
	model := filepath.Join(t.TempDir(), "m")
	r := kfda(t, strings.Join(lines, "\n"), "fit", "-", "--kernel", "linear", "--json", "-o", model)
	if v := object(t, r.out); r.status != statusOK || v["scale"] != "standard" {
		t.Errorf("%+v", r)
	}
	m := load(t, model)
	if shift, scale := m.Scaler().Shift()[0], m.Scaler().Scale()[0]; shift != 0.1 || scale != 1 {
		t.Errorf("constant column: shift %v scale %v, want 0.1 and 1", shift, scale)
	}
}

func TestCase31SingleClass(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() {
		fails(t, statusData, []string{"need at least two classes, found 1: only"}, "fit", cases.File(t, "31-single-class-labels/train.csv"), "-o", model)
	})
}

func TestCase33ClassWithOneRow(t *testing.T) {
	file := cases.File(t, "33-class-with-one-row/train.csv")
	model := fitted(t, file)
	if r := object(t, works(t, "score", model, file, "--json")); r["errors"] != 0.0 {
		t.Errorf("score %v", r)
	}
}

func TestCase34TooManyComponents(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m")
	file := cases.File(t, "34-too-many-components/train.csv")
	works(t, "fit", file, "--components", "1", "-o", filepath.Join(dir, "one"))
	unchanged(t, model, func() {
		for _, n := range []string{"2", "5"} {
			fails(t, statusData, []string{"--components " + n + ": at most 1 for 2 classes"}, "fit", file, "--components", n, "-o", model)
		}
		for _, n := range []string{"0", "-1"} {
			fails(t, statusUsage, []string{"--components " + n, "1 or more"}, "fit", file, "--components", n, "-o", model)
		}
	})
}

func TestCase35SignDoesNotFollowTheRows(t *testing.T) {
	dir := t.TempDir()
	var values []float64
	for _, name := range []string{"plus-first", "minus-first", "zero-one"} {
		model := filepath.Join(dir, name)
		works(t, "fit", cases.File(t, "35-sign-follows-first-row/"+name+".csv"), "-o", model)
		r := kfda(t, "x\n1.5\n", "predict", model, "-", "--decision-values")
		if r.status != statusOK {
			t.Fatal(r.err)
		}
		cells := strings.Split(strings.Split(r.out, "\n")[1], ",")
		v := must.Get(strconv.ParseFloat(cells[2], 64))(t)
		values = append(values, v)
		if want := map[string]string{"zero-one": "1"}[name]; cells[1] != want && (want != "" || cells[1] != "+1") {
			t.Errorf("%s: prediction %s", name, cells[1])
		}
	}
	// Another order of the rows is another order of sums, so the last bits may
	// differ.
	if d := values[1]/values[0] - 1; values[0] <= 0 || values[2] <= 0 || d > 1e-12 || d < -1e-12 {
		t.Errorf("decision values %v", values)
	}
}

func TestCase36LabelsAreText(t *testing.T) {
	file := cases.File(t, "36-labels-that-look-like-numbers/train.csv")
	model := fitted(t, file)
	want := []string{"2", "2", "2.0", "2.0", "2.10", "2.10", "02", "02", "true", "true", "TRUE", "TRUE"}
	if got := predictions(t, works(t, "predict", model, file)); !slices.Equal(got, want) {
		t.Errorf("predictions %q, want %q", got, want)
	}
	if r := object(t, works(t, "score", model, file, "--json")); r["accuracy"] != 1.0 || len(r["classes"].([]any)) != 6 {
		t.Errorf("score %v", r)
	}
}

func TestCase40Empty(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	for file, what := range map[string]string{
		"zero-bytes": "no rows", "blank-lines": "no rows", "header-only": "no rows", "label-only": "no feature columns",
	} {
		fails(t, statusData, []string{what}, "fit", cases.File(t, "40-empty-input/"+file+".csv"), "-o", model)
	}
	if _, err := os.Stat(model); !os.IsNotExist(err) {
		t.Errorf("a model was written: %v", err)
	}
}

func TestCase67LongIdentifiers(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	file := cases.File(t, "67-csv-19-digit-labels/train.csv")
	fails(t, statusData, []string{"2^53", "--ignore id"}, "fit", file, "-o", model)
	works(t, "fit", file, "--ignore", "id", "-o", model)
	const want = `id,prediction
7310582946137205846,30481759260135797531
7310582946137205845,30481759260135797531
7310582946137205844,30481759260135797532
7310582946137205843,30481759260135797532
`
	if got := works(t, "predict", model, file, "--ids", "id"); got != want {
		t.Errorf("predictions\n%s\nwant\n%s", got, want)
	}
}

func TestCase71LabelColumn(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	file := cases.File(t, "71-label-column-choice/train.csv")
	unchanged(t, model, func() {
		fails(t, statusData, []string{"train.csv:2: row 1, column 1 (rowid)", "--ignore rowid"}, "fit", file, "-o", model)
		fails(t, statusData, []string{`no column "colour"`, `"species"`}, "fit", file, "--label", "colour", "-o", model)
		fails(t, statusData, []string{"as many classes as rows"}, "fit", file, "--label", "rowid", "--ignore", "species", "-o", model)
	})
	works(t, "fit", file, "--label", "species", "--ignore", "rowid", "-o", model)
	if r := object(t, works(t, "score", model, file, "--json")); r["errors"] != 0.0 {
		t.Errorf("score %v", r)
	}
}

func TestCase81And83OtherFiles(t *testing.T) {
	files := cases.Files(t, "8[123]-*/*")
	if len(files) < 7 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		fails(t, statusData, []string{file}, "predict", file, cases.File(t, "86-labels-after-load/train.csv"))
	}
	head := read(t, cases.File(t, "83-model-that-claims-huge-sizes/header-be.hex"))
	raw := must.Get(hex.DecodeString(strings.Join(strings.Fields(head), "")))(t)
	for _, text := range []string{string(raw), strings.Repeat("[", 100000), "", "KFDA"} {
		if r := kfda(t, text, "predict", "-", cases.File(t, "86-labels-after-load/train.csv")); r.status != statusData || r.out != "" {
			t.Errorf("%.20q: status %d", text, r.status)
		}
	}
}

// Case 81: numbers in a model file keep all their bits, and those that are not
// finite are refused by the names of their section and field.
func TestCase81Numbers(t *testing.T) {
	set := func(v float64) string {
		return changed(t, "alpha", func(data []byte) {
			binary.LittleEndian.PutUint64(data[len(data)-8:], math.Float64bits(v))
		})
	}
	table := cases.File(t, "86-labels-after-load/train.csv")
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		fails(t, statusData, []string{`section "alpha"`, `field "alpha"`}, "predict", set(v), table)
	}
	for _, v := range []float64{math.Copysign(0, -1), 5e-324} {
		file := set(v)
		m := load(t, file)
		alpha := m.Details().(discriminant.KFDADetails).Alpha()
		if got := alpha.At(alpha.Rows-1, alpha.Cols-1); math.Float64bits(got) != math.Float64bits(v) {
			t.Errorf("%v became %v", v, got)
		}
		old, _ := os.ReadFile(file)
		if again, err := m.MarshalBinary(); err != nil || !bytes.Equal(again, old) {
			t.Errorf("%v: the model has other bytes when it is saved again, error %v", v, err)
		}
	}
}

// Case 82: truncations and flipped bits are refused at load, before any prediction. That all
// are, is tested in the library.
func TestCase82DamagedModel(t *testing.T) {
	dir := t.TempDir()
	model, damaged := filepath.Join(dir, "m"), filepath.Join(dir, "d")
	file := cases.File(t, "34-too-many-components/train.csv")
	works(t, "fit", file, "-o", model)
	data := read(t, model)
	check := func(what, text string) {
		t.Helper()
		write(t, damaged, text)
		if r := kfda(t, "", "predict", damaged, file); r.status != statusData || r.out != "" || !strings.Contains(r.err, damaged) {
			t.Errorf("%s: status %d, output %q, error %q", what, r.status, r.out, r.err)
		}
	}
	for i := 0; i < len(data); i += 17 {
		check(fmt.Sprintf("first %d bytes", i), data[:i])
		check(fmt.Sprintf("byte %d changed", i), data[:i]+string([]byte{data[i] ^ 1})+data[i+1:])
	}
	check("two models", data+data)
	check("trailing bytes", data+"\n")
}

// Case 86: classes and predictions after a model went through a file into
// another process, and the bytes of the file.
func TestCase86LabelsAfterLoad(t *testing.T) {
	dir := t.TempDir()
	file := cases.File(t, "86-labels-after-load/train.csv")
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	report := object(t, works(t, "fit", file, "--json", "-o", one))
	want := []any{"10", "9", "B", "b", "ä"} // bytewise, for not all are integers
	if got := report["classes"].([]any); !slices.Equal(got, want) {
		t.Errorf("classes %q, want %q", got, want)
	}
	inspected := object(t, works(t, "inspect", one, "--json"))
	if got := inspected["classes"].([]any); !slices.Equal(got, want) {
		t.Errorf("classes of the file %q, want %q", got, want)
	}
	for _, args := range [][]string{
		{"predict", one, file},
		{"project", one, file, "--with-labels"},
		{"inspect", one, "--json"},
	} {
		r, _ := runProcess(t, args...)
		if here := works(t, args...); r.status != statusOK || r.out != here {
			t.Errorf("%q: another process prints %q, status %d, this one %q", args, r.out, r.status, here)
		}
	}
	r, _ := runProcess(t, "score", one, file, "--json")
	v := object(t, r.out)
	if got := v["classes"].([]any); v["accuracy"] != 1.0 || !slices.Equal(got, want) {
		t.Errorf("score %v", v)
	}

	m := load(t, one)
	again := must.Get(m.MarshalBinary())(t)
	if r, _ := runProcess(t, "fit", file, "-o", two); r.status != statusOK {
		t.Fatal(r.err)
	}
	first, _ := os.ReadFile(one)
	second, _ := os.ReadFile(two)
	if !bytes.Equal(first, again) || !bytes.Equal(first, second) {
		t.Error("the model has other bytes when it is saved or fitted again")
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m")
	file := cases.File(t, "34-too-many-components/train.csv")
	for _, c := range []struct {
		words string
		args  []string
	}{
		{"unknown command", []string{"fitt"}},
		{"unknown flag", []string{"fit", file, "--kernal", "rbf", "-o", model}},
		{"-o MODEL", []string{"fit", file}},
		{"accepts 1 arg", []string{"fit", "-o", model}},
		{"accepts 2 arg", []string{"predict", model}},
		{"kfda plot WHAT MODEL [FILE] -o PICTURE", []string{"plot", model}},
		{"-o FILE", []string{"export", model}},
		{"--gamma and --sigma exclude each other", []string{"fit", file, "--gamma", "1", "--sigma", "1", "-o", model}},
		{"relative-ridge", []string{"fit", file, "--ridge", "1", "--relative-ridge", "1", "-o", model}},
		{"header", []string{"fit", file, "--header", "--no-header", "-o", model}},
		{"no kernel \"gauss\"", []string{"fit", file, "--kernel", "gauss", "-o", model}},
		{"--degree does not apply to the kernel rbf", []string{"fit", file, "--degree", "2", "-o", model}},
		{"gamma must be above 0", []string{"fit", file, "--gamma", "0", "-o", model}},
		{"gamma must be above 0", []string{"fit", file, "--gamma", "nan", "-o", model}},
		{"degree must be 1 or more", []string{"fit", file, "--kernel", "poly", "--degree", "0", "-o", model}},
		{"igma", []string{"fit", file, "--sigma", "-1", "-o", model}},
		{"igma", []string{"fit", file, "--kernel", "laplacian", "--sigma", "0", "-o", model}},
		{"idge", []string{"fit", file, "--ridge", "0", "-o", model}},
		{"idge", []string{"fit", file, "--relative-ridge", "-1", "-o", model}},
		{"--ridge NaN", []string{"fit", file, "--ridge", "nan", "-o", model}},
		{"--ridge +Inf: ", []string{"fit", file, "--ridge", "inf", "-o", model}},
		{"regularizer", []string{"fit", file, "--regularizer", "lasso", "-o", model}},
		{"--shrink", []string{"fit", file, "--regularizer", "shrink", "-o", model}},
		{"--shrink 0: the intensity", []string{"fit", file, "--shrink", "0", "-o", model}},
		{"--shrink NaN: the intensity", []string{"fit", file, "--shrink", "NaN", "-o", model}},
		{"--shrink -1: the intensity", []string{"fit", file, "--model", "lda", "--shrink", "-1", "-o", model}},
		{"--shrink 1.5: the intensity", []string{"fit", file, "--shrink", "1.5", "-o", model}},
		{"--shrink does not apply", []string{"fit", file, "--regularizer", "ridge", "--shrink", "0.5", "-o", model}},
		{"--ridge does not apply", []string{"fit", file, "--regularizer", "shrink", "--ridge", "0.5", "-o", model}},
		{"--ridge and --shrink exclude each other", []string{"fit", file, "--ridge", "1", "--shrink", "0.5", "-o", model}},
		{"--scatter \"mean\"", []string{"fit", file, "--scatter", "mean", "-o", model}},
		{"--scatter averaged does not go with", []string{"fit", file, "--scatter", "averaged", "--regularizer", "rkhs", "-o", model}},
		{"scale", []string{"fit", file, "--scale", "robust", "-o", model}},
		{"precomputed", []string{"fit", file, "--kernel", "precomputed", "--scale", "standard", "-o", model}},

		{"missing", []string{"fit", file, "--missing", "zero", "-o", model}},
		{"rows", []string{"fit", file, "--rows", "5", "-o", model}},
		{"format", []string{"fit", file, "--format", "xlsx", "-o", model}},
		{"separator", []string{"fit", file, "--separator", "|", "-o", model}},
		{"--json and -o -", []string{"fit", file, "--json", "-o", "-"}},
		{"--output \"\": want a value", []string{"fit", file, "-o", ""}},
		{"--group \"\": want a value", []string{"cv", file, "--group", ""}},
		{"--fold-column \"\": want a value", []string{"tune", file, "--fold-column="}},
		{"standard input", []string{"predict", "-", "-"}},
		{"standard input", []string{"score", "-", "-"}},
	} {
		fails(t, statusUsage, []string{c.words, "--help"}, c.args...)
	}
	if _, err := os.Stat(model); !os.IsNotExist(err) {
		t.Errorf("a model was written: %v", err)
	}
	for _, c := range [][]string{
		{"fit", filepath.Join(dir, "none.csv"), "-o", model},
		{"fit", dir, "-o", model},
		{"fit", file, "-o", filepath.Join(dir, "no", "such", "dir")},
		{"predict", filepath.Join(dir, "none"), file},
	} {
		fails(t, statusData, []string{dir}, c...)
	}
	for _, args := range [][]string{{}, {"--help"}, {"fit", "--help"}} {
		if out := works(t, args...); !strings.Contains(out, "Usage:") {
			t.Errorf("%q prints %q", args, out)
		}
	}
	var listed []string
	for _, line := range strings.Split(works(t, "--help"), "\n") {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") && len(f) > 1 && f[0] != "kfda" {
			listed = append(listed, f[0])
		}
	}
	if first := []string{"demo", "fit", "score", "predict", "report"}; len(listed) < 12 || !slices.Equal(listed[:len(first)], first) {
		t.Errorf("commands are listed as %q, want first %q", listed, first)
	}
	for _, name := range listed[:12] {
		out := works(t, name, "--help")
		if strings.Contains(out, "Examples:") && strings.Index(out, "Examples:") > 200 {
			t.Errorf("the examples of %s are not on top:\n%s", name, out)
		}
	}
}

func TestStandardStreams(t *testing.T) {
	file := cases.File(t, "86-labels-after-load/train.csv")
	model := fitted(t, file)
	want := read(t, model)
	text := read(t, file)
	r := kfda(t, text, "fit", "-", "-o", "-")
	if r.status != statusOK || r.out != want {
		t.Errorf("fit - -o -: status %d, %d bytes, want %d; %s", r.status, len(r.out), len(want), r.err)
	}
	if !strings.Contains(r.err, "baseline") {
		t.Errorf("no report on the standard error: %q", r.err)
	}
	if r := kfda(t, want, "score", "-", file); r.status != statusOK || !strings.Contains(r.out, "0 errors in 10 rows") {
		t.Errorf("score - FILE: %+v", r)
	}
	if r := kfda(t, text, "score", model, "-"); r.status != statusOK || !strings.Contains(r.out, "0 errors in 10 rows") {
		t.Errorf("score MODEL -: %+v", r)
	}
}

// What is read is never written over, and neither is what is read-only.
func TestOutputThatIsAnInput(t *testing.T) {
	dir := t.TempDir()
	table, model := filepath.Join(dir, "t.csv"), filepath.Join(dir, "m")
	const text = "x,label\n1,p\n2,p\n8,q\n9,q\n"
	write(t, table, text)
	works(t, "fit", table, "-o", model)
	saved := read(t, model)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(table, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	for _, args := range [][]string{
		{"fit", table, "-o", table},
		{"fit", table, "-o", link},
		{"fit", link, "-o", filepath.Join(dir, ".", "t.csv")},
		{"predict", model, table, "-o", table},
		{"predict", model, table, "-o", model},
		{"project", model, link, "-o", table},
	} {
		fails(t, statusUsage, []string{"overwrite the file that is read"}, args...)
	}
	if err := os.Chmod(model, 0o444); err != nil {
		t.Fatal(err)
	}
	fails(t, statusData, []string{model, "read-only"}, "fit", table, "-o", model)
	fails(t, statusData, []string{dir, "is a directory"}, "fit", table, "-o", dir)
	fails(t, statusData, []string{"nowhere"}, "predict", model, table, "-o", filepath.Join(dir, "nowhere", "p.csv"))
	if got := read(t, table); got != text {
		t.Errorf("the table became %q", got)
	}
	if got := read(t, model); got != saved {
		t.Error("the model changed")
	}
}

func TestFitReport(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct {
		args []string
		want map[string]any
	}{
		{nil, map[string]any{"kernel": "rbf", "regularizer": "rkhs", "chosen": "scaling and ridge", "scale": "standard", "components": 2.0, "rows": 89.0, "features": 13.0, "scatter": "sum", "classifier": "gaussian", "leave_one_out": true, "priors_given": false}},
		{[]string{"--regularizer", "ridge", "--scale", "minmax"}, map[string]any{"regularizer": "ridge", "chosen": "ridge", "classifier": "centroid", "leave_one_out": false}},
		{[]string{"--ridge", "0.5", "--scale", "none"}, map[string]any{"regularizer": "rkhs", "chosen": nil, "scale": "none", "ridge": 0.5}},
		{[]string{"--shrink", "0.25"}, map[string]any{"regularizer": "shrink", "shrink": 0.25, "relative_ridge": nil}},
		{[]string{"--regularizer", "shrink", "--shrink", "1"}, map[string]any{"regularizer": "shrink", "shrink": 1.0}},
		{[]string{"--scatter", "averaged", "--ridge", "0.1"}, map[string]any{"scatter": "averaged", "ridge": 0.1}},
		{[]string{"--gamma", "0.5", "--ridge", "0.25", "--scale", "minmax"}, map[string]any{"gamma": 0.5, "ridge": 0.25, "scale": "minmax", "relative_ridge": nil}},
		{[]string{"--sigma", "2"}, map[string]any{"gamma": 0.125}},
		{[]string{"--kernel", "poly", "--degree", "2", "--coef0", "0", "--gamma", "0.1"}, map[string]any{"kernel": "poly", "degree": 2.0, "coef0": 0.0, "gamma": 0.1}},
		{[]string{"--kernel", "poly"}, map[string]any{"degree": 3.0, "coef0": 1.0, "gamma": 1.0 / 13}},
		{[]string{"--kernel", "laplacian", "--sigma", "4"}, map[string]any{"kernel": "laplacian", "gamma": 0.25}},
		{[]string{"--kernel", "laplacian"}, map[string]any{"gamma": 1.0 / 13}},
		{[]string{"--kernel", "sigmoid", "--gamma", "0.01", "--coef0", "-1"}, map[string]any{"kernel": "sigmoid", "gamma": 0.01, "coef0": -1.0}},
		{[]string{"--kernel", "cosine"}, map[string]any{"kernel": "cosine", "scale": "standard"}},
		{[]string{"--kernel", "chi2", "--gamma", "0.01"}, map[string]any{"kernel": "chi2", "scale": "none", "gamma": 0.01}},
		{[]string{"--kernel", "linear", "--regularizer", "rkhs", "--ridge", "2"}, map[string]any{"kernel": "linear", "regularizer": "rkhs", "ridge": 2.0, "gamma": nil}},
		{[]string{"--regularizer", "rkhs", "--relative-ridge", "0.01", "--components", "1"}, map[string]any{"relative_ridge": 0.01, "components": 1.0}},
	} {
		args := append([]string{"fit", "demo/wine.csv", "--rows", "0::2", "--json", "-o", model}, c.args...)
		r := object(t, works(t, args...))
		for key, want := range c.want {
			if r[key] != want {
				t.Errorf("%q: %s is %v, want %v", c.args, key, r[key], want)
			}
		}
		seconds := r["seconds"].(map[string]any)
		if seconds["read"].(float64) <= 0 || seconds["fit"].(float64) <= 0 {
			t.Errorf("seconds %v", seconds)
		}
		if r["ridge"].(float64) <= 0 || len(r["eigenvalues"].([]any)) != int(r["components"].(float64)) || r["certificate"] == nil {
			t.Errorf("report %v", r)
		}
		if got := fmt.Sprint(r["classes"], r["counts"]); got != "[class_0 class_1 class_2] [30 35 24]" {
			t.Errorf("classes and counts %s", got)
		}
	}
}

func TestScoreCounts(t *testing.T) {
	model := fitted(t, cases.File(t, "86-labels-after-load/train.csv"))
	r := kfda(t, "x,label\n1,10\n1,9\n20,9\n60,other\n61,other\n,b\n", "score", model, "-", "--json", "--missing", "drop")
	if r.status != statusOK {
		t.Fatal(r.err)
	}
	v := object(t, r.out)
	if v["n"] != 5.0 || v["errors"] != 3.0 || v["accuracy"] != 0.4 || v["dropped"] != 1.0 {
		t.Errorf("score %s", r.out)
	}
	if got := fmt.Sprint(v["confusion"], v["unknown"]); got != "[[1 0 0 0 0] [1 1 0 0 0] [0 0 0 0 0] [0 0 0 0 0] [0 0 0 0 0]] [map[count:2 label:other]]" {
		t.Errorf("confusion %s", got)
	}
}

func TestPredictColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	const train = "name,x,label\n\"a, b\",0,p\nc,1,p\nd,8,q\n\" e\",9,q\n"
	worksOn(t, train, "fit", "-", "--ignore", "name", "-o", model)
	r := kfda(t, train, "predict", model, "-", "--ids", "name", "--rows", "0::3")
	if want := "name,prediction\n\"a, b\",p\n\" e\",q\n"; r.out != want {
		t.Errorf("ids: %q, want %q; %s", r.out, want, r.err)
	}
	r = kfda(t, "x\n9\n\nNA\n0\n", "predict", model, "-", "--missing", "drop")
	if want := "row,prediction\n0,q\n2,p\n"; r.out != want {
		t.Errorf("rows: %q, want %q; %s", r.out, want, r.err)
	}
	r = kfda(t, "x\n9\n0\n", "predict", model, "-", "--decision-values")
	if ok, _ := regexp.MatchString(`^row,prediction,decision\n0,q,[0-9.e-]+\n1,p,-[0-9.e-]+\n$`, r.out); !ok {
		t.Errorf("decision: %q %s", r.out, r.err)
	}
	out := filepath.Join(t.TempDir(), "p.csv")
	unchanged(t, out, func() {
		if r := kfda(t, "x\n9\nzero\n", "predict", model, "-", "-o", out); r.status != statusData || !strings.Contains(r.err, "standard input:3: row 2, column 1 (x): \"zero\"") {
			t.Errorf("%+v", r)
		}
	})
	fails(t, statusData, []string{"two classes"}, "predict", fitted(t, cases.File(t, "86-labels-after-load/train.csv")), cases.File(t, "86-labels-after-load/train.csv"), "--decision-values")
}

// The demo does what its last lines say.
func TestDemo(t *testing.T) {
	out := works(t, "demo")
	model := filepath.Join(t.TempDir(), "wine.kfda")
	works(t, "fit", "demo/wine.csv", "--label", "label", "--rows", "0::2", "-o", model)
	r := object(t, works(t, "score", model, "demo/wine.csv", "--rows", "1::2", "--json"))
	if want := fmt.Sprintf("For %v of the %v wines that is wrong", r["errors"], r["n"]); !strings.Contains(out, want) {
		t.Errorf("the demo does not say %q:\n%s", want, out)
	}
	// The two classes of errors leave little room: 2 of 89 as of any sound fit.
	if r["errors"].(float64) > 4 {
		t.Errorf("score %v", r)
	}
	for i, line := range strings.Split(out, "\n") {
		if n := len([]rune(line)); n > 90 {
			t.Errorf("line %d of the demo has %d characters", i+1, n)
		}
	}
}

func TestVersion(t *testing.T) {
	if out := works(t, "version"); !regexp.MustCompile(`^kfda \S+.* go1\.\S+ \w+/\w+\n$`).MatchString(out) {
		t.Errorf("version %q", out)
	}
	if out := works(t, "version", "-v"); !regexp.MustCompile(`^kfda .*\ninstructions (portable|neon|avx2|avx512)\nprocessors \d+\n$`).MatchString(out) {
		t.Errorf("version -v %q", out)
	}
}
