package solve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// divideAndConquer returns the orthonormal eigenvectors, in rows, of the symmetric
// tridiagonal matrix with diagonal d and subdiagonal e, and overwrites d by the
// eigenvalues, ascending. The largest magnitude in d and e must be near one. The
// second matrix is of the same size and undefined: memory that is no longer used.
func divideAndConquer(ctx context.Context, d, e []float64, limits eigenLimits) (z, free *matrix.Dense, err error) {
	n := len(d)
	z, free = matrix.New(n, n), matrix.New(n, n)
	c := conquest{ctx: ctx, d: d, e: e, z: z, limits: limits, work: free.Data, system: make([]float64, n*n)}
	if err := c.solve(0, n); err != nil {
		return nil, nil, err
	}
	return z, free, nil
}

// conquest is the state of the method: where a block of T has been solved, d
// holds its eigenvalues, ascending, and the block of z on the diagonal its
// eigenvectors in rows.
type conquest struct {
	ctx          context.Context
	d, e         []float64
	z            *matrix.Dense
	limits       eigenLimits
	work, system []float64 // n² numbers each
}

// solve solves the block of rows and columns lo … hi-1. With β = e[mid-1] it is
//
//	[T₁ 0; 0 T₂] + |β| vvᵀ,   v = (0, …, 0, 1, sign β, 0, …, 0)
//
// with T₁ and T₂ less |β| in the corners that meet.
func (c *conquest) solve(lo, hi int) error {
	if hi-lo <= leafOrder {
		return c.leaf(lo, hi)
	}
	mid := lo + (hi-lo)/2
	beta := c.e[mid-1]
	c.d[mid-1] -= math.Abs(beta)
	c.d[mid] -= math.Abs(beta)
	if err := c.solve(lo, mid); err != nil {
		return err
	}
	if err := c.solve(mid, hi); err != nil {
		return err
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	return c.merge(lo, mid, hi, beta)
}

// leafOrder is the largest order of a block that is left to the Jacobi method, whose
// cost grows fast with it.
const leafOrder = 8

// leaf solves a small block by the Jacobi method.
func (c *conquest) leaf(lo, hi int) error {
	n := hi - lo
	a := matrix.New(n, n)
	for i := range n {
		a.Row(i)[i] = c.d[lo+i]
		if i > 0 {
			a.Row(i)[i-1] = c.e[lo+i-1]
		}
	}
	values, vectors, err := jacobi(a, c.limits.sweeps)
	if err != nil {
		return err
	}
	for k, v := range values {
		at := n - 1 - k
		c.d[lo+at] = v
		for i := range n {
			c.z.Row(lo + at)[lo+i] = vectors.Row(i)[k]
		}
	}
	return nil
}

// merge makes the eigensystem of the block from those of its two parts. In the
// basis of their eigenvectors the block is
//
//	diag(d) + ρzzᵀ,   ρ = 2|β|,   √2 z = (last components of the first part's
//	                               vectors, sign β · first ones of the second's)
//
// which is deflated first: where ρ|z_i| is negligible, (d_i, e_i) is an eigenpair,
// and where a rotation of two neighbours d_i ≈ d_j makes z_i zero and an
// off-diagonal element that is negligible, too (Dongarra & Sorensen, SIAM J. Sci.
// Stat. Comput. 8, 1987).
func (c *conquest) merge(lo, mid, hi int, beta float64) error {
	r := newRankOne(c, lo, mid, hi, beta)
	r.deflate()
	if err := r.solve(c.limits.secular); err != nil {
		return err
	}
	r.multiply()
	r.sort()
	return nil
}

// half says in which part of a block a vector of its parts has components.
type half uint8

const (
	first half = iota
	both
	second
)

// rankOne is diag(d) + ρzzᵀ, of order n, in the basis of the vectors in the rows
// of q.
type rankOne struct {
	d, z   []float64
	rho    float64
	q      *matrix.Dense // n×n
	split  int           // columns of the first part
	where  []half        // by row of q
	kept   []int         // the rows that are not deflated, ascending in d
	out    []int         // the deflated rows
	lambda []float64     // of the kept, ascending
	s      *matrix.Dense // their eigenvectors in rows, components in the order of kept
	result *matrix.Dense // n×n: s times the kept vectors, and the deflated ones
}

func newRankOne(c *conquest, lo, mid, hi int, beta float64) *rankOne {
	n := hi - lo
	r := &rankOne{
		d: c.d[lo:hi], z: make([]float64, n), rho: math.Abs(float64(2 * beta)),
		q: c.z.View(lo, lo, n, n), split: mid - lo, where: make([]half, n),
	}
	square := func(data []float64) *matrix.Dense {
		return &matrix.Dense{Rows: n, Cols: n, Stride: n, Data: data[:n*n]}
	}
	r.s, r.result = square(c.system), square(c.work)
	root := math.Sqrt(0.5)
	for i := range n {
		if i < r.split {
			r.z[i] = float64(root * r.q.Row(i)[r.split-1])
		} else {
			r.z[i] = float64(math.Copysign(root, beta) * r.q.Row(i)[r.split])
			r.where[i] = second
		}
	}
	return r
}

func (r *rankOne) deflate() {
	n := len(r.d)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, r.byValue)
	var top float64
	for i, v := range r.z {
		top = max(top, math.Abs(v), math.Abs(r.d[i]))
	}
	tolerance := float64(8 * unit * top)
	last := -1 // the kept candidate before i
	for _, i := range order {
		if float64(r.rho*math.Abs(r.z[i])) <= tolerance {
			r.out = append(r.out, i)
			continue
		}
		if last >= 0 && r.rotate(last, i, tolerance) {
			r.out = append(r.out, last)
		} else if last >= 0 {
			r.kept = append(r.kept, last)
		}
		last = i
	}
	if last >= 0 {
		r.kept = append(r.kept, last)
	}
}

