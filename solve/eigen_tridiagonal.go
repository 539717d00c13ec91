package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// tridiagonalColumns is the number of columns that are reduced before the rest
// of the matrix is updated.
const tridiagonalColumns = 32

// tridiagonal is a symmetric matrix A = QTQᵀ with T tridiagonal and
//
//	Q = H₀H₁…H_(n-3),   H_c = I − τ_c v_c v_cᵀ
//
// where v_c is zero in its first c+1 components and one in component c+1.
type tridiagonal struct {
	a   *matrix.Dense // v_c from its component c+2 on in column c, below the subdiagonal
	tau []float64
	d   []float64 // diagonal of T
	e   []float64 // subdiagonal of T

	whole bool // both triangles of what is still to be reduced are kept
}

// wholeOrder is the largest order for which both triangles are kept: as long as a cache
// holds them, products with whole rows are faster.
const wholeOrder = 1000

// tridiagonalize reduces the symmetric n×n matrix a, whose lower triangle is
// read, by Householder reflections from both sides, in panels of the given number
// of columns (Dongarra, Sorensen & Hammarling, "Block reduction of matrices to
// condensed forms for eigenvalue computations", J. Comput. Appl. Math. 27, 1989).
// Within a panel, with V its vectors so far and W the vectors
//
//	y = (A − VWᵀ − WVᵀ)v,   w = τy − ½τ(τyᵀv)v,
//
// A stands for the matrix before the panel; after it A − VWᵀ − WVᵀ is formed.
// The largest magnitude in a must be near one. Cost: 4n³/3 flops, half of them
// in products with a vector.
func tridiagonalize(ctx context.Context, a *matrix.Dense, panel int) (*tridiagonal, error) {
	n := a.Rows
	t := &tridiagonal{a: a, tau: make([]float64, max(n-2, 0)), d: make([]float64, n), e: make([]float64, max(n-1, 0))}
	team := newTeam(n, n, n/3)
	defer team.Close()
	if t.whole = n <= wholeOrder; t.whole {
		for i := range n {
			for j, v := range a.Row(i)[:i] {
				a.Row(j)[i] = v
			}
		}
	}
	p := newHouseholderPanel(n, panel)
	for lo := 0; lo < n-2; lo += panel {
		hi := min(lo+panel, n-2)
		p.reset()
		for c := lo; c < hi; c++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.reflect(p, lo, c)
		}
		part := block.Lower
		if t.whole {
			part = block.Symmetric
		}
		p.update(team, a, part, hi)
	}
	if n > 1 {
		t.d[n-2], t.e[n-2] = a.At(n-2, n-2), a.At(n-1, n-2)
	}
	if n > 0 {
		t.d[n-1] = a.At(n-1, n-1)
	}
	return t, nil
}

// householderPanel holds the vectors of a panel by rows, [V W] and [W V], each n×2
// times the number of columns. Row i belongs to row i of the matrix. In a [pendingUpdate]
// vectors are rows; here a step reads some elements of all of them, which lie side by side.
type householderPanel struct {
	vw, wv *matrix.Dense
	cols   int
	x, y   []float64
	s, t   []float64
}

func newHouseholderPanel(n, cols int) *householderPanel {
	return &householderPanel{
		vw: matrix.New(n, 2*cols), wv: matrix.New(n, 2*cols), cols: cols,
		x: make([]float64, n), y: make([]float64, n), s: make([]float64, cols), t: make([]float64, cols),
	}
}

func (p *householderPanel) reset() {
	p.vw.Zero()
	p.wv.Zero()
}

// v and w return the first k vectors V and W from row i on.
func (p *householderPanel) v(i, k int) *matrix.Dense { return p.vw.View(i, 0, p.vw.Rows-i, k) }
func (p *householderPanel) w(i, k int) *matrix.Dense { return p.wv.View(i, 0, p.wv.Rows-i, k) }

// set stores v and w, which start at row i, as vectors k.
func (p *householderPanel) set(i, k int, v, w []float64) {
	for r := range v {
		vw, wv := p.vw.Row(i+r), p.wv.Row(i+r)
		vw[k], vw[p.cols+k] = v[r], w[r]
		wv[k], wv[p.cols+k] = w[r], v[r]
	}
}

