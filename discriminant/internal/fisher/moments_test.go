package fisher

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// featured is a table of features and new rows, with the exact K̂ = ΦΦᵀ.
type featured struct {
	phi, fresh *matrix.Dense
	codes      []int
	weights    Weights
	k, cross   bigref.Matrix
	square     bigref.Matrix // K̂², where it was needed
}

// featuredTable makes one of a kind: "plain"; "singular", whose least singular value is some 1e-7
// of the largest; "offset", with a feature that is 100, as of a kernel with a large mean; "graded", with columns of different sizes. Of more than 100 rows K̂ is not made.
func featuredTable(seed uint64, n, m, c int, kind string) *featured {
	r := rand.New(rand.NewPCG(seed, 5))
	f := &featured{phi: matrix.New(n, m), fresh: matrix.New(8, m)}
	for i := range n {
		f.codes = append(f.codes, i*c/n)
	}
	for _, a := range []*matrix.Dense{f.phi, f.fresh} {
		for i := range a.Rows {
			row := a.Row(i)
			for j := range row {
				row[j] = r.NormFloat64() + 0.5*float64((i*c/a.Rows+j)%3)
			}
			switch kind {
			case "singular":
				for j := 1; j < m; j += 2 {
					row[j] = row[j-1] + 1e-7*row[j]
				}
			case "offset":
				row[0] = 100
			case "graded":
				for j := range row {
					row[j] = math.Ldexp(row[j], 3*(j%7)-9)
				}
			}
		}
	}
	if n > 100 {
		return f
	}
	exact := digits.FromDense(f.phi)
	f.k = digits.MatMul(exact, exact.Transpose())
	f.cross = digits.MatMul(digits.FromDense(f.fresh), exact.Transpose())
	return f
}

// moments returns those of the table.
func (f *featured) moments(t *testing.T, shape Shape, targets *matrix.Dense) *Moments {
	t.Helper()
	return Joined(f.parts(t, shape, targets))
}

// parts returns those of the table, of every fold.
func (f *featured) parts(t *testing.T, shape Shape, targets *matrix.Dense) []*Part {
	t.Helper()
	shape.Features, shape.Weighed = f.phi.Cols, f.weights != nil
	a, codes := NewAccumulator(shape, 0), f.codes
	if shape.Classes == 1 {
		codes = nil
	}
	must.Do(t, a.Append(Rows{Features: f.phi, Codes: codes, Targets: targets, Weights: f.weights}))
	return must.Get(a.Parts())(t)
}

var featuredShapes = []struct{ n, m, c int }{{18, 5, 3}, {40, 6, 2}, {50, 8, 4}, {60, 20, 3}, {30, 40, 3}}

// exact returns the eigenvalues and the projections of the new rows with a regulariser, and
// ‖k‖‖α‖/‖z‖, the largest by which such a product magnifies errors.
func (f *featured) exact(t *testing.T, reg Regularizer) (lambda bigref.Vector, z bigref.Matrix, magnified float64) {
	t.Helper()
	rkhs, cross := reg.Kind.InRKHS(), f.cross
	if rkhs {
		cross = digits.CentreRows(f.k, f.cross)
	}
	want := must.Get(digits.Solve(bigref.Problem{K: f.k, Classes: f.codes, Eps: digits.Of(reg.Value), RKHS: rkhs}))(t)
	z = digits.Project(cross, want.Alpha)
	for k, size := range columnNorms(bigref.Dense(want.Alpha)) {
		of := columnNorms(bigref.Dense(z))[k]
		magnified = math.Max(magnified, matrix.NormFrobenius(bigref.Dense(cross))*size/of)
	}
	return want.Eigenvalues, z, magnified
}

