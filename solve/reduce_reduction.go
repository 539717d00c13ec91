package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Reduction is a real symmetric n×n matrix K on a space that holds given vectors F,
// n×c:
//
//	K V = V T + rest,   F = V R
//
// with V of n×m orthonormal columns and T a band matrix. It stands for K in all
// systems (K + sI)W = F, whatever the shift s: W ≈ V(T + sI)⁻¹R, at O(m·width²).
// The rest is zero, but for rounding, where the reduction is complete, and else so
// small that it does not matter for the shifts that the reduction was made for.
type Reduction struct {
	n      int
	norm   float64       // ‖K‖_F
	start  *matrix.Dense // the rows of R that are not zero
	t      *band
	basis  basis
	tail   *matrix.Dense // the rest is X·tail in the columns of V from tailAt on
	tailAt int
	lost   float64 // and at most of this norm besides

	// Outside of the space K is mean·I, but for a matrix of norm spread.
	mean, spread float64
	scratch      scratch
}

// basis is a set of orthonormal vectors V.
type basis interface {
	// inner returns Vᵀx of an n×r matrix.
	inner(team *block.Team, x *matrix.Dense) *matrix.Dense
	// combine sets the n×r matrix x to Vz of an m×r matrix.
	combine(team *block.Team, x, z *matrix.Dense)
}

// Order returns n.
func (r *Reduction) Order() int { return r.n }

// Size returns m, the dimension of the space.
func (r *Reduction) Size() int {
	misuse.NotNil("solve: Reduction.Size", "the matrix of a zero Reduction", r.t)
	return r.t.n
}

// Complete reports whether T is orthogonally similar to K, up to rounding.
func (r *Reduction) Complete() bool { return r.Size() == r.n }

// Refinable reports whether [Reduction.Refine] improves solutions for the shift s:
// where the reduction is complete, or K outside of the space is so near to a multiple
// of I that with it, in place of K there, a step of refinement gains a factor of 16.
func (r *Reduction) Refinable(s Shift) bool {
	if r.Complete() {
		return true
	}
	tail := 0.0
	if r.tail != nil {
		tail = matrix.NormFrobenius(r.tail)
	}
	outside := hypotenuse(r.mean+s.Real, s.Imag)
	return float64(16*r.spread) <= outside && float64(16*tail) <= s.modulus()
}

// Start returns the coordinates R of F: its leading rows, the others being zero. A
// column of F whose norm is beyond the range of float64 has infinite ones.
func (r *Reduction) Start() *matrix.Dense {
	misuse.NotNil("solve: Reduction.Start", "the start of a zero Reduction", r.start)
	return r.start.Clone()
}

// Coordinates returns Vᵀx, m×r, of an n×r matrix x. Cost: 2nmr flops.
func (r *Reduction) Coordinates(x *matrix.Dense) *matrix.Dense {
	misuse.NotNil("solve: Reduction.Coordinates", "x", x)
	mustBe("Reduction.Coordinates", "x", x, r.n, x.Cols)
	r.mustHaveVectors("Coordinates")
	team := newTeam(r.n, r.Size(), x.Cols)
	defer team.Close()
	return r.basis.inner(team, x)
}

// Vectors returns Vz, n×r, of an m×r matrix z. Cost: 2nmr flops.
func (r *Reduction) Vectors(z *matrix.Dense) *matrix.Dense {
	misuse.NotNil("solve: Reduction.Vectors", "z", z)
	return r.vectors(matrix.New(r.n, z.Cols), z)
}

// vectors sets x to Vz and returns it.
func (r *Reduction) vectors(x, z *matrix.Dense) *matrix.Dense {
	mustBe("Reduction.Vectors", "z", z, r.Size(), z.Cols)
	r.mustHaveVectors("Vectors")
	team := newTeam(r.n, r.Size(), z.Cols)
	defer team.Close()
	r.basis.combine(team, x, z)
	return x
}

// DropVectors gives up V, and makes the memory of k, which is the matrix that was reduced,
// that of [Reduction.Solve], where k is no view of a larger one: nothing may be called
// afterwards that needs V, Coordinates, Vectors, Refine and Measure.
func (r *Reduction) DropVectors(k *matrix.Dense) {
	misuse.NotNil("solve: Reduction.DropVectors", "k", k, "the matrix of a zero Reduction", r.t)
	mustBe("Reduction.DropVectors", "k", k, r.n, r.n)
	r.basis = nil
	if k.Stride == r.n {
		r.t.spare = &spare{rest: k.Data[:r.n*r.n]}
	}
}

func (r *Reduction) mustHaveVectors(method string) {
	if r.basis == nil {
		panic("solve: Reduction." + method + " after DropVectors")
	}
}

// Multiply returns Tz, m×r, the coordinates of KVz but for what lies outside of the
// space. Cost: 4·m·width·r flops.
func (r *Reduction) Multiply(z *matrix.Dense) *matrix.Dense {
	misuse.NotNil("solve: Reduction.Multiply", "z", z, "the matrix of a zero Reduction", r.t)
	mustBe("Reduction.Multiply", "z", z, r.Size(), z.Cols)
	return r.t.multiply(z)
}

