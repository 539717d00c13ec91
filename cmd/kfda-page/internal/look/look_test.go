package look

import (
	"os"
	"slices"
	"strings"
	"testing"

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
			if err != nil {
				t.Fatal(err)
			}
			places := matrix.New(63, f.Model.Components())
			if f.Plane() {
				places = matrix.New(63, 2)
			} else {
				z := must.Get(f.Model.Project(nil, f.Table.X))(t)
				for j := range z.Cols {
					for i := range z.Rows {
						places.Row(0)[j] += z.At(i, j) / float64(z.Rows)
					}
				}
			}
			for i := range places.Rows {
				copy(places.Row(i), places.Row(0))
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
	for _, text := range []string{"{\"a\": 1}\n", "\xef\xbb\xbf [1, 2]", "<!DOCTYPE html>", "PAR1\x00\x01", "a\x00,\x00b\x00"} {
		if _, err := Fit(t.Context(), "x", []byte(text), Settings{Model: "lda"}, nil); err == nil || !strings.Contains(err.Error(), "tables in text") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for name, want := range map[string]string{"a.csv": "a.csv", "": "''", "-x": "'-x'", "a b's": `'a b'\''s'`, "é": "'é'"} {
		must.Equal(t, name, word(name), want)
	}
}