// rounded returns the table with every feature changed by up to its rounding.
func (f *featured) rounded() *featured {
	r := rand.New(rand.NewPCG(3, 3))
	g := &featured{codes: f.codes}
	exact := digits.FromDense(f.phi)
	for i := range exact {
		for j := range exact[i] {
			exact[i][j] = digits.Mul(exact[i][j], digits.Add(digits.Int(1), digits.Of(u*(2*r.Float64()-1))))
		}
	}
	g.k = digits.MatMul(exact, exact.Transpose())
	g.cross = digits.MatMul(digits.FromDense(f.fresh), exact.Transpose())
	return g
}

// Both forms against 500 bits, in the tolerance of the golden files for methods that do not square
// the condition number: 4n·u·√cond or, where that is more, 64 times what rounding Φ changes, and of projections what
// a product with α magnifies.
// No eigenvalue is off by more than certified.
func TestMomentsFisher(t *testing.T) {
	shapes, worstRatio := featuredShapes, 0.0
	if testing.Short() {
		shapes = shapes[:1]
	}
	for _, shape := range shapes {
		for _, kind := range []string{"plain", "singular", "offset", "graded"} {
			f := featuredTable(uint64(shape.n), shape.n, shape.m, shape.c, kind)
			rounded := f.rounded()
			m := f.moments(t, Shape{Classes: shape.c, Folds: 1}, nil)
			size := matrix.NormFrobenius(bigref.Dense(f.k))
			sizeCentred := matrix.NormFrobenius(bigref.Dense(digits.CentreBoth(f.k)))
			for _, relative := range []float64{1e-14, 1e-8, 1, 1e6} {
				for _, reg := range []Regularizer{{Ridge, size * size * relative}, {RKHS, sizeCentred * relative}} {
					name := fmt.Sprintf("%v, %s, ridge %g of kind %d", shape, kind, relative, reg.Kind)
					solutions, errs := m.Fisher([]Regularizer{reg}, 0)
					if errs[0] != nil {
						t.Errorf("%s: %v", name, errs[0])
						continue
					}
					s := solutions[0]
					lambda, z, magnified := f.exact(t, reg)
					if len(s.Lambda) != len(lambda) {
						t.Fatalf("%s: %d eigenvalues, want %d", name, len(s.Lambda), len(lambda))
					}
					errorsOf := func(lambda bigref.Vector, z bigref.Matrix, got []float64, gotZ *matrix.Dense) (worst, worstZ float64) {
						for k, l := range got {
							worst = math.Max(worst, digits.RelError(l, lambda[k]))
							worstZ = math.Max(worstZ, digits.ColErrorUpToSign(columnOf(k, gotZ), z.Col(k)))
						}
						return worst, worstZ
					}
					worst, worstZ := errorsOf(lambda, z, s.Lambda, f.project(s))
					limit := 4 * float64(shape.n) * u * math.Sqrt((1+relative)/relative)
					limitZ := limit
					if worst > limit || worstZ > limit {
						near, nearZ, _ := rounded.exact(t, reg)
						moved, movedZ := errorsOf(lambda, z, bigref.Floats(near), bigref.Dense(nearZ))
						limitZ = math.Max(math.Max(limit, 64*movedZ), 4*float64(shape.n)*u*magnified)
						limit = math.Max(limit, 64*moved)
					}
					worstRatio = math.Max(worstRatio, math.Max(worst/limit, worstZ/limitZ))
					if !(worst <= limit) || !(worstZ <= limitZ) {
						t.Errorf("%s: errors λ %.3g, want at most %.3g, z %.3g, want at most %.3g", name, worst, limit, worstZ, limitZ)
					}
					if !(worst <= s.Certificate.EigenvalueError) {
						t.Errorf("%s: the error of an eigenvalue is %.3g, certified %.3g", name, worst, s.Certificate.EigenvalueError)
					}
				}
			}
		}
	}
	t.Logf("largest error over tolerance: %.3g", worstRatio)
}

