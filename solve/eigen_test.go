package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// eigensolver is a way to all eigenpairs. The small orders that Eigen leaves to
// the Jacobi method go through its own method here, too. The first three read the lower
// triangle alone.
type eigensolver struct {
	name  string
	solve func(a *matrix.Dense) ([]float64, *matrix.Dense, error)
}

var eigensolvers = []eigensolver{
	{"Jacobi", Jacobi},
	{"Eigen", func(a *matrix.Dense) ([]float64, *matrix.Dense, error) { return Eigen(context.Background(), a) }},
	{"divide and conquer", func(a *matrix.Dense) ([]float64, *matrix.Dense, error) {
		return eigen(context.Background(), a, defaultLimits, tridiagonalColumns)
	}},
	{"Leading", func(a *matrix.Dense) ([]float64, *matrix.Dense, error) {
		if a.Rows == 0 {
			return nil, a, nil
		}
		for i := range a.Rows { // it reads the whole matrix
			for j := range i {
				a.Set(j, i, a.At(i, j))
			}
		}
		p, err := Leading(context.Background(), a.Clone(), a.Rows)
		if err != nil {
			return nil, nil, err
		}
		return p.Values, p.Vectors, nil
	}},
}

// tridiagonalMatrices are hard for divide and conquer.
func tridiagonalMatrices() []named {
	var list []named
	for _, n := range []int{33, 65, 128} {
		if testing.Short() && n > 65 {
			continue
		}
		wilkinson, glued, small := secondDifference(n), secondDifference(n), secondDifference(n)
		for i := range n {
			wilkinson.Set(i, i, math.Abs(float64(i)-float64(n-1)/2)) // pairs of eigenvalues that agree to all digits
			glued.Set(i, i, math.Abs(float64(i%11)-5))
			for j := range n {
				if v := small.At(i, j); i != j {
					small.Set(i, j, v*math.Ldexp(1, -4*min(i, j)))
				}
			}
			if i%11 == 10 && i+1 < n {
				glued.Set(i+1, i, 1e-9)
				glued.Set(i, i+1, 1e-9)
			}
		}
		list = append(list,
			named{fmt.Sprintf("Wilkinson, n = %d", n), wilkinson},
			named{fmt.Sprintf("glued Wilkinson, n = %d", n), glued},
			named{fmt.Sprintf("vanishing subdiagonal, n = %d", n), small})
	}
	return list
}

// A narrow panel and an update after every column differ by rounding only.
func TestEigenPanels(t *testing.T) {
	a := randomSymmetric(newRand(5), 70)
	for _, panel := range []int{1, 2, 7, 69, 200} {
		values, vectors := must.Get2(eigen(context.Background(), a.Clone(), defaultLimits, panel))(t)
		checkEigen(t, a, values, vectors)
	}
}

// The golden values, to the error of a method that is not accurate for graded
// matrices: the eigenvalues normwise, the eigenvectors where they are well
// separated.
func TestEigenGolden(t *testing.T) {
	for _, p := range golden.Dir(t, "linalg") {
		if p.Kind != "eigsym" {
			continue
		}
		a := p.Input.Matrix("A")
		for _, solver := range eigensolvers {
			values, vectors, err := solver.solve(a.Clone())
			if err != nil {
				t.Fatalf("%s: %s: %v", p.Name, solver.name, err)
			}
			want := p.Expected.Vector("eigenvalues")
			for _, c := range p.Checks {
				if c.Field != "eigenvalues" || c.Mode != "max" {
					continue
				}
				for i, w := range want {
					if !(math.Abs(values[i]-w) <= c.Tol*max(math.Abs(want[0]), math.Abs(want[len(want)-1]))) {
						t.Errorf("%s: %s: eigenvalue %d is %g, want %g", p.Name, solver.name, i, values[i], w)
					}
				}
			}
			if p.HasCheck("eigenvectors") && solver.name == "Eigen" {
				p.Compare(t, "eigenvectors", vectors, false)
			}
			checkEigen(t, a, values, vectors)
		}
	}
}

