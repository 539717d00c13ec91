package discriminant

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A model says with which settings it was fitted, and keeps saying it after a
// caller changed what it got.
func TestModelTellsItsSettings(t *testing.T) {
	x := matrix.Column([]float64{0, 1, 3, 5})
	labels := []string{"9", "10", "9", "10"}
	must.EqualSlices(t, "Classes", Classes(labels), []string{"9", "10"})
	m := must.Get(Fit(context.Background(), KFDA{Priors: []float64{0.25, 0.75}}, x, labels))(t)
	if got := Classes(labels); !slices.Equal(got, m.Classes()) {
		t.Errorf("Classes = %q, those of the model are %q", got, m.Classes())
	}
	DetailsOf(m).Priors()[0] = 7
	must.EqualSlices(t, "Priors", DetailsOf(m).Priors(), []float64{0.25, 0.75})
	m = must.Get(Fit(context.Background(), KFDA{}, x, labels))(t)
	if DetailsOf(m).Priors() != nil {
		t.Errorf("Priors = %v, want nil", DetailsOf(m).Priors())
	}
	if r := DetailsOf(m).Regularizer(); r != RelativeRKHS(r.Value()) || !slices.Contains(relativeRidges, r.Value()) {
		t.Errorf("%v has the value %v", r, r.Value())
	}
	for _, r := range []Regularizer{Ridge(2), RKHS(2), RelativeRKHS(2), Shrink(2)} {
		if r.Value() != 2 || r == RelativeRidge(r.Value()) {
			t.Errorf("%v has the value %v", r, r.Value())
		}
	}
}

// The text of a certificate has the figures of its method, and no others as zeros.
func TestCertificateText(t *testing.T) {
	x := matrix.Column([]float64{0, 1, 3, 5, 6})
	labels := []int{0, 0, 1, 1, 0}
	for _, c := range []struct {
		method Method
		absent []string
	}{
		{KFDA{}, nil},
		{LDA{}, []string{"kernel rounding"}},
		{KernelPCA{}, []string{"forward error"}},
		{KernelRidge{}, []string{"rank"}},
	} {
		text := DetailsOf(mustFit(t, c.method, x, labels)).Certificate().String()
		for _, name := range []string{"solver", "backward error", "forward error", "condition bound", "element growth", "kernel rounding", "rank", "passes"} {
			if has := strings.Contains("\n"+text, "\n"+name+"  "); has == slices.Contains(c.absent, name) {
				t.Errorf("%T: %q is there: %v\n%s", c.method, name, has, text)
			}
		}
	}
}

// Settings gives what With was given, but for what the method does not have, and leaves the
// other settings as they are.
func TestSettingsOfMethods(t *testing.T) {
	machine := SVM{C: 3, Kernel: gram.Linear{}, Scaling: MinMax}
	given := Settings{gram.Linear{}, MinMax, Shrink(0.5), machine, []float64{0.25, 0.75}}
	for _, c := range []struct {
		method Method
		want   Settings
		with   Method
	}{
		{KFDA{Components: 1}, given, KFDA{Components: 1, Kernel: given.Kernel, Scaling: MinMax, Regularizer: given.Regularizer, Classifier: machine, Priors: given.Priors}},
		{LDA{Components: 1}, Settings{nil, MinMax, given.Regularizer, machine, given.Priors}, LDA{Components: 1, Scaling: MinMax, Regularizer: given.Regularizer, Classifier: machine, Priors: given.Priors}},
		{KernelPCA{Whiten: UnitLength}, Settings{given.Kernel, MinMax, Regularizer{}, machine, given.Priors}, KernelPCA{Whiten: UnitLength, Kernel: given.Kernel, Scaling: MinMax, Classifier: machine, Priors: given.Priors}},
		{KernelRidge{Intercept: NoIntercept()}, Settings{given.Kernel, MinMax, given.Regularizer, nil, nil}, KernelRidge{Intercept: NoIntercept(), Kernel: given.Kernel, Scaling: MinMax, Regularizer: given.Regularizer}},
		{SVM{C: 2}, Settings{given.Kernel, MinMax, Regularizer{}, machine, nil}, machine},
	} {
		with := c.method.With(given)
		if got := with.Settings(); !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(with, c.with) {
			t.Errorf("%T with the settings: %+v with %+v, want %+v", c.method, with, got, c.want)
		}
		if kernel := c.method.Settings().Kernel; c.want.Kernel != nil && kernel != (gram.RBF{}) || c.want.Kernel == nil && kernel != nil {
			t.Errorf("%T: kernel %v by default", c.method, kernel)
		}
	}
}
