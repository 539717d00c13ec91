package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func regress(t testing.TB, m discriminant.KernelRidge, x, targets *matrix.Dense) *discriminant.Regression {
	t.Helper()
	return must.Get(discriminant.FitRegression(context.Background(), m, x, targets))(t)
}

func values(t testing.TB, r *discriminant.Regression, x *matrix.Dense) *matrix.Dense {
	t.Helper()
	return must.Get(r.Predict(nil, x))(t)
}

func decisions[L discriminant.Label](t testing.TB, m *discriminant.Model[L], x *matrix.Dense) []float64 {
	t.Helper()
	return must.Get(m.Decision(nil, x))(t)
}

func leaveOneOut[L discriminant.Label](t testing.TB, m discriminant.KernelRidge, x *matrix.Dense, labels []L) *matrix.Dense {
	t.Helper()
	return must.Get(discriminant.LeaveOneOut(context.Background(), m, x, labels))(t)
}

var circleMap = gram.FeatureMap{Name: "circle", Dim: 3, Map: func(dst, x []float64) {
	dst[0], dst[1], dst[2] = x[0], x[1], math.FMA(x[0], x[0], float64(x[1]*x[1]))
}}

// primal returns w = Φᵀa for the circle map.
func primal(x, a *matrix.Dense) []float64 {
	phi := matrix.New(x.Rows, 3)
	for i := range x.Rows {
		circleMap.Map(phi.Row(i), x.Row(i))
	}
	return column(matrix.Mul(nil, phi, matrix.Transposed, a, matrix.NoTrans), 0)
}

func accuracy[L comparable](predicted, labels []L) float64 {
	right := 0
	for i, l := range labels {
		if predicted[i] == l {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

// TestGoldenKernelRidge compares every field of folder krr.
func TestGoldenKernelRidge(t *testing.T) {
	var problems []*golden.Problem
	ratios := worst{}
	for _, p := range golden.Dir(t, "krr") {
		t.Run(p.Name, func(t *testing.T) {
			x, test, y := p.Input.Matrix("X"), p.Input.Matrix("X_test"), p.Expected.Ints("targets") // ∓1
			method := discriminant.KernelRidge{Kernel: circleMap, Regularizer: discriminant.Ridge(p.Input.Float("lambda"))}
			isMap := p.Input.Kernel().Type == "circle_map"
			if !isMap {
				method.Kernel = must.Get(gram.Parse(p.Input.Kernel().Text()))(t)
			}
			compare := func(field string, got any) {
				t.Helper()
				ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, true))
			}
			accuracyIs := func(field string, got float64) {
				t.Helper()
				if want := p.Expected.Float(field); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s is %v, want %v", field, got, want)
				}
			}
			with := func(i discriminant.Intercept) (discriminant.KernelRidge, *discriminant.Model[int]) {
				m := method
				m.Intercept = i
				return m, fit(t, m, x, y)
			}
			m, none := with(discriminant.NoIntercept())
			compare("a", discriminant.DetailsOf(none).Alpha())
			compare("decision_test", decisions(t, none, test))
			compare("labels_test_offset0", predict(t, none, test))
			accuracyIs("train_accuracy_offset0", accuracy(predict(t, none, x), y))
			compare("loo_decision", leaveOneOut(t, m, x, y))
			if isMap {
				compare("w_primal", primal(x, discriminant.DetailsOf(none).Alpha()))
			}
			if b := none.Details().(discriminant.KernelRidgeDetails).Intercept(); b[0] != 0 {
				t.Errorf("no intercept: %v", b)
			}

			_, half := with(discriminant.Offset(0.5))
			compare("labels_test_offset_half", predict(t, half, test))
			accuracyIs("train_accuracy_offset_half", accuracy(predict(t, half, x), y))
			matrixtest.SameBits(t, "a with an offset", discriminant.DetailsOf(half).Alpha(), discriminant.DetailsOf(none).Alpha())

			m, fitted := with(discriminant.FittedIntercept())
			compare("a_bias", discriminant.DetailsOf(fitted).Alpha())
			compare("bias", fitted.Details().(discriminant.KernelRidgeDetails).Intercept()[0])
			compare("decision_bias_test", decisions(t, fitted, test))
			compare("labels_bias_test", predict(t, fitted, test))
			accuracyIs("train_accuracy_bias", accuracy(predict(t, fitted, x), y))
			loo := leaveOneOut(t, m, x, y)
			compare("loo_decision_bias", loo)
			right := 0
			for i, v := range column(loo, 0) {
				if (v > 0) == (y[i] == fitted.Classes()[1]) {
					right++
				}
			}
			accuracyIs("loo_accuracy_bias", float64(right)/float64(len(y)))
			if left := p.Uncompared(); len(left) > 0 {
				t.Errorf("not compared: %v", left)
			}
			problems = append(problems, p)
		})
	}
	performed, total := golden.Count(problems)
	t.Logf("%d problems, %d of %d checks; largest error over tolerance, by field: %v", len(problems), performed, total, ratios)
}

