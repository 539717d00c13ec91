package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/internal/table"
)

func TestInspect(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	fit := object(t, works(t, "fit", "demo/wine.csv", "--rows", "0::2", "--json", "-o", model))
	r := object(t, works(t, "inspect", model, "--json"))
	// What fit says and inspect says is the same.
	for key, want := range fit {
		switch key {
		case "train", "rows", "features", "dropped", "chosen", "plan", "seconds":
			continue
		}
		if got := r[key]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v as fit said", key, got, want)
		}
	}

	train := must.Get(table.Read("demo/wine.csv", nil, table.Options{Rows: table.Range{Step: 2}}))(t)
	m := load(t, model)
	var rows bytes.Buffer
	for i, label := range train.Labels {
		for _, v := range train.X.Row(i) {
			binary.Write(&rows, binary.LittleEndian, math.Float64bits(v))
		}
		binary.Write(&rows, binary.LittleEndian, uint64(slices.Index(m.Classes(), label)))
	}
	sum := sha256.Sum256(rows.Bytes())
	training := r["training"].(map[string]any)
	if training["rows"] != 89.0 || training["columns"] != 13.0 || training["sha256"] != hex.EncodeToString(sum[:]) {
		t.Errorf("training %v, want 89 × 13 and %x", training, sum)
	}
	columns := r["columns"].([]any)
	shift, scale := m.Scaler().Shift(), m.Scaler().Scale()
	for f, c := range columns {
		c := c.(map[string]any)
		if c["position"] != float64(f+1) || c["name"] != train.Layout.Names[f] || c["shift"] != shift[f] || c["scale"] != scale[f] {
			t.Errorf("column %v, want %s, shift %v, scale %v", c, train.Layout.Names[f], shift[f], scale[f])
		}
	}
	if len(columns) != 13 {
		t.Errorf("%d columns", len(columns))
	}
	z := m.Details().(discriminant.KFDADetails).Centroids()
	if got := fmt.Sprint(r["centroids"]); got != fmt.Sprint([][]float64{z.Row(0), z.Row(1), z.Row(2)}) {
		t.Errorf("centroids %s", got)
	}
	if got := fmt.Sprint(r["priors"]); got != fmt.Sprint([]float64{30.0 / 89, 35.0 / 89, 24.0 / 89}) {
		t.Errorf("priors %s", got)
	}

	text := works(t, "inspect", model)
	says(t, text,
		"89 rows × 13 columns", hex.EncodeToString(sum[:]), "column 14 (label)", "class_0 30, class_1 35, class_2 24",
		"rbf(gamma=0.0769", certificateOf(m.model).String(), "proline", "od280_od315_of_diluted_wines",
	)
	data := read(t, model)
	if r := kfda(t, data, "inspect", "-"); r.out != strings.Replace(text, model, "standard input", 1) {
		t.Errorf("inspect -: %s%s", r.out, r.err)
	}
	fails(t, statusData, []string{"demo/wine.csv", "not a kfda model"}, "inspect", "demo/wine.csv")
}

// Columns that the scaling takes for constant are named, also those with a spread that
// rounding alone makes.
func TestInspectNamesConstantColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	const rows = "x,same,total,tiny,class\n1,7,1,1,a\n2,7,0.9999999999999999,1.000000001,a\n4,7,1.0000000000000002,1,b\n5,7,1,0.999999999,b\n"
	worksOn(t, rows, "fit", "-", "--ridge", "1", "--scale", "standard", "-o", model)
	if text := works(t, "inspect", model); !strings.Contains(text, "\nconstant up to rounding: column 2 (same), column 3 (total)\n") {
		t.Errorf("the columns are not named:\n%s", text)
	}
	columns := object(t, works(t, "inspect", model, "--json"))["columns"].([]any)
	for f, want := range []any{nil, true, true, nil} {
		if got := columns[f].(map[string]any)["constant"]; got != want {
			t.Errorf("column %d: constant %v, want %v", f+1, got, want)
		}
	}
}

// What is not the default is shown, and what is many is cut short.
func TestInspectShowsSettings(t *testing.T) {
	wide := writeTable(t, 30, 50, func(i, j int) float64 { return float64((i*31 + j*17 + i*i*j) % 101) })
	model := fitted(t, wide, "--scale", "none", "--shrink", "0.5", "--scatter", "averaged")
	text := works(t, "inspect", model)
	says(t, text, "(shrink 0.5)", "scatter      averaged", "scaled: none", "and 30 more, which --json shows")
	works(t, "fit", mixed(t), "--priors", "n=0.25,p=0.75", "-o", model)
	text = works(t, "inspect", model)
	says(t, text, "n 100 (prior 0.25), p 20 (prior 0.75)", "classifier   gaussian")
	r := object(t, works(t, "inspect", model, "--json"))
	if r["classifier"] != "gaussian" || r["priors_given"] != true || fmt.Sprint(r["priors"]) != "[0.25 0.75]" {
		t.Errorf("%v", r)
	}
}

// A file of some hundred bytes that claims rows of 2⁴⁰ kernel values is shown, and refused
// for a table, at no cost.
func TestInspectClaims(t *testing.T) {
	k := filepath.Join(t.TempDir(), "k.csv")
	write(t, k, "2,1,0,0,0,p\n1,2,0,0,0,q\n0,0,2,0,0,q\n0,0,0,2,0,q\n0,0,0,0,2,q\n")
	model := fitted(t, k, "--no-header", "--kernel", "precomputed", "--model", "svm")
	data := read(t, model)
	sections := must.Get(section.Read(strings.NewReader(data)))(t)
	sections = slices.DeleteFunc(sections, func(s section.Section) bool { return s.Name == "notes" })
	const order = 1 << 40
	for _, s := range sections {
		for at := 0; at+8 <= len(s.Data); at++ {
			word := s.Data[at : at+8]
			switch v := binary.LittleEndian.Uint64(word); {
			case s.Name == "model" && v == 5: // rows and columns
				binary.LittleEndian.PutUint64(word, order)
			case s.Name == "classes" && at+8 == len(s.Data) && v == 4: // rows of the last class
				binary.LittleEndian.PutUint64(word, order-1)
			}
		}
	}
	var b bytes.Buffer
	if _, err := section.Write(&b, sections); err != nil {
		t.Fatal(err)
	}
	claims := writeBytes(t, "claims", b.Bytes())
	if text := works(t, "inspect", claims); !strings.Contains(text, "columns      1099511627776 kernel values") {
		t.Error(text)
	}
	if r := object(t, works(t, "inspect", claims, "--json")); r["columns"] != nil {
		t.Errorf("columns %v", r["columns"])
	}
	fails(t, statusData, []string{"1099511627776 kernel values"}, "predict", claims, k)
}
