package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Refinement is the result of iterative refinement.
type Refinement struct {
	// Steps is the number of corrections that were made.
	Steps int
	// Backward bounds the normwise backward error of the result,
	//
	//	max over columns of ‖r‖₂ / (‖A‖_F ‖w‖₂ + ‖f‖₂),
	//
	// with the largest float64 for ‖A‖_F where that is less, by the residual of the sum
	// of all corrections and what rounding that sum makes. A column so small or
	// large that it was refined times a power of two is measured before it is
	// rounded to its place.
	Backward float64
	// Forward bounds the relative error ‖δw‖₂/‖w‖₂ of the result, the largest
	// over its columns, by the same two, the residual times a bound of ‖A⁻¹‖₂. It is at
	// least u = 2⁻⁵³, and +Inf where nothing can be said. Where no bound of ‖A⁻¹‖₂ is
	// known it is an estimate, with what the last correction was per residual in its
	// place.
	Forward float64
}

// Refine improves the solution W = wre + i·wim of (K − iσI)W = F, for a real n×r
// matrix F, by iterative refinement: corrections (LDLᵀ)⁻¹R, with residuals R of W and
// all corrections so far in doubled precision, are summed and added to W in the end; K
// comes from src. Each step multiplies the error of
// a column by at most a small multiple of ρ = u·growth·cond(K − iσI). It stops when the
// bound of what is left is below u in the
// real and in the imaginary part of every column, when residuals no longer
// shrink, or after most steps: one is enough where ρ is well below √u, ρ near 1 does not
// converge. most = 0 only measures. An element of F or W that is not finite, before
// or after, is a *matrix.NotFiniteError; a cancelled context returns its error, with
// W as it was. Cost: steps+1 residuals and steps solves.
//
// Where kw is not nil, it is an n×r matrix that is set to K·Re W of the result before it
// is rounded, which comes with the residuals.
func (s *Shifted) Refine(ctx context.Context, src Source, f, wre, wim, kw *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Shifted.Refine", "ctx", ctx, "src", src, "f", f, "wre", wre, "wim", wim)
	mustMatch(src, s.Order(), s.a)
	system := refinedSystem{
		norm: s.norm, inverse: 1 / s.sigma,
		residual: func(r, f, w []*matrix.Dense, kw *matrix.Dense) error {
			return shiftedResidual(ctx, nil, r, src, s.sigma, f, w, kw)
		},
		solve: func(r []*matrix.Dense) { s.Solve(r[0], r[1]) },
	}
	return inRange(max(s.norm, s.sigma), f, []*matrix.Dense{wre, wim}, kw, func(f *matrix.Dense) (Refinement, error) {
		return system.refine(most, f, []*matrix.Dense{wre, wim}, kw, nil)
	})
}

// Known is what is known of a matrix A = K + shift·I.
type Known struct {
	Shift   float64
	Inverse float64 // ‖A⁻¹‖₂ is at most that; 0 or +Inf where nothing is known
	// Common, where it is not 0, says that the columns of F and of W sum to zero, that A keeps
	// such sums but for rounding, and that what was factored is A only there, and along
	// (1, …, 1) has this eigenvalue.
	Common float64
	// Along, where it is not nil, is a vector that stands for (1, …, 1) there, and the
	// inner products with it for the sums; AlongLow is what its rounding has left of it.
	Along, AlongLow []float64
}

// Refine improves the solution W of AW = F by iterative refinement with residuals in
// doubled precision, as [Shifted.Refine] does; A comes from src. Where a has no bound of
// the inverse, Forward is an estimate. Where kw is not nil, it is set to KW of the result
// before it is rounded, K = A − shift·I.
func (c *Cholesky) Refine(ctx context.Context, src Source, a Known, f, w, kw *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Cholesky.Refine", "ctx", ctx, "src", src, "f", f, "w", w, "the factor of a zero Cholesky", c.l)
	mustMatch(src, c.Order(), c.l)
	if a.Inverse == 0 {
		a.Inverse = math.Inf(1)
	}
	system := refinedSystem{
		norm: c.norm, inverse: a.Inverse,
		residual: func(r, f, w []*matrix.Dense, kw *matrix.Dense) error {
			means := make([]float64, w[0].Cols) // that are left
			for j := range means {
				if a.Common != 0 && f[0] == r[0] {
					means[j] = a.share(f[0], j)
				}
			}
			err := realResidual(ctx, nil, r[0], src, f[0], w[0], a.Shift, kw)
			if a.Common != 0 {
				for j := range means {
					a.shift(r[0], j, math.FMA(-a.Common, a.share(w[0], j), means[j])-a.share(r[0], j))
				}
			}
			return err
		},
		solve: func(r []*matrix.Dense) { c.Solve(r[0]) },
	}
	return inRange(c.norm, f, []*matrix.Dense{w}, kw, func(f *matrix.Dense) (Refinement, error) {
		return system.refine(most, f, []*matrix.Dense{w}, kw, nil)
	})
}