// TestGoldenCircles fits the circles with the explicit map: 89.5 % and 100 % with
// the offset one half, 92.9 % and 100 % with a fitted intercept.
func TestGoldenCircles(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of 800 rows")
	}
	for _, name := range []string{"circles_noise0.2", "circles_noise0.1"} {
		p := golden.Load(t, name)
		_, data := p.Input.CSV("csv")
		x := data.View(0, 0, data.Rows, 2).Clone()
		var y []int
		for i := range data.Rows {
			y = append(y, int(data.At(i, 2)))
		}
		method := discriminant.KernelRidge{Kernel: circleMap, Regularizer: discriminant.Ridge(p.Input.Float("lambda"))}
		for _, c := range []struct {
			intercept       discriminant.Intercept
			w, of, decision string
		}{
			{discriminant.NoIntercept(), "w", "accuracy_offset0", "decision"},
			{discriminant.Offset(0.5), "w", "accuracy_offset_half", ""},
			{discriminant.FittedIntercept(), "w_bias", "accuracy_bias", ""},
		} {
			method.Intercept = c.intercept
			m := fit(t, method, x, y)
			p.Compare(t, c.w, primal(x, discriminant.DetailsOf(m).Alpha()), true)
			got := accuracy(predict(t, m, x), y)
			t.Logf("%s, %v: %.2f %%", name, c.intercept, 100*got)
			p.Compare(t, c.of, got, true)
			if c.decision != "" {
				p.Compare(t, c.decision, decisions(t, m, x), true)
			}
			if c.w == "w_bias" {
				p.Compare(t, "bias", m.Details().(discriminant.KernelRidgeDetails).Intercept()[0], true)
			}
		}
		if left := p.Uncompared(); len(left) > 0 {
			t.Errorf("%s: not compared: %v", name, left)
		}
		for intercept, field := range map[discriminant.Intercept]string{
			discriminant.Offset(0.5):       "split_train_first400_accuracy_offset_half",
			discriminant.FittedIntercept(): "split_train_first400_accuracy_bias",
		} {
			method.Intercept = intercept
			m := fit(t, method, x.View(0, 0, 400, 2), y[:400])
			if got, want := accuracy(predict(t, m, x.View(400, 0, 400, 2)), y[400:]), p.Expected.Float(field); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", name, field, got, want)
			}
		}
	}
}

// single returns targets in one column.
func single(y ...float64) *matrix.Dense {
	return matrix.Column(y)
}

// without returns x and y without row i.
func without(x *matrix.Dense, y []int, i int) (*matrix.Dense, []int) {
	var at []int
	for r := range y {
		if r != i {
			at = append(at, r)
		}
	}
	return pickRows(x, at), pick(y, at)
}

