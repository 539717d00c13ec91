package discriminant

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solveCentred solves M α = λ(N + εK)α. With K_c = HKH, H = I − 11ᵀ/n, and the
// contrasts Q,
//
//	(K_c + εI) Z = Q,   Σ = ε QᵀZ,   Ψ = (K_cQ)ᵀZ = I − Σ
//	ΨΓ = ΣΓ diag(λ),  ΓᵀΣΓ = I,   α_k = Z Γ_k √((1+λ_k)/λ_k)
//
// gives αᵀ(N + εK)α = 1 and 1ᵀα = 0: the zero-sum solution, which there is also
// where N + εK is singular. It equals kernel ridge regression with an
// unpenalised intercept on the contrasts. Cost: n³/3 flops, the memory of K.
func solveCentred(ctx context.Context, p problem) (*solution, error) {
	n := p.k.Rows
	maxAbs := matrix.MaxAbs(p.k)
	if maxAbs == 0 {
		return nil, &CoincidentMeansError{}
	}
	scale := unitScale(maxAbs)
	scale.matrix(p.k)
	normK := matrix.NormFrobenius(p.k)
	centring := gram.NewCentring(p.k)
	centring.Matrix(p.k, p.k)
	norm := matrix.NormFrobenius(p.k)

	ridge, epsilon, err := centredRidge(p, scale, normK, norm)
	if err != nil {
		return nil, err
	}
	q := contrasts(p.codes, p.counts, SummedScatter)
	kq := contrastsOf(p.k, q)
	rank, err := contrastRank(kq, normK)
	if err != nil {
		return nil, err
	}
	take, err := componentsOf(p, rank)
	if err != nil {
		return nil, err
	}
	cert := Certificate{
		Solver:         "centred",
		CondBound:      (norm + epsilon) / epsilon,
		Growth:         1, // of a Cholesky factorization, by its diagonal
		KernelRounding: float64(u*normK) / epsilon,
		Rank:           rank,
	}
	if err := cert.checkKernelRounding("ε"); err != nil {
		return nil, err
	}
	for i := range n {
		row := p.k.Row(i)
		row[i] += epsilon
	}
	source := centredSource{scaledSource{p.source, scale}, centring, epsilon}
	factor, err := solve.FactorCholesky(ctx, p.k)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, &IndefiniteKernelError{Ridge: ridge, Pivot: pivot.Pivot, Value: scaleBy(-scale.exp).value(pivot.Value)}
	}
	if err != nil {
		return nil, err
	}
	last, count, err := passes(func(q, kq *matrix.Dense) (pass, error) {
		z := q.Clone()
		factor.Solve(z)
		refined, err := factor.Refine(ctx, source, q, z, refinementSteps)
		if err != nil {
			return pass{}, err
		}
		cert.record(refined)
		sigma := scaled(matrix.Mul(nil, q, matrix.Transposed, z, matrix.NoTrans), epsilon)
		symmetrize(sigma)
		one := pass{w: z}
		one.lambda, one.gamma, err = fromPencil(complement(sigma, kq, z), sigma)
		return one, err
	}, q, kq, rank)
	if err != nil {
		return nil, err
	}
	cert.Passes = count
	if err := cert.checkAccuracy(n); err != nil {
		return nil, err
	}
	lambda, err := leading(last.lambda[:rank], take, &cert)
	if err != nil {
		return nil, err
	}
	var influences []float64
	if p.leaveOneOut {
		if influences, err = influencesOf(ctx, factor, epsilon, scale); err != nil {
			return nil, err
		}
	}
	return &solution{
		influences:  influences,
		lambda:      lambda,
		alpha:       directions(last.w, last.gamma, lambda, scale.exp),
		centring:    unscaled(centring, scale),
		ridge:       ridge,
		certificate: cert,
	}, nil
}

// centredRidge resolves the regulariser: the ridge ε and, in the units of the
// scaled kernel matrix, ε′. k holds HKH, norm is its Frobenius norm and normK
// that of K.
func centredRidge(p problem, scale binaryScale, normK, norm float64) (ridge, epsilon float64, err error) {
	n := float64(p.k.Rows)
	if p.reg.kind == relativeRKHS {
		diagonal := make([]float64, p.k.Rows)
		for i := range diagonal {
			diagonal[i] = p.k.At(i, i)
		}
		trace := matrix.Sum(diagonal)
		if trace <= float64(float64(n*u)*normK) {
			return 0, 0, &RidgeError{Regularizer: p.reg, Reason: "the centred kernel matrix has no positive trace above rounding, so that a relative ridge has no meaning: give an absolute one"}
		}
		epsilon = float64(p.reg.value * (trace / n))
		ridge = math.Ldexp(epsilon, -scale.exp)
	} else {
		ridge = p.reg.value
		epsilon = math.Ldexp(ridge, scale.exp)
	}
	switch {
	case ridge == 0 || math.IsInf(ridge, 0) || math.IsInf(epsilon, 0):
		err = &RidgeError{Regularizer: p.reg, Ridge: ridge, Reason: "the ridge comes to a value outside the range of float64, absolutely or relative to the kernel values"}
	case epsilon <= float64(float64(n*u)*norm):
		err = &RidgeError{Regularizer: p.reg, Ridge: ridge, Reason: "the ridge must be above n·u·‖HKH‖, the rounding of the centred kernel matrix"}
	}
	return ridge, epsilon, err
}

// unscaled returns the centring of the kernel values as they are, given that of
// the scaled ones.
func unscaled(c *gram.Centring, scale binaryScale) *gram.Centring {
	back := scaleBy(-scale.exp)
	u := &gram.Centring{Shift: back.value(c.Shift), Means: make([]float64, len(c.Means)), Mean: back.value(c.Mean)}
	for i, m := range c.Means {
		u.Means[i] = back.value(m)
	}
	return u
}

// centredSource is HKH + εI by rows, with the entries of the factored matrix.
type centredSource struct {
	scaledSource
	centring *gram.Centring
	epsilon  float64
}

func (s centredSource) Rows(dst *matrix.Dense, i0 int) {
	s.scaledSource.Rows(dst, i0)
	s.centring.Cross(dst, dst)
	for r := range dst.Rows {
		row := dst.Row(r)
		row[i0+r] += s.epsilon
	}
}
