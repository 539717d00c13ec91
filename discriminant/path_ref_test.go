package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The models of a path against the reference, in four times the tolerances of single
// fits, as orthogonal transformations mix large elements of the solutions with small
// ones. The eigenvalues of the path itself are not refined, so that the effect of the
// rounding of K, u‖K‖/σ, is added, and where 1/(1 + λ) is near 1 its part in λ.
func TestPathOfRandomProblems(t *testing.T) {
	count := *randomProblems
	if testing.Short() {
		count = min(count, 20)
	}
	answered, worst := 0, 0.0
	for seed := range uint64(count) {
		h, kernel := randomProblem(t, seed)
		reg := h.regularizer()
		method := discriminant.KFDA{Kernel: gram.Precomputed{}}
		regs := []discriminant.Regularizer{reg, reg}
		p, err := discriminant.FitPath(context.Background(), method, h.k, h.codes, regs)
		if err != nil {
			continue // as in a single fit
		}
		method.Regularizer = reg
		single, refused := discriminant.Fit(context.Background(), method, h.k, h.codes)
		m, err := p.Model(context.Background(), 1)
		if err != nil || refused != nil {
			if (err == nil) != (refused == nil) {
				t.Logf("problem %d, %v, %v: a single fit says %v, the path %v", seed, kernel, reg, refused, err)
			}
			continue
		}
		answered++
		want := must.Get(big.Solve(bigref.Problem{K: big.FromDense(h.k), Classes: h.codes, Eps: big.Of(h.eps), RKHS: h.rkhs}))(t)
		right := bigref.Floats(want.Eigenvalues)
		for j, l := range discriminant.DetailsOf(m).Eigenvalues() {
			c := discriminant.DetailsOf(m).Certificate()
			tolLambda, tolAlpha := h.tolerances(discriminant.DetailsOf(single).Certificate(), want, right, j)
			tolLambda, tolAlpha = 4*tolLambda, 4*tolAlpha
			lambdaError := big.RelError(l, want.Eigenvalues[j]) / u / tolLambda
			alphaError := big.ColErrorUpToSign(column(discriminant.DetailsOf(m).Alpha(), j), want.Alpha.Col(j)) / u / tolAlpha
			n := float64(len(h.codes))
			tolPath := tolLambda + 16*n*(1+c.KernelRounding/u)*(1+1/right[j])
			pathError := big.RelError(p.Eigenvalues(0)[j], want.Eigenvalues[j]) / u / tolPath
			worst = math.Max(worst, math.Max(pathError, math.Max(lambdaError, alphaError)))
			if !(lambdaError <= 1) || !(alphaError <= 1) || !(pathError <= 1) {
				t.Errorf("problem %d, %v, %v, n = %v: eigenvalue %d of %.4g: errors of λ %.3g, of α %.3g, of the path's λ %.3g times their tolerances %.3g u, %.3g u and %.3g u\n%v",
					seed, kernel, reg, n, j, right, lambdaError, alphaError, pathError, tolLambda, tolAlpha, tolPath, c)
			}
		}
	}
	t.Logf("%d problems, %d answered, the worst at %.2g of its tolerance", count, answered, worst)
	if answered < count/2 {
		t.Errorf("only %d of %d problems answered", answered, count)
	}
}

