package discriminant

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// repetitionTolerance is what results with weights, and those of repeated rows, may differ by,
// relative to them: of well-conditioned problems.
const repetitionTolerance = 1e-11

// repeatedRows returns each row of x as many times as its weight says, and the same of the codes.
func repeatedRows(x *matrix.Dense, codes []int, weights []float64) (*matrix.Dense, []int) {
	var rows []int
	for i, w := range weights {
		rows = append(rows, slices.Repeat([]int{i}, int(w))...)
	}
	labels := make([]int, len(rows))
	for i, r := range rows {
		labels[i] = codes[r]
	}
	return selectRows(x, rows), labels
}

// wholeWeights returns weights of 0, 1, 2 and 3.
func wholeWeights(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 3))
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(r.IntN(4))
	}
	w[0], w[1] = 3, 2
	return w
}

// apart returns the largest difference of columns of a and b, which may differ in sign,
// relative to the norms of a's.
func apart(a, b *matrix.Dense, signs bool) (worst float64) {
	for k := range a.Cols {
		x, y := a.View(0, k, a.Rows, 1), b.View(0, k, b.Rows, 1)
		norm, plus, minus := matrix.NormFrobenius(x), 0.0, 0.0
		for i := range x.Rows {
			plus = max(plus, math.Abs(x.At(i, 0)-y.At(i, 0)))
			minus = max(minus, math.Abs(x.At(i, 0)+y.At(i, 0)))
		}
		if !signs {
			plus = min(plus, minus)
		}
		if plus != 0 { // NaN too
			worst = max(worst, plus/norm)
		}
	}
	return worst
}

// weighedMethods are all that can carry weights, without what leaves out rows.
func weighedMethods() map[string]Method {
	methods := map[string]Method{}
	add := func(m Method, format string, args ...any) {
		name := fmt.Sprintf(format, args...)
		if methods[name] != nil {
			panic(name)
		}
		methods[name] = m
	}
	classifiers := []Classifier{NearestCentroid{}, Gaussian{}, Gaussian{PerClass: true}, SVM{Tolerance: 1e-12}}
	kernels := []gram.Kernel{nil, gram.Laplacian{}, gram.Linear{}, gram.NewPolynomial(2), gram.Cosine{}}
	regularizers := []Regularizer{Ridge(0.3), RelativeRidge(1e-2), Shrink(0.3), Shrink(1), RKHS(0.3), RelativeRKHS(1e-2)}
	at := 0
	for _, scaling := range []Scaling{NoScaling, Standard, MinMax} {
		for _, reg := range regularizers {
			for _, kernel := range kernels {
				c := classifiers[at%len(classifiers)]
				at++
				m := KFDA{Kernel: kernel, Regularizer: reg, Scaling: scaling, Classifier: c}
				add(m, "kfda %v %v %v %v", kernel, reg, scaling, c)
				if !reg.inRKHS() {
					m.Scatter = AveragedScatter
					add(m, "kfda averaged %v %v %v %v", kernel, reg, scaling, c)
				}
			}
		}
		for _, reg := range []Regularizer{{}, Ridge(0.3), RelativeRidge(1e-2), Shrink(0.3), Shrink(1), LedoitWolf()} {
			for _, c := range classifiers {
				add(LDA{Regularizer: reg, Scaling: scaling, Classifier: c}, "lda %v %v %v", reg, scaling, c)
			}
		}
		for _, reg := range []Regularizer{Ridge(0.3), RelativeRidge(1e-2)} {
			for _, intercept := range []Intercept{FittedIntercept(), NoIntercept()} {
				for _, kernel := range kernels {
					add(KernelRidge{Kernel: kernel, Regularizer: reg, Intercept: intercept, Scaling: scaling}, "ridge %v %v %v %v", kernel, reg, intercept, scaling)
				}
			}
		}
		for _, kernel := range kernels {
			add(SVM{Kernel: kernel, Scaling: scaling, Tolerance: 1e-12}, "svm %v %v", kernel, scaling)
		}
		for _, whiten := range []Whitening{NoWhitening, UnitLength, UnitVariance} {
			c := classifiers[int(whiten)%3]
			add(KernelPCA{Components: 3, Whiten: whiten, Scaling: scaling, Classifier: c}, "kpca %v %v %v", whiten, scaling, c)
		}
	}
	return methods
}

