package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// fitLDA fits the model of cases 129, 130 and 145, and returns the notices.
func fitLDA(t *testing.T, file string) (model, notices string) {
	t.Helper()
	model = filepath.Join(t.TempDir(), "m")
	r := kfda(t, "", "fit", file, "--label", "label", "--model", "lda", "--ridge", "0.1", "-o", model)
	if r.status != statusOK {
		t.Fatal(r.err)
	}
	return model, r.err
}

func TestCase129ColumnWithoutAName(t *testing.T) {
	model, notices := fitLDA(t, cases.File(t, "129-index-column-without-name/r.csv"))
	if !strings.Contains(notices, "column 1 without a name") || !strings.Contains(notices, "--ignore 1") {
		t.Errorf("notices %q", notices)
	}
	fails(t, statusData, []string{"lacks: one without a name"}, "predict", model, cases.File(t, "129-index-column-without-name/new.csv"))
	works(t, "fit", cases.File(t, "129-index-column-without-name/r.csv"), "--ignore", "1", "--model", "lda", "--ridge", "0.1", "-o", model)
	r := kfda(t, "", "predict", model, cases.File(t, "129-index-column-without-name/new.csv"))
	if got := predictions(t, r.out); !slices.Equal(got, []string{"p", "q"}) || !strings.Contains(r.err, `not used by the model: "z"`) {
		t.Errorf("predictions %q, notices %q", got, r.err)
	}
}

func TestCase130NamesThatStandTwice(t *testing.T) {
	model, _ := fitLDA(t, cases.File(t, "130-duplicate-names-then-by-position/train.csv"))
	r := kfda(t, "", "predict", model, cases.File(t, "130-duplicate-names-then-by-position/new.csv"))
	if got := predictions(t, r.out); !slices.Equal(got, []string{"p", "q"}) || !strings.Contains(r.err, "taken in the order of the columns: columns 2, 3") {
		t.Errorf("predictions %q, notices %q", got, r.err)
	}
	fails(t, statusData, []string{`lacks: "x", "x", "y"`}, "predict", model, cases.File(t, "130-duplicate-names-then-by-position/other.csv"))
}

func TestCase145ColumnNamedAsID(t *testing.T) {
	model, _ := fitLDA(t, cases.File(t, "145-column-named-as-id-is-a-feature/train.csv"))
	file := cases.File(t, "145-column-named-as-id-is-a-feature/new.csv")
	for flag, want := range map[string]string{
		"--ids":    "id,prediction\n1001,1\n1002,2\n1003,1\n",
		"--ignore": "row,prediction\n0,1\n1,2\n2,1\n",
	} {
		if got := works(t, "predict", model, file, "--no-header", flag, "1"); got != want {
			t.Errorf("%s 1: %q, want %q", flag, got, want)
		}
	}
	// The label first, as the command line says.
	r := kfda(t, "1,0,0\n2,7,7\n1,1,0\n", "score", model, "-", "--no-header", "--label", "1")
	if r.status != statusOK || !strings.HasPrefix(r.out, "0 errors in 3 rows") {
		t.Errorf("%+v", r)
	}
}

// A model that a program made knows no label column, and no names.
func TestModelOfAProgram(t *testing.T) {
	x := must.Get(matrix.FromRows([][]float64{{0, 0}, {1, 1}, {6, 7}, {7, 5}}))(t)
	m := must.Get(discriminant.Fit(context.Background(), discriminant.LDA{}, x, []string{"p", "p", "q", "q"}))(t)
	data := must.Get(m.MarshalBinary())(t)
	model := writeBytes(t, "m", data)
	for _, args := range [][]string{{"score", model, "-"}, {"project", model, "-", "--with-labels"}} {
		for _, text := range []string{"x,y\n0,1\n7,6\n", "0,1\n7,6\n"} {
			if r := kfda(t, text, args...); r.status != statusData || r.out != "" || !strings.Contains(r.err, "--label") {
				t.Errorf("%q with %q: %+v", args, text, r)
			}
		}
		for _, text := range []string{"x,y,label\n0,1,p\n7,6,q\n", "0,1,p\n7,6,q\n"} {
			if r := kfda(t, text, args...); r.status != statusOK || !strings.Contains(r.out, "p") {
				t.Errorf("%q with %q: %+v", args, text, r)
			}
		}
		if r := kfda(t, "p,0,1\nq,7,6\n", append(slices.Clone(args), "--label", "1")...); r.status != statusOK {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// score says when it is given the rows of the training, and only then.
func TestScoreOnTheTrainingRows(t *testing.T) {
	const head, rows = "x,y,label\n", "0,0,p\n1,1,p\n6,7,q\n7,5,q\n"
	const warning = "these are the rows of the model's fit"
	for _, method := range []string{"kfda", "lda", "svm", "ridge", "kpca"} {
		model := filepath.Join(t.TempDir(), method)
		worksOn(t, head+rows, "fit", "-", "--model", method, "-o", model)
		for text, want := range map[string]bool{
			head + rows: true,
			"label,y,x\np,0,0\np,1,1\nq,7,6\nq,5,7\n": true,
			rows: true,
			head + strings.Replace(rows, "6", "5", 1):  false,
			head + strings.Replace(rows, "p", "q", 1):  false,
			head + strings.Replace(rows, "p", "pp", 1): false,
			head + "0,0,p\n1,1,p\n6,7,q\n":             false,
		} {
			if r := kfda(t, text, "score", model, "-"); r.status != statusOK || strings.Contains(r.err, warning) != want {
				t.Errorf("%s on %q: %+v", method, text, r)
			}
		}
	}
}

// Columns that have numbers for names, as a frame without names is written: a number is the
// name, and #1 the position, and advice says which.
func TestNumbersAsNames(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	file := writeBytes(t, "frame.csv", []byte(",0,1,2,label\n0,5,1,9,a\n1,4,1.5,8,a\n2,1,7,9,b\n3,2,7.5,7,b\n"))
	features := func(flags ...string) (string, string) {
		r := kfda(t, "", append([]string{"fit", file, "--header", "--model", "ridge", "-o", model}, flags...)...)
		if r.status != statusOK {
			t.Fatal(r.err)
		}
		var names []string
		for _, c := range object(t, works(t, "inspect", model, "--json"))["columns"].([]any) {
			name, _ := c.(map[string]any)["name"].(string)
			names = append(names, name)
		}
		return strings.Join(names, ","), r.err
	}
	if names, said := features(); names != ",0,1,2" || !strings.Contains(said, "say --ignore '#1'") {
		t.Errorf("features %q, notices %q", names, said)
	}
	if names, _ := features("--ignore", "#1"); names != "0,1,2" {
		t.Errorf("--ignore #1: features %q", names)
	}
	if names, said := features("--ignore", "1"); names != ",0,2" || !strings.Contains(said, `"1" is taken for the name of column 3; column 1 is #1`) {
		t.Errorf("--ignore 1: features %q, notices %q", names, said)
	}
}