// share returns the mean of column j of a, or how much of Along it holds, in doubled
// precision.
func (k Known) share(a *matrix.Dense, j int) float64 {
	sum, low := 0.0, 0.0
	if k.Along != nil {
		for i, q := range k.Along {
			v := a.At(i, j)
			sum, low = f64.AddProduct(sum, low, q, v)
			low = math.FMA(k.AlongLow[i], v, low)
		}
		return (sum + low) / matrix.SumSquares(k.Along)
	}
	for i := range a.Rows {
		sum, low = f64.AddProduct(sum, low, 1, a.At(i, j))
	}
	return (sum + low) / float64(a.Rows)
}

// shift adds v to column j of a, or v times Along.
func (k Known) shift(a *matrix.Dense, j int, v float64) {
	for i := range a.Rows {
		own := v
		if k.Along != nil {
			own = float64(v * k.Along[i])
		}
		a.Row(i)[j] += own
	}
}

// refinedSystem is a system AW = F that is solved approximately. Vectors are one real
// part, or a real and an imaginary one.
type refinedSystem struct {
	norm    float64 // ‖A‖_F
	inverse float64 // ‖A⁻¹‖₂ is at most that; +Inf where nothing is known
	terms   int     // of the sums of residuals, where they are more than the rows
	// residual sets r, which may be f, to F − AW, and kw, where it is not nil, to KW.
	residual func(r, f, w []*matrix.Dense, kw *matrix.Dense) error
	solve    func(r []*matrix.Dense) // overwrites R by a correction
}

// refine is the loop. r, where not nil, is memory for the residuals.
func (s *refinedSystem) refine(most int, f *matrix.Dense, w []*matrix.Dense, kw *matrix.Dense, r []*matrix.Dense) (Refinement, error) {
	if r == nil {
		r = zerosLike(w)
	}
	if err := s.residual(r, []*matrix.Dense{f}, w, kw); err != nil {
		return Refinement{Forward: math.Inf(1)}, err
	}
	left := newLeft(s, f, w, r)
	if most == 0 {
		return left.result(s, w, nil), nil
	}
	d, sum := zerosLike(w), zerosLike(w)
	var kd *matrix.Dense
	if kw != nil {
		kd = matrix.New(kw.Rows, kw.Cols)
	}
	steps := 0
	for done := false; !done && steps < most; steps++ {
		for part := range d {
			d[part].CopyFrom(r[part])
		}
		s.solve(d)
		if err := s.residual(r, r, d, kd); err != nil {
			return Refinement{Forward: math.Inf(1)}, err
		}
		done = left.take(s, w, sum, d, kd, r)
		for part := range d {
			add(sum[part], d[part])
		}
		if kw != nil {
			add(kw, kd)
		}
	}
	out := left.result(s, w, sum)
	out.Steps = steps
	return out, nil
}

// left is what refinement has left of each column.
type left struct {
	rights  []float64 // ‖f‖
	rests   []float64 // ‖r‖
	rounded []float64 // how far the rounding of residuals may have moved r
	errors  []float64 // bound or estimate of ‖A⁻¹r‖
}

func newLeft(s *refinedSystem, f *matrix.Dense, w, r []*matrix.Dense) *left {
	l := new(left)
	n := float64(max(f.Rows, s.terms))
	// The terms of a row are at most max|K_ik|·√n‖w‖: see shiftedResidual.
	doubled := float64(float64(8*(n+float64(n*n))*math.Sqrt(n)) * float64(unit*unit))
	for c := range f.Cols {
		rest := columnNorm(c, r...)
		l.rights = append(l.rights, columnNorm(c, f))
		l.rests = append(l.rests, rest)
		l.rounded = append(l.rounded, float64(unit*rest)+float64(doubled*float64(s.norm*columnNorm(c, w...))))
		l.errors = append(l.errors, times(s.inverse, rest))
	}
	return l
}

