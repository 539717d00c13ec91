package bigref

import (
	"errors"
	"fmt"
	"math/big"
)

// Problem is one discriminant problem. Class codes are 0…c−1 and each occurs.
type Problem struct {
	K        Matrix // n×n, symmetric
	Classes  []int  // class code of each row
	Eps      *big.Float
	Averaged bool // class-averaged scatter instead of the sum
	RKHS     bool // N + εK instead of N + εI

	// Weights are those of the rows, nil: 1 each. N and M are then weighted, and the ridge is
	// ε·diag(1/wᵢ) or εK.
	Weights Vector
}

// weight returns that of row i.
func (p Arith) weight(pr Problem, i int) *big.Float {
	if pr.Weights == nil {
		return p.Int(1)
	}
	return pr.Weights[i]
}

// sizes returns what the rows of each class weigh, and all.
func (p Arith) sizes(pr Problem, classes int) (sizes Vector, total *big.Float) {
	sizes, total = p.Zeros(1, classes)[0], p.num()
	for i, j := range pr.Classes {
		w := p.weight(pr, i)
		sizes[j].Add(sizes[j], w)
		total.Add(total, w)
	}
	return sizes, total
}

// Solution holds every quantity of the definitions. At most min(c−1, rank M)
// directions exist; Eigenvalues and the columns of Alpha are those.
type Solution struct {
	ClassMeans  Matrix // n×c, column j is M_j
	OverallMean Vector
	N           Matrix // n×n within-class scatter
	M           Matrix // n×n between-class scatter
	System      Matrix // what was factored: N + εI, or HKH + εI for RKHS
	Eigenvalues Vector // descending
	Alpha       Matrix // n×len(Eigenvalues), αᵀN_εα = 1, sign as documented at Sign
	AlphaBinary Vector // c = 2: N_ε⁻¹(M₂ − M₁), with zero sum for RKHS
}

// ErrMeansCoincide reports M = 0 up to rounding.
var ErrMeansCoincide = errors.New("bigref: the class means coincide")

// Solve computes everything.
func (p Arith) Solve(pr Problem) (*Solution, error) {
	n := len(pr.K)
	counts, err := classCounts(pr.Classes, n)
	if err != nil {
		return nil, err
	}
	s := &Solution{}
	s.ClassMeans, s.OverallMean = p.means(pr, counts)
	s.N = p.within(pr, counts, s.ClassMeans)
	u := p.betweenFactor(pr, counts, s)
	s.M = p.MatMul(u, u.Transpose())
	if pr.RKHS {
		err = p.solveRKHS(pr, counts, s)
	} else {
		err = p.solveIdentity(pr, u, s)
	}
	if err != nil {
		return nil, err
	}
	p.Sign(s.Alpha)
	if len(counts) == 2 {
		// M = g m mᵀ with m = M₂ − M₁, so α ∝ N_ε⁻¹m; from αᵀN_εα = 1 follows
		// N_ε⁻¹m = α (αᵀm), whatever the sign of α.
		m := p.Combine(p.Int(1), s.ClassMeans.Col(1), p.Int(-1), s.ClassMeans.Col(0))
		a := s.Alpha.Col(0)
		s.AlphaBinary = p.Scale(p.Dot(a, m), a)
	}
	return s, nil
}

func classCounts(classes []int, n int) ([]int, error) {
	if len(classes) != n {
		return nil, fmt.Errorf("bigref: %d class codes for %d rows", len(classes), n)
	}
	var counts []int
	for _, j := range classes {
		for j >= len(counts) {
			counts = append(counts, 0)
		}
		counts[j]++
	}
	for j, l := range counts {
		if l == 0 {
			return nil, fmt.Errorf("bigref: class %d has no row", j)
		}
	}
	if len(counts) < 2 {
		return nil, errors.New("bigref: fewer than two classes")
	}
	return counts, nil
}

// means returns the class means of the columns of K, and the mean of all.
func (p Arith) means(pr Problem, counts []int) (Matrix, Vector) {
	n := len(pr.K)
	sizes, total := p.sizes(pr, len(counts))
	means := p.Zeros(n, len(counts))
	overall := make(Vector, n)
	for i, row := range pr.K {
		overall[i] = p.num()
		for k, x := range row {
			j := pr.Classes[k]
			x = p.Mul(x, p.weight(pr, k))
			means[i][j].Add(means[i][j], x)
			overall[i].Add(overall[i], x)
		}
		for j := range counts {
			means[i][j].Quo(means[i][j], sizes[j])
		}
		overall[i].Quo(overall[i], total)
	}
	return means, overall
}