// Powers of two as a factor change the eigenvalues by that factor and nothing
// else, up to the ends of the range.
func TestEigenScaling(t *testing.T) {
	for _, solver := range eigensolvers[:3] {
		a := randomSymmetric(newRand(3), 40)
		want, wantV := must.Get2(solver.solve(a.Clone()))(t)
		exponents := []int{-960, -665, 1, 665, 1015}
		if solver.name == "Jacobi" {
			exponents = append(exponents, -1000)
		}
		for _, e := range exponents {
			b := a.Clone()
			for i := range b.Data {
				b.Data[i] = math.Ldexp(b.Data[i], e)
			}
			got, gotV := must.Get2(solver.solve(b))(t)
			for i := range got {
				must.Equal(t, fmt.Sprintf("%s: 2^%d: eigenvalue %d", solver.name, e, i), got[i], math.Ldexp(want[i], e))
			}
			matrixtest.SameBits(t, "eigenvectors", gotV, wantV)
		}
	}
}

// Only the lower triangle is read; views keep their surroundings.
func TestEigenReadsLower(t *testing.T) {
	a := randomSymmetric(newRand(4), 50)
	for _, solver := range eigensolvers[:3] {
		want, wantV := must.Get2(solver.solve(a.Clone()))(t)
		b, whole := spread(a)
		for i := range 50 {
			for j := i + 1; j < 50; j++ {
				b.Set(i, j, math.NaN())
			}
		}
		got, gotV := must.Get2(solver.solve(b))(t)
		must.EqualSlices(t, solver.name+": eigenvalues", got, want)
		matrixtest.SameBits(t, solver.name+": eigenvectors", gotV, wantV)
		mustStaySpread(t, b, whole)
	}
}

func TestEigenEmpty(t *testing.T) {
	for _, solver := range eigensolvers {
		values, vectors, err := solver.solve(matrix.New(0, 0))
		if err != nil || len(values) != 0 || vectors.Rows != 0 || vectors.Cols != 0 {
			t.Errorf("%s: 0×0: %v, %d×%d, %v", solver.name, values, vectors.Rows, vectors.Cols, err)
		}
	}
	if s, err := SingularValues(matrix.New(0, 3)); err != nil || len(s) != 0 {
		t.Errorf("singular values %v, %v", s, err)
	}
}

func TestEigenLimits(t *testing.T) {
	a := secondDifference(64)
	for _, limits := range []eigenLimits{{sweeps: 1, secular: 1}, {sweeps: maxSweeps, secular: 1}, {sweeps: 1, secular: 100}} {
		values, vectors, err := eigen(context.Background(), a.Clone(), limits, tridiagonalColumns)
		if _, ok := errors.AsType[*NotConvergedError](err); !ok || values != nil || vectors != nil {
			t.Errorf("limits %v: error %v and %d values, want a *NotConvergedError and none", limits, err, len(values))
		}
	}
}

// The chains of a product with a vector are those of the full matrix.
func TestMulSymmetric(t *testing.T) {
	for n := range 40 {
		rng := newRand(uint64(n))
		a := randomSymmetric(rng, n)
		x := randomMatrix(rng, n, 1)
		want := matrix.Mul(nil, a, matrix.NoTrans, x, matrix.NoTrans)
		for i := range n {
			for j := i + 1; j < n; j++ {
				a.Set(i, j, math.NaN())
			}
		}
		got := matrix.New(n, 1)
		for i := range n {
			got.Data[i] = math.NaN()
		}
		mulSymmetric(got.Data, a, x.Data)
		matrixtest.SameBits(t, fmt.Sprintf("n = %d", n), got, want)
	}
}

