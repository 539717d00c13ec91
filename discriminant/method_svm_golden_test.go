package discriminant_test

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
)

// The tolerances of the files are for a solver that stops at a violation of 1e-3,
// and scale with it: at 1e-8 the errors must be a hundred-thousandth, but for the
// error of the golden values themselves, which two solvers agree on up to 1.1e-7
// (meta.solver_difference).
func TestGoldenSVM(t *testing.T) {
	problems := golden.Dir(t, "svc")
	ratios, tight := worst{}, worst{}
	for _, p := range problems {
		t.Run(p.Name, func(t *testing.T) {
			x, y := p.Input.Matrix("F"), p.Input.Ints("y")
			method := discriminant.SVM{C: p.Input.Float("C")}
			if p.Input.Kernel().Type == "linear" {
				method.Kernel = gram.Linear{}
			}
			m := must.Get(discriminant.Fit(context.Background(), method, x, y))(t)
			fields := func(m *discriminant.Model[int]) map[string]any {
				values := must.Get(m.Decision(nil, p.Input.Matrix("F_test")))(t)
				machine := m.Machines()[0]
				return map[string]any{
					"decision_test":  values,
					"labels_test":    predict(t, m, p.Input.Matrix("F_test")),
					"intercept":      machine.Bias,
					"dual_objective": machine.Objective,
				}
			}
			for field, got := range fields(m) {
				ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, false))
			}
			if machine := m.Machines()[0]; !(machine.Gap <= 1e-3) {
				t.Errorf("gap %g", machine.Gap)
			}

			method.Tolerance = 1e-8
			m = must.Get(discriminant.Fit(context.Background(), method, x, y))(t)
			for field, got := range fields(m) {
				if ratio := p.Compare(t, field, got, false); ratio > 1e-4 {
					t.Errorf("%s at a tolerance of 1e-8: error is %.3g times the file's, want at most 1e-4", field, ratio)
				} else {
					tight[field] = math.Max(tight[field], ratio)
				}
			}
		})
	}
	t.Logf("largest error over tolerance, by field: %v; at a tolerance of 1e-8: %v", ratios, tight)
	if performed, total := golden.Count(problems); performed < 32 || performed != total {
		t.Errorf("%d of %d checks performed", performed, total)
	}
}
