package discriminant

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solveNormal solves M α = λ(N + εI)α as the textbooks do: N = ZZᵀ from the
// centred and weighted columns Z = KCD, its Cholesky factorization, and the eigenproblem of
// S = (KQ)ᵀ(N + εI)⁻¹KQ, with α = (N + εI)⁻¹KQ v/√λ. The condition number is
// the square of that of solveShifted, the memory twice as large. Cost: 4n³/3
// flops.
func solveNormal(ctx context.Context, p problem) (*solution, error) {
	n := p.k.Rows
	maxAbs := matrix.MaxAbs(p.k)
	if maxAbs == 0 {
		return nil, &CoincidentMeansError{}
	}
	scale := unitScale(maxAbs)
	scale.matrix(p.k)
	norm := matrix.NormFrobenius(p.k)
	ridge, sigma, err := ridgeOf(p.reg, scale, func() float64 { return meanWithin(p, norm) })
	if err != nil {
		return nil, err
	}
	q := contrasts(p.codes, p.counts, p.scatter)
	kq := contrastsOf(p.k, q)
	rank, err := contrastRank(kq.Dense, norm)
	if err != nil {
		return nil, err
	}
	take, err := componentsOf(p, rank)
	if err != nil {
		return nil, err
	}
	means, weights := make([]float64, len(p.counts)), make([]float64, len(p.counts))
	for j, l := range p.counts {
		weights[j] = math.Sqrt(p.scatter.weight(l))
	}
	for i := range n {
		row := p.k.Row(i)
		classMeans(means, row, p.codes, p.counts)
		for j, v := range row {
			row[j] = float64((v - means[p.codes[j]]) * weights[p.codes[j]])
		}
	}
	scatter := matrix.SymRankK(nil, p.k, matrix.NoTrans)
	epsilon := float64(sigma * sigma)
	for i := range n {
		row := scatter.Row(i)
		row[i] += epsilon
	}
	normN := matrix.NormFrobenius(scatter)
	cert := Certificate{
		Solver:    "normal",
		CondBound: normN / epsilon,
		Growth:    1, // of a Cholesky factorization, by its diagonal
		Rank:      rank,
		Passes:    1,
	}
	// N is rounded when it is formed: that governs.
	cert.KernelRounding = float64(u * cert.CondBound)
	if err := cert.checkKernelRounding("ε (N is formed)"); err != nil {
		return nil, err
	}
	source, trace := solve.NewUpper(scatter), diagonalSum(scatter)
	factor, err := solve.FactorCholesky(ctx, scatter)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, &AccuracyError{What: "the condition number of N + εI times n·u", Value: float64(float64(float64(n)*u) * cert.CondBound), Limit: 1}
	}
	if err != nil {
		return nil, err
	}
	y := kq.Dense.Clone()
	factor.Solve(y)
	refined, err := factor.Refine(ctx, source, solve.Known{Shift: epsilon, Inverse: 1 / epsilon}, kq.Dense, y, nil, refinementSteps)
	if err != nil {
		return nil, err
	}
	cert.record(refined)
	if err := cert.checkAccuracy(n); err != nil {
		return nil, err
	}
	s := matrix.Mul(nil, kq.Dense, matrix.Transposed, y, matrix.NoTrans)
	symmetrize(s)
	lambda, v, err := solve.Jacobi(s.Clone())
	if err != nil {
		return nil, err
	}
	// The chains of N have n terms, its factor's entries some roundings; class means have
	// errors that count squared.
	means2 := float64(float64(n) * float64(float64(n)*u*norm))
	formed := float64(chainError(n+16)*(trace/epsilon)) + float64(means2*float64(means2/epsilon))
	errors := symmetricErrors(lambda, v, s, quadraticErrors(kq, y, refined.Forward, 1/epsilon), formed+float64(16*u))
	if lambda, err = leading(lambda[:rank], errors, take, p.components, ridge, &cert); err != nil {
		return nil, err
	}
	g := matrix.New(v.Rows, len(lambda))
	for k, l := range lambda {
		for i := range g.Rows {
			g.Set(i, k, v.At(i, k)/math.Sqrt(l))
		}
	}
	// In units of the scaled kernel matrix KQ is KQ·2^exp and N is N·2^(2 exp).
	alpha := matrix.Mul(nil, y, matrix.NoTrans, g, matrix.NoTrans)
	scale.matrix(alpha)
	return &solution{lambda: lambda, alpha: alpha, ridge: ridge, certificate: cert}, nil
}