// TestGoldenLeaveOneOut: kernel ridge with a fitted intercept has the direction of
// the discriminant with a ridge in the RKHS, so that its values without row i are
// the golden ones, in units of the distance of the class means.
func TestGoldenLeaveOneOut(t *testing.T) {
	for _, p := range golden.Dir(t, "loo") {
		t.Run(p.Name, func(t *testing.T) {
			x, y := p.Input.Matrix("X"), p.Input.Ints("y")
			method := discriminant.KernelRidge{Kernel: must.Get(gram.Parse(p.Input.Kernel().Text()))(t), Regularizer: discriminant.Ridge(p.Input.Float("eps"))}
			closed := column(leaveOneOut(t, method, x, y), 0)
			got := make([]float64, len(y))
			for i := range y {
				rest, labels := without(x, y, i)
				m := fit(t, method, rest, labels)
				f := decisions(t, m, x.View(i, 0, 1, x.Cols))[0]
				if math.Abs(f-closed[i]) > 1e-11*math.Abs(f)+1e-12 {
					t.Errorf("row %d: %v without it, closed form %v", i, f, closed[i])
				}
				var sum [2]float64
				for r, v := range decisions(t, m, rest) {
					j := 0
					if labels[r] == m.Classes()[1] {
						j = 1
					}
					sum[j] += v / float64(m.Counts()[j])
				}
				got[i] = (f - (sum[0]+sum[1])/2) / (sum[1] - sum[0])
			}
			p.Compare(t, "loo_rkhs", got, true)
		})
	}
}

// The closed form is the refit, for several columns of targets, every intercept
// and classes alike. Kernel parameters and λ are given, so that they are the same
// without a row.
func TestLeaveOneOutIsRefit(t *testing.T) {
	x, y := blobs(21, 3, 9, 8, 7)
	targets := rows(22, 24, 2)
	for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept()} {
		for _, kernel := range []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Linear{}, gram.Sum{Terms: []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Polynomial{Gamma: 1e-9, Coef0: 1e4, Degree: 1}}}} {
			m := discriminant.KernelRidge{Kernel: kernel, Regularizer: discriminant.Ridge(0.05), Intercept: intercept}
			ofClasses := leaveOneOut(t, m, x, y)
			ofTargets := must.Get(discriminant.LeaveOneOutRegression(context.Background(), m, x, targets))(t)
			for i := range y {
				rest, labels := without(x, y, i)
				row := x.View(i, 0, 1, x.Cols)
				want := project(t, fit(t, m, rest, labels), row)
				others, _ := without(targets, y, i)
				wantTargets := values(t, regress(t, m, rest, others), row)
				// A common part of 10⁴ in the kernel costs the fit without an
				// intercept that many digits.
				tolerance := 1e-10
				if strings.HasPrefix(kernel.String(), "sum") {
					tolerance = 1e-8
				}
				if d := difference(ofClasses.Row(i), want.Row(0), 1); d > tolerance {
					t.Errorf("%v, %v: row %d: class values %v, refit %v", intercept, kernel, i, ofClasses.Row(i), want.Row(0))
				}
				if d := difference(ofTargets.Row(i), wantTargets.Row(0), 1); d > tolerance {
					t.Errorf("%v, %v: row %d: %v, refit %v", intercept, kernel, i, ofTargets.Row(i), wantTargets.Row(0))
				}
			}
		}
	}
}

// The fit satisfies its equations: (K + λI)a + b1 = t, and 1ᵀa = 0 where b is
// fitted.
func TestKernelRidgeEquations(t *testing.T) {
	x, _ := blobs(23, 3, 25, 15)
	targets := rows(24, 40, 3)
	for i := range targets.Rows {
		targets.Row(i)[1] = targets.Row(i)[1]*1e150 + 3e150
		targets.Row(i)[2] *= 1e-200
	}
	for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept()} {
		for _, kernel := range []gram.Kernel{gram.RBF{}, gram.Linear{}, gram.NewPolynomial(3)} {
			for _, reg := range []discriminant.Regularizer{{}, discriminant.Ridge(1e-3), discriminant.RelativeRidge(10)} {
				m := regress(t, discriminant.KernelRidge{Kernel: kernel, Regularizer: reg, Intercept: intercept}, x, targets)
				k := gramOf(t, m.Kernel(), x)
				a, b := m.Alpha(), m.Intercept()
				f := values(t, m, x)
				for j := range 3 {
					size := matrix.MaxAbs(targets.View(0, j, 40, 1))
					sum, norm := 0.0, 0.0
					for i := range 40 {
						sum += a.At(i, j)
						norm += math.Abs(a.At(i, j))
						r := targets.At(i, j) - m.Ridge()*a.At(i, j) - b[j]
						for l := range 40 {
							r -= k.At(i, l) * a.At(l, j)
						}
						limit := 1e-13 * (size + matrix.MaxAbs(k)*norm) // sums of 40 terms of that size
						if !(math.Abs(r) <= limit) {
							t.Errorf("%v, %v, %v: column %d, row %d: residual %g above %g", intercept, kernel, reg, j, i, r, limit)
						}
						// f = t − λa at the training rows.
						if d := f.At(i, j) - (targets.At(i, j) - m.Ridge()*a.At(i, j)); !(math.Abs(d) <= limit) {
							t.Errorf("%v, %v, %v: column %d, row %d: the value is off by %g", intercept, kernel, reg, j, i, d)
						}
					}
					if intercept == discriminant.FittedIntercept() && !(math.Abs(sum) <= 1e-14*norm) {
						t.Errorf("%v, %v: column %d: the coefficients sum to %g", kernel, reg, j, sum)
					}
				}
				if c := m.Certificate(); !(c.Backward < 1e-15) || c.Solver != "ridge" {
					t.Errorf("%v, %v: certificate %+v", kernel, reg, c)
				}
			}
		}
	}
}

