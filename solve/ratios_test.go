package solve

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// ratioSizes are the orders for which test ratios are measured: all small ones, and odd
// ones around and above the widths of panels and blocks.
func ratioSizes() []int {
	if testing.Short() {
		return []int{1, 2, 7, 33}
	}
	var sizes []int
	for n := 1; n <= 40; n++ {
		sizes = append(sizes, n)
	}
	return append(sizes, 65, 97, 131, 300)
}

// ratioMatrices are all sorts of matrices of these orders, of the large ones only those
// that tell something new.
func ratioMatrices(ofOrder func(n int, add func(name string, a *matrix.Dense))) []named {
	return slices.DeleteFunc(ofSizes(ratioSizes(), ofOrder), func(m named) bool {
		kind, _, _ := strings.Cut(m.name, ",")
		large := []string{"random", "repeated", "graded", "banded"}
		if m.a.Rows > 200 {
			large = large[:2]
		}
		return m.a.Rows > 100 && !slices.Contains(large, kind)
	})
}

// ratioTest measures a solver. It returns what it measures by name, each in units of n·u
// times the size of what has been rounded. It may overwrite a.
type ratioTest struct {
	solver     string
	indefinite bool // takes indefinite matrices, too
	measure    func(t *testing.T, a *matrix.Dense) map[string]float64
}

var ratioTests = []ratioTest{
	{"Cholesky", false, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		c := must.Get(FactorCholesky(context.Background(), a.Clone()))(t)
		f := randomMatrix(newRand(1), a.Rows, 2)
		x := f.Clone()
		c.Solve(x)
		out := map[string]float64{
			"‖A − LLᵀ‖": factorRatio(c, a),
			"‖F − AX‖":  systemRatio(a, x, f),
		}
		refined := must.Get(c.Refine(context.Background(), Stored{a}, Known{}, f, x, nil, 2))(t)
		out["‖F − AX‖, refined"] = refined.Backward / (float64(a.Rows) * unit)
		return out
	}},
	{"Shifted", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		a = unitSize(a)
		out := map[string]float64{}
		for _, relative := range []float64{1, 1e-3, 1e-9} {
			sigma := relative * max(matrix.NormFrobenius(a), 1e-3)
			s := must.Get(FactorShifted(context.Background(), a.Clone(), sigma))(t)
			f := randomMatrix(newRand(1), a.Rows, 2)
			re, im := f.Clone(), matrix.New(a.Rows, 2)
			s.Solve(re, im)
			// Where growth is large, the factors have the error of that, which
			// refinement repairs.
			out["‖F − (K − iσI)X‖/growth"] = max(out["‖F − (K − iσI)X‖/growth"],
				complexBackward(a, sigma, f, re, im)/(float64(a.Rows)*unit*s.Growth()))
			must.Get(s.Refine(context.Background(), Stored{a}, f, re, im, nil, 4))(t)
			if s.Growth() < 1e8 {
				out["‖F − (K − iσI)X‖, refined"] = max(out["‖F − (K − iσI)X‖, refined"],
					complexBackward(a, sigma, f, re, im)/(float64(a.Rows)*unit))
			}
		}
		return out
	}},
	{"Jacobi", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		values, vectors, err := Jacobi(a.Clone())
		return eigenRatios(t, a, values, vectors, err)
	}},
	{"Eigen", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		// The divide and conquer method for small orders, too.
		values, vectors, err := eigen(context.Background(), a.Clone(), defaultLimits, tridiagonalColumns)
		return eigenRatios(t, a, values, vectors, err)
	}},
	{"Leading", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		p := must.Get(Leading(context.Background(), a.Clone(), min(a.Rows, 3)))(t)
		residual, orthogonality := ratios(a, p.Values, p.Vectors)
		return map[string]float64{"‖AV − VΛ‖": residual, "‖VᵀV − I‖": orthogonality}
	}},
	{"SVD", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		a = unitSize(a)
		a = a.View(0, 0, a.Rows, (2*a.Cols+2)/3).Clone()
		left, values, right, err := SVD(a)
		if err != nil {
			t.Fatal(err)
		}
		single := must.Get(SingularValues(a))(t)
		nu := float64(a.Rows) * unit
		r := a.Clone()
		matrix.SubMul(r, scaleColumns(left, values), matrix.NoTrans, right, matrix.Transposed)
		norm := matrix.NormFrobenius(a)
		rank, apart := 0, 0.0
		for i, s := range values {
			if s > 0 {
				rank++
			}
			apart = math.Hypot(apart, s-single[i])
		}
		return map[string]float64{
			"‖A − UΣVᵀ‖":               relative(matrix.NormFrobenius(r), norm) / nu,
			"‖UᵀU − I‖":                orthonormalRatio(left.View(0, 0, left.Rows, rank)),
			"‖VᵀV − I‖":                orthonormalRatio(right.View(0, 0, right.Rows, rank)) * float64(right.Rows) / float64(left.Rows),
			"values of SingularValues": relative(apart, norm) / nu,
		}
	}},
	{"Pencil", false, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		a = unitSize(a)
		n := a.Rows
		sigma := dominant(randomSymmetric(newRand(2), n)) // of a condition number near 3
		sigma = scaled(sigma, 1/matrix.NormFrobenius(sigma))
		lambda, gamma := must.Get2(Pencil(a, sigma))(t)
		sg := matrix.Mul(nil, sigma, matrix.NoTrans, gamma, matrix.NoTrans)
		g := matrix.Mul(nil, gamma, matrix.Transposed, sg, matrix.NoTrans)
		for i := range n {
			g.Set(i, i, g.At(i, i)-1)
		}
		r := matrix.Mul(nil, a, matrix.NoTrans, gamma, matrix.NoTrans)
		matrix.SubMul(r, scaleColumns(sg, lambda), matrix.NoTrans, identity(n), matrix.NoTrans)
		nu := float64(n) * unit
		size := matrix.NormFrobenius(gamma)
		return map[string]float64{
			"‖ΓᵀΣΓ − I‖": matrix.NormFrobenius(g) / (size * size) / nu,
			"‖ΨΓ − ΣΓΛ‖": matrix.NormFrobenius(r) / (size * (matrix.NormFrobenius(a) + max(lambda[0], -lambda[n-1]))) / nu,
		}
	}},
	{"Reduce", true, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		a = unitSize(a)
		f := randomMatrix(newRand(1), a.Rows, 2)
		sigma := max(matrix.NormFrobenius(a), 1e-3)
		r := must.Get(Reduce(context.Background(), a.Clone(), f, nil))(t)
		re, im, _, err := r.Solve(Shift{Imag: sigma}, r.Start())
		if err != nil {
			t.Fatal(err)
		}
		return map[string]float64{
			"‖VᵀV − I‖":        orthonormalRatio(r.Vectors(identity(r.Size()))),
			"‖F − (K − iσI)X‖": complexBackward(a, sigma, f, r.Vectors(re), r.Vectors(im)) / (float64(a.Rows) * unit),
		}
	}},
	{"Orthonormalize", false, func(t *testing.T, a *matrix.Dense) map[string]float64 {
		v := randomMatrix(newRand(3), a.Rows, (a.Rows+1)/2)
		Orthonormalize(v)
		return map[string]float64{"‖VᵀV − I‖": orthonormalRatio(v)}
	}},
}

