package discriminant_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// landmarked is a problem with the exact K̂ of some landmarks, for kernel values as they are rounded.
type landmarked struct {
	classes []int
	k       bigref.Matrix // K̂
	cross   bigref.Matrix // of the test rows
}

// newLandmarked takes kernel values k of the rows and the test rows with the rows, each changed by as
// much as its rounding where random is given.
func newLandmarked(t *testing.T, k, cross *matrix.Dense, landmarks, classes []int, random *rand.Rand) *landmarked {
	exact := func(v float64) []float64 { return []float64{v, 0} }
	if random != nil {
		exact = func(v float64) []float64 { return []float64{v, v * u * (2*random.Float64() - 1)} }
	}
	n, m := k.Rows, len(landmarks)
	of := big.Zeros(n+cross.Rows, m) // k(L, ·)
	for i := range of {
		for j, l := range landmarks {
			v := k.At(l, min(i, n-1))
			if i >= n {
				v = cross.At(i-n, l)
			}
			parts := exact(v)
			of[i][j] = big.Add(big.Of(parts[0]), big.Of(parts[1]))
		}
	}
	core := big.Zeros(m, m)
	for i, l := range landmarks {
		for j := range i + 1 {
			core[i][j], core[j][i] = of[l][j], of[l][j]
		}
	}
	lower := must.Get(big.Cholesky(core))(t)
	right := big.Zeros(n, m) // K_nL K_LL⁻¹
	for i := range right {
		right[i] = big.CholeskySolve(lower, of[i])
	}
	codes, known := make([]int, n), discriminant.Classes(classes)
	for i, c := range classes {
		codes[i] = slices.Index(known, c)
	}
	return &landmarked{codes, big.MatMul(of[:n], right.Transpose()), big.MatMul(of[n:], right.Transpose())}
}

// fisher returns the eigenvalues and the projections of the test rows.
func (p *landmarked) fisher(t *testing.T, eps float64, rkhs bool) (bigref.Vector, bigref.Matrix) {
	s := must.Get(big.Solve(bigref.Problem{K: p.k, Classes: p.classes, Eps: big.Of(eps), RKHS: rkhs}))(t)
	return s.Eigenvalues, big.Project(p.cross, s.Alpha)
}

// ridge returns the values of kernel ridge regressions on the indicators of the classes.
func (p *landmarked) ridge(t *testing.T, eps float64) bigref.Matrix {
	n, classes := len(p.k), len(discriminant.Classes(p.classes))
	system := big.CentreBoth(p.k)
	for i := range system {
		system[i][i] = big.Add(system[i][i], big.Of(eps))
	}
	lower := must.Get(big.Cholesky(system))(t)
	values := big.Zeros(len(p.cross), classes)
	for j := range classes {
		var targets bigref.Vector
		mean := big.Int(0)
		for _, c := range p.classes {
			one := big.Int(0)
			if c == j {
				one = big.Int(1)
			}
			targets, mean = append(targets, one), big.Add(mean, big.Quo(one, big.Int(n)))
		}
		for i := range targets {
			targets[i] = big.Sub(targets[i], mean)
		}
		a := big.CholeskySolve(lower, targets) // of sum 0
		offset := mean
		for _, v := range big.MulVec(p.k, a) {
			offset = big.Sub(offset, big.Quo(v, big.Int(n)))
		}
		for i, row := range p.cross {
			values[i][j] = big.Add(big.Dot(row, a), offset)
		}
	}
	return values
}

// Discriminants with both kinds of ridge and regressions of streams, with all rows or half of them for
// landmarks, against K̂ in 500 bits: in the tolerance of the golden files for methods that do not square
// the condition number, 4n·u·√cond, or 64 times what rounding the kernel values changes.
func TestStreamGolden(t *testing.T) {
	ratio, checks, refused := 0.0, 0, 0
	for number, p := range golden.Dir(t, "kfda") {
		kind := p.Input.Kernel().Type
		if kind == "precomputed" || kind == "circle_map" || kind == "sigmoid" || p.Input.String("scatter") == "averaged" || testing.Short() && number%24 != 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			x, test := goldenTable(p)
			kernel := must.Get(gram.Parse(p.Input.Kernel().Text()))(t)
			e := must.Get(gram.NewEvaluator(kernel, x))(t)
			k, cross, eps := must.Get(e.Matrix(nil))(t), must.Get(e.Cross(nil, test))(t), p.Input.Float("eps")
			for _, m := range []int{x.Rows, (x.Rows + 1) / 2} {
				drawn := must.Get(e.Landmarks(ctx, m, gram.RPCholesky, 0))(t).Rows
				exact := newLandmarked(t, k, cross, drawn, p.Input.Ints("y"), nil)
				moved := newLandmarked(t, k, cross, drawn, p.Input.Ints("y"), rand.New(rand.NewPCG(1, 2)))
				size := matrix.NormFrobenius(bigref.Dense(exact.k))
				check := func(what string, cond float64, got []float64, want, near bigref.Vector) {
					t.Helper()
					e, off := big.ColErrorUpToSign(got, want), big.ColErrorUpToSign(bigref.Floats(near), want)
					limit := math.Max(4*float64(x.Rows)*u*math.Sqrt(cond), 64*off)
					ratio, checks = math.Max(ratio, e/limit), checks+1
					if !(e <= limit) {
						t.Errorf("%d landmarks, %s: error %.3g, want at most %.3g (rounding of the kernel: %.3g)", len(drawn), what, e, limit, off)
					}
				}
				fit := func(method discriminant.Method) *discriminant.Model[int] {
					s, err := discriminant.NewStream(ctx, method, x, exact.classes, discriminant.Landmarks{Count: m})
					must.Do(t, err)
					must.Do(t, s.Append(ctx, x, exact.classes))
					model, err := s.Model(ctx, method)
					if err != nil {
						refused++
						t.Logf("%d landmarks, %T: %v", len(drawn), method, err)
						return nil
					}
					return model
				}
				rkhs := p.Input.String("regularizer") == "rkhs"
				if model := fit(discriminant.KFDA{Kernel: kernel, Regularizer: goldenRegularizer(p), Classifier: discriminant.NearestCentroid{}}); model != nil {
					cond := size/eps*size + 1
					if rkhs {
						cond = size/eps + 1
					}
					lambda, z := exact.fisher(t, eps, rkhs)
					nearLambda, nearZ := moved.fisher(t, eps, rkhs)
					got := discriminant.DetailsOf(model).Eigenvalues()
					for j, v := range got {
						check("eigenvalue", cond, []float64{v}, lambda[j:j+1], nearLambda[j:j+1])
						check("projections", cond, column(project(t, model, test), j), z.Col(j), nearZ.Col(j))
					}
				}
				if model := fit(discriminant.KernelRidge{Kernel: kernel, Regularizer: discriminant.Ridge(eps)}); model != nil {
					values, near, got := exact.ridge(t, eps), moved.ridge(t, eps), project(t, model, test)
					for j := range got.Cols {
						if len(model.Classes()) == 2 { // ∓1
							one := column(mapped(mapped(got, plus(1)), times(0.5)), 0)
							check("ridge", size/eps+1, one, values.Col(1), near.Col(1))
						} else {
							check("ridge", size/eps+1, column(got, j), values.Col(j), near.Col(j))
						}
					}
				}
			}
		})
	}
	if !testing.Short() && (checks < 500 || refused > 9) {
		t.Errorf("%d checks, and %d fits refused", checks, refused)
	}
	t.Logf("%d checks, largest error over tolerance %.3g, %d refused", checks, ratio, refused)
}
