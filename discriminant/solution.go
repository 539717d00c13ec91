package discriminant

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solution is what a solver finds: p ≤ c−1 pairs of M α = λ N_ε α.
type solution struct {
	lambda      []float64     // descending
	alpha       *matrix.Dense // n×p, αᵀ N_ε α = 1; for two classes, the later class projects higher (Jacobi's 1×1 eigenvector is +1)
	combination *matrix.Dense // that made α, of p columns, from solutions W, times 2^exp
	exp         int
	projections *matrix.Dense  // n×p, of the training rows, where the solver has them; else nil
	centring    *gram.Centring // of the kernel, where projections use the centred one; else nil
	influences  []float64      // 1/Cᵢᵢ − ε of each row, see leaveOut; nil unless requested
	ridge       float64        // the regulariser's absolute ε
	certificate Certificate
}

// fromPencil solves the small problem ΨΓ = ΣΓ diag(λ), ΓᵀΣΓ = I, of a system
// with Σ + Ψ = I. Each λ above 1 is taken from ‖Γ_k‖² = 1 + λ_k, which has no
// cancellation there.
// With them come bounds of the relative errors of the eigenvalues, given those of the matrices.
func fromPencil(psi, sigma *matrix.Dense, e pencilError) (lambda []float64, gamma *matrix.Dense, bounds []float64, err error) {
	lambda, gamma, err = solve.Pencil(psi, sigma)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, nil, nil, &AccuracyError{What: "the rounding of the within-class scatter of the directions, relative to it,", Value: math.Inf(1), Limit: 1}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for k := range lambda {
		s := 0.0
		for i := range gamma.Rows {
			v := gamma.At(i, k)
			s = math.FMA(v, v, s)
		}
		if s > 2 {
			lambda[k] = s - 1
		}
	}
	sortPairs(lambda, gamma)
	return lambda, gamma, eigenvalueErrors(lambda, gamma, psi, sigma, e), nil
}

// sortPairs sorts the eigenvalues descending, equal ones by their position, and
// the columns of gamma with them: eigenvalues of a cluster may have changed places
// by a rounding.
func sortPairs(lambda []float64, gamma *matrix.Dense) {
	order := make([]int, len(lambda))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lambda[b], lambda[a]) })
	values, vectors := slices.Clone(lambda), gamma.Clone()
	for to, from := range order {
		lambda[to] = values[from]
		gamma.View(0, to, gamma.Rows, 1).CopyFrom(vectors.View(0, from, gamma.Rows, 1))
	}
}

// complement returns Ψ = (KQ)ᵀW = I − Σ for the real W. Each entry is taken from
// the form with the smaller rounding error: u times the norms of the two columns,
// which is far below u where a ridge is far above K and Ψ is small, or u. The bounds of the
// errors of Ψ, given those of the norms of the errors of W, are added to e, which has those
// of Σ.
func complement(sigma *matrix.Dense, kq contrastProducts, w *matrix.Dense, errors []float64, e *pencilError) *matrix.Dense {
	p := sigma.Rows
	psi := matrix.Mul(nil, kq.Dense, matrix.Transposed, w, matrix.NoTrans)
	sizeKQ, sizeW := columnNorms(kq.Dense), columnNorms(w)
	errorOf := func(i, j int) float64 {
		return e.psi.At(i, j) + innerError(kq.Rows, sizeKQ[i], kq.errors[i], sizeW[j], errors[j])
	}
	for i := range p {
		for j := range i + 1 {
			v, error := psi.At(i, j), errorOf(i, j)
			size := float64(sizeKQ[i] * sizeW[j])
			if other := float64(sizeKQ[j] * sizeW[i]); other < size {
				v, error, size = psi.At(j, i), errorOf(j, i), other
			}
			if size > 1 {
				v, error = -sigma.At(i, j), e.sigma.At(i, j)+contrastRounding(p)
				if i == j {
					v = 1 - sigma.At(i, i)
				}
			}
			psi.Set(i, j, v)
			psi.Set(j, i, v)
			e.psi.Set(i, j, error)
			e.psi.Set(j, i, error)
		}
	}
	return psi
}

func columnNorms(a *matrix.Dense) []float64 {
	norms := make([]float64, a.Cols)
	for j := range norms {
		norms[j] = matrix.NormFrobenius(a.View(0, j, a.Rows, 1))
	}
	return norms
}

// combinations returns Γ_p diag(√((1+λ)/λ)) for the p leading pairs, which makes the
// directions of W.
func combinations(gamma *matrix.Dense, lambda []float64) *matrix.Dense {
	g := matrix.New(gamma.Rows, len(lambda))
	for k, l := range lambda {
		f := math.Sqrt((1 + l) / l)
		for i := range g.Rows {
			g.Set(i, k, float64(gamma.At(i, k)*f))
		}
	}
	return g
}

// setAlpha sets the coefficients to those of W, times 2^exp, combined by g.
func (s *solution) setAlpha(w, g *matrix.Dense, exp int) {
	s.alpha, s.combination, s.exp = matrix.Mul(nil, w, matrix.NoTrans, g, matrix.NoTrans), g, exp
	scaleBy(exp).matrix(s.alpha)
}

// setProjections sets the projections Kα, given KW of all rows in the units of W, or nil
// where it is not known. They are more accurate than sums of kernel values times
// coefficients, which have been rounded. Where α is scaled to the ends of the range of
// float64, they are left to be computed from it.
func (s *solution) setProjections(kw *matrix.Dense) {
	if largest := matrix.MaxAbs(s.alpha); kw != nil && max(s.exp, -s.exp) < 500 && largest > 0x1p-500 && largest < 0x1p500 {
		s.projections = matrix.Mul(nil, kw, matrix.NoTrans, s.combination, matrix.NoTrans)
	}
}

// shrink turns the solution for N + ε′I, ε′ = s·tr(N)/(n(1−s)), into that for
// (1−s)(N + ε′I).
func (s *solution) shrink(intensity float64) {
	rest := 1 - intensity
	for k := range s.lambda {
		s.lambda[k] /= rest
	}
	s.ridge = float64(s.ridge * rest)
	root := math.Sqrt(rest)
	divideBy(s.alpha, root)
	if s.projections != nil {
		divideBy(s.projections, root)
	}
}

func divideBy(a *matrix.Dense, d float64) {
	for i := range a.Rows {
		row := a.Row(i)
		for k := range row {
			row[k] /= d
		}
	}
}

// fixSigns makes the first entry of each column with |αᵢ| ≥ (1 − 2⁻²⁶)·max|α|
// positive and returns, by column, whether it was negated.
func fixSigns(alpha *matrix.Dense) []bool {
	negated := make([]bool, alpha.Cols)
	for k := range alpha.Cols {
		largest := 0.0
		for i := range alpha.Rows {
			largest = math.Max(largest, math.Abs(alpha.At(i, k)))
		}
		for i := range alpha.Rows {
			if v := alpha.At(i, k); math.Abs(v) >= float64((1-0x1p-26)*largest) {
				negated[k] = v < 0
				break
			}
		}
		if negated[k] {
			for i := range alpha.Rows {
				alpha.Set(i, k, -alpha.At(i, k))
			}
		}
	}
	return negated
}
