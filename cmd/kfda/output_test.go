package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/show"
)

// Different texts are different in JSON, are as they are where nothing forbids it, and
// have no escapes for HTML.
func TestJSONTexts(t *testing.T) {
	plain := []string{"", "caf\u00e9", `C:\x`, `a\x1b`, "<b> & \"c\"", "\x1b[31m", "\ufffd", "a\nb"}
	odd := []string{"caf\xe9", "caf\xe8", `caf\xe9`, `caf\\xe9`, "caf\\\xe9", "\xff", `\xff`, "\ufffd\xff", "\xed\xa0\x80"}
	type inner struct{ Names []string }
	type object struct {
		inner
		Label   *string
		Classes []string
	}
	seen := make(map[string]string)
	for i, s := range append(plain, odd...) {
		v := &object{inner{[]string{s}}, &s, []string{s, "other"}}
		was, shared := s, v.Classes
		var b bytes.Buffer
		if err := writeJSON(&b, v); err != nil {
			t.Fatal(err)
		}
		if shared[0] != was {
			t.Errorf("%q: the caller's list was changed to %q", was, shared[0])
		}
		if strings.Contains(b.String(), `\u003c`) || strings.Contains(b.String(), `\u0026`) {
			t.Errorf("escapes for HTML in %s", b.String())
		}
		var back object
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		got := back.Classes[0]
		if *back.Label != got || back.Names[0] != got || i < len(plain) && got != was {
			t.Errorf("%q is %q, %q and %q", was, got, *back.Label, back.Names[0])
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%q and %q are both %q", other, was, got)
		}
		seen[got] = was
	}
}

// Case 119: three labels that differ in the file differ in the JSON of every command.
func TestCase119Labels(t *testing.T) {
	table, model := cases.File(t, "119-json-of-latin-1-labels/train.csv"), filepath.Join(t.TempDir(), "m.kfda")
	fit := works(t, "fit", table, "--model", "lda", "--ridge", "0.1", "-o", model, "--json")
	const want = `[caf\xe8 caf\xe9 z]`
	for name, text := range map[string]string{"fit": fit, "inspect": works(t, "inspect", model, "--json"), "score": works(t, "score", model, table, "--json")} {
		if got := fmt.Sprint(object(t, text)["classes"]); got != want {
			t.Errorf("%s: classes %s, want %s", name, got, want)
		}
	}
}

// Case 158, and names with anything else that a terminal obeys: no report and no message
// of any command has it.
func TestCase158EscapeCodes(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m.kfda")
	works(t, "fit", cases.File(t, "158-escape-codes-in-column-names/esc.csv"), "--model", "lda", "--ridge", "0.1", "-o", model)
	if text := works(t, "inspect", model); !strings.Contains(text, `"x\x1b[31m"`) || !strings.Contains(text, `p\x1b[2J`) {
		t.Errorf("inspect: %s", text)
	}
	const code = "\x1b[31m"
	table := filepath.Join(dir, "a"+code+"\nb.csv")
	if err := os.WriteFile(table, []byte("\"x\n"+code+"\",\"y\u202e\",\"label\r\n"+code+"\"\n0,1,\"p\n"+code+"\"\n1,3,\"p\n"+code+"\"\n5,1,q\n6,2,q\n0,2,q\n"), 0o600); err != nil {
		t.Skipf("no such file names here: %v", err)
	}
	odd := filepath.Join(dir, "m\n"+code)
	for _, args := range [][]string{
		{"fit", table, "-o", odd}, {"inspect", odd}, {"score", odd, table}, {"cv", table, "--folds", "2"},
		{"tune", table, "--folds", "2", "--model", "lda", "-o", odd}, {"fit", table, "--classifier", "svm", "-o", odd}, {"inspect", odd},
		{"fit", table, "--label", "x\n" + code, "-o", odd}, {"fit", table, "--ignore=none\n" + code, "-o", odd}, {"fit", table + "?", "-o", odd},
		{"fit", table, "-o", filepath.Join(dir, "no\n"+code, "m")}, {"fit", table, "--kernel", "none\n" + code, "-o", odd},
		{"none\n" + code}, {"fit", "--none\n" + code}, {"predict", table, table}, {"fit", table, "--rows", "0:2\n" + code, "-o", odd},
		{"fit", table, "--priors", "p=1\n" + code, "-o", odd}, {"score", odd, table, "--rows", "0::7"},
	} {
		r := kfda(t, "", args...)
		for _, text := range []string{r.out, r.err} {
			if show.Lines(text) != text {
				t.Errorf("kfda %q: %q", args, text)
			}
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, `\x1b`) || strings.HasPrefix(line, "b.csv") {
					t.Errorf("kfda %q: a name goes on in the next line of %q", args, text)
				}
			}
		}
	}
}

// A message is a few lines, whatever the input.
func TestMessagesAreShort(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("long name ", 1e5)
	var wide, header strings.Builder
	for j := range 20000 {
		fmt.Fprintf(&header, "%d%s,", j, long[:20])
		wide.WriteString("text,")
	}
	for name, text := range map[string]string{
		"cell":    "x,label\n" + long + ",p\n2,q\n3,p\n",
		"label":   "x," + long + "\n1,p\n2,p\n3,p\n",
		"class":   "x,label\n1," + long + "\n2," + long + "\n3," + long + "\n",
		"columns": header.String() + "label\n" + wide.String() + "p\n" + wide.String() + "q\n",
		"none":    long,
	} {
		file := filepath.Join(dir, name+".csv")
		write(t, file, text)
		for _, args := range [][]string{
			{"fit", file, "-o", os.DevNull}, {"tune", file}, {"cv", file}, {"fit", file, "--label", "none", "-o", os.DevNull},
			{"fit", file, "--label", long, "-o", os.DevNull}, {"predict", file, file}, {"fit", file, "--classifier", long, "-o", os.DevNull},
		} {
			if r := kfda(t, "", args...); r.status == statusOK || len(r.err) > 3000 || strings.Count(r.err, "\n") > 14 {
				t.Errorf("%s, %.40q: status %d, %d bytes of error", name, args, r.status, len(r.err))
			}
		}
	}
}