// A path answers where a fit does, with the same projections, for scaled features,
// priors, components and a classifier.
func TestPathModels(t *testing.T) {
	x, codes := blobs(41, 3, 14, 11, 9)
	y := rows(42, 20, 3)
	labels := make([]string, len(codes))
	for i, j := range codes {
		labels[i] = []string{"b", "a", "c"}[j]
	}
	method := discriminant.KFDA{
		Kernel: gram.RBF{Gamma: 0.3}, Scaling: discriminant.Standard, Components: 1,
		Priors: []float64{0.5, 0.25, 0.25}, Classifier: discriminant.KNN{K: 3},
	}
	regs := []discriminant.Regularizer{discriminant.RelativeRidge(1e-3), discriminant.Ridge(0.1), discriminant.Shrink(0.25), discriminant.RelativeRidge(10)}
	given := x.Clone()
	p := must.Get(discriminant.FitPath(context.Background(), method, x, labels, regs))(t)
	if p.Len() != 4 || len(p.Classes()) != 3 || p.Classes()[0] != "a" {
		t.Errorf("%d fits of classes %v", p.Len(), p.Classes())
	}
	for i, reg := range regs {
		method.Regularizer = reg
		want := fit(t, method, x, labels)
		got := must.Get(p.Model(context.Background(), i))(t)
		// Both solutions have errors of a few u; the small problem adds some.
		const tol = 1e3 * u
		if e := upToSign(t, project(t, got, y), project(t, want, y)); !(e <= tol) {
			t.Errorf("%v: projections differ by %.3g", reg, e)
		}
		if math.Abs(discriminant.DetailsOf(got).Ridge()-discriminant.DetailsOf(want).Ridge()) > 4*u*discriminant.DetailsOf(want).Ridge() || discriminant.DetailsOf(got).Ridge() != p.Ridge(i) || discriminant.DetailsOf(got).Regularizer() != discriminant.DetailsOf(want).Regularizer() || p.Regularizer(i) != discriminant.DetailsOf(want).Regularizer() {
			t.Errorf("%v: ridge %v, on the path %v, in a single fit %v", reg, discriminant.DetailsOf(got).Ridge(), p.Ridge(i), discriminant.DetailsOf(want).Ridge())
		}
		if got.Training() != want.Training() || got.Components() != 1 || got.Scaler() == nil {
			t.Errorf("%v: another table, %d components", reg, got.Components())
		}
		if e := math.Abs(p.Eigenvalues(i)[0]-discriminant.DetailsOf(want).Eigenvalues()[0]) / discriminant.DetailsOf(want).Eigenvalues()[0]; !(e <= 64*p.Certificate(i).KernelRounding+tol) {
			t.Errorf("%v: eigenvalue %.3g off", reg, e)
		}
		a, b := predict(t, got, y), predict(t, want, y)
		for r := range a {
			must.Equal(t, fmt.Sprintf("%v: row %d", reg, r), a[r], b[r])
		}
		c := discriminant.DetailsOf(got).Certificate()
		if p.Err(i) != nil || c.Solver != "band" || !(c.Backward <= 2*u) || !(c.Forward <= 2*u) || c.Rank != 2 || c.Growth != 1 {
			t.Errorf("%v: %v, certificate\n%v", reg, p.Err(i), c)
		}
		if q := p.Certificate(i); q.Solver != "band" || !(q.Backward <= 64*u) || !(q.Forward >= q.Backward) || q.CondBound != c.CondBound {
			t.Errorf("%v: certificate on the path\n%v", reg, q)
		}
	}
	matrixtest.SameBits(t, "the table", x, given)
	if got, err := p.Model(context.Background(), 1); err != nil {
		t.Error(err)
	} else if again, err := p.Model(context.Background(), 1); err != nil {
		t.Error(err)
	} else {
		matrixtest.SameBits(t, "a model made twice", discriminant.DetailsOf(got).Alpha(), discriminant.DetailsOf(again).Alpha())
	}
}

// All ridges in the RKHS, and an indefinite kernel.
func TestPathRKHS(t *testing.T) {
	x, codes := blobs(43, 3, 14, 11, 9)
	y := rows(44, 20, 3)
	method := discriminant.KFDA{Kernel: gram.Laplacian{Gamma: 0.3}}
	regs := []discriminant.Regularizer{discriminant.RKHS(1e-3), discriminant.RelativeRKHS(1), discriminant.RKHS(1e-18)}
	p := must.Get(discriminant.FitPath(context.Background(), method, x, codes, regs))(t)
	for i, reg := range regs {
		method.Regularizer = reg
		want, single := discriminant.Fit(context.Background(), method, x, codes)
		got, err := p.Model(context.Background(), i)
		if i == 2 { // a single fit finds that K is far from singular, a path does not
			if _, ok := errors.AsType[*discriminant.RidgeError](err); !ok || single != nil || p.Err(i) == nil || p.Eigenvalues(i) != nil || p.Ridge(i) != 0 {
				t.Errorf("%v: error %v, in a single fit %v", reg, err, single)
			}
			continue
		}
		if single != nil {
			t.Fatal(single)
		}
		if err != nil {
			t.Fatal(err)
		}
		tol := 1e3 * u
		if e := upToSign(t, project(t, got, y), project(t, want, y)); !(e <= tol) {
			t.Errorf("%v: projections differ by %.3g", reg, e)
		}
		l := discriminant.DetailsOf(want).Eigenvalues()
		for j, v := range p.Eigenvalues(i) {
			if e := math.Abs(v-l[j]) / l[j]; !(e <= 64*p.Certificate(i).KernelRounding*(1+1/l[j])+tol) {
				t.Errorf("%v: eigenvalue %d is %.3g off", reg, j, e)
			}
		}
	}

	sigmoid := discriminant.KFDA{Kernel: gram.Sigmoid{Gamma: 1, Coef0: -1}}
	regs = []discriminant.Regularizer{discriminant.RKHS(1e-3), discriminant.RKHS(1e3)}
	p = must.Get(discriminant.FitPath(context.Background(), sigmoid, x, codes, regs))(t)
	indefinite, ok := p.Err(0).(*discriminant.IndefiniteKernelError)
	if !ok || indefinite.Pivot != -1 || indefinite.Ridge != 1e-3 || !(indefinite.Value <= 0) {
		t.Errorf("indefinite kernel: %v", p.Err(0))
	}
	if _, err := p.Model(context.Background(), 0); err != p.Err(0) {
		t.Errorf("model of an indefinite kernel: %v", err)
	}
	if p.Err(1) != nil {
		t.Errorf("a ridge above the negative eigenvalues: %v", p.Err(1))
	}
}

