package discriminant_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// trueFeatures solves S_B w = λ((1−s)S_W + εI)w as the definition reads, and
// returns λ and the projections Wᵀ(y − m) of rows y, one column a direction. With s
// < 0 ε is relative: −s takes the place of s, ε is s·tr(S_W)/d.
func trueFeatures(t *testing.T, x *matrix.Dense, codes []int, eps, s float64, y *matrix.Dense) (bigref.Vector, bigref.Matrix) {
	t.Helper()
	classes := slices.Max(codes) + 1
	d := x.Cols
	rows := big.FromDense(x)
	mean, means, counts := sums(rows, codes, classes)
	within, between := big.Zeros(d, d), big.Zeros(d, d)
	add := func(to bigref.Matrix, weight int, v bigref.Vector) {
		for a := range d {
			for b := range d {
				to[a][b] = big.Add(to[a][b], big.Mul(big.Int(weight), big.Mul(v[a], v[b])))
			}
		}
	}
	for i, j := range codes {
		add(within, 1, big.Combine(big.Int(1), rows[i], big.Int(-1), means[j]))
	}
	for j, l := range counts {
		add(between, l, big.Combine(big.Int(1), means[j], big.Int(-1), mean))
	}
	trace := big.Int(0)
	for a := range d {
		trace = big.Add(trace, within[a][a])
	}
	ridge := big.Add(big.Of(eps), big.Quo(big.Mul(big.Of(s), trace), big.Int(d)))
	for a := range d {
		within[a] = big.Scale(big.Sub(big.Int(1), big.Of(s)), within[a])
		within[a][a] = big.Add(within[a][a], ridge)
	}
	l := must.Get(big.Cholesky(within))(t)
	// L⁻¹ S_B L⁻ᵀ, by forward substitution of the columns and then of the rows.
	forward := func(a bigref.Matrix) bigref.Matrix {
		out := make(bigref.Matrix, len(a))
		for r := range a {
			v := make(bigref.Vector, d)
			for i := range d {
				s := a[r][i]
				for k := range i {
					s = big.Sub(s, big.Mul(l[i][k], v[k]))
				}
				v[i] = big.Quo(s, l[i][i])
			}
			out[r] = v
		}
		return out
	}
	values, vectors := must.Get2(big.Eigen(forward(forward(between).Transpose())))(t)
	take := min(classes-1, d)
	w := make(bigref.Matrix, take)
	for k := range w {
		w[k] = make(bigref.Vector, d)
		for i := d - 1; i >= 0; i-- {
			s := vectors[k][i]
			for r := i + 1; r < d; r++ {
				s = big.Sub(s, big.Mul(l[r][i], w[k][r]))
			}
			w[k][i] = big.Quo(s, l[i][i])
		}
	}
	z := make(bigref.Matrix, y.Rows)
	for i, row := range big.FromDense(y) {
		z[i] = make(bigref.Vector, take)
		for k := range w {
			z[i][k] = big.Dot(w[k], big.Combine(big.Int(1), row, big.Int(-1), mean))
		}
	}
	return values[:take], z
}

// sums returns the mean of the rows, those of the classes, and the class sizes.
func sums(rows bigref.Matrix, codes []int, classes int) (mean bigref.Vector, means bigref.Matrix, counts []int) {
	d := len(rows[0])
	mean, means, counts = big.Zeros(1, d)[0], big.Zeros(classes, d), make([]int, classes)
	for i, j := range codes {
		mean = big.Combine(big.Int(1), mean, big.Int(1), rows[i])
		means[j] = big.Combine(big.Int(1), means[j], big.Int(1), rows[i])
		counts[j]++
	}
	for j, l := range counts {
		means[j] = big.Scale(big.Quo(big.Int(1), big.Int(l)), means[j])
	}
	return big.Scale(big.Quo(big.Int(1), big.Int(len(rows))), mean), means, counts
}

