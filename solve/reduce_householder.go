package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// reflections is a product H = I − VTVᵀ of Householder reflections that leaves the
// coordinates before first alone (Schreiber & Van Loan, "A storage-efficient WY
// representation for products of Householder transformations", SIAM J. Sci. Stat.
// Comput. 10, 1989). The vectors are rows here.
type reflections struct {
	first int
	v     *matrix.Dense // Vᵀ, from coordinate first on
	t     *matrix.Dense // T, upper triangular
}

// householderRows finds the reflections H that make the rows of x, k×n, those of a
// lower triangle: with the rows as columns, HXᵀ = [R; 0]. It returns the min(k, n)
// reflections, for coordinates from first on and with their vectors in v, and R.
// Rows are scaled by powers of two, so that H is orthogonal to working accuracy
// however small they are. x is destroyed.
func householderRows(x *matrix.Dense, first int, v *matrix.Dense) (h reflections, r *matrix.Dense) {
	count := min(x.Rows, x.Cols)
	r = matrix.New(count, x.Rows)
	h = reflections{first: first, v: v.View(0, 0, count, x.Cols)}
	h.v.Zero()
	tau := make([]float64, count)
	for j := range count {
		row := x.Row(j)
		copyColumn(r, j, row[:j])
		v := h.v.Row(j)[j:]
		copy(v, row[j:])
		var beta float64
		beta, tau[j] = householder(v)
		r.Set(j, j, beta)
		for i := j + 1; i < x.Rows; i++ {
			below := x.Row(i)[j:]
			addMultiple(below, float64(-tau[j]*matrix.Dot(v, below)), v)
		}
	}
	h.t = triangleOf(h.v, tau)
	for j := count; j < x.Rows; j++ {
		copyColumn(r, j, x.Row(j)[:count])
	}
	return h, r
}

func copyColumn(dst *matrix.Dense, j int, v []float64) {
	for i, x := range v {
		dst.Set(i, j, x)
	}
}

// apply subtracts from z, n×r, V T Vᵀz or, transposed, V Tᵀ Vᵀz. c and tc are memory for
// as many rows as there are vectors, as wide as z.
func (h reflections) apply(team *block.Team, z *matrix.Dense, transposed matrix.Trans, c, tc *matrix.Dense) {
	part := z.View(h.first, 0, h.v.Cols, z.Cols)
	c, tc = c.View(0, 0, h.v.Rows, z.Cols), tc.View(0, 0, h.v.Rows, z.Cols)
	block.Run(team, productJob(block.Overwrite, c, h.v, part))
	matrix.Mul(tc, h.t, transposed, c, matrix.NoTrans)
	job := productJob(block.Subtract, part, h.v, tc)
	job.TransA = true
	block.Run(team, job)
}

// bandReducer reduces a symmetric matrix A to a band matrix by reflections from
// both sides, some columns at a time, as LAPACK 3's dsytrd reduces it to three
// diagonals: with H = I − VTVᵀ,
//
//	HᵀAH = A − VWᵀ − WVᵀ,   W = AVT − ½V(TᵀVᵀAVT)
//
// and this is subtracted from the matrix only after several such steps (Bischof,
// Lang & Sun, "A framework for symmetric band reduction", ACM Trans. Math. Softw.
// 26, 2000); until then A stands for itself less what the vectors say.
type bandReducer struct {
	team    *block.Team
	a       *matrix.Dense // both triangles are valid for the part that is left
	t       *band
	h       []reflections
	pending *pendingUpdate
	scratch [3][]float64 // for as many matrices of one step
}

// matrix returns one of the matrices of a step, of undefined values.
func (s *bandReducer) matrix(which, rows, cols int) *matrix.Dense {
	s.scratch[which] = resized(s.scratch[which], rows*cols)
	m, _ := cut(s.scratch[which], rows, cols)
	return m
}

