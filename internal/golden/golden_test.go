package golden

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

var folders = []string{"flda", "kfda", "kpca", "krr", "linalg", "loo", "medium", "svc"}

func all(t *testing.T) []*Problem {
	ps := []*Problem{Load(t, "circles_noise0.1"), Load(t, "circles_noise0.2")}
	for _, dir := range folders {
		ps = append(ps, Dir(t, dir)...)
	}
	return ps
}

// Every golden value passes its own check, so every mode and every type of field
// in the files is read and compared; and the count of checks is the files' own.
func TestEveryCheckPassesOnItsOwnValues(t *testing.T) {
	ps := all(t)
	for _, p := range ps {
		if len(p.Checks) == 0 {
			t.Errorf("%s: no checks", p.Name)
		}
		for _, c := range p.Checks {
			v := p.Expected.table(c.Field)
			got := &matrix.Dense{Rows: v.rows, Cols: v.cols, Stride: v.cols, Data: v.data}
			if r := p.Compare(t, c.Field, got, true); r != 0 {
				t.Errorf("%s: %s: ratio %v against itself", p.Name, c.Field, r)
			}
		}
		if left := p.Uncompared(); left != nil {
			t.Errorf("%s: not compared: %v", p.Name, left)
		}
	}
	performed, total := Count(ps)
	if performed != total || total != 1873 {
		t.Errorf("performed %d of %d checks, want 1873", performed, total)
	}
}

