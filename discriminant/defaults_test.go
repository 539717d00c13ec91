package discriminant

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

var chosenMethods = []Method{
	KFDA{}, KFDA{Scaling: AutoScaling}, KFDA{Regularizer: LeaveOneOutRidge(), Scaling: AutoScaling},
	KFDA{Scatter: AveragedScatter, Scaling: AutoScaling}, KFDA{Regularizer: Shrink(0.5), Scaling: AutoScaling},
	KFDA{Regularizer: Shrink(1), Scaling: AutoScaling}, KFDA{Classifier: Gaussian{PerClass: true}, LeaveOneOut: true},
	KernelRidge{}, KernelRidge{Scaling: AutoScaling}, KernelRidge{Intercept: NoIntercept(), Scaling: AutoScaling},
}

func withKernel(m Method, kernel gram.Kernel) Method {
	if k, ok := m.(KFDA); ok {
		k.Kernel = kernel
		return k
	}
	k := m.(KernelRidge)
	k.Kernel = kernel
	return k
}

// timesPower returns x times 2^exp.
func timesPower(x *matrix.Dense, exp int) *matrix.Dense {
	y := x.Clone()
	for i := range y.Data {
		y.Data[i] = math.Ldexp(y.Data[i], exp)
	}
	return y
}

// tryChosen fits with every default that is chosen, and checks what a model says of its
// rows, and that it is kept in a file; refused holds what errors may say. It returns the
// number of fits.
func tryChosen(t *testing.T, what string, x *matrix.Dense, labels []int, refused ...string) (fitted int) {
	t.Helper()
	for _, method := range chosenMethods {
		for _, kernel := range []gram.Kernel{nil, gram.Linear{}, gram.NewPolynomial(3), gram.Sigmoid{Gamma: 1, Coef0: -1}} {
			if x.Rows > 100 && kernel != nil {
				continue
			}
			name := fmt.Sprintf("%s, %+v, %v", what, method, kernel)
			given := x.Clone()
			m, err := Fit(t.Context(), withKernel(method, kernel), x, labels)
			if !slices.Equal(given.Data, x.Data) {
				t.Fatalf("%s: the table is another", name)
			}
			if err != nil {
				if !slices.ContainsFunc(refused, func(s string) bool { return strings.Contains(err.Error(), s) }) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			fitted++
			if r := DetailsOf(m).Regularizer(); r.byLeaveOneOut() || r == (Regularizer{}) {
				t.Errorf("%s: the model has %v", name, r)
			}
			if y, err := m.Predict(nil, x); err != nil || len(y) != x.Rows {
				t.Errorf("%s: %v", name, err)
			}
			if p, err := m.Posteriors(nil, x); err == nil && matrix.CheckFinite(p) != nil {
				t.Errorf("%s: posteriors %v", name, p)
			}
			data, err := m.MarshalBinary()
			if err == nil {
				err = new(Model[int]).UnmarshalBinary(data)
			}
			if err != nil {
				t.Errorf("%s: file: %v", name, err)
			}
		}
	}
	return fitted
}

// What an error may say of data that have no answer.
const (
	coincident = "the class means coincide"
	noScatter  = "the within-class scatter is zero"
	noTrace    = "no positive trace above rounding"
	noGamma    = "scale the features"
	noSpread   = "give an explicit gamma"
	indefinite = "use a larger ridge" // the sigmoid's matrix
)

func TestDefaultsOfDegenerateTables(t *testing.T) {
	x, codes := blobs(30, 3, 3)
	same := matrix.New(30, 3)
	constant := x.Clone()
	for i := range 30 {
		constant.Set(i, 1, 7)
		for j := range 3 {
			same.Set(i, j, 3)
		}
	}
	tryChosen(t, "all rows equal", same, codes, coincident, noTrace, noScatter, noSpread)
	if n := tryChosen(t, "a constant column", constant, codes, indefinite, coincident, noTrace, noScatter); n < 30 {
		t.Errorf("a constant column: only %d fits", n)
	}
	double := matrix.New(60, 3)
	double.View(0, 0, 30, 3).CopyFrom(x)
	double.View(30, 0, 30, 3).CopyFrom(x)
	if n := tryChosen(t, "every row twice", double, slices.Concat(codes, codes), indefinite); n < 30 {
		t.Errorf("every row twice: only %d fits", n)
	}
	tryChosen(t, "two rows", x.View(0, 0, 2, 3).Clone(), []int{0, 1}, noScatter, noTrace, indefinite)
	tryChosen(t, "a row a class", x.View(0, 0, 5, 3).Clone(), []int{0, 1, 2, 3, 4}, noScatter, noTrace, indefinite)
	points, two := matrix.New(12, 2), make([]int, 12)
	mirrored := matrix.New(12, 2)
	for i := range 12 {
		two[i] = i % 2
		points.Set(i, 0, float64(two[i]))
		mirrored.Set(i, 0, float64(1-i/2%2*2)*float64(1+i/4))
		mirrored.Set(i, 1, float64(1-i/2%2*2)*float64(3-i/4))
	}
	tryChosen(t, "a point a class", points, two, noScatter, noTrace, indefinite)
	for _, method := range chosenMethods {
		if _, ok := method.(KFDA); ok {
			must.Refuse[*CoincidentMeansError](Fit(t.Context(), method, mirrored, two))(t, fmt.Sprintf("equal means, %+v", method))
		}
	}
	for _, exp := range []int{1000, 600, -600, -1072} {
		tryChosen(t, fmt.Sprint("times 2^", exp), timesPower(x, exp), codes, noGamma, coincident, noTrace, noScatter, indefinite)
	}
	wide, _ := blobs(5, 1000, 2)
	tryChosen(t, "wide", wide, []int{0, 1, 0, 1, 0}, indefinite, coincident, noTrace, noScatter)
	for i := range codes {
		codes[i] %= 2
	}
	codes[4] = 2
	tryChosen(t, "a class of one row", x, codes, indefinite)
}

// A class may have no row among those that the ridge is chosen with.
func TestDefaultsOfManyRows(t *testing.T) {
	x, codes := blobs(1001, 2, 2)
	rows := someRows(1001)
	for i := range codes {
		if _, ok := slices.BinarySearch(rows, i); !ok {
			codes[i] = 2
		}
	}
	for _, method := range []Method{KFDA{Scaling: AutoScaling}, KFDA{Regularizer: LeaveOneOutRidge()}} {
		if m := mustFit(t, method, x, codes); m.Counts()[2] != 1 {
			t.Errorf("counts %v", m.Counts())
		}
	}
}

// AutoScaling is of methods that choose; the others and a kernel matrix say what they take.
func TestAutoScalingRefused(t *testing.T) {
	x, codes := blobs(12, 3, 2)
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 1}, x))(t)
	for _, c := range []struct {
		method Method
		x      *matrix.Dense
	}{
		{LDA{Scaling: AutoScaling}, x}, {KernelPCA{Scaling: AutoScaling}, x}, {SVM{Scaling: AutoScaling}, x},
		{KFDA{Kernel: gram.Precomputed{}, Scaling: AutoScaling}, k}, {KernelRidge{Kernel: gram.Precomputed{}, Scaling: AutoScaling}, k},
	} {
		var parameter *ParameterError
		if _, err := Fit(context.Background(), c.method, c.x, codes); !errors.As(err, &parameter) || parameter.Field != "Scaling" || parameter.Value != "auto" || !strings.Contains(parameter.Reason, "NoScaling") {
			t.Errorf("%T: error %v", c.method, err)
		}
	}
	if _, err := FitScaler(AutoScaling, x); err == nil {
		t.Error("FitScaler: no error")
	}
	for _, method := range []Method{LDA{Regularizer: LeaveOneOutRidge()}, KernelRidge{Regularizer: LeaveOneOutRKHS()}} {
		if _, err := Fit(context.Background(), method, x, codes); err == nil {
			t.Errorf("%+v: no error", method)
		}
	}
}