// pendingUpdate holds the vectors [V; W] and [W; V] of steps that are not
// subtracted yet, as rows.
type pendingUpdate struct {
	vw, wv *matrix.Dense
	count  int // vectors in V and in W
}

// bandWidth is the number of columns that a step reduces, and the width of the
// band; pendingSteps that of the steps between updates of the matrix.
const (
	bandWidth    = 24
	pendingSteps = 4
)

// bandReduction reduces k, whose Frobenius norm is given and which is overwritten,
// so that the columns of f, n×c, lie in the span of the first c unit
// vectors. All later steps must leave these alone, so that the band is as wide as c
// at least.
func bandReduction(ctx context.Context, team *block.Team, k *matrix.Dense, norm float64, f *matrix.Dense, width int) (*Reduction, error) {
	n, width := k.Rows, max(width, f.Cols)
	s := &bandReducer{team: team, a: k, t: newBand(n, min(width, n-1)), pending: newPendingUpdate(n, pendingSteps*width)}
	columns := matrix.Transpose(nil, f)
	shifts := normalizeRows(columns)
	h, start := householderRows(columns, 0, matrix.New(f.Cols, n))
	shiftColumns(start, shifts, -1)
	s.transform(h)
	for i := 0; i < n; i += width {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := min(width, n-i)
		rows := s.current(i, b)
		for r := range b {
			for c := range r + 1 {
				s.t.set(i+r, i+c, rows.At(r, c))
			}
		}
		left := n - i - b
		if left == 0 {
			break
		}
		// The rows that are read now have room for the vectors.
		h, below := householderRows(rows.View(0, b, b, left), i+b, k.View(i, i+b, b, left))
		for r := range below.Rows {
			for c := r; c < b; c++ {
				s.t.set(i+b+r, i+c, below.At(r, c))
			}
		}
		s.transform(h)
	}
	return &Reduction{n: n, norm: norm, start: start, t: s.t, basis: reflectedBasis(s.h)}, nil
}

func newPendingUpdate(n, vectors int) *pendingUpdate {
	return &pendingUpdate{vw: matrix.New(2*vectors, n), wv: matrix.New(2*vectors, n)}
}

// capacity is the number of vectors V that there is room for.
func (p *pendingUpdate) capacity() int { return p.vw.Rows / 2 }

// parts returns the vectors [V; W] and [W; V] from coordinate i on. V and W lie
// next to one another in the middle: V grows upwards and W downwards.
func (p *pendingUpdate) parts(i int) (vw, wv *matrix.Dense) {
	at, rows, cols := p.capacity()-p.count, 2*p.count, p.vw.Cols-i
	return p.vw.View(at, i, rows, cols), p.wv.View(at, i, rows, cols)
}

// current returns rows i … i+b−1 of the matrix from column i on, with all that is
// pending subtracted.
func (s *bandReducer) current(i, b int) *matrix.Dense {
	rows := s.matrix(0, b, s.a.Cols-i)
	rows.CopyFrom(s.a.View(i, i, b, s.a.Cols-i))
	if s.pending.count > 0 {
		vw, wv := s.pending.parts(i)
		job := productJob(block.Subtract, rows, vw.View(0, 0, vw.Rows, b), wv)
		job.TransA = true
		block.Run(s.team, job)
	}
	return rows
}