// Solve returns the coordinates re + i·im, m×r, of the solution W of (K + sI)W = B
// for right-hand sides with the coordinates b, of which the leading rows are given:
// those of F have the coordinates [Reduction.Start]. The backward error is the
// largest of a column, ‖B − (K + sI)W‖₂/(‖K‖_F‖W‖₂ + ‖B‖₂), as far as it can be
// known from the reduction: u at least. The rounding errors that T and V were made with
// add up to about 5√n·u that it does not know of. Where elements of the solution are beyond the
// range of float64 they are ±Inf, or rounded to subnormal numbers after that is measured.
//
// For a real shift such that K + sI is not positive definite on the space the
// error is a *NotPositiveDefiniteError, whose pivot means nothing; a shift out of
// range is a *ShiftError. Cost: O(m·width·(width + r)).
func (r *Reduction) Solve(s Shift, b *matrix.Dense) (re, im *matrix.Dense, backward float64, err error) {
	misuse.NotNil("solve: Reduction.Solve", "b", b)
	one := r.SolveEach([]Shift{s}, []*matrix.Dense{b})[0]
	return one.Re, one.Im, one.Backward, one.Err
}

// ReducedSolution is what [Reduction.Solve] returns.
type ReducedSolution struct {
	Re, Im   *matrix.Dense
	Backward float64
	Err      error
}

// SolveEach is [Reduction.Solve] for several shifts and right-hand sides of the same
// shape, one for each. The solutions are those of Solve; some systems at a time are solved
// side by side, in less time than one after the other.
func (r *Reduction) SolveEach(shifts []Shift, b []*matrix.Dense) []ReducedSolution {
	solutions := make([]ReducedSolution, len(shifts))
	var at []int // the systems that are solved
	var some []Shift
	var rhs []*matrix.Dense
	scales := make([][]int, len(shifts)) // of the columns of their right-hand sides; nil for none
	for i, s := range shifts {
		if b[i].Rows > r.Size() || b[i].Rows != b[0].Rows || b[i].Cols != b[0].Cols {
			mustBe("Reduction.Solve", "right-hand side", b[i], min(r.Size(), b[0].Rows), b[0].Cols)
		}
		if size := s.modulus(); !(s.Real >= 0) || !(s.Imag >= 0) || !(size >= 1/maxShift && size <= maxShift) {
			solutions[i].Err = &ShiftError{Sigma: size, Reason: "the shift must be positive and within 2^±500: scale the matrix and the shift by the same power of two"}
			continue
		}
		scaled := b[i]
		columns, out := make([]int, scaled.Cols), false
		for j := range columns {
			columns[j] = columnShift(max(r.norm, s.modulus()), 0, columnMax(j, scaled))
			out = out || columns[j] != 0
		}
		if out {
			scales[i] = columns
			scaled = scaled.Clone()
			shiftColumns(scaled, columns, +1)
		}
		at, some, rhs = append(at, i), append(some, s), append(rhs, scaled)
	}
	for k, solved := range r.t.solve(some, rhs) {
		i := at[k]
		if solved.err != nil {
			solutions[i].Err = solved.err
			continue
		}
		x, cols := solved.x, rhs[k].Cols
		backward := max(solved.backward, unit)
		for j := 0; j < cols && (r.tail != nil || r.lost != 0); j++ {
			size := columnNorm(0, halves(x, j)...)
			rest := hypotenuse(r.rest(x, j), float64(r.lost*size))
			backward = max(backward, backwardError(r.norm, rest, size, columnNorm(j, rhs[k])))
		}
		re, im := x.View(0, 0, x.Rows, cols), x.View(0, cols, x.Rows, cols)
		if scales[i] != nil {
			shiftColumns(re, scales[i], -1)
			shiftColumns(im, scales[i], -1)
		}
		solutions[i] = ReducedSolution{Re: re, Im: im, Backward: backward}
	}
	return solutions
}

// rest returns the norm of the residual of column j of the solution x outside the
// space.
func (r *Reduction) rest(x *matrix.Dense, j int) float64 {
	if r.tail == nil || r.tail.Rows == 0 {
		return 0
	}
	var parts []*matrix.Dense
	for _, half := range halves(x, j) {
		parts = append(parts, matrix.Mul(nil, r.tail, matrix.NoTrans, half.View(r.tailAt, 0, r.tail.Cols, 1), matrix.NoTrans))
	}
	return columnNorm(0, parts...)
}

// worst returns the backward error of the solution for F and the first of the
// shifts for which T + sI can be factored, and the shifts from there on.
func (r *Reduction) worst(shifts []Shift) (float64, []Shift) {
	for ; len(shifts) > 0; shifts = shifts[1:] {
		if _, _, backward, err := r.Solve(shifts[0], r.start); err == nil {
			return backward, shifts
		}
	}
	return 0, nil
}