// within returns N = Z Zᵀ, Z the columns of K less their class means, in the
// averaged form over √l_j.
func (p Arith) within(pr Problem, counts []int, means Matrix) Matrix {
	n := len(pr.K)
	z := p.Zeros(n, n)
	for i, row := range pr.K {
		for k, x := range row {
			z[i][k].Sub(x, means[i][pr.Classes[k]])
		}
	}
	sizes, _ := p.sizes(pr, len(counts))
	nn, t := p.Zeros(n, n), p.num()
	for i := range n {
		for j := range i + 1 {
			for k := range n {
				t.Mul(z[i][k], z[j][k])
				if pr.Weights != nil {
					t.Mul(t, pr.Weights[k])
				}
				if pr.Averaged {
					t.Quo(t, sizes[pr.Classes[k]])
				}
				nn[i][j].Add(nn[i][j], t)
			}
			nn[j][i].Set(nn[i][j])
		}
	}
	return nn
}

// betweenFactor returns the n×c factor U with M = U Uᵀ: column j is
// √l_j (M_j − M_*), in the averaged form √c (M_j − mean of the class means).
func (p Arith) betweenFactor(pr Problem, counts []int, s *Solution) Matrix {
	c := len(counts)
	sizes, _ := p.sizes(pr, c)
	u := p.Zeros(len(pr.K), c)
	for i := range u {
		centre := s.OverallMean[i]
		if pr.Averaged {
			centre = p.num()
			for j := range c {
				centre.Add(centre, s.ClassMeans[i][j])
			}
			centre.Quo(centre, p.Int(c))
		}
		for j := range c {
			weight := sizes[j]
			if pr.Averaged {
				weight = p.Int(c)
			}
			u[i][j] = p.Mul(p.Sqrt(weight), p.Sub(s.ClassMeans[i][j], centre))
		}
	}
	return u
}

// solveIdentity: S = Uᵀ N_ε⁻¹ U (c×c) has the eigenvalues λ, and α = N_ε⁻¹ U v/√λ.
func (p Arith) solveIdentity(pr Problem, u Matrix, s *Solution) error {
	s.System = p.addDiagonal(s.N, pr.Eps)
	for i := range s.N {
		s.System[i][i] = p.Add(s.N[i][i], p.Quo(pr.Eps, p.weight(pr, i)))
	}
	l, err := p.Cholesky(s.System)
	if err != nil {
		return err
	}
	x := p.choleskySolveColumns(l, u)
	values, vectors, err := p.Eigen(p.MatMul(u.Transpose(), x))
	if err != nil {
		return err
	}
	// Rounding noise in S is about 2^-p ‖K‖²/ε; what is below 2^(-3p/4) of that
	// is a zero eigenvalue of M.
	kk := p.frobenius(pr.K)
	zero := p.Ldexp(p.Quo(p.Mul(kk, kk), pr.Eps), -3*int(p)/4)
	for j := 0; j < len(values)-1 && values[j].Cmp(zero) > 0; j++ {
		s.Eigenvalues = append(s.Eigenvalues, values[j])
		a := p.Scale(p.Quo(p.Int(1), p.Sqrt(values[j])), p.MulVec(x, vectors[j]))
		s.Alpha = append(s.Alpha, a)
	}
	if len(s.Eigenvalues) == 0 {
		return ErrMeansCoincide
	}
	s.Alpha = s.Alpha.Transpose()
	return nil
}

// solveRKHS: with G = (HKH + εI)⁻¹ and Yt = HY, Y the class indicators with
// unit columns, Ytᵀ K G Yt v = μ v gives λ = μ/(1−μ) and α ∝ G Yt v, which has
// zero sum.
func (p Arith) solveRKHS(pr Problem, counts []int, s *Solution) error {
	n, c := len(pr.K), len(counts)
	sizes, total := p.sizes(pr, c)
	roots, k := make(Vector, n), p.Zeros(n, n)
	for i := range roots {
		roots[i] = p.Sqrt(p.weight(pr, i))
	}
	axis := p.Scale(p.Quo(p.Int(1), p.Sqrt(total)), roots)
	for i := range k {
		for j := range k {
			k[i][j] = p.Mul(p.Mul(roots[i], roots[j]), pr.K[i][j])
		}
	}
	s.System = p.addDiagonal(p.WithoutAxis(k, axis), pr.Eps)
	l, err := p.Cholesky(s.System)
	if err != nil {
		return err
	}
	yt := p.Zeros(n, c)
	for j := range c {
		unit := p.Quo(p.Int(1), p.Sqrt(sizes[j]))
		mean := p.Quo(p.Mul(unit, sizes[j]), total)
		for i := range n {
			yt[i][j] = p.Mul(roots[i], p.Sub(p.num(), mean))
			if pr.Classes[i] == j {
				yt[i][j] = p.Mul(roots[i], p.Sub(unit, mean))
			}
		}
	}
	x := p.choleskySolveColumns(l, yt)
	values, vectors, err := p.Eigen(p.MatMul(yt.Transpose(), p.MatMul(k, x)))
	if err != nil {
		return err
	}
	// Rounding noise is about 2^-p ‖K‖/ε; see solveIdentity.
	zero := p.Ldexp(p.Quo(p.frobenius(pr.K), pr.Eps), -3*int(p)/4)
	one := p.Int(1)
	for j := 0; j < len(values)-1 && values[j].Cmp(zero) > 0; j++ {
		s.Eigenvalues = append(s.Eigenvalues, p.Quo(values[j], p.Sub(one, values[j])))
		a := p.MulVec(x, vectors[j])
		for i, root := range roots {
			a[i] = p.Mul(root, a[i])
		}
		norm := p.Add(p.Dot(a, p.MulVec(s.N, a)), p.Mul(pr.Eps, p.Dot(a, p.MulVec(pr.K, a))))
		s.Alpha = append(s.Alpha, p.Scale(p.Quo(one, p.Sqrt(norm)), a))
	}
	if len(s.Eigenvalues) == 0 {
		return ErrMeansCoincide
	}
	s.Alpha = s.Alpha.Transpose()
	return nil
}

