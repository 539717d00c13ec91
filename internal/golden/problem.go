package golden

import (
	"embed"
	"encoding/json"
	"path"
	"strings"
	"sync"
	"testing"
)

//go:embed testdata
var files embed.FS

// Problem is one golden file: what is given, the right values, and how to
// compare with them.
type Problem struct {
	Name     string // folder and name without extension: "kfda/seven_rbf_1"
	Kind     string // kfda, kfda_cv, flda, kpca, krr, krr_circles, loo, svc, eigsym, svd
	About    string
	Input    Fields
	Expected Fields
	Meta     Fields
	Checks   []Check

	mu   sync.Mutex
	done map[string]bool // fields compared
}

// Check says how to compare a field of Problem.Expected.
type Check struct {
	Field    string   `json:"field"`
	Mode     string   `json:"mode"` // exact, entry, max, abs, col, col_sign
	Tol      float64  `json:"tol"`
	TolTight *float64 `json:"tol_tight"` // for methods that do not square the condition number; nil: as Tol
	Note     string   `json:"note"`
}

// Load reads the problem of that name, such as "kfda/seven_rbf_1" or
// "circles_noise0.1".
func Load(t testing.TB, name string) *Problem {
	t.Helper()
	var f struct {
		Format                int
		Kind, About           string
		Input, Expected, Meta map[string]json.RawMessage
		Check                 []Check
		Name, Precision       string
	}
	decode(t, name, &f)
	if f.Format != 1 {
		t.Fatalf("golden: %s: format %d, want 1", name, f.Format)
	}
	fields := func(part string, m map[string]json.RawMessage) Fields {
		return Fields{where: name + ": " + part, dir: path.Dir(name), raw: m}
	}
	return &Problem{
		Name:     name,
		Kind:     f.Kind,
		About:    f.About,
		Input:    fields("input", f.Input),
		Expected: fields("expected", f.Expected),
		Meta:     fields("meta", f.Meta),
		Checks:   f.Check,
		done:     make(map[string]bool),
	}
}

// Dir reads every problem of a folder ("kfda", "flda", "kpca", "krr", "loo",
// "svc", "medium", "linalg"), in the order of their names.
func Dir(t testing.TB, dir string) []*Problem {
	t.Helper()
	entries, err := files.ReadDir(path.Join("testdata", dir))
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	var ps []*Problem
	for _, e := range entries { // sorted by name
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			ps = append(ps, Load(t, path.Join(dir, name)))
		}
	}
	if len(ps) == 0 {
		t.Fatalf("golden: no problems in folder %q", dir)
	}
	return ps
}

// MayRefuse reports whether the problem is numerically singular for the normal
// equations, so that an error is as right as an answer within the tolerance.
func (p *Problem) MayRefuse() bool { return p.Meta.Has("may_refuse") && p.Meta.Bool("may_refuse") }

// ErrorCase is an input that must be refused, or answered without NaN or Inf.
type ErrorCase struct {
	Name   string
	Input  Fields
	Expect string // error, error_or_zero, error_or_finite, finite
	Why    string
}

// Errors reads the inputs of errors.json. Read X with [Fields.Rows]: the rows of
// one of them differ in length.
func Errors(t testing.TB) []ErrorCase {
	t.Helper()
	var f struct {
		Cases []struct {
			Name, Expect, Why string
			Input             map[string]json.RawMessage
		}
	}
	decode(t, "errors", &f)
	var cases []ErrorCase
	for _, c := range f.Cases {
		in := Fields{where: "errors: " + c.Name + ": input", dir: ".", raw: c.Input}
		cases = append(cases, ErrorCase{Name: c.Name, Input: in, Expect: c.Expect, Why: c.Why})
	}
	return cases
}

func decode(t testing.TB, name string, v any) {
	t.Helper()
	b, err := files.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("golden: %s: %v", name, err)
	}
}