// Refine improves the solution W = wre + i·wim of (K + sI)W = F by iterative
// refinement with residuals in doubled precision, as [Shifted.Refine] does, where the
// reduction is [Reduction.Refinable] for s. Where it is not, W is only measured.
// Forward has 1/|s| for the bound of the inverse, which holds for an imaginary shift,
// and for a real one where K is positive semidefinite.
//
// src gives the rows of K + Re(s)I. For a real shift wim is nil. The n×r matrix kw, unless
// it is nil, is set to K·Re W of the result, rounded from doubled precision. The errors are
// those of [Shifted.Refine].
func (r *Reduction) Refine(ctx context.Context, src Source, s Shift, f, wre, wim, kw *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Reduction.Refine", "ctx", ctx, "src", src, "f", f, "wre", wre, "the matrix of a zero Reduction", r.t)
	mustMatch(src, r.n, nil)
	if !r.Refinable(s) {
		most = 0
	}
	w, res := []*matrix.Dense{wre}, []*matrix.Dense{matrix.New(f.Rows, f.Cols)}
	if s.Imag != 0 {
		w, res = append(w, wim), append(res, matrix.New(f.Rows, f.Cols))
	}
	return r.refine(ctx, &r.scratch, src, s, f, w, res, kw, most)
}

// Measure returns the errors of the solution of (K + sI)W = F with the coordinates
// re + i·im, m×r, as [Reduction.Refine] does without a step. F has the coordinates f, of
// which the leading rows are given. For a real shift im is not read. The n×r matrix kw,
// unless it is nil, is set to the products of K and the real part of the solution, rounded
// from doubled precision.
func (r *Reduction) Measure(ctx context.Context, src Source, s Shift, f, re, im, kw *matrix.Dense) (Refinement, error) {
	misuse.NotNil("solve: Reduction.Measure", "ctx", ctx, "src", src, "f", f, "re", re, "the matrix of a zero Reduction", r.t)
	mustMatch(src, r.n, nil)
	parts := []*matrix.Dense{matrix.New(r.Size(), f.Cols), re}
	parts[0].View(0, 0, f.Rows, f.Cols).CopyFrom(f)
	if s.Imag != 0 {
		parts = append(parts, im)
	}
	memory, release := r.scratch.take((2*len(parts) - 1) * r.n * f.Cols)
	defer release()
	var rest scratch // what is left of the memory
	for i, z := range parts {
		parts[i], memory = cut(memory, r.n, f.Cols)
		r.vectors(parts[i], z)
	}
	var res []*matrix.Dense
	for range parts[1:] {
		var part *matrix.Dense
		part, memory = cut(memory, r.n, f.Cols)
		res = append(res, part)
	}
	rest.kept.Store(&memory)
	return r.refine(ctx, &rest, src, s, parts[0], parts[1:], res, kw, 0)
}

// refine is both, with w and memory res for the residuals, real and imaginary parts.
func (r *Reduction) refine(ctx context.Context, scratch *scratch, src Source, s Shift, f *matrix.Dense, w, res []*matrix.Dense, kw *matrix.Dense, most int) (Refinement, error) {
	system := refinedSystem{
		norm: r.norm, inverse: 1 / s.modulus(),
		residual: func(res, f, w []*matrix.Dense, kw *matrix.Dense) error {
			if s.Imag != 0 {
				return shiftedResidual(ctx, scratch, res, src, s.Imag, f, w, kw)
			}
			return realResidual(ctx, scratch, res[0], src, f[0], w[0], s.Real, kw)
		},
		solve: func(res []*matrix.Dense) { r.correct(s, res) },
	}
	return inRange(max(r.norm, s.modulus()), f, w, kw, func(f *matrix.Dense) (Refinement, error) {
		return system.refine(most, f, w, kw, res)
	})
}

// correct overwrites the residuals, real and imaginary parts, by the corrections
//
//	V(T + sI)⁻¹Vᵀr + (I − VVᵀ)r / (mean + s)
func (r *Reduction) correct(s Shift, residual []*matrix.Dense) {
	cols := residual[0].Cols
	z := matrix.New(r.Size(), 2*cols)
	for part, re := range residual {
		inside := r.Coordinates(re)
		z.View(0, part*cols, z.Rows, cols).CopyFrom(inside)
		if !r.Complete() {
			within := r.Vectors(inside)
			for i := range re.Rows {
				row := re.Row(i)
				for j, v := range within.Row(i) {
					row[j] -= v
				}
			}
		}
	}
	r.t.divide(s, z)
	if r.Complete() {
		for _, re := range residual {
			re.Zero()
		}
	} else {
		r.divideOutside(s, residual)
	}
	for part, re := range residual {
		add(re, r.Vectors(z.View(0, part*cols, z.Rows, cols)))
	}
}

// divideOutside divides by mean + s.
func (r *Reduction) divideOutside(s Shift, x []*matrix.Dense) {
	shifted := pair{r.mean + s.Real, -s.Imag}
	d, t := divisor(shifted)
	for i := range r.n {
		re := x[0].Row(i)
		if len(x) == 1 {
			for j := range re {
				re[j] /= shifted.re
			}
			continue
		}
		im := x[1].Row(i)
		for j := range re {
			q := cdiv(pair{re[j], im[j]}, d, t)
			re[j], im[j] = q.re, q.im
		}
	}
}
