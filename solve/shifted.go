package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// Shifted is the factorization K − iσI = LDLᵀ of a shifted real symmetric
// matrix, with plain transposes: L is complex unit lower triangular, D complex
// diagonal. It exists without pivoting for every real symmetric K and σ > 0,
// since the imaginary part of every Schur complement stays ≤ −σI, and is
// backward stable with small growth where K is positive semidefinite (Higham,
// "Factorizing complex symmetric matrices with positive definite real and
// imaginary parts", Mathematics of Computation 67, 1998). For indefinite K
// growth is at most about ‖K‖/σ; [Shifted.Refine] makes up for it.
type Shifted struct {
	// Real parts of L (and of D, on the diagonal) in the lower triangle,
	// imaginary parts of L transposed in the upper triangle, those of D in e.
	a *matrix.Dense
	e []float64

	sigma  float64
	norm   float64 // ‖K‖_F
	growth float64
}

// shiftedColumns returns the number of columns of a panel, after which the matrix to
// their right is updated: as many as are of use, but for a large matrix not so many
// that their packed rows, 4n numbers a column, take more than a twentieth of its
// memory. It decides the order of memory accesses, never a result.
func shiftedColumns(n int) int {
	switch {
	case n < 5000:
		return 48
	case n < 8000:
		return 64
	}
	return 96
}

// maxShift bounds σ from both sides and max |K_ij| from above, so that squared
// moduli stay in the range of float64.
const maxShift = 0x1p500

// FactorShifted factors K − iσI in place of the n×n matrix k, of which only the
// lower triangle, diagonal included, is read; all of k is overwritten and kept
// by the result. Besides k it keeps a vector of length n and working memory
// for at most 384n numbers. With
// A(i,j) = K[i,j] − iσ[i=j], every entry is one chain of complex
// multiply-subtracts c − l·u, for which re ← F(−lr, ur, re), F(li, ui, re) and
// im ← F(−lr, ui, im), F(−li, ur, im),
//
//	for j ↑, i = j … n-1:  U(i,j) = A(i,j) − Σ_{k = 0 … j-1 ↑} L(i,k) U(j,k)
//	                       D(j) = U(j,j);  L(i,j) = U(i,j) / D(j)
//
// A shift that is not positive and finite, or entries outside 2^±500, are a
// *ShiftError: scale K and σ by one power of two. An element that is not finite
// is a *matrix.NotFiniteError. A cancelled context returns its error with k
// partly overwritten. Cost: 4n³/3 flops.
func FactorShifted(ctx context.Context, k *matrix.Dense, sigma float64) (*Shifted, error) {
	misuse.NotNil("solve: FactorShifted", "ctx", ctx, "k", k)
	mustSquare("FactorShifted", k)
	return factorShifted(ctx, k, sigma, shiftedColumns(k.Rows))
}

// shiftedMemory returns how many numbers the factorization of a matrix of order n works
// with.
func shiftedMemory(n int) int { return shiftedPanelSize(n, min(shiftedColumns(n), n)) }

func factorShifted(ctx context.Context, k *matrix.Dense, sigma float64, panel int) (*Shifted, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := k.Rows
	team := newTeam(n, n, 2*n/3)
	defer team.Close()
	team.Until(ctx)
	maxAbs, norm, err := sizeLower(team, k)
	if err != nil {
		return nil, err
	}
	switch {
	case !(sigma > 0) || math.IsInf(sigma, 0):
		return nil, &ShiftError{sigma, maxAbs, "the shift must be positive and finite"}
	case sigma < 1/maxShift || sigma > maxShift || maxAbs > maxShift:
		return nil, &ShiftError{sigma, maxAbs, "out of range; scale the matrix and the shift by the same power of two"}
	}
	s := &Shifted{a: k, e: make([]float64, n), sigma: sigma, norm: norm}
	team.Rows(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.e[i] = -sigma
			clear(k.Row(i)[i+1:])
		}
	})
	scale := maxModulus(k, maxAbs, sigma)
	largest := scale
	panel = min(panel, n)
	memory := pages.Take(shiftedPanelSize(n, panel))
	defer pages.Leave(memory)
	p := newShiftedPanel(n, panel, *memory)
	for lo := 0; lo < n; lo += panel {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		largest = max(largest, p.eliminate(team, s, lo, min(lo+panel, n)))
	}
	s.growth = largest / scale
	if n == 0 {
		s.growth = 1
	}
	if math.IsNaN(s.growth) || math.IsInf(s.growth, 0) {
		return nil, &ShiftError{sigma, maxAbs, "the factors overflow; a larger shift is needed"}
	}
	return s, nil
}

// Order returns n.
func (s *Shifted) Order() int { return len(s.e) }

// Growth returns
//
//	max over k and i, j ≥ k of |L(i,k) D(k) L(j,k)|  /  max over i, j of |(K − iσI)(i,j)|
//
// with L(k,k) = 1, or 1 where that is less: the largest term that the elimination
// subtracts, or pivot, against the largest entry. The computed factors are those
// of a matrix that differs from K − iσI by at most about 4n²u times growth times
// that entry, a bound that is seldom approached. Growth is small where K is positive semidefinite.
func (s *Shifted) Growth() float64 { return s.growth }

// maxModulus returns max |(K − iσI)(i,j)|, maxAbs being max |K_ij|.
func maxModulus(k *matrix.Dense, maxAbs, sigma float64) float64 {
	m := maxAbs
	for i := range k.Rows {
		m = max(m, math.Sqrt(squaredModulus(pair{k.Row(i)[i], sigma})))
	}
	return m
}