// Principal components against 500 bits: no eigenvalue is off by more than the certified rounding, and
// the components of new rows by no more than that over its distance from the others.
func TestMomentsPrincipal(t *testing.T) {
	shapes, worst := []struct{ n, m, c int }{featuredShapes[0], {16, 20, 3}}, 0.0
	if testing.Short() {
		shapes = shapes[:1]
	}
	for _, shape := range shapes {
		for _, kind := range []string{"plain", "singular", "offset", "graded"} {
			f := featuredTable(uint64(shape.n), shape.n, shape.m, shape.c, kind)
			values, vectors, err := digits.Eigen(digits.CentreBoth(f.k))
			must.Do(t, err)
			m := f.moments(t, Shape{Classes: shape.c, Folds: 1}, nil)
			s := must.Get(m.Principal(context.Background(), 0, 0))(t)
			limit := s.Certificate.KernelRounding * s.Lambda[len(s.Lambda)-1]
			z := f.project(&LinearSolution{Means: m.Means, Weights: s.Alpha})
			want := digits.MatMul(digits.CentreRows(f.k, f.cross), vectors.Transpose())
			for k, l := range s.Lambda {
				off := math.Abs(l - bigref.Float64(values[k]))
				worst = math.Max(worst, off/limit)
				if !(off <= limit) {
					t.Errorf("%v, %s: eigenvalue %d is off by %.3g, certified %.3g", shape, kind, k, off, limit)
				}
				gap := math.Inf(1)
				for j, v := range values {
					if j != k {
						gap = math.Min(gap, math.Abs(bigref.Float64(v)-l))
					}
				}
				column := digits.Scale(digits.Quo(digits.Int(1), digits.Sqrt(values[k])), want.Col(k))
				size := matrix.NormFrobenius(bigref.Dense(f.cross)) / math.Sqrt(l)
				if e := digits.ColErrorUpToSign(columnOf(k, z), column) * bigref.Float64(digits.Norm(column)); !(e <= 4*limit/gap*size) {
					t.Errorf("%v, %s: component %d is off by %.3g, want at most %.3g", shape, kind, k, e, 4*limit/gap*size)
				}
			}
			if kind == "plain" {
				must.Equal(t, "components", len(s.Lambda), min(shape.m, shape.n-1))
			}
		}
	}
	t.Logf("largest error over the certified one: %.3g", worst)
}

// project returns the projections of the new rows.
func (f *featured) project(s *LinearSolution) *matrix.Dense {
	rows := f.fresh.Clone()
	for i := range rows.Rows {
		for j, mean := range s.Means {
			rows.Row(i)[j] -= mean
		}
	}
	return matrix.Mul(nil, rows, matrix.NoTrans, s.Weights, matrix.NoTrans)
}

// What the rounding of a factor adds to the rows, seen in RᵀR − AᵀA, is within its bound.
func TestMomentsRounding(t *testing.T) {
	sizes := []int{300, 20000, 200000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		const m = 12
		f := featuredTable(6, n, m, 3, "offset")
		of := f.moments(t, Shape{Classes: 3, Folds: 1}, nil)
		a, r := f.indicators(3), of.factor
		a = beside(a, f.phi)
		norm, defect := matrix.NormFrobenius(a), matrix.New(r.Rows, r.Rows)
		for i := range r.Rows {
			for j := range i + 1 {
				sum, low := 0.0, 0.0
				for k := range a.Rows {
					sum, low = f64.AddProduct(sum, low, a.At(k, i), a.At(k, j))
				}
				for k := range r.Rows {
					sum, low = f64.AddProduct(sum, low, -r.At(k, i), r.At(k, j))
				}
				defect.Set(i, j, sum+low)
				defect.Set(j, i, sum+low)
			}
		}
		e := matrix.NormFrobenius(defect) / (2 * norm * norm)
		t.Logf("n = %d, m = %d: %.3g u√(n + p), bound %.3g u", n, m, e/u/math.Sqrt(float64(n+r.Rows)), of.rounding()/u)
		if !(e <= of.rounding()) {
			t.Errorf("%d rows, %d features: backward error %.3g u, bound %.3g u", n, m, e/u, of.rounding()/u)
		}
	}
}

