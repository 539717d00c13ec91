package main

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
)

// What project writes is, read again, what the library computes, bit for bit.
func TestProjectIsExact(t *testing.T) {
	model := fitted(t, "demo/wine.csv", "--rows", "0::2")
	m := load(t, model)
	test := must.Get(table.Read("demo/wine.csv", nil, table.Options{Layout: &m.layout, Rows: table.Range{Start: 1, Step: 2}}))(t)
	z := must.Get(m.Project(nil, test.X))(t)
	out := works(t, "project", model, "demo/wine.csv", "--rows", "1::2", "--with-labels")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if lines[0] != "row,z1,z2,label" || len(lines) != z.Rows+1 {
		t.Fatalf("%d lines, header %q", len(lines), lines[0])
	}
	for i, line := range lines[1:] {
		cells := strings.Split(line, ",")
		if cells[0] != strconv.Itoa(2*i+1) || cells[3] != test.Labels[i] {
			t.Errorf("line %q, want row %d and label %s", line, 2*i+1, test.Labels[i])
		}
		for k := range z.Cols {
			v, err := strconv.ParseFloat(cells[1+k], 64)
			if err != nil || math.Float64bits(v) != math.Float64bits(z.At(i, k)) {
				t.Errorf("line %q: component %d is %v", line, k+1, z.At(i, k))
			}
		}
	}
}

func TestProjectColumns(t *testing.T) {
	dir := t.TempDir()
	model, out := filepath.Join(dir, "m"), filepath.Join(dir, "z.csv")
	const train = "name,x,kind\n\"a, b\",0,p\nc,1,p\nd,8,\"q,r\"\n\" e\",9,\"q,r\"\n"
	worksOn(t, train, "fit", "-", "--ignore", "name", "-o", model)
	r := kfda(t, train, "project", model, "-", "--ids", "name", "--with-labels", "-o", out)
	if r.status != statusOK || r.out != "" {
		t.Fatalf("%+v", r)
	}
	data := read(t, out)
	written := must.Get(table.ReadFrom("z.csv", strings.NewReader(data), table.Options{Ignore: []string{"name"}}))(t)
	if l := written.Layout; l.LabelName != "kind" || l.Names[0] != "z1" || strings.Join(written.Labels, " ") != "p p q,r q,r" {
		t.Errorf("%s", data)
	}
	if !strings.HasPrefix(data, "name,z1,kind\n\"a, b\",") {
		t.Errorf("%s", data)
	}
	// Rows need no label unless it is requested.
	if r := kfda(t, "x\n3\n", "project", model, "-"); r.status != statusOK || !strings.HasPrefix(r.out, "row,z1\n0,") {
		t.Errorf("%+v", r)
	}
	if r := kfda(t, "x\n3\n", "project", model, "-", "--with-labels"); r.status != statusData || !strings.Contains(r.err, `no label column "kind"`) {
		t.Errorf("%+v", r)
	}
	if r := kfda(t, "x\n3\n?\n4\n", "project", model, "-", "--missing", "drop"); r.status != statusOK || !strings.Contains(r.out, "\n2,") || strings.Contains(r.out, "\n1,") {
		t.Errorf("%+v", r)
	}
	fails(t, statusUsage, []string{"standard input"}, "project", "-", "-")
}

// Case 24: rows at which a local kernel is 0 get a warning, and no other rows.
func TestCase24FarRows(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	train, test := cases.File(t, "24-rbf-underflow-far-point/train.csv"), cases.File(t, "24-rbf-underflow-far-point/test.csv")
	const warning = "2 of 3 rows, the first in line 2, are so far"
	for _, c := range []struct {
		args string
		warn bool
		zero bool // the projection of a far row, which is some constant where the kernel is centred
	}{
		{"--gamma 1 --regularizer ridge", true, true},
		{"--kernel laplacian --gamma 2 --regularizer ridge", true, true},
		{"--kernel chi2 --gamma 10 --regularizer ridge", true, true},
		{"--gamma 1 --scatter averaged", true, true},
		{"--gamma 1", true, false},
		{"--kernel laplacian --gamma 2", true, false},
		{"--gamma 1 --classifier svm", true, false},
		{"--gamma 1 --model kpca", true, false},
		{"--kernel laplacian --gamma 2 --model kpca --components 2 --classifier knn", true, false},
		{"--gamma 1 --model ridge", true, false},
		{"--kernel chi2 --gamma 10 --model ridge --ridge 1", true, false},
		{"--gamma 1 --model svm", true, false},
		{"--kernel laplacian --gamma 2 --model svm --C 10", true, false},
		{"--kernel linear", false, false},
		{"--kernel linear --model kpca", false, false},
		{"--kernel poly --model ridge", false, false},
		{"--model lda", false, false},
	} {
		works(t, append([]string{"fit", train, "--scale", "none", "-o", model}, strings.Fields(c.args)...)...)
		p := kfda(t, "", "project", model, test)
		if p.status != statusOK || strings.Contains(p.err, warning) != c.warn {
			t.Errorf("%q: project: %+v", c.args, p)
		}
		if c.zero && (!strings.Contains(p.out, "\n0,0\n") || !strings.HasSuffix(p.out, "\n2,0\n")) {
			t.Errorf("%q: projections %q", c.args, p.out)
		}
		r := kfda(t, "", "predict", model, test)
		if got := predictions(t, r.out); strings.Contains(r.err, warning) != c.warn || got[1] != "a" || c.warn && got[0] != got[2] {
			t.Errorf("%q: predict: %q, %s", c.args, got, r.err)
		}
		// No warning about rows that are near.
		if r := kfda(t, "", "score", model, train); r.status != statusOK || strings.Contains(r.err, "so far from") {
			t.Errorf("%q: score: %+v", c.args, r)
		}
	}
	for _, method := range []string{"kfda", "kpca", "ridge", "svm"} {
		works(t, "fit", train, "--scale", "none", "--gamma", "1", "--model", method, "-o", model)
		if r := kfda(t, "x,label\n500,a\n1,a\n", "score", model, "-"); !strings.Contains(r.err, "1 of 2 rows, the first in line 2") {
			t.Errorf("score, %s: %+v", method, r)
		}
	}
}