// A weight of 2 is the row twice, and one of 0 the row left out, in every method, for every
// regulariser, scatter, scaling and classifier: eigenvalues, projections, posteriors and
// decisions of new rows.
func TestWeightsAreRepetitions(t *testing.T) {
	for _, shape := range [][3]int{{24, 3, 2}, {33, 4, 3}, {14, 30, 2}} {
		n, d, c := shape[0], shape[1], shape[2]
		x, codes := overlapping(uint64(n), n, d, c, 0.8)
		fresh, _ := overlapping(99, 20, d, c, 2)
		weights := wholeWeights(uint64(d), n)
		twice, labels := repeatedRows(x, codes, weights)
		for name, method := range weighedMethods() {
			if _, ok := method.(LDA); ok && d > n && method.Settings().Regularizer == (Regularizer{}) {
				continue
			}
			want, got := mustFit(t, method, twice, labels), must.Get(Fit(t.Context(), method, x, codes, weights...))(t)
			loaded := must.Get(Load[int](bytes.NewReader(must.Get(got.MarshalBinary())(t))))(t)
			check := func(what string, error float64) {
				if !(error <= repetitionTolerance) {
					t.Errorf("%v %s: %s differ by %.3g", shape, name, what, error)
				}
			}
			for k, l := range want.lambda {
				check("eigenvalues", math.Abs(got.lambda[k]-l)/l)
			}
			check("projections", apart(must.Get(want.Project(nil, fresh))(t), must.Get(got.Project(nil, fresh))(t), false))
			if apart(must.Get(got.Project(nil, fresh))(t), must.Get(loaded.Project(nil, fresh))(t), true) != 0 {
				t.Errorf("%v %s: a model read from its file projects otherwise", shape, name)
			}
			if p, err := want.Posteriors(nil, fresh); err == nil {
				check("posteriors", apart(p, must.Get(got.Posteriors(nil, fresh))(t), true))
			}
			if c == 2 {
				a, b := must.Get(want.Decision(nil, fresh))(t), must.Get(got.Decision(nil, fresh))(t)
				check("decisions", apart(matrix.Column(a), matrix.Column(b), true))
			}
		}
	}
}

// A weight of 0 is as if the row were not there, and weights of 1 are as none, to the bit.
func TestWeightsToTheBit(t *testing.T) {
	x, codes := overlapping(5, 30, 3, 3, 0.8)
	zeros, ones := slices.Repeat([]float64{1}, 30), slices.Repeat([]float64{1}, 30)
	var kept []int
	for i := range zeros {
		if i%7 == 3 {
			zeros[i] = 0
			x.Row(i)[0] = math.NaN()
		} else {
			kept = append(kept, i)
		}
	}
	some, labels := selectRows(x, kept), make([]int, len(kept))
	for k, i := range kept {
		labels[k] = codes[i]
	}
	methods := weighedMethods()
	methods["kfda"], methods["svm"], methods["kfda loo"] = KFDA{}, SVM{Probability: true}, KFDA{Regularizer: LeaveOneOutRidge()}
	for name, method := range methods {
		want := must.Get(must.Get(Fit(t.Context(), method, some, labels))(t).MarshalBinary())(t)
		for _, weights := range [][]float64{ones[:len(kept)], nil} {
			rows, codes := some, labels
			if weights == nil {
				rows, codes, weights = x, keptCodes(x, kept, labels), zeros
			}
			got := must.Get(must.Get(Fit(t.Context(), method, rows, codes, weights...))(t).MarshalBinary())(t)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: a model with weights of 0 and 1 has other bytes", name)
			}
		}
	}
}

// keptCodes returns the labels of the rows that are kept, and 0 for others.
func keptCodes(x *matrix.Dense, kept, labels []int) []int {
	codes := make([]int, x.Rows)
	for k, i := range kept {
		codes[i] = labels[k]
	}
	return codes
}

// What is wrong with weights is said, with the row or the class.
func TestWeightsErrors(t *testing.T) {
	x, codes := overlapping(5, 6, 2, 2, 0.8)
	for _, c := range []struct {
		weights []float64
		says    string
	}{
		{[]float64{1, 2}, "2 weights for 6 rows"},
		{[]float64{1, 1, math.NaN(), 1, 1, 1}, "the weight NaN of row 2"},
		{[]float64{1, 1, 1, math.Inf(1), 1, 1}, "the weight +Inf of row 3"},
		{[]float64{1, 1, 1, 1, -1, 1}, "the weight -1 of row 4"},
		{[]float64{1, 1e-101, 1, 1, 1, 1}, "row 1"},
		{[]float64{0, 0, 0, 0, 0, 0}, "all rows have the weight 0"},
		{classZero(codes, 1), "class 1"},
	} {
		var wrong *WeightsError
		for name, err := range map[string]error{
			"Fit": second(Fit(t.Context(), LDA{}, x, codes, c.weights...)),
		} {
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %v: error %v, want one that says %q", name, c.weights, err, c.says)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// classZero returns weights of 0 for the rows of a class and 1 for others.
func classZero(codes []int, class int) []float64 {
	w := make([]float64, len(codes))
	for i, j := range codes {
		if j != class {
			w[i] = 1
		}
	}
	return w
}