// take takes in the corrections d, which left the residuals r. Where they made it larger
// the column stays as it was: its correction becomes 0, and so do those that follow. It
// reports whether more are of no use.
func (l *left) take(s *refinedSystem, w, sum, d []*matrix.Dense, kd *matrix.Dense, r []*matrix.Dense) (done bool) {
	done = true
	for c, before := range l.rests {
		rest := columnNorm(c, r...)
		if before == 0 || !(rest < before) {
			for _, a := range append(append([]*matrix.Dense{kd}, d...), r...) {
				if a != nil {
					a.View(0, c, a.Rows, 1).Zero()
				}
			}
			continue
		}
		size := columnNorm(c, d...)
		if size > float64(1.01*float64(s.inverse*before)) { // it is not so small
			s.inverse = float64(float64(4*math.Sqrt(float64(w[0].Rows))) * (size / before))
		}
		l.rests[c] = rest
		l.rounded[c] += float64(unit * rest)
		if l.errors[c] = times(s.inverse, rest); math.IsInf(s.inverse, 1) {
			l.errors[c] = float64(size * (rest / before))
		}
		for part := range w {
			if l.errors[c] > float64(unit*sumNorm(c, w[part], sum[part], d[part])) && rest <= float64(0.5*before) {
				done = false
			}
		}
	}
	return done
}

// result adds the corrections to w, unless there are none, and returns the errors.
func (l *left) result(s *refinedSystem, w, sum []*matrix.Dense) (out Refinement) {
	out.Forward = unit
	rounding := make([]float64, len(l.rests))
	if sum != nil {
		for part := range w {
			for i := range w[part].Rows {
				row, rest := w[part].Row(i), sum[part].Row(i)
				for c, d := range rest {
					row[c], rest[c] = f64.AddProduct(row[c], 0, 1, d)
				}
			}
		}
	}
	for c := range rounding {
		if sum != nil {
			rounding[c] = columnNorm(c, sum...)
		}
		size := columnNorm(c, w...)
		out.Backward = max(out.Backward, backwardError(s.norm, l.rests[c]+float64(s.norm*rounding[c]), size, l.rights[c]))
		bound := l.errors[c] + rounding[c]
		if !math.IsInf(s.inverse, 1) {
			bound += float64(s.inverse * l.rounded[c])
		}
		switch {
		case bound < float64(0.5*size):
			out.Forward = max(out.Forward, bound/(size-bound))
		case bound > 0:
			out.Forward = math.Inf(1)
		}
	}
	return out
}

// times returns the product of a bound, which may be infinite, and b, 0 where b is 0.
func times(bound, b float64) float64 {
	if b == 0 {
		return 0
	}
	return float64(bound * b)
}

// zerosLike returns matrices of 0 with the shapes of w.
func zerosLike(w []*matrix.Dense) []*matrix.Dense {
	var a []*matrix.Dense
	for _, part := range w {
		a = append(a, matrix.New(part.Rows, part.Cols))
	}
	return a
}

// sumNorm returns the norm of column c of the sum of the parts.
func sumNorm(c int, parts ...*matrix.Dense) float64 {
	sum := matrix.New(parts[0].Rows, 1)
	for _, a := range parts {
		add(sum, a.View(0, c, a.Rows, 1))
	}
	return columnNorm(0, sum)
}

// relative returns a/b, 0 where a is 0.
func relative(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// mustMatch panics unless src has order n, and where it is the matrix that was
// overwritten by its factors.
func mustMatch(src Source, n int, factors *matrix.Dense) {
	if src.Order() != n {
		panic(fmt.Sprintf("solve: Refine: source of order %d for a factorization of order %d", src.Order(), n))
	}
	if s, ok := src.(Stored); ok && factors != nil {
		mustBeApart("Refine", "source and factors", s.A, factors)
	}
}

// backwardError returns r / (norm·w + f), 0 where r is 0.
func backwardError(norm, r, w, f float64) float64 {
	if r == 0 {
		return 0
	}
	return r / math.FMA(norm, w, f)
}

// add adds b to a.
func add(a, b *matrix.Dense) {
	for i := range a.Rows {
		ai := a.Row(i)
		for j, v := range b.Row(i) {
			ai[j] += v
		}
	}
}

// columnNorm returns the Euclidean norm of column c of the given matrices taken
// together, scaled so that no square leaves the range of float64.
func columnNorm(c int, parts ...*matrix.Dense) float64 {
	scale := unitScale(columnMax(c, parts...))
	var s float64
	for _, a := range parts {
		for i := range a.Rows {
			v := float64(a.Data[i*a.Stride+c] * scale)
			s = math.FMA(v, v, s)
		}
	}
	return math.Sqrt(s) / scale
}
