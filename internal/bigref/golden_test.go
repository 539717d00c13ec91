package bigref

import (
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func (p Arith) matrix(m *matrix.Dense) Matrix {
	rows := make(Matrix, m.Rows)
	for i := range rows {
		rows[i] = p.FromFloats(m.Row(i))
	}
	return rows
}

// problem returns the problem of a golden file and the rows k(x_t, x_i) of its test points.
func problem(t *testing.T, p Arith, in golden.Fields) (Problem, Matrix) {
	t.Helper()
	pr := Problem{
		Eps:      p.Of(in.Float("eps")),
		Averaged: in.String("scatter") == "averaged",
		RKHS:     in.String("regularizer") == "rkhs",
	}
	labels := in.Ints("y")
	classes := slices.Compact(slices.Sorted(slices.Values(labels)))
	for _, y := range labels {
		pr.Classes = append(pr.Classes, slices.Index(classes, y))
	}
	kernel := in.Kernel()
	if kernel.Type == "precomputed" {
		pr.K = p.matrix(in.Matrix("K"))
		return pr, p.matrix(in.Matrix("K_test")).Transpose() // K_test is n×m
	}
	k := Kernel{Type: kernel.Type, Gamma: kernel.Params["gamma"], Coef0: kernel.Params["coef0"], Degree: int(kernel.Params["degree"])}
	x := p.matrix(in.Matrix("X"))
	pr.K = must.Get(p.Gram(k, x, x))(t)
	return pr, must.Get(p.Gram(k, p.matrix(in.Matrix("X_test")), x))(t)
}

// TestGolden compares every quantity with the golden files, which were computed
// with other software at 150 digits and rounded once. Two correct roundings of
// values that agree to far more than 53 bits differ by at most one unit in the
// last place; entries that are zero in exact arithmetic are noise in both.
func TestGolden(t *testing.T) {
	checks := 0
	for _, g := range golden.Dir(t, "kfda") {
		if testing.Short() && len(g.Input.Ints("y")) > 12 {
			continue
		}
		t.Run(g.Name, func(t *testing.T) {
			checks += checkGolden(t, Default, g)
		})
	}
	t.Logf("%d entries compared", checks)
}

func checkGolden(t *testing.T, p Arith, g *golden.Problem) int {
	pr, rows := problem(t, p, g.Input)
	s := must.Get(p.Solve(pr))(t)
	checks := 0
	table := func(field string, got Matrix) {
		t.Helper()
		if g.Expected.Has(field) {
			checks += compareEntries(t, field, Dense(got).Data, slices.Concat(g.Expected.Rows(field)...), true)
		}
	}
	vector := func(field string, got Vector) {
		t.Helper()
		if g.Expected.Has(field) {
			checks += compareEntries(t, field, Floats(got), g.Expected.Vector(field), true)
		}
	}
	table("K", pr.K)
	table("K_test", rows.Transpose())
	table("class_means", s.ClassMeans)
	vector("overall_mean", s.OverallMean)
	table("N", s.N)
	table("M", s.M)
	vector("eigenvalues", s.Eigenvalues)
	if g.Meta.Has("degenerate") && g.Meta.Bool("degenerate") {
		table("alpha_alphaT", p.MatMul(s.Alpha, s.Alpha.Transpose()))
		return checks
	}
	// Columns whose sign hangs on an exact tie are compared one by one.
	for k := range s.Eigenvalues {
		column := func(field string, got Vector) {
			if !g.Expected.Has(field) {
				return
			}
			var w []float64
			for _, row := range g.Expected.Rows(field) {
				w = append(w, row[k])
			}
			checks += compareEntries(t, field, Floats(got), w, g.Meta.Vector("sign_gap")[k] >= 1e-6)
		}
		column("alpha", s.Alpha.Col(k))
		column("proj_train", p.Project(pr.K, s.Alpha).Col(k))
		column("centroids", p.Centroids(p.Project(pr.K, s.Alpha), pr.Classes).Col(k))
		column("proj_test", p.Project(rows, s.Alpha).Col(k))
		column("proj_train_centred", p.Project(p.CentreBoth(pr.K), s.Alpha).Col(k))
		column("proj_test_centred", p.Project(p.CentreRows(pr.K, rows), s.Alpha).Col(k))
	}
	if s.AlphaBinary != nil {
		vector("alpha_binary", s.AlphaBinary)
		vector("proj_binary_train", p.MulVec(pr.K, s.AlphaBinary))
		vector("proj_binary_test", p.MulVec(rows, s.AlphaBinary))
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
