package look

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The largest value of a field is that of the class that the model says, in the plane of two columns and in that of
// two directions, for every model.
func TestField(t *testing.T) {
	iris := string(must.Get(os.ReadFile("../../static/iris.csv"))(t))
	two := strings.Builder{}
	for line := range strings.Lines(iris) {
		cells := strings.SplitN(line, ",", 3)
		two.WriteString(cells[2])
	}
	for name, text := range map[string]string{"four columns": iris, "two": two.String()} {
		for _, model := range []string{"kfda", "lda", "ridge", "svm", "kpca"} {
			s := Settings{Model: model, Kernel: "rbf", Gamma: 0.5}
			f := must.Get(Fit(t.Context(), "t.csv", []byte(text), s, nil))(t)
			must.Equal(t, name+": plane", f.Plane(), name == "two")
			b := must.Get(f.Span())(t)
			b.Columns, b.Rows = 9, 7
			values, _, err := f.Field(b)
			if n := f.Model.Components(); !f.Plane() && n != 2 {
				if err == nil || n < 2 {
					t.Errorf("%s: a plane of %d directions", model, n)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			places := matrix.New(63, 2)
			for i := range places.Rows {
				places.Row(i)[0], places.Row(i)[1] = b.at(i)
			}
			classes := f.Model.PredictProjections
			if f.Plane() {
				classes = f.Model.Predict
			}
			for i, class := range must.Get(classes(nil, places))(t) {
				best := slices.Index(values.Row(i), slices.Max(values.Row(i)))
				if f.Model.Classes()[best] != class {
					t.Errorf("%s, %s, place %d: %v, the model says %s", name, model, i, values.Row(i), class)
				}
			}
		}
	}
}

// With the γ that leaving out rows chooses, few of the rows that a fit has not seen are wrong, and the command has it.
func TestChosenGamma(t *testing.T) {
	text := must.Get(os.ReadFile("../../static/iris.csv"))(t)
	f := must.Get(Fit(t.Context(), "iris.csv", text, Settings{Model: "kfda", Kernel: "rbf"}, nil))(t)
	e, line, err := f.Validate(t.Context(), func(int, int) {})
	if err != nil || e.Errors > 9 || !strings.Contains(line, "kfda cv iris.csv --gamma ") {
		t.Errorf("%d errors with gamma %v, %q, %v", e.Errors, f.Gamma, line, err)
	}
	plans := 0
	if _, err := Fit(t.Context(), "iris.csv", text, Settings{Model: "lda"}, func(discriminant.Plan) { plans++ }); err != nil || plans != 1 {
		t.Errorf("%d plans, %v", plans, err)
	}
}

// What is no table in text is refused, and a shell gets names as they are.
func TestRefused(t *testing.T) {
	for _, text := range []string{"{\"a\": 1}\n", "\xef\xbb\xbf [{\"a\": 1}]", "<!DOCTYPE html>", "PAR1\x00\x01", "a\x00,\x00b\x00"} {
		if _, err := Fit(t.Context(), "x", []byte(text), Settings{Model: "lda"}, nil); err == nil || !strings.Contains(err.Error(), "tables in text") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for name, want := range map[string]string{"a.csv": "a.csv", "": "''", "-x": "./-x", "- x": "'./- x'", "a b's": `'a b'\''s'`, "é": "'é'"} {
		must.Equal(t, name, fileWord(name), want)
	}
}

// Texts in UTF-16 and headers that begin as other formats do are read, with the model of the same text in UTF-8; what
// a table lacks is said in the words of the command.
func TestTexts(t *testing.T) {
	const rows = "0,1,a\n1,0.5,a\n3,1,é\n4,0.5,é\n"
	s := Settings{Model: "kfda", Kernel: "rbf", Gamma: 0.5}
	want := must.Get(Fit(t.Context(), "t.csv", []byte("x,y,c\n"+rows), s, nil))(t).Hash()
	for _, head := range []string{"", "\ufeff"} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var text []byte
			for _, unit := range utf16.Encode([]rune(head + "x,y,c\n" + rows)) {
				text = order.AppendUint16(text, unit)
			}
			must.Equal(t, "UTF-16", must.Get(Fit(t.Context(), "t.csv", text, s, nil))(t).Hash(), want)
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			must.Get(z.Write(text))(t)
			must.Get(0, z.Close())(t)
			must.Equal(t, "UTF-16 in gzip", must.Get(Fit(t.Context(), "t.csv", packed.Bytes(), s, nil))(t).Hash(), want)
			if _, err := Fit(t.Context(), "t.csv", text[1:], s, nil); err == nil {
				t.Error("half of a character is read")
			}
		}
	}
	fixed := must.Get(Fit(t.Context(), "t.txt", []byte("1.0 22  a\n2.5     a\n3.5 1   a\n7.5 3   b\n8.5 4   b\n"), Settings{Model: "lda", Missing: "drop"}, nil))(t)
	must.Equal(t, "rows of fixed width", fixed.Table.X.Rows, 4)
	for _, head := range []string{"<5mm,[cm],c\n", "[cm],y,c\n", "{x},y,c\n"} {
		must.Get(Fit(t.Context(), "t.csv", []byte(head+rows), s, nil))(t)
	}
	f := must.Get(Fit(t.Context(), "t.csv", []byte("x,y,c\n"+rows+"9,9,z\n"), s, nil))(t)
	if _, _, err := f.Validate(t.Context(), func(int, int) {}); err == nil || !strings.Contains(err.Error(), "t.csv: class z has 1 row") {
		t.Errorf("a class of one row: %v", err)
	}
	f = must.Get(Fit(t.Context(), "t.csv", []byte("x,y,c\n"+rows+rows), s, nil))(t)
	if _, warnings := f.Words(); !strings.Contains(strings.Join(warnings, "\n"), "8 of 8 rows are equal to another row") {
		t.Errorf("rows that are there twice: %q", warnings)
	}
	_, err := Fit(t.Context(), "t.csv", []byte("x,y,c\n1,1,a\n1,1,a\n1,1,b\n1,1,b\n"), Settings{Model: "kfda", Kernel: "rbf"}, nil)
	if err == nil || !strings.Contains(err.Error(), "t.csv: --gamma has no default here") {
		t.Errorf("equal rows: %v", err)
	}
}