// A constant that is added to the kernel changes nothing but the intercept, and
// its size costs only the digits of the kernel values themselves.
func TestKernelRidgeShift(t *testing.T) {
	x, _ := blobs(25, 3, 20, 20)
	y := rows(26, 9, 3)
	targets := rows(27, 40, 1)
	k, cross := gramOf(t, gram.RBF{Gamma: 0.2}, x), crossOf(t, gram.RBF{Gamma: 0.2}, y, x)
	method := discriminant.KernelRidge{Kernel: gram.Precomputed{}, Regularizer: discriminant.Ridge(1e-2)}
	want := values(t, regress(t, method, k, targets), cross)
	for _, s := range []float64{1, 1e4, -1e4} {
		// Rounded to multiples of 2⁻³⁰ first, so that the shift is exact.
		round := func(v float64) float64 { return math.Round(v*0x1p30) * 0x1p-30 }
		exact := values(t, regress(t, method, mapped(k, round), targets), mapped(cross, round))
		got := values(t, regress(t, method, mapped(mapped(k, round), plus(s)), targets), mapped(mapped(cross, round), plus(s)))
		for i, v := range got.Data {
			if math.Abs(v-exact.Data[i]) > 1e-12 || math.Abs(v-want.Data[i]) > 1e-5 {
				t.Errorf("shift %v: value %v, want %v", s, v, exact.Data[i])
			}
		}
	}
}

// For two classes the values rank rows as the discriminant with the same ridge in
// the RKHS does.
func TestKernelRidgeIsDiscriminant(t *testing.T) {
	x, y := blobs(28, 3, 20, 12)
	test := rows(29, 15, 3)
	ridge := fit(t, discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.Ridge(0.1)}, x, y)
	kfda := fit(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.RKHS(0.1)}, x, y)
	a, b := decisions(t, ridge, test), decisions(t, kfda, test)
	for i := 2; i < len(a); i++ {
		if r := (a[i] - a[0]) / (a[1] - a[0]); math.Abs(r-(b[i]-b[0])/(b[1]-b[0])) > 1e-10*math.Abs(r)+1e-11 {
			t.Errorf("row %d: %v of the way, by the discriminant %v", i, r, (b[i]-b[0])/(b[1]-b[0]))
		}
	}
}