// transform makes the matrix HᵀAH.
func (s *bandReducer) transform(h reflections) {
	s.h = append(s.h, h)
	n, p := s.a.Rows, s.pending
	if p.count+h.v.Rows > p.capacity() {
		s.update(h.first)
	}
	m := n - h.first
	y := s.matrix(0, h.v.Rows, m) // VᵀA = (AV)ᵀ, where A is read once, row by row
	av := s.matrix(1, m, h.v.Rows)
	product(s.team, block.Overwrite, block.Whole, av, s.a.View(h.first, h.first, m, m), h.v)
	matrix.Transpose(y, av)
	if p.count > 0 {
		vw, wv := p.parts(h.first)
		c := s.matrix(1, h.v.Rows, vw.Rows)
		product(s.team, block.Overwrite, block.Whole, c, h.v, vw)
		block.Run(s.team, productJob(block.Subtract, y, c, wv))
	}
	// Wᵀ = Tᵀ(VᵀA) − ½(TᵀVᵀAVT)Vᵀ
	w := matrix.Mul(s.matrix(2, h.v.Rows, m), h.t, matrix.Transposed, y, matrix.NoTrans)
	tvav := matrix.Mul(nil, w, matrix.NoTrans, h.v, matrix.Transposed)
	tvavt := matrix.Mul(nil, tvav, matrix.NoTrans, h.t, matrix.NoTrans)
	for i := range tvavt.Rows {
		row := tvavt.Row(i)
		for j := range row {
			row[j] = float64(0.5 * row[j])
		}
	}
	matrix.SubMul(w, tvavt, matrix.NoTrans, h.v, matrix.NoTrans)
	p.add(h.first, h.v, w)
}

// add takes vectors V and W from coordinate i on; those before are zeros or no
// longer read.
func (p *pendingUpdate) add(i int, v, w *matrix.Dense) {
	for r := range v.Rows {
		p.count++
		up, down := p.capacity()-p.count, p.capacity()+p.count-1
		copy(p.vw.Row(up)[i:], v.Row(r))
		copy(p.vw.Row(down)[i:], w.Row(r))
		copy(p.wv.Row(up)[i:], w.Row(r))
		copy(p.wv.Row(down)[i:], v.Row(r))
	}
}

// update subtracts what is pending from the part of the matrix from row and column
// i on.
func (s *bandReducer) update(i int) {
	m := s.a.Rows - i
	vw, wv := s.pending.parts(i)
	a := s.a.View(i, i, m, m)
	block.Run(s.team, block.Job{Mode: block.Subtract, Part: block.Symmetric, C: block.Mat(*a), A: block.Mat(*vw), TransA: true, B: block.Mat(*wv)})
	s.pending.count = 0
}

// reflectedBasis is the orthogonal matrix H₀H₁….
type reflectedBasis []reflections

func (q reflectedBasis) inner(team *block.Team, x *matrix.Dense) *matrix.Dense {
	z := x.Clone()
	q.apply(team, z, matrix.Transposed)
	return z
}

func (q reflectedBasis) combine(team *block.Team, x, z *matrix.Dense) {
	x.CopyFrom(z)
	q.apply(team, x, matrix.NoTrans)
}

// columnsAtOnce is about the number of columns that a worker takes through all
// reflections: whole tiles, which a cache holds for some thousand rows.
const columnsAtOnce = 48

// apply overwrites z by its product with all reflections. Several workers share the columns,
// or with few of them each product.
func (q reflectedBasis) apply(team *block.Team, z *matrix.Dense, transposed matrix.Trans) {
	parts := z.Cols / columnsAtOnce
	if parts < 2 {
		q.applyTo(team, z, transposed)
		return
	}
	team.Do(parts, func(part int) {
		first, last := part*columnsAtOnce, (part+1)*columnsAtOnce
		if part == parts-1 {
			last = z.Cols
		}
		columns := z.View(0, first, z.Rows, last-first)
		own := columns.Clone()
		q.applyTo(nil, own, transposed)
		columns.CopyFrom(own)
	})
}

func (q reflectedBasis) applyTo(team *block.Team, z *matrix.Dense, transposed matrix.Trans) {
	most := 0
	for _, h := range q {
		most = max(most, h.v.Rows)
	}
	c, tc := matrix.New(most, z.Cols), matrix.New(most, z.Cols)
	for i := range q {
		if transposed == matrix.NoTrans {
			i = len(q) - 1 - i
		}
		q[i].apply(team, z, transposed, c, tc)
	}
}
