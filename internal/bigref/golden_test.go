package bigref

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type goldenFile struct {
	Name  string `json:"name"`
	Input struct {
		X, K, XTest, KTest [][]float64
		Y                  []int
		Kernel             Kernel
		Eps                float64
		Scatter            string
		Regularizer        string
	}
	Expected map[string]json.RawMessage
	Meta     struct {
		Degenerate bool
		SignGap    []float64 `json:"sign_gap"`
	}
}

func readGolden(t *testing.T, path string) *goldenFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var g goldenFile
	var tests struct {
		Input struct {
			XTest [][]float64 `json:"X_test"`
			KTest [][]float64 `json:"K_test"`
		}
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.Unmarshal(data, &tests); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	g.Input.XTest, g.Input.KTest = tests.Input.XTest, tests.Input.KTest
	return &g
}

func (p Arith) rows(x [][]float64) Matrix {
	m := make(Matrix, len(x))
	for i := range x {
		m[i] = p.FromFloats(x[i])
	}
	return m
}

// problem returns the problem and the rows k(x_t, x_i) of its test points.
func (g *goldenFile) problem(t *testing.T, p Arith) (Problem, Matrix) {
	t.Helper()
	in := g.Input
	pr := Problem{
		Eps:      p.Of(in.Eps),
		Averaged: in.Scatter == "averaged",
		RKHS:     in.Regularizer == "rkhs",
	}
	classes := slices.Compact(slices.Sorted(slices.Values(in.Y)))
	for _, y := range in.Y {
		pr.Classes = append(pr.Classes, slices.Index(classes, y))
	}
	if in.Kernel.Type == "precomputed" {
		pr.K = p.rows(in.K)
		return pr, p.rows(in.KTest).Transpose() // K_test is n×m
	}
	x := p.rows(in.X)
	var rows Matrix
	var err error
	if pr.K, err = p.Gram(in.Kernel, x, x); err != nil {
		t.Fatal(err)
	}
	if rows, err = p.Gram(in.Kernel, p.rows(in.XTest), x); err != nil {
		t.Fatal(err)
	}
	return pr, rows
}

// TestGolden compares every quantity with the golden files, which were computed
// with other software at 150 digits and rounded once. Two correct roundings of
// values that agree to far more than 53 bits differ by at most one unit in the
// last place; entries that are zero in exact arithmetic are noise in both.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("../golden/testdata/kfda/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("no golden files in ../golden/testdata/kfda")
	}
	checks := 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		g := readGolden(t, path)
		if testing.Short() && len(g.Input.Y) > 12 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			checks += checkGolden(t, Default, g)
		})
	}
	t.Logf("%d entries compared", checks)
}

func checkGolden(t *testing.T, p Arith, g *goldenFile) int {
	pr, rows := g.problem(t, p)
	s, err := p.Solve(pr)
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	compare := func(field string, got Matrix, signed bool) {
		t.Helper()
		raw, ok := g.Expected[field]
		if !ok {
			return
		}
		var want [][]float64
		if len(got) == 1 && raw[1] != '[' { // one column, written as a list
			var v []float64
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatalf("%s: %v", field, err)
			}
			want = [][]float64{v}
		} else if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("%s: %v", field, err)
		}
		checks += compareEntries(t, field, Dense(got).Data, slices.Concat(want...), signed)
	}
	compare("K", pr.K, true)
	compare("K_test", rows.Transpose(), true)
	compare("class_means", s.ClassMeans, true)
	compare("overall_mean", Matrix{s.OverallMean}, true)
	compare("N", s.N, true)
	compare("M", s.M, true)
	compare("eigenvalues", Matrix{s.Eigenvalues}, true)
	if g.Meta.Degenerate {
		compare("alpha_alphaT", p.MatMul(s.Alpha, s.Alpha.Transpose()), true)
		return checks
	}
	// Columns whose sign hangs on an exact tie are compared one by one.
	for k := range s.Eigenvalues {
		column := func(field string, got Vector) {
			var want [][]float64
			raw, ok := g.Expected[field]
			if !ok {
				return
			}
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatalf("%s: %v", field, err)
			}
			w := make([]float64, len(want))
			for i := range want {
				w[i] = want[i][k]
			}
			checks += compareEntries(t, field, Floats(got), w, g.Meta.SignGap[k] >= 1e-6)
		}
		column("alpha", s.Alpha.Col(k))
		column("proj_train", p.Project(pr.K, s.Alpha).Col(k))
		column("centroids", p.Centroids(p.Project(pr.K, s.Alpha), pr.Classes).Col(k))
		column("proj_test", p.Project(rows, s.Alpha).Col(k))
		column("proj_train_centred", p.Project(p.CentreBoth(pr.K), s.Alpha).Col(k))
		column("proj_test_centred", p.Project(p.CentreRows(pr.K, rows), s.Alpha).Col(k))
	}
	if s.AlphaBinary != nil {
		compare("alpha_binary", Matrix{s.AlphaBinary}, true)
		compare("proj_binary_train", Matrix{p.MulVec(pr.K, s.AlphaBinary)}, true)
		compare("proj_binary_test", Matrix{p.MulVec(rows, s.AlphaBinary)}, true)
	}
	return checks
}

func compareEntries(t *testing.T, field string, got, want []float64, signed bool) int {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d entries, want %d", field, len(got), len(want))
		return 0
	}
	largest := 0.0
	top := 0
	for i, w := range want {
		if math.Abs(w) > largest {
			largest, top = math.Abs(w), i
		}
	}
	sign := 1.0
	if !signed && len(got) > 0 && math.Signbit(got[top]) != math.Signbit(want[top]) {
		sign = -1
	}
	for i, w := range want {
		if d := math.Abs(sign*got[i] - w); !(d <= 0x1p-52*math.Abs(w)+0x1p-250*largest+0x1p-1074) {
			t.Errorf("%s[%d] = %.17g, want %.17g (largest %.3g)", field, i, got[i], w, largest)
			break
		}
	}
	return len(got)
}