func (p Arith) addDiagonal(a Matrix, eps *big.Float) Matrix {
	b := p.Zeros(len(a), len(a))
	for i := range a {
		for j := range a {
			b[i][j].Set(a[i][j])
		}
		b[i][i].Add(b[i][i], eps)
	}
	return b
}

// Sign makes the first component of each column whose magnitude is at least
// 1 − 2^-26 of the largest positive.
func (p Arith) Sign(alpha Matrix) {
	limit := p.Sub(p.Int(1), p.Ldexp(p.Int(1), -26))
	for k := range alpha[0] {
		largest := p.num()
		for i := range alpha {
			if x := p.num().Abs(alpha[i][k]); x.Cmp(largest) > 0 {
				largest = x
			}
		}
		largest = p.Mul(limit, largest)
		for i := range alpha {
			if p.num().Abs(alpha[i][k]).Cmp(largest) < 0 {
				continue
			}
			if alpha[i][k].Signbit() {
				for r := range alpha {
					alpha[r][k] = p.num().Neg(alpha[r][k])
				}
			}
			break
		}
	}
}

// WithoutAxis returns HAH, H = I − qqᵀ, for a symmetric A and a unit vector q.
func (p Arith) WithoutAxis(a Matrix, q Vector) Matrix {
	aq := p.MulVec(a, q)
	square := p.Dot(q, aq)
	h := p.Zeros(len(a), len(a))
	for i := range h {
		for j := range h {
			h[i][j] = p.Sub(a[i][j], p.Add(p.Mul(q[i], aq[j]), p.Mul(aq[i], q[j])))
			h[i][j] = p.Add(h[i][j], p.Mul(square, p.Mul(q[i], q[j])))
		}
	}
	return h
}

// CentreBoth returns HKH, H = I − 11ᵀ/n.
func (p Arith) CentreBoth(k Matrix) Matrix { return p.CentreRows(k, k) }

// CentreRows returns the doubly centred kernel of new rows: rows is m×n with
// entries k(x_t, x_i), and entry (t, i) of the result is
// k(x_t, x_i) − mean_j k(x_t, x_j) − mean_j k(x_j, x_i) + mean_jl k(x_j, x_l).
func (p Arith) CentreRows(k, rows Matrix) Matrix {
	n := len(k)
	mean := func(v Vector) *big.Float {
		s := p.num()
		for _, x := range v {
			s.Add(s, x)
		}
		return s.Quo(s, p.Int(n))
	}
	columns := make(Vector, n)
	for i := range n {
		columns[i] = mean(k[i])
	}
	grand := mean(columns)
	c := p.Zeros(len(rows), n)
	for t := range rows {
		m := mean(rows[t])
		for i := range n {
			c[t][i].Sub(rows[t][i], m)
			c[t][i].Sub(c[t][i], columns[i])
			c[t][i].Add(c[t][i], grand)
		}
	}
	return c
}

// Project returns the projections Σ_i α_ik k(x_t, x_i), m×components, of rows
// with entries k(x_t, x_i), plain or from CentreRows.
func (p Arith) Project(rows, alpha Matrix) Matrix { return p.MatMul(rows, alpha) }

// Centroids returns the class means of the rows of z, c×components.
func (p Arith) Centroids(z Matrix, classes []int) Matrix {
	var sums Matrix
	var counts []int
	for t, j := range classes {
		for j >= len(sums) {
			sums = append(sums, p.Zeros(1, len(z[0]))[0])
			counts = append(counts, 0)
		}
		counts[j]++
		for k := range z[t] {
			sums[j][k].Add(sums[j][k], z[t][k])
		}
	}
	for j := range sums {
		for k := range sums[j] {
			sums[j][k].Quo(sums[j][k], p.Int(counts[j]))
		}
	}
	return sums
}