// reshaped returns x·T + offset for the d×d Hilbert matrix T plus a multiple of I.
func reshaped(x *matrix.Dense, diagonal, offset float64) *matrix.Dense {
	d := x.Cols
	t := matrix.New(d, d)
	for a := range d {
		for b := range d {
			t.Set(a, b, 1/float64(1+a+b))
		}
		t.Set(a, a, t.At(a, a)+diagonal)
	}
	return mapped(matrix.Mul(nil, x, matrix.NoTrans, t, matrix.NoTrans), plus(offset))
}

// Against the definition in the reference's arithmetic, over shapes, regularisers
// and conditions up to 1e10, the square root of that of S.
//
// Rounding the features, of norm offset, moves them by u·offset, and that moves the
// solution by κ·u·offset, κ being the condition of the features within the classes,
// √cond(S). An eigenvalue far below the first is the square of a singular value
// with the error of the largest.
func TestFeaturesAgainstReference(t *testing.T) {
	type problem struct {
		name   string
		x      *matrix.Dense
		codes  []int
		reg    discriminant.Regularizer
		eps, s float64
		offset float64
	}
	var problems []problem
	all := [][]int{{9, 8, 7}, {12, 9}, {10, 2, 6, 5}}
	if testing.Short() {
		all = all[:1]
	}
	for _, sizes := range all {
		for _, shape := range []struct {
			d                int
			diagonal, offset float64
		}{{5, 1, 0}, {5, 1, 1e4}, {5, 0, 0}, {5, 0, 1e4}, {8, 0, 0}} {
			x, codes := blobs(31, shape.d, sizes...)
			shaped := reshaped(x, shape.diagonal, shape.offset)
			name := fmt.Sprintf("%v %+v", sizes, shape)
			problems = append(problems,
				problem{name + " none", shaped, codes, discriminant.Regularizer{}, 0, 0, shape.offset},
				problem{name + " ridge", shaped, codes, discriminant.Ridge(1e-4), 1e-4, 0, shape.offset},
				problem{name + " shrink", shaped, codes, discriminant.Shrink(0.1), 0, 0.1, shape.offset},
				problem{name + " shrink all", shaped, codes, discriminant.Shrink(1), 0, 1, shape.offset},
			)
		}
		if testing.Short() {
			continue // the reference takes its time for thirty features
		}
		wide, codes := blobs(32, 30, sizes...)
		problems = append(problems,
			problem{fmt.Sprint("wide ", sizes, " ridge"), wide, codes, discriminant.Ridge(1e-2), 1e-2, 0, 0},
			problem{fmt.Sprint("wide ", sizes, " shrink"), wide, codes, discriminant.Shrink(0.2), 0, 0.2, 0},
			problem{fmt.Sprint("wide ", sizes, " shrink all"), wide, codes, discriminant.Shrink(1), 0, 1, 0},
		)
	}
	worst := 0.0
	solvers := map[string]int{}
	for _, p := range problems {
		t.Run(p.name, func(t *testing.T) {
			m := fit(t, discriminant.LDA{Regularizer: p.reg}, p.x, p.codes)
			y := pickRows(p.x, []int{3, 1, 4, 15, 9})
			for i := range y.Data {
				y.Data[i] += float64(i%7) / 8
			}
			values, want := trueFeatures(t, p.x, p.codes, p.eps, p.s, y)
			z := project(t, m, y)
			c := discriminant.DetailsOf(m).Certificate()
			solvers[c.Solver]++
			kappa := c.CondBound
			if c.Solver == "centred" {
				kappa = math.Sqrt(kappa)
			}
			lambda := discriminant.DetailsOf(m).Eigenvalues()
			for k := range lambda {
				tol := 64 * u * kappa * math.Max(1, p.offset) * math.Sqrt(lambda[0]/lambda[k])
				e := math.Max(big.RelError(lambda[k], values[k]), big.ColErrorUpToSign(column(z, k), want.Col(k)))
				if worst = math.Max(worst, e/tol); !(e <= tol) {
					t.Errorf("λ%d or its projections are off by %.3g, want ≤ %.3g (%s, κ = %.3g)", k, e, tol, c.Solver, kappa)
				}
			}
			if c.Backward > 64*u {
				t.Errorf("backward error %.3g", c.Backward)
			}
		})
	}
	t.Logf("largest error over tolerance: %.3g; solvers %v", worst, solvers)
}
