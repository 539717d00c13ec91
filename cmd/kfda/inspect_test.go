package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
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

	train, err := table.Read("demo/wine.csv", nil, table.Options{Rows: table.Range{Step: 2}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loadModel(model, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	if got := fmt.Sprint(r["centroids"]); got != fmt.Sprint([][]float64{m.Centroids().Row(0), m.Centroids().Row(1), m.Centroids().Row(2)}) {
		t.Errorf("centroids %s", got)
	}
	if got := fmt.Sprint(r["priors"]); got != fmt.Sprint([]float64{30.0 / 89, 35.0 / 89, 24.0 / 89}) {
		t.Errorf("priors %s", got)
	}

	text := works(t, "inspect", model)
	for _, want := range []string{
		"89 rows × 13 columns", hex.EncodeToString(sum[:]), "column 14 (label)", "class_0 30, class_1 35, class_2 24",
		"rbf(gamma=0.0769", m.Certificate().String(), "proline", "od280_od315_of_diluted_wines",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if r := kfda(t, string(data), "inspect", "-"); r.out != strings.Replace(text, model, "standard input", 1) {
		t.Errorf("inspect -: %s%s", r.out, r.err)
	}
	fails(t, statusData, []string{"demo/wine.csv", "not a kfda model"}, "inspect", "demo/wine.csv")
}

// What is not the default is shown, and what is many is cut short.
func TestInspectShowsSettings(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	wide := writeTable(t, 30, 50, func(i, j int) float64 { return float64((i*31 + j*17 + i*i*j) % 101) })
	works(t, "fit", wide, "--scale", "none", "--shrink", "0.5", "--scatter", "averaged", "-o", model)
	text := works(t, "inspect", model)
	for _, want := range []string{"(shrink 0.5)", "scatter      averaged", "scaled: none", "and 30 more, which --json shows"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	works(t, "fit", mixed(t), "--priors", "n=0.25,p=0.75", "-o", model)
	text = works(t, "inspect", model)
	for _, want := range []string{"n 100 (prior 0.25), p 20 (prior 0.75)", "classifier   gaussian"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	r := object(t, works(t, "inspect", model, "--json"))
	if r["classifier"] != "gaussian" || r["priors_given"] != true || fmt.Sprint(r["priors"]) != "[0.25 0.75]" {
		t.Errorf("%v", r)
	}
}
