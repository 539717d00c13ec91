package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// A LanczosLimit says how far the block Lanczos method may go.
type LanczosLimit struct {
	// Cost bounds the predicted cost of the steps that are still to be made, and half
	// of that of all, in units of the time of a floating-point operation in a product
	// of large matrices, of which a factorization of K − iσI takes 4n³/3.
	Cost float64
	// Vectors bounds the number of basis vectors.
	Vectors int
}

// Reduce reduces the symmetric n×n matrix k, both triangles of which are read and
// which is overwritten, for systems with the right-hand sides f, n×c, and all of
// the shifts. It takes [Lanczos] where n ≥ 1000, the rounding of K moves the
// solutions by no more than 2⁻³⁰, which is then their accuracy, and a space is large
// enough that costs less than Householder reflections. Otherwise it is these that reduce
// K to a band matrix, so that F lies in the span of the first columns of V: that
// reduction is complete and backward stable, whatever F, takes 4n³/3 flops, and a solve
// with it O(n·w(w + c)), w = max(c, 24). So the choice depends on the sizes and the data
// alone. The errors are those of Lanczos, but for a limit of steps.
func Reduce(ctx context.Context, k, f *matrix.Dense, shifts []Shift) (*Reduction, error) {
	misuse.NotNil("solve: Reduce", "ctx", ctx, "k", k, "f", f)
	team := newTeam(k.Rows, k.Rows, k.Rows)
	defer team.Close()
	norm, scale, err := checkReduction(team, "Reduce", k, f)
	if err != nil {
		return nil, err
	}
	smallest := math.Inf(1)
	for _, s := range shifts {
		smallest = min(smallest, s.modulus())
	}
	n := float64(k.Rows)
	if k.Rows >= lanczosOrder && float64(unit*norm) <= float64(lanczosRounding*smallest) {
		limit := LanczosLimit{Cost: float64(bandCost * float64(float64(n*n)*n)), Vectors: k.Rows / 2}
		r, err := lanczosReduction(ctx, team, k, norm, scale, f, shifts, limit, nil)
		if err == nil {
			r.scratch.kept.Store(nil)
		}
		if slow := (*NotConvergedError)(nil); !errors.As(err, &slow) {
			return r, err
		}
	}
	return bandReduction(ctx, team, k, norm, f, bandWidth)
}

const (
	lanczosOrder    = 1000 // below it, products with K cost no less than others
	lanczosRounding = 0x1p-30
	bandCost        = 2 // of the reduction to a band, in units of n³ flops of a large product
)

// Lanczos reduces the symmetric n×n matrix k, both triangles of which are read, to
// a Krylov space of f, n×c, large enough for systems with these right-hand sides and
// all of the shifts:  the residuals are below u‖K‖_F‖W‖, which is what the rounding
// of the elements of K makes. The shifts must be all real or all imaginary.
//
// The method is block Lanczos with full reorthogonalization. Columns of f that
// depend on others, and vectors by which the space hardly grows, are left out. Where
// the method needs more steps than the limit allows, or is predicted to, the error
// is a *NotConvergedError, with k as before; otherwise k is overwritten, and working
// memory of the reduction from then on. The first
// element of the lower triangle that is not finite is a *matrix.NotFiniteError,
// elements out of range are a *ShiftError, a cancelled context its error.
//
// Cost: a step reads k once and takes 2n²b flops, b being c or, where that is few,
// from 8 to 24 by the order; 4nm² flops in all are for the orthogonality of m vectors.
func Lanczos(ctx context.Context, k, f *matrix.Dense, shifts []Shift, limit LanczosLimit) (*Reduction, error) {
	misuse.NotNil("solve: Lanczos", "ctx", ctx, "k", k, "f", f)
	team := newTeam(k.Rows, k.Rows, k.Rows)
	defer team.Close()
	norm, scale, err := checkReduction(team, "Lanczos", k, f)
	if err != nil {
		return nil, err
	}
	memory := make([]float64, shiftedMemory(k.Rows))
	r, err := lanczosReduction(ctx, team, k, norm, scale, f, shifts, limit, memory)
	if slow := (*NotConvergedError)(nil); errors.As(err, &slow) {
		pages.Leave(&memory)
	}
	return r, err
}

func lanczosReduction(ctx context.Context, team *block.Team, k *matrix.Dense, norm, scale float64, f *matrix.Dense, shifts []Shift, limit LanczosLimit, memory []float64) (*Reduction, error) {
	n, a := k.Rows, k
	if k.Stride != n {
		a = k.Clone()
	}
	diagonal := make([]float64, n)
	for i := range diagonal {
		diagonal[i] = k.At(i, i)
	}
	p := newPacked(team, a, nil)
	shifts = slices.SortedFunc(slices.Values(shifts), func(s, t Shift) int { return cmp.Compare(s.modulus(), t.modulus()) })
	s := newKrylov(team, scaledOperator{p, scale}, float64(norm*scale), f, blockVectors(n, f.Cols), memory)
	s.trace, s.scale = float64(matrix.Sum(diagonal)*scale), scale
	r, converged, err := s.run(ctx, shifts, limit)
	if err != nil {
		return nil, err
	}
	if !converged {
		p.unpack(team)
		return nil, &NotConvergedError{Method: "block Lanczos method", Order: n, Sweeps: len(s.firsts)}
	}
	r.scratch.kept.Store(&a.Data) // residuals need some memory
	return r, nil
}

// blockVectors returns the number of vectors in the first block for c right-hand
// sides: as many as a product with K costs little more for than for one, as long as
// some tens of blocks remain small against n, since larger blocks take fewer steps. That
// is a tile of the product kernels: larger ones save few steps, and take more time.
func blockVectors(n, c int) int { return max(c, 8, min(24, n/320/8*8)) }

// checkReduction checks the arguments of a reduction and returns ‖K‖_F and the power of
// two with which the squares of products with K stay in the range of float64.
func checkReduction(team *block.Team, name string, k, f *matrix.Dense) (norm, scale float64, err error) {
	mustSquare(name, k)
	mustBe(name, "right-hand side", f, k.Rows, f.Cols)
	mustBeApart(name, "matrix and right-hand side", k, f)
	if k.Rows == 0 || f.Cols == 0 {
		panic(fmt.Sprintf("solve: %s: %d×%d right-hand side", name, f.Rows, f.Cols))
	}
	maxAbs, norm, err := sizeLower(team, k)
	if err != nil {
		return 0, 0, err
	}
	if maxAbs > maxShift || maxAbs < 1/maxShift && maxAbs > 0 {
		return 0, 0, &ShiftError{MaxAbs: maxAbs, Reason: "out of range; scale the matrix and the shift by the same power of two"}
	}
	if err := matrix.CheckFinite(f); err != nil {
		return 0, 0, err
	}
	return norm, safeScale(maxAbs), nil
}

// digitsOf returns log₂ x of x > 0, to a tenth: linear between powers of two.
func digitsOf(x float64) float64 {
	fraction, e := math.Frexp(x)
	return float64(e) + float64(2*fraction) - 2
}