// update subtracts VWᵀ + WVᵀ from the given part of a from row and column hi on. The
// terms of V that the last panel does not have are zeros.
func (p *householderPanel) update(team *block.Team, a *matrix.Dense, part block.Part, hi int) {
	m := a.Rows - hi
	product(team, block.Subtract, part, a.View(hi, hi, m, m), p.vw.View(hi, 0, m, 2*p.cols), p.wv.View(hi, 0, m, 2*p.cols))
}

// reflect makes the reflection of column c, of the panel that starts at column
// lo.
func (t *tridiagonal) reflect(p *householderPanel, lo, c int) {
	n, k := t.a.Rows, c-lo
	// Column c of A − VWᵀ − WVᵀ, from the diagonal on.
	x := p.x[:n-c]
	for r := range x {
		s := t.a.Row(c + r)[c]
		v, w := p.vw.Row(c + r)[:k], p.wv.Row(c + r)[:k]
		for j, vc := range p.vw.Row(c)[:k] {
			s = f64.FMA(-v[j], p.wv.Row(c)[j], s)
			s = f64.FMA(-w[j], vc, s)
		}
		x[r] = s
	}
	t.d[c] = x[0]
	v := x[1:]
	t.e[c], t.tau[c] = householder(v)
	for r := 1; r < len(v); r++ {
		t.a.Row(c + 1 + r)[c] = v[r]
	}
	w := p.y[:len(v)]
	if tau := t.tau[c]; tau == 0 {
		clear(w)
	} else {
		below := t.a.View(c+1, c+1, len(v), len(v))
		if t.whole {
			f64.Line(f64.Product, w, v, 1, below.Data, below.Stride, len(v), false)
		} else {
			mulSymmetric(w, below, v)
		}
		vs, ws := p.v(c+1, k), p.w(c+1, k)
		s := matrix.MulVec(p.s[:k], ws, matrix.Transposed, v)
		q := matrix.MulVec(p.t[:k], vs, matrix.Transposed, v)
		for r := range w {
			y := w[r]
			vr, wr := vs.Row(r), ws.Row(r)
			for j := range k {
				y = f64.FMA(-vr[j], s[j], y)
				y = f64.FMA(-wr[j], q[j], y)
			}
			w[r] = float64(tau * y)
		}
		f := float64(-0.5 * float64(tau*matrix.Dot(w, v)))
		for r := range w {
			w[r] = f64.FMA(f, v[r], w[r])
		}
	}
	p.set(c+1, k, v, w)
}

// householder overwrites x by the vector v, v[0] = 1, of the reflection H = I −
// τvvᵀ that maps x to (β, 0, …, 0), and returns β and τ. The identity has τ = 0.
// x is scaled by a power of two first, so that H is orthogonal to working
// accuracy however small x is.
func householder(x []float64) (beta, tau float64) {
	m := f64.MaxAbs(x[1:])
	if m == 0 {
		beta, x[0] = x[0], 1
		return beta, 0
	}
	scale := unitScale(max(m, math.Abs(x[0])))
	f64.Scale(x, scale)
	norm := math.Sqrt(matrix.SumSquares(x))
	beta = -math.Copysign(norm, x[0])
	alpha := x[0]
	tau = (beta - alpha) / beta
	x[0] = 1
	for i := 1; i < len(x); i++ {
		x[i] /= alpha - beta
	}
	return beta / scale, tau
}

// mulSymmetric sets y to Ax for the symmetric A whose lower triangle is a's. Each
// entry is the chain y[i] = Σ a[i,k]x[k], k ascending from +0: the steps up to the
// diagonal come from row i, those beyond it from the rows below, which are taken
// four at a time.
func mulSymmetric(y []float64, a *matrix.Dense, x []float64) {
	i := 0
	for ; i+4 <= len(x); i += 4 {
		mulSymmetric4(y, a, i, x)
	}
	for ; i < len(x); i++ {
		row, xi, s := a.Row(i), x[i], 0.0
		for k, v := range row[:i] {
			s = f64.FMA(v, x[k], s)
			y[k] = f64.FMA(v, xi, y[k])
		}
		y[i] = f64.FMA(row[i], xi, s)
	}
}