// TestRatios holds all test ratios of the solvers below 30, the limit of LAPACK's test
// programs, and nineteen of twenty of each below 5. -v prints the largest.
func TestRatios(t *testing.T) {
	definite, indefinite := ratioMatrices(definiteOfOrder), ratioMatrices(indefiniteOfOrder)
	tridiagonal := tridiagonalMatrices()
	for _, test := range ratioTests {
		t.Run(test.solver, func(t *testing.T) {
			list := definite
			if test.indefinite {
				list = slices.Concat(definite, indefinite, tridiagonal)
			}
			largest, above, count := map[string]float64{}, map[string]int{}, 0
			for _, m := range list {
				count++
				for what, ratio := range test.measure(t, m.a) {
					if largest[what] = max(largest[what], ratio); ratio >= 5 {
						above[what]++
					}
					if !(ratio < 30) {
						t.Errorf("%s: %s is %.3g n u, want less than 30", m.name, what, ratio)
					}
				}
				if t.Failed() {
					break
				}
			}
			for _, what := range slices.Sorted(maps.Keys(largest)) {
				t.Logf("%-28s at most %5.2f n u, %d of %d above 5", what, largest[what], above[what], count)
				if 20*above[what] > count {
					t.Errorf("%s: %d of %d are above 5 n u", what, above[what], count)
				}
			}
		})
	}
}

func eigenRatios(t *testing.T, a *matrix.Dense, values []float64, vectors *matrix.Dense, err error) map[string]float64 {
	if err != nil {
		t.Fatal(err)
	}
	checkEigen(t, a, values, vectors) // order and signs
	residual, orthogonality := ratios(a, values, vectors)
	return map[string]float64{"‖AV − VΛ‖": residual, "‖VᵀV − I‖": orthogonality}
}

// orthonormalRatio returns ‖VᵀV − I‖ in units of n·u.
func orthonormalRatio(v *matrix.Dense) float64 {
	g := matrix.SymRankK(nil, v, matrix.Transposed)
	for i := range g.Rows {
		g.Set(i, i, g.At(i, i)-1)
	}
	return matrix.NormFrobenius(g) / (float64(max(v.Rows, 1)) * unit)
}

// systemRatio returns ‖F − AX‖ in units of n·u·‖A‖·‖X‖.
func systemRatio(a, x, f *matrix.Dense) float64 {
	r := f.Clone()
	matrix.SubMul(r, a, matrix.NoTrans, x, matrix.NoTrans)
	return matrix.NormFrobenius(r) / (matrix.NormFrobenius(a) * matrix.NormFrobenius(x)) / (float64(a.Rows) * unit)
}

// unitSize returns a times a power of two with its largest element near one.
func unitSize(a *matrix.Dense) *matrix.Dense { return scaled(a, unitScale(matrix.MaxAbs(a))) }

// factorRatio returns ‖A − LLᵀ‖ in units of n·u·‖A‖.
func factorRatio(c *Cholesky, a *matrix.Dense) float64 {
	n := a.Rows
	l := matrix.New(n, n)
	for i := range n {
		copy(l.Row(i), c.l.Row(i)[:i+1])
	}
	r := a.Clone()
	matrix.SubMul(r, l, matrix.NoTrans, l, matrix.Transposed)
	return matrix.NormFrobenius(r) / matrix.NormFrobenius(a) / (float64(n) * unit)
}
