package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solveMeans solves M α = λ tI α with t = tr(N)/n, what is left when the
// within-class scatter is shrunk all the way to a multiple of I. With the
// eigenpairs (KQ)ᵀKQ v = λt v, α = KQ v/(t√λ). Cost: O(n²c).
func solveMeans(ctx context.Context, p problem) (*solution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	maxAbs := matrix.MaxAbs(p.k)
	if maxAbs == 0 {
		return nil, &CoincidentMeansError{}
	}
	scale := unitScale(maxAbs)
	scale.matrix(p.k)
	norm := matrix.NormFrobenius(p.k)
	t := meanWithin(p, norm)
	if t == 0 {
		return nil, noScatterError(p.reg)
	}
	ridge := math.Ldexp(t, -2*scale.exp)
	if ridge == 0 || math.IsInf(ridge, 0) {
		return nil, &RidgeError{Regularizer: p.reg, Ridge: ridge, Reason: "tr(N)/n is outside the range of float64: scale the kernel"}
	}
	kq := contrastsOf(p.k, contrasts(p.codes, p.counts, p.scatter))
	cert := Certificate{Solver: "means", CondBound: 1, Growth: 1, Passes: 1}
	rank, err := contrastRank(kq.Dense, norm)
	if err != nil {
		return nil, err
	}
	cert.Rank = rank
	take, err := componentsOf(p, cert.Rank)
	if err != nil {
		return nil, err
	}
	s := matrix.SymRankK(nil, kq.Dense, matrix.Transposed)
	lambda, v, err := solve.Jacobi(s.Clone())
	if err != nil {
		return nil, err
	}
	// The sum of n² squares, of values with a few roundings, that t is.
	errors := symmetricErrors(lambda, v, s, quadraticErrors(kq, kq.Dense, 0, 1), chainError(p.k.Rows+32))
	for k := range lambda {
		lambda[k] /= t
	}
	if lambda, err = leading(lambda[:cert.Rank], errors, take, p.components, ridge, &cert); err != nil {
		return nil, err
	}
	g := matrix.New(v.Rows, len(lambda))
	for k, l := range lambda {
		f := float64(t * math.Sqrt(l))
		for i := range g.Rows {
			g.Set(i, k, v.At(i, k)/f)
		}
	}
	alpha := matrix.Mul(nil, kq.Dense, matrix.NoTrans, g, matrix.NoTrans)
	scale.matrix(alpha)
	return &solution{lambda: lambda, alpha: alpha, ridge: ridge, certificate: cert}, nil
}