// Discriminants, regressions and held-out losses have the same bits on every platform: a hash,
// recorded once.
func TestMomentsSameBits(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		const n, m, c = 700, 30, 4
		x, codes := matrixtest.Blobs(n, m, c)
		f := &featured{phi: x, codes: codes}
		parts := f.parts(t, Shape{Classes: c, Folds: 3}, nil)
		regs := []Regularizer{{RelativeRidge, 1e-3}, {RelativeRKHS, 1e-3}}
		h := fnv.New64a()
		add := func(values []float64) { must.Do(t, binary.Write(h, binary.LittleEndian, values)) }
		all := Joined(parts)
		solutions, _ := all.Fisher(regs, 0)
		fits, _ := all.Regress(regs)
		for i, s := range solutions {
			add(s.Lambda)
			add(s.Weights.Data)
			add(fits[i].Weights.Data)
			add(fits[i].Offset)
			add([]float64{s.Ridge, s.Certificate.EigenvalueError, fits[i].Certificate.Forward})
		}
		losses, _, _, _ := HeldOut(context.Background(), parts, regs)
		add(losses.Data)
		must.Equal(t, "hash", fmt.Sprintf("%016x", h.Sum64()), "9186f1f5f9eda3e1")
	})
}

// What no direction or regression can be found for is a typed error.
func TestMomentsErrors(t *testing.T) {
	f := featuredTable(1, 40, 3, 2, "plain")
	of := func(change func(row []float64, code int)) *Moments {
		g := &featured{phi: f.phi.Clone(), codes: f.codes}
		for i, code := range f.codes {
			change(g.phi.Row(i), code)
		}
		return g.moments(t, Shape{Classes: 2, Folds: 1}, nil)
	}
	plain := of(func([]float64, int) {})
	constant := of(func(row []float64, _ int) { row[0], row[1], row[2] = 1.1, 0, 2.3 })
	apart := of(func(row []float64, code int) { row[0], row[1], row[2] = float64(code), 1, 2 })
	zero := of(func(row []float64, _ int) { clear(row) })
	for _, c := range []struct {
		what       string
		m          *Moments
		reg        Regularizer
		components int
		want       any
	}{
		{"zeros", zero, Regularizer{RKHS, 1}, 0, new(*CoincidentMeansError)},
		{"constant features", constant, Regularizer{RKHS, 1}, 0, new(*CoincidentMeansError)},
		{"constant features, relative", constant, Regularizer{RelativeRKHS, 1}, 0, new(*RidgeError)},
		{"no spread in classes, relative", apart, Regularizer{RelativeRidge, 1}, 0, new(*RidgeError)},
		{"too many components", plain, Regularizer{RKHS, 1}, 2, new(*ComponentsError)},
		{"a ridge of rounding", plain, Regularizer{RKHS, 1e-30}, 0, new(*AccuracyError)},
		{"a ridge out of range", plain, Regularizer{Ridge, 5e-324}, 0, new(*RidgeError)},
	} {
		solutions, errs := c.m.Fisher([]Regularizer{{RKHS, 1}, c.reg}, c.components)
		if !errors.As(errs[1], c.want) || solutions[1] != nil {
			t.Errorf("%s: %v, want a %T", c.what, errs[1], c.want)
		}
		if refused := (*RidgeError)(nil); errors.As(errs[1], &refused) && refused.Regularizer != c.reg {
			t.Errorf("%s: the error names %v", c.what, refused.Regularizer)
		}
	}
	if fits, errs := constant.Regress([]Regularizer{{RelativeRKHS, 1}, {RKHS, 1}}); !errors.As(errs[0], new(*RidgeError)) || errs[1] != nil || !(math.Abs(fits[1].Offset[0]-0.5) < 1e-12) {
		t.Errorf("a regression on constant features: %v", errs)
	}
}