func (r *rankOne) byValue(i, j int) int {
	return cmp.Or(cmp.Compare(r.d[i], r.d[j]), cmp.Compare(i, j))
}

// rotate makes z_i zero by a rotation of rows i and j, unless that makes an
// off-diagonal element above the tolerance.
func (r *rankOne) rotate(i, j int, tolerance float64) bool {
	// Both are above tolerance/ρ, so that no square vanishes.
	norm := math.Sqrt(math.FMA(r.z[i], r.z[i], float64(r.z[j]*r.z[j])))
	c, s := r.z[j]/norm, -r.z[i]/norm
	gap := r.d[j] - r.d[i]
	if math.Abs(float64(float64(gap*c)*s)) > tolerance {
		return false
	}
	r.z[i], r.z[j] = 0, norm
	qi, qj := r.q.Row(i), r.q.Row(j)
	for k, x := range qi {
		y := qj[k]
		qi[k] = math.FMA(c, x, float64(s*y))
		qj[k] = math.FMA(c, y, -float64(s*x))
	}
	if r.where[i] != r.where[j] {
		r.where[i], r.where[j] = both, both
	}
	c2, s2 := float64(c*c), float64(s*s)
	r.d[i], r.d[j] = math.FMA(r.d[i], c2, float64(r.d[j]*s2)), math.FMA(r.d[i], s2, float64(r.d[j]*c2))
	return true
}

// solve finds the eigenpairs of the kept part.
func (r *rankOne) solve(iterations int) error {
	k := len(r.kept)
	if k == 0 {
		return nil
	}
	q := secular{d: make([]float64, k), z: make([]float64, k), rho: r.rho}
	for i, at := range r.kept {
		q.d[i], q.z[i] = r.d[at], r.z[at]
	}
	r.lambda = make([]float64, k)
	r.s = r.s.View(0, 0, k, k)
	for j := range k {
		var ok bool
		if r.lambda[j], ok = q.root(j, r.s.Row(j), iterations); !ok {
			return &NotConvergedError{Method: "iteration for an eigenvalue of a rank-one change", Order: k, Sweeps: iterations}
		}
	}
	q.vectors(r.s)
	return nil
}

// multiply fills result: its first rows are the new vectors of the kept part, the
// others the deflated rows. The kept rows of q are taken by what they have: those
// with components in the first part, in both, in the second.
func (r *rankOne) multiply() {
	n, k := len(r.d), len(r.kept)
	order := make([]int, k) // positions in kept
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(r.where[r.kept[i]], r.where[r.kept[j]]), cmp.Compare(i, j))
	})
	var count [3]int
	for _, i := range r.kept {
		count[r.where[i]]++
	}
	row := make([]float64, k)
	for j := range k {
		copy(row, r.s.Row(j))
		for i, from := range order {
			r.s.Row(j)[i] = row[from]
		}
	}
	side := func(from, to, col, cols int) {
		if from == to || cols == 0 {
			r.result.View(0, col, k, cols).Zero()
			return
		}
		p := matrix.New(to-from, cols)
		for i := range p.Rows {
			copy(p.Row(i), r.q.Row(r.kept[order[from+i]])[col:col+cols])
		}
		multiply(nil, r.result.View(0, col, k, cols), r.s.View(0, from, k, to-from), p)
	}
	side(0, count[first]+count[both], 0, r.split)
	side(count[first], k, r.split, n-r.split)
	for i, from := range r.out {
		copy(r.result.Row(k+i), r.q.Row(from))
	}
}

// sort puts the eigenvalues into d, ascending, and the vectors into q.
func (r *rankOne) sort() {
	values := slices.Clone(r.lambda)
	for _, i := range r.out {
		values = append(values, r.d[i])
	}
	order := descending(values)
	slices.Reverse(order)
	for i, from := range order {
		r.d[i] = values[from]
		copy(r.q.Row(i), r.result.Row(from))
	}
}