// INDEX.md lists every file, and every file it lists is there.
func TestIndex(t *testing.T) {
	index := must.Get(files.ReadFile("testdata/INDEX.md"))(t)
	listed := make(map[string]bool)
	for _, line := range strings.Split(string(index), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) > 2 && strings.Contains(cells[1], ".") {
			name := strings.TrimSpace(cells[1])
			listed[name] = true
			if _, err := files.ReadFile("testdata/" + name); err != nil {
				t.Errorf("INDEX.md lists %s: %v", name, err)
			}
		}
	}
	for _, p := range all(t) {
		if !listed[p.Name+".json"] {
			t.Errorf("%s.json is not in INDEX.md", p.Name)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, p := range Dir(t, "kfda") {
		n, c := p.Meta.Int("n"), p.Meta.Int("classes")
		given := "X"
		if p.Input.Kernel().Type == "precomputed" {
			given = "K"
		}
		if x := p.Input.Matrix(given); x.Rows != n {
			t.Errorf("%s: %d rows, want %d", p.Name, x.Rows, n)
		}
		if y := p.Input.Ints("y"); len(y) != n {
			t.Errorf("%s: %d labels, want %d", p.Name, len(y), n)
		}
		if a := p.Expected.Matrix("alpha"); a.Rows != n || a.Cols != c-1 {
			t.Errorf("%s: alpha is %d×%d, want %d×%d", p.Name, a.Rows, a.Cols, n, c-1)
		}
	}
	x := Load(t, "medium/iris_rbf").Input.Matrix("X")
	if x.Rows != 150 || x.Cols != 4 || x.At(0, 0) != 5.1 {
		t.Errorf("iris: %d×%d starting with %v, want 150×4 starting with 5.1", x.Rows, x.Cols, x.At(0, 0))
	}
	header, table := Load(t, "circles_noise0.2").Input.CSV("csv")
	if table.Rows != 800 || !slices.Equal(header, []string{"x1", "x2", "label"}) {
		t.Errorf("circles: %d rows under %q", table.Rows, header)
	}
}

func TestKernels(t *testing.T) {
	for _, p := range all(t) {
		if !p.Input.Has("kernel") {
			continue
		}
		k := p.Input.Kernel()
		for name, v := range k.Params {
			if name != "gamma" && name != "coef0" && name != "degree" || math.IsNaN(v) {
				t.Errorf("%s: %s: parameter %s = %v", p.Name, k.Type, name, v)
			}
		}
	}
	k := Load(t, "medium/iris_poly").Input.Kernel()
	if k.Type != "poly" || k.Params["gamma"] != 0.25 || k.Params["coef0"] != 1 || k.Params["degree"] != 3 {
		t.Errorf("iris_poly: %+v", k)
	}
	must.Equal(t, "iris_poly", k.Text(), "polynomial(gamma=0.25, coef0=1, degree=3)")
	must.Equal(t, "a map", Kernel{Type: "circle_map"}.Text(), "precomputed()")
}

func TestErrors(t *testing.T) {
	cases := Errors(t)
	if len(cases) != 19 {
		t.Errorf("%d cases, want 19", len(cases))
	}
	for _, c := range cases {
		if !slices.Contains([]string{"error", "error_or_zero", "error_or_finite", "finite"}, c.Expect) {
			t.Errorf("%s: expect %q", c.Name, c.Expect)
		}
		if c.Input.Kernel().Type != "precomputed" {
			c.Input.Rows("X")
		}
		switch c.Name {
		case "ragged":
			if rows := c.Input.Rows("X"); len(rows[1]) != 1 {
				t.Errorf("ragged: row 1 has %d values, want 1", len(rows[1]))
			}
		case "nan_feature":
			if v := c.Input.Rows("X")[0][1]; !math.IsNaN(v) {
				t.Errorf("nan_feature: got %v", v)
			}
		case "inf_feature":
			if v := c.Input.Rows("X")[0][1]; !math.IsInf(v, 1) {
				t.Errorf("inf_feature: got %v", v)
			}
		}
	}
}

func TestMath(t *testing.T) {
	for function, want := range map[string]int{"exp": 2071, "log": 317, "tanh": 346} {
		rows := Math(t, function)
		if len(rows) != want {
			t.Errorf("%s: %d rows, want %d", function, len(rows), want)
		}
	}
	if r := Math(t, "exp")[1]; !math.IsInf(r.X, -1) || r.Want != 0 || r.Note != "special" {
		t.Errorf("exp: row 1 is %+v", r)
	}
}

// recorder is a testing.TB that keeps messages instead of failing.
type recorder struct {
	testing.TB
	messages []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.messages = append(r.messages, fmt.Sprintf(format, args...))
}

// The modes by the sentences of testdata/README.md: values just inside and just
// outside the tolerance, where the tolerance is a power of two and exact.
func TestModes(t *testing.T) {
	const tol = 0x1p-10
	tests := []struct {
		mode      string
		got, want []float64 // one column
		ratio     float64
	}{
		{"exact", []float64{1, 2}, []float64{1, 2}, 0},
		{"exact", []float64{1, 2}, []float64{1, 3}, math.Inf(1)},
		{"entry", []float64{1 + tol, 1000}, []float64{1, 1000}, 1},
		{"entry", []float64{1 + 2*tol, 1000}, []float64{1, 1000}, 2},
		{"entry", []float64{0x1p-1074, 1}, []float64{0, 1}, math.Inf(1)},
		{"max", []float64{1 + 2*tol, 4}, []float64{1, 4}, 0.5},
		{"max", []float64{1, 4 - 8*tol}, []float64{1, 4}, 2},
		{"max", []float64{0, 0}, []float64{0, 0}, 0},
		{"abs", []float64{100 + tol}, []float64{100}, 1},
		{"abs", []float64{-100 - 3*tol}, []float64{-100}, 3},
		{"abs", []float64{math.Inf(1)}, []float64{100}, math.Inf(1)},
		{"col", []float64{3 + 5*tol, 4}, []float64{3, 4}, 1},
		{"col", []float64{-3, -4}, []float64{3, 4}, 2 / tol},
		{"col", []float64{3e200 * (1 + tol), 4e200}, []float64{3e200, 4e200}, 0.6},
		{"col_sign", []float64{-3 - 10*tol, -4}, []float64{3, 4}, 2},
		{"col_sign", []float64{3 + 5*tol, 4}, []float64{3, 4}, 1},
	}
	for _, c := range tests {
		w := worst(c.mode, tol, values{len(c.got), 1, c.got}, values{len(c.want), 1, c.want})
		// The ratios are exact but for norms of huge numbers.
		if w.err != nil || w.ratio != c.ratio && !(math.Abs(w.ratio-c.ratio) < 1e-9) {
			t.Errorf("%s: %v against %v: ratio %v (%v), want %v", c.mode, c.got, c.want, w.ratio, w.err, c.ratio)
		}
	}
	// Columns are compared, and turned, one by one.
	w := worst("col_sign", tol, values{2, 2, []float64{1, -1, 2, -2}}, values{2, 2, []float64{1, 1, 2, 2}})
	must.Equal(t, "col_sign: ratio", w.ratio, 0)
}

func TestCompareFails(t *testing.T) {
	p := Load(t, "kfda/blobs3_rbf_1")
	want := p.Expected.Vector("eigenvalues")
	bad := func(name string, field string, got any, message string) {
		t.Helper()
		r := &recorder{TB: t}
		ratio := p.Compare(r, field, got, true)
		if len(r.messages) != 1 || !strings.Contains(r.messages[0], message) || ratio <= 1 {
			t.Errorf("%s: messages %q, ratio %v; want one with %q", name, r.messages, ratio, message)
		}
	}
	bad("NaN", "eigenvalues", []float64{want[0], math.NaN()}, "NaN at (1, 0)")
	bad("short", "eigenvalues", want[:1], "is 1×1, want 2×1")
	bad("unchecked field", "proj_train", p.Expected.Matrix("proj_train"), "compared nothing")
	bad("unknown type", "eigenvalues", "text", "compared nothing")
	bad("nil matrix", "alpha", (*matrix.Dense)(nil), "compared nothing")
	if done := p.Compared(); done != nil {
		t.Errorf("compared %v, want nothing", done)
	}
	bad("wrong", "eigenvalues", []float64{want[0], want[1] * (1 + 1e-9)}, "times the tolerance, at (1, 0)")
	if done := p.Compared(); !slices.Equal(done, []string{"eigenvalues"}) {
		t.Errorf("compared %v, want the eigenvalues", done)
	}
}

// tight takes tol_tight, which is 1.06e-12 here where tol is 8.5e-12.
func TestTight(t *testing.T) {
	p := Load(t, "kfda/blobs3_rbf_1")
	near := p.Expected.Vector("eigenvalues")
	near[0] *= 1 + 4e-12
	for _, tight := range []bool{false, true} {
		r := &recorder{TB: t}
		if p.Compare(r, "eigenvalues", near, tight); (len(r.messages) > 0) != tight {
			t.Errorf("tight %v: messages %q", tight, r.messages)
		}
	}
}

// A wrong name of a field panics with the file, the part and the field.
func TestMissingFieldPanics(t *testing.T) {
	message := matrixtest.PanicText(func() { Load(t, path.Join("kfda", "seven_rbf_1")).Input.Matrix("x") })
	must.Equal(t, "panic", message, `golden: kfda/seven_rbf_1: input: field "x": no such field`)
}
