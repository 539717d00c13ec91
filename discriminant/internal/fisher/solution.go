package fisher

import (
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Solution is what a form finds: p ≤ c−1 pairs of M α = λ N_ε α.
type Solution struct {
	Lambda      []float64      // descending
	Alpha       *matrix.Dense  // n×p, αᵀ N_ε α = 1
	Projections *matrix.Dense  // n×p, of the training rows, where they are known; else nil
	Centring    *gram.Centring // of the kernel, where projections use the centred one; else nil
	Ridge       float64        // the regulariser's absolute ε
	Certificate Certificate

	// Negated says whether the earlier of two classes projects higher.
	Negated bool

	combination *matrix.Dense // that made α, of p columns, from solutions W, times 2^exp
	exp         int
	influences  []float64 // 1/Cᵢᵢ − ε of each row, over its weight, see LeaveOut; nil unless requested
	weights     Weights   // of the rows, whose roots α is still to be multiplied by
}

// solve solves for the contrasts q and their products kq with the matrix.
func (s *scaledProblem) solve(solver solver, system system, q *matrix.Dense, kq contrastProducts, ridge float64, cert *Certificate) (*Solution, error) {
	p := &passes{system: system, q: q, kq: kq, rank: s.rank}
	if err := p.solve(solver); err != nil {
		return nil, err
	}
	return s.passed(p, ridge, cert)
}

// passed returns the solution after the last pass.
func (s *scaledProblem) passed(p *passes, ridge float64, cert *Certificate) (*Solution, error) {
	cert.Passes = p.count
	if err := cert.checkAccuracy(s.rows); err != nil {
		return nil, err
	}
	return s.solution(p.last, unitTotal, ridge, cert)
}

// solution is that of the pairs that count of a pass, and completes the certificate. The
// directions are those of WΓ, with entries of Γ scaled by λ.
func (s *scaledProblem) solution(last pass, scaling func(v, lambda float64) float64, ridge float64, cert *Certificate) (*Solution, error) {
	lambda, err := leading(last.lambda[:s.rank], last.errors, s.take, s.Components, ridge, cert)
	if err != nil {
		return nil, err
	}
	g := combined(last.gamma, lambda, scaling)
	found := &Solution{Lambda: lambda, Ridge: ridge, Centring: s.unscaledCentring(), Certificate: *cert, combination: g, exp: s.scale.exp, weights: s.weights}
	found.Alpha = matrix.Mul(nil, last.w, matrix.NoTrans, g, matrix.NoTrans)
	s.scale.matrix(found.Alpha)
	found.setProjections(last.kw)
	return found, nil
}

// unitTotal scales vectors for which the within-class scatter is I, of a total 1 + λ, and
// unitBetween those for which the between-class scatter is λ.
func unitTotal(v, lambda float64) float64   { return float64(v * math.Sqrt((1+lambda)/lambda)) }
func unitBetween(v, lambda float64) float64 { return v / math.Sqrt(lambda) }

// combined returns the leading columns of Γ, one a λ, with each entry scaled.
func combined(gamma *matrix.Dense, lambda []float64, scaling func(v, lambda float64) float64) *matrix.Dense {
	g := matrix.New(gamma.Rows, len(lambda))
	for k, l := range lambda {
		for i := range g.Rows {
			g.Set(i, k, scaling(gamma.At(i, k), l))
		}
	}
	return g
}

// setProjections sets the projections Kα, given KW of all rows in the units of W, or nil
// where it is not known. They are more accurate than sums of kernel values times
// coefficients, which have been rounded. Where α is scaled to the ends of the range of
// float64, they are left to be computed from it.
func (s *Solution) setProjections(kw *matrix.Dense) {
	if largest := matrix.MaxAbs(s.Alpha); kw != nil && max(s.exp, -s.exp) < 500 && largest > 0x1p-500 && largest < 0x1p500 {
		s.Projections = matrix.Mul(nil, kw, matrix.NoTrans, s.combination, matrix.NoTrans)
	}
}

// finish makes the solution that of its regulariser, and settles the signs:
// the same for all forms.
func (s *Solution) finish(reg Regularizer) error {
	if err := s.shrink(reg); err != nil {
		return err
	}
	s.unweigh()
	negated := fixSigns(s.Alpha)
	if s.Negated = negated[0]; s.Projections != nil {
		negate(s.Projections, negated)
	}
	return nil
}

// unweigh turns the solution for DKD into that for K.
func (s *Solution) unweigh() {
	s.weights.TimesRoots(s.Alpha)
	if s.Projections != nil {
		s.weights.overRoots(s.Projections)
	}
}

// shrink turns the solution for N + ε′I, ε′ = s·tr(N)/(n(1−s)), into that for
// (1−s)(N + ε′I).
func (s *Solution) shrink(reg Regularizer) error {
	if reg.Kind != Shrink || reg.Value == 1 {
		return nil
	}
	rest := 1 - reg.Value
	for k := range s.Lambda {
		s.Lambda[k] /= rest
	}
	if s.Ridge = float64(s.Ridge * rest); s.Ridge == 0 {
		return &RidgeError{Regularizer: reg, Reason: "the shrunk ridge underflows: scale the kernel"}
	}
	root := math.Sqrt(rest)
	divideBy(s.Alpha, root)
	if s.Projections != nil {
		divideBy(s.Projections, root)
	}
	return nil
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

// negate negates the columns of a that are so marked.
func negate(a *matrix.Dense, negated []bool) {
	for i := range a.Rows {
		for k, v := range a.Row(i) {
			if negated[k] {
				a.Set(i, k, -v)
			}
		}
	}
}