func TestKernelRidgeClasses(t *testing.T) {
	x, y := blobs(30, 3, 20, 20, 20)
	m := fit(t, discriminant.KernelRidge{Scaling: discriminant.Standard}, x, y)
	if m.Components() != 3 {
		t.Errorf("%d components", m.Components())
	}
	f := project(t, m, x)
	p := predict(t, m, x)
	for i := range x.Rows {
		best := slices.Index(f.Row(i), slices.Max(f.Row(i)))
		if p[i] != m.Classes()[best] {
			t.Errorf("row %d: values %v, predicted %v", i, f.Row(i), p[i])
		}
		// One-hot targets sum to one, and so do the values with an intercept. The
		// coefficients are some hundred times as large.
		if s := f.At(i, 0) + f.At(i, 1) + f.At(i, 2); math.Abs(s-1) > 1e-12 {
			t.Errorf("row %d: values sum to %v", i, s)
		}
	}
	if accuracy(p, y) < 0.8 {
		t.Errorf("training accuracy %v", accuracy(p, y))
	}
	must.Refuse[*discriminant.DecisionError](m.Decision(nil, x))(t, "decision of three classes")
	must.Refuse[*discriminant.PosteriorsError](m.Posteriors(nil, x))(t, "posteriors")
}

func TestKernelRidgeParameters(t *testing.T) {
	x, y := blobs(31, 2, 6, 6, 6)
	var parameter *discriminant.ParameterError
	for _, m := range []discriminant.KernelRidge{
		{Regularizer: discriminant.RKHS(1)},
		{Regularizer: discriminant.Shrink(0.5)},
		{Regularizer: discriminant.LedoitWolf()},
		{Intercept: discriminant.Offset(math.NaN())},
		{Intercept: discriminant.Offset(0.5)}, // three classes
		{Kernel: gram.Precomputed{}, Scaling: discriminant.MinMax},
	} {
		if err := fitError(m, x, y); !errors.As(err, &parameter) {
			t.Errorf("%+v: error %v, want a *ParameterError", m, err)
		} else {
			t.Log(err)
		}
		must.Refuse[*discriminant.ParameterError](discriminant.LeaveOneOut(context.Background(), m, x, y))(t, fmt.Sprintf("%+v: LeaveOneOut", m))
	}
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-300, 1e-15} {
		must.Fail[*discriminant.RidgeError](t, fmt.Sprintf("ridge %v", v), fitError(discriminant.KernelRidge{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(v)}, x, y))
	}
	must.Refuse[*discriminant.ParameterError](discriminant.FitRegression(context.Background(), discriminant.KernelRidge{Intercept: discriminant.Offset(1)}, x, x))(t, "offset of a regression")
	for _, c := range [][2]*matrix.Dense{{x, matrix.New(3, 1)}, {x, matrix.New(18, 0)}, {matrix.New(0, 2), matrix.New(0, 1)}} {
		must.Refuse[*discriminant.TargetsError](discriminant.FitRegression(context.Background(), discriminant.KernelRidge{}, c[0], c[1]))(t, fmt.Sprintf("%d×%d targets", c[1].Rows, c[1].Cols))
	}
	bad := x.Clone()
	bad.Set(4, 1, math.Inf(-1))
	var notFinite *matrix.NotFiniteError
	for _, c := range [][2]*matrix.Dense{{bad, x}, {x, bad}} {
		if _, err := discriminant.FitRegression(context.Background(), discriminant.KernelRidge{}, c[0], c[1]); !errors.As(err, &notFinite) || notFinite.Row != 4 || notFinite.Col != 1 {
			t.Errorf("infinity: error %v", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := discriminant.FitRegression(ctx, discriminant.KernelRidge{}, x, x); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
	if got := fmt.Sprint(discriminant.FittedIntercept(), discriminant.NoIntercept(), discriminant.Offset(0.5)); got != "FittedIntercept() NoIntercept() Offset(0.5)" {
		t.Error(got)
	}
	// All rows equal: nothing but the intercept.
	same := matrix.New(4, 2)
	r := regress(t, discriminant.KernelRidge{Regularizer: discriminant.Ridge(1), Kernel: gram.RBF{Gamma: 1}}, same, single(1, 2, 3, 6))
	if got := values(t, r, same).At(0, 0); math.Abs(got-3) > 1e-14 {
		t.Errorf("equal rows: value %v, want the mean 3", got)
	}
	must.Fail[*discriminant.RidgeError](t, "equal rows and a relative ridge", fitError(discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 1}}, same, []int{1, 1, 2, 2}))
	one := regress(t, discriminant.KernelRidge{Regularizer: discriminant.Ridge(1), Kernel: gram.Linear{}}, rowsOf(t, []float64{3}), rowsOf(t, []float64{7}))
	must.Equal(t, "one row: value", values(t, one, rowsOf(t, []float64{100})).At(0, 0), 7)
	must.Refuse[*discriminant.AccuracyError](discriminant.LeaveOneOutRegression(context.Background(), discriminant.KernelRidge{Regularizer: discriminant.Ridge(1), Kernel: gram.Linear{}}, rowsOf(t, []float64{3}), rowsOf(t, []float64{7})))(t, "one row without itself")
}