// mulSymmetric4 is mulSymmetric for rows i … i+3.
func mulSymmetric4(y []float64, a *matrix.Dense, i int, x []float64) {
	rows := [4][]float64{a.Row(i), a.Row(i + 1), a.Row(i + 2), a.Row(i + 3)}
	r0, r1, r2, r3 := rows[0][:i], rows[1][:i], rows[2][:i], rows[3][:i]
	x0, x1, x2, x3 := x[i], x[i+1], x[i+2], x[i+3]
	var s0, s1, s2, s3 float64
	ys := y[:i]
	for k, v := range x[:i] {
		a0, a1, a2, a3, t := r0[k], r1[k], r2[k], r3[k], ys[k]
		s0 = f64.FMA(a0, v, s0)
		s1 = f64.FMA(a1, v, s1)
		s2 = f64.FMA(a2, v, s2)
		s3 = f64.FMA(a3, v, s3)
		t = f64.FMA(a0, x0, t)
		t = f64.FMA(a1, x1, t)
		t = f64.FMA(a2, x2, t)
		t = f64.FMA(a3, x3, t)
		ys[k] = t
	}
	for r, s := range [4]float64{s0, s1, s2, s3} {
		for k := range 4 {
			s = f64.FMA(rows[max(r, k)][i+min(r, k)], x[i+k], s)
		}
		y[i+r] = s
	}
}

// applyLeft overwrites the rows of z, which hold vectors, by the vectors Q times
// them: Z ← ZQᵀ = Z·…H₁H₀, panels of reflections from the last to the first. The
// product of a panel's reflections is I − YTYᵀ with T upper triangular (Schreiber
// & Van Loan, "A storage-efficient WY representation for products of Householder
// transformations", SIAM J. Sci. Stat. Comput. 10, 1989); its transpose is
// applied from the right. Cost: 2n²·rows flops.
func (t *tridiagonal) applyLeft(ctx context.Context, z *matrix.Dense, panel int) error {
	n := t.a.Rows
	if n < 3 || z.Rows == 0 {
		return nil
	}
	team := newTeam(n, n, z.Rows)
	defer team.Close()
	for lo := (n - 3) / panel * panel; lo >= 0; lo -= panel {
		if err := ctx.Err(); err != nil {
			return err
		}
		k, rows := min(panel, n-2-lo), n-1-lo
		y := matrix.New(rows, k) // of rows lo+1 … n-1
		for j := range k {
			y.Row(j)[j] = 1
			for i := j + 1; i < rows; i++ {
				y.Row(i)[j] = t.a.Row(lo + 1 + i)[lo+j]
			}
		}
		right := z.View(0, lo+1, z.Rows, rows)
		p, pt := matrix.New(z.Rows, k), matrix.New(z.Rows, k)
		multiply(team, p, right, y)
		product(team, block.Overwrite, block.Whole, pt, p, triangleOf(matrix.Transpose(nil, y), t.tau[lo:lo+k]))
		product(team, block.Subtract, block.Whole, right, pt, y)
	}
	return nil
}

// triangleOf returns T with H₀H₁…H_(k-1) = I − YTYᵀ, given the columns of Y as rows.
// Their inner products are sums of eight lanes: the longer chains of a product would
// show in the orthogonality of the result.
func triangleOf(columns *matrix.Dense, tau []float64) *matrix.Dense {
	k := columns.Rows
	t, g := matrix.New(k, k), make([]float64, k)
	for j := range k {
		// Column j: −τ_j T·(Yᵀy_j) above the diagonal.
		for l := range j {
			g[l] = matrix.Dot(columns.Row(l), columns.Row(j))
		}
		for i := range j {
			s := 0.0
			for l := i; l < j; l++ {
				s = f64.FMA(t.Row(i)[l], g[l], s)
			}
			t.Row(i)[j] = float64(-tau[j] * s)
		}
		t.Row(j)[j] = tau[j]
	}
	return t
}