// A reflection is orthogonal and maps its vector to a multiple of e₁, however
// small or uneven that is.
func TestHouseholder(t *testing.T) {
	rng := newRand(6)
	for _, n := range []int{1, 2, 3, 10, 100} {
		for _, scale := range []float64{1, 1e-160, 0x1p-1060, 1e150} {
			for _, first := range []float64{1, 0, 1e-20, 1e20} {
				x := randomMatrix(rng, n, 1).Data
				for i := range x {
					x[i] *= scale
				}
				x[0] *= first
				v := slices.Clone(x)
				beta, tau := householder(v)
				var norm, vv, vx float64
				for i := range v {
					norm = math.Hypot(norm, x[i]/scale)
					vv += v[i] * v[i]
					vx += v[i] * (x[i] / scale)
				}
				if e := math.Abs(math.Abs(beta)/scale - norm); !(e <= float64(10+n)*unit*norm) && scale > 1e-300 {
					t.Errorf("n = %d, scale %g: |β| is off by %g", n, scale, e)
				}
				if tau == 0 {
					continue
				}
				if e := math.Abs(tau*vv - 2); !(e <= float64(10+n)*unit) {
					t.Errorf("n = %d, scale %g: τvᵀv − 2 is %g", n, scale, e)
				}
				for i := 1; i < n; i++ {
					if e := math.Abs(x[i]/scale - tau*vx*v[i]); !(e <= float64(10+n)*unit*norm) && scale > 1e-300 {
						t.Errorf("n = %d, scale %g: component %d of Hx is %g of %g", n, scale, i, e, norm)
					}
				}
			}
		}
	}
}

// Roots that touch a pole, and weights of very different sizes.
func TestSecular(t *testing.T) {
	rng := newRand(7)
	for _, k := range []int{1, 2, 3, 10, 40} {
		for range 20 {
			q := secular{rho: math.Exp(4 * rng.NormFloat64())}
			for i := range k {
				step := math.Exp(6 * rng.NormFloat64())
				if i > 0 {
					step += q.d[i-1]
				}
				q.d = append(q.d, step)
				q.z = append(q.z, math.Copysign(math.Exp(5*rng.NormFloat64()), rng.NormFloat64()))
			}
			s := matrix.New(k, k)
			last := math.Inf(-1)
			for j := range k {
				lambda, ok := q.root(j, s.Row(j), 100)
				if !ok {
					t.Fatalf("root %d of %+v: no convergence", j, q)
				}
				if lambda < q.d[j] || lambda < last || j+1 < k && lambda > q.d[j+1] {
					t.Errorf("root %d of %+v is %g", j, q, lambda)
				}
				last = lambda
			}
			q.vectors(s)
			g := matrix.SymRankK(nil, s, matrix.NoTrans)
			for i := range k {
				g.Data[i*k+i]--
			}
			if e := matrix.MaxAbs(g); !(e <= float64(20+4*k)*unit) {
				t.Errorf("k = %d: vectors orthonormal to %g u", k, e/unit)
			}
		}
	}
}

// The bits do not depend on the number of workers.
func TestEigenWorkers(t *testing.T) {
	const n = 330
	if testing.Short() {
		t.Skip("order 330 is left to the long tests")
	}
	a := randomSymmetric(newRand(8), n)
	defer block.SetWorkers(block.SetWorkers(1))
	var want *matrix.Dense
	for _, workers := range []int{1, 2} {
		block.SetWorkers(workers)
		_, v := must.Get2(Eigen(context.Background(), a.Clone()))(t)
		p := must.Get(Leading(context.Background(), a.Clone(), 6))(t)
		both := matrix.New(n, n+6)
		both.View(0, 0, n, n).CopyFrom(v)
		both.View(0, n, n, 6).CopyFrom(p.Vectors)
		if want == nil {
			want = both
		}
		matrixtest.SameBits(t, fmt.Sprintf("%d workers", workers), both, want)
	}
}

func TestEigenSameBitsEverywhere(t *testing.T) {
	const n = 75
	k := matrix.SymRankK(nil, uniformMatrix(1, n, 90), matrix.NoTrans)
	values, vectors := must.Get2(Eigen(context.Background(), k.Clone()))(t)
	must.Equal(t, "Eigen: hash", hashOf(values, vectors.Data), "5c0a3aebbf652cbd")
	p := must.Get(leadingInPlace(context.Background(), k.Clone(), 3, krylovSize{block: 4, basis: 24}, leadingSteps))(t)
	must.Equal(t, "Leading: hash", hashOf(p.Values, p.Vectors.Data, []float64{p.Residual, p.Norm, p.Least}), "ed26395e90ff707b")
}