func TestCase07KernelRidge(t *testing.T) {
	data := matrixtest.Case(t, "07-duplicate-rows-singular-gram/train.csv")
	x, y := data.View(0, 0, data.Rows, 1), data.View(0, 1, data.Rows, 1)
	for _, gamma := range []float64{1, 0.01} {
		method := discriminant.KernelRidge{Kernel: gram.RBF{Gamma: gamma}, Regularizer: discriminant.Ridge(0.5), Intercept: discriminant.NoIntercept()}
		if got, want := values(t, regress(t, method, x, y), rowsOf(t, []float64{0})).At(0, 0), 1.7142857142857142; math.Abs(got-want) > 1e-14*want {
			t.Errorf("value %.17g, want %.17g", got, want)
		}
		method.Intercept = discriminant.FittedIntercept()
		if got := values(t, regress(t, method, x, y), rowsOf(t, []float64{0})).At(0, 0); math.Abs(got-2) > 1e-14 {
			t.Errorf("with an intercept: value %.17g, want the mean 2", got)
		}
	}
}

func TestCase23KernelRidge(t *testing.T) {
	data := matrixtest.Case(t, "23-kernel-ridge-zero-ridge/train.csv")
	x, y := data.View(0, 0, 3, 1), data.View(0, 1, 3, 1)
	method := discriminant.KernelRidge{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(0), Intercept: discriminant.NoIntercept()}
	var ridge *discriminant.RidgeError
	for _, lambda := range []float64{0, 1e-17} {
		method.Regularizer = discriminant.Ridge(lambda)
		_, err := discriminant.FitRegression(context.Background(), method, x, y)
		if !errors.As(err, &ridge) || !strings.Contains(err.Error(), "singular") {
			t.Errorf("ridge %v: error %v, want a *RidgeError that says singular", lambda, err)
		} else {
			t.Log(err)
		}
	}
	method.Regularizer = discriminant.Ridge(1)
	got := values(t, regress(t, method, x, y), rowsOf(t, []float64{1}, []float64{2}, []float64{3}, []float64{10}))
	for i, want := range []float64{1.8666666666666667, 3.7333333333333334, 5.6, 18.666666666666668} {
		if math.Abs(got.At(i, 0)-want) > 1e-14*want {
			t.Errorf("value %.17g, want %.17g", got.At(i, 0), want)
		}
	}
}

func TestCase24FarRowKernelRidge(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "24-rbf-underflow-far-point/train.csv")
	test := matrixtest.Case(t, "24-rbf-underflow-far-point/test.csv")
	for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept(), discriminant.Offset(0.25)} {
		method := discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 1}, Intercept: intercept}
		m := fit(t, method, x, labels)
		d, y := decisions(t, m, test), predict(t, m, test)
		if d[0] != d[2] || !finite(vector(d)) || y[1] != "a" {
			t.Errorf("%v: decisions %v, predicted %q", intercept, d, y)
		}
		// A row without kernel values has the intercept alone: no confident score.
		if math.Abs(d[0]-m.Details().(discriminant.KernelRidgeDetails).Intercept()[0]) > 1e-13 {
			t.Errorf("%v: the far row has %v, the intercept is %v", intercept, d[0], m.Details().(discriminant.KernelRidgeDetails).Intercept())
		}
		if intercept == discriminant.Offset(0.25) {
			continue
		}
		r := regress(t, method, x, single(0, 0, 1, 1))
		f := values(t, r, test)
		if f.At(0, 0) != f.At(2, 0) || !finite(f) {
			t.Errorf("%v: values %v", intercept, f.Data)
		}
	}
}