// What no path can be made of is an error, what a single regulariser can't do is
// one of that.
func TestPathErrors(t *testing.T) {
	x, codes := blobs(45, 2, 8, 7)
	kernel := gram.RBF{Gamma: 0.3}
	try := func(method discriminant.KFDA, regs ...discriminant.Regularizer) error {
		_, err := discriminant.FitPath(context.Background(), method, x, codes, regs)
		return err
	}
	plain := discriminant.KFDA{Kernel: kernel}
	for what, err := range map[string]error{
		"no regularisers":  try(plain),
		"mixed":            try(plain, discriminant.Ridge(1), discriminant.RKHS(1)),
		"Shrink(1)":        try(plain, discriminant.Ridge(1), discriminant.Shrink(1)),
		"averaged scatter": try(discriminant.KFDA{Kernel: kernel, Scatter: discriminant.AveragedScatter}, discriminant.Ridge(1)),
		"leave one out":    try(discriminant.KFDA{Kernel: kernel, LeaveOneOut: true}, discriminant.RKHS(1)),
		"Ledoit-Wolf":      try(plain, discriminant.LedoitWolf()),
		"no value":         try(plain, discriminant.Regularizer{}),
		"left out":         try(plain, discriminant.LeaveOneOutRidge()),
		"left out in RKHS": try(plain, discriminant.LeaveOneOutRKHS()),
	} {
		if _, ok := err.(*discriminant.ParameterError); !ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, ok := try(plain, discriminant.Ridge(-1)).(*discriminant.RidgeError); !ok {
		t.Error("a negative ridge is no RidgeError")
	}
	if _, ok := try(discriminant.KFDA{Kernel: kernel, Components: 2}, discriminant.Ridge(1)).(*discriminant.ComponentsError); !ok {
		t.Error("too many components are no ComponentsError")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := discriminant.FitPath(cancelled, plain, x, codes, []discriminant.Regularizer{discriminant.Ridge(1)}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}

	p := must.Get(discriminant.FitPath(context.Background(), plain, x, codes, []discriminant.Regularizer{discriminant.Ridge(1e-40), discriminant.Ridge(1)}))(t)
	if _, ok := p.Err(0).(*discriminant.AccuracyError); !ok || p.Err(1) != nil {
		t.Errorf("a ridge far below the rounding of K: %v, and one of 1: %v", p.Err(0), p.Err(1))
	}
	if p, err := discriminant.FitPath(context.Background(), plain, x, codes, []discriminant.Regularizer{discriminant.Ridge(1e-40)}); err != nil || p.Err(0) == nil {
		t.Errorf("only a ridge far below the rounding of K: %v", err)
	}
	zero := matrix.New(15, 15)
	if _, err := discriminant.FitPath(context.Background(), discriminant.KFDA{Kernel: gram.Precomputed{}}, zero, codes, []discriminant.Regularizer{discriminant.RelativeRidge(1e-3)}); err == nil {
		t.Error("K = 0: no error")
	}
}