func TestCase28KernelRidge(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "28-linear-kfda-equals-lda/train.csv")
	// Kernel ridge on the classes has Fisher's direction where λ vanishes. The
	// coefficients grow like 1/λ, and what they sum to here loses as many digits; they
	// sum to zero, so that the rows may be taken from their mean.
	m := fit(t, discriminant.KernelRidge{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(1e-7)}, x, labels)
	mean := matrix.RowMeans(nil, matrix.Transpose(nil, x))
	centred := x.Clone()
	for i := range centred.Rows {
		for j := range mean {
			centred.Row(i)[j] -= mean[j]
		}
	}
	w := matrix.MulVec(nil, centred, matrix.Transposed, column(discriminant.DetailsOf(m).Alpha(), 0))
	norm := norm2(w)
	if math.Hypot(w[0]/norm-0.999603489279, w[1]/norm-0.028157844768) > 1e-8 {
		t.Errorf("direction %.12v", []float64{w[0] / norm, w[1] / norm})
	}
	wantLabels(t, "training rows", predict(t, m, x), labels...)
}

// Targets near the least numbers and a ridge far above the kernel: the coefficients
// are below all numbers, and the leave-one-out values still those of an average.
func TestLeaveOneOutOfTinyTargets(t *testing.T) {
	x, _ := blobs(21, 3, 9, 8, 7)
	unit := rows(23, 24, 2)
	for _, ridge := range []float64{1e-3, 1, 1e30, 1e290} {
		for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept()} {
			m := discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 0.3}, Regularizer: discriminant.Ridge(ridge), Intercept: intercept}
			want := must.Get(discriminant.LeaveOneOutRegression(context.Background(), m, x, unit))(t)
			for _, exp := range []int{-990, 990} {
				tiny := unit.Clone()
				for i, v := range unit.Data {
					tiny.Data[i] = math.Ldexp(v, exp)
				}
				got, err := discriminant.LeaveOneOutRegression(context.Background(), m, x, tiny)
				if err != nil {
					t.Fatalf("λ = %v, %v, targets of 2^%d: %v", ridge, intercept, exp, err)
				}
				// Everything is linear in the targets, and so for powers of two exactly,
				// but for what falls below 2⁻¹⁰²² at the end.
				for i, v := range want.Data {
					if math.Abs(got.Data[i]-math.Ldexp(v, exp)) > 0x1p-1074 {
						t.Fatalf("λ = %v, %v: value %d is %v, want %v", ridge, intercept, i, got.Data[i], math.Ldexp(v, exp))
					}
				}
			}
			// With λ beyond the kernel the fit without a row is the mean of the others,
			// or 0; up to the rounding of the row's own target, which cancels.
			if ridge < 1e30 {
				continue
			}
			for i := range want.Rows {
				mean := 0.0
				for k := range want.Rows {
					if k != i && intercept == discriminant.FittedIntercept() {
						mean += unit.At(k, 0) / 23
					}
				}
				if math.Abs(want.At(i, 0)-mean) > 24*0x1p-53 {
					t.Errorf("λ = %v, %v: row %d has %v, the others' mean is %v", ridge, intercept, i, want.At(i, 0), mean)
				}
			}
		}
	}

	// Where the kernel is as large as the targets are small, the model can't hold its
	// coefficients: an error, and not a constant.
	k := gramOf(t, gram.RBF{Gamma: 0.3}, x)
	tiny := unit.Clone()
	for i := range k.Data {
		k.Data[i] *= 0x1p990
	}
	for i := range tiny.Data {
		tiny.Data[i] *= 0x1p-990
	}
	m := discriminant.KernelRidge{Kernel: gram.Precomputed{}, Regularizer: discriminant.Ridge(0x1p990)}
	var accuracy *discriminant.AccuracyError
	if _, err := discriminant.FitRegression(context.Background(), m, k, tiny); !errors.As(err, &accuracy) || !strings.Contains(err.Error(), "below the range") {
		t.Errorf("error %v, want an *AccuracyError", err)
	}
	if r := regress(t, m, k, unit); !(math.Abs(values(t, r, k).At(0, 0)) > 1e-3) {
		t.Error("targets of the size of one are not fitted")
	}
}
