package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Unlabelled is the factored matrix HKH + εI of some rows. It knows no classes, so that one
// factorization serves every labelling of the rows: with contrasts Q the within-class
// share is Σ = εQᵀ(HKH + εI)⁻¹Q, whose eigenvalues are 1/(1 + λ).
type Unlabelled struct {
	of      *scaledProblem
	factor  *ridgeFactor
	reg     Regularizer
	ridge   float64
	epsilon float64 // in the units of the factor
}

// NewUnlabelled factors the n×n kernel matrix k in its place, whose rows the source has again,
// with a ridge in the RKHS. Cost: n³/3 flops, the memory of K.
func NewUnlabelled(ctx context.Context, k *matrix.Dense, source solve.Source, reg Regularizer) (*Unlabelled, error) {
	of := &scaledProblem{Problem: Problem{K: k, Source: source, Classes: &Classes{}}, unitMatrix: newUnitMatrix(k, true, nil)}
	l, err := &Unlabelled{of: of, reg: reg}, error(nil)
	if l.ridge, l.epsilon, err = of.ridge(reg); err != nil {
		return nil, err
	}
	l.factor, err = of.factor(ctx, k, reg, l.ridge, l.epsilon)
	return l, err
}

// Order returns n, and Ridge ε as the caller has it.
func (l *Unlabelled) Order() int     { return l.of.rows }
func (l *Unlabelled) Ridge() float64 { return l.ridge }

// Mean returns the mean eigenvalue of HKH, 0 where it is no more than rounding.
func (l *Unlabelled) Mean() float64 {
	if l.of.mean <= float64(float64(float64(l.of.rows)*u)*l.of.normK) {
		return 0
	}
	return scaleBy(-l.of.scale.exp).value(l.of.mean)
}

// Rounding bounds the relative error that the rounding of kernel values makes in solutions: u‖K‖/ε.
func (l *Unlabelled) Rounding() float64 {
	return l.of.centredCertificate(l.epsilon, l.factor.inverse).KernelRounding
}

// Solve finds the directions of classes, as [Centred] does; of equal class means there are none.
func (l *Unlabelled) Solve(ctx context.Context, classes *Classes) (*Solution, error) {
	s := *l.of
	s.Classes, s.q = classes, contrasts(classes, false)
	var err error
	if s.kq, err = (&exactContrasts{ctx, s.rowsOfK(), &s.unitMatrix}).product(s.q); err != nil {
		return nil, err
	}
	cert := s.centredCertificate(l.epsilon, l.factor.inverse)
	s.rank, err = contrastRank(s.kq.Dense, float64(float64(float64(s.rows)*u)*s.normK), s.normK)
	if errors.As(err, new(*CoincidentMeansError)) {
		return l.Coincident(), nil
	}
	if err != nil {
		return nil, err
	}
	s.take = s.rank
	found, err := s.solve(&centredFactor{ctx, l.factor, &cert}, &centredSystem{&s, l.epsilon}, s.q, s.kq, l.ridge, &cert)
	if err != nil {
		return nil, err
	}
	return found, found.finish(l.reg)
}

// Coincident is the solution of classes of equal means.
func (l *Unlabelled) Coincident() *Solution {
	return &Solution{Ridge: l.ridge, Centring: l.of.unscaledCentring(), Certificate: l.of.centredCertificate(l.epsilon, l.factor.inverse)}
}

// Contrasts returns the n×(c−1) orthonormal contrasts of classes, which sum to zero.
func Contrasts(classes *Classes) *matrix.Dense { return contrasts(classes, false) }

// ClassContrasts returns the entries of the contrasts on the rows of each class, c×(c−1), for
// classes of those sizes.
func ClassContrasts(sizes []float64) *matrix.Dense { return classContrasts(sizes) }

// Whiten overwrites the columns of the n×r matrix b, which sum to zero, by X with
// XᵀX = εbᵀ(HKH + εI)⁻¹b, and returns it. Cost: n²r flops.
func (l *Unlabelled) Whiten(b *matrix.Dense) (x []*matrix.Dense) {
	l.factor.SolveLower(b)
	scaledIn(b, b, math.Sqrt(l.epsilon))
	return []*matrix.Dense{b}
}

// Inverse overwrites the columns of b, which sum to zero, by ε(HKH + εI)⁻¹b. Cost: 2n²r flops.
func (l *Unlabelled) Inverse(b *matrix.Dense) {
	l.factor.Solve(b)
	scaledIn(b, b, l.epsilon)
}

// InverseDiagonal returns the diagonal of εH(HKH + εI)⁻¹H. Cost: n³/3 flops.
func (l *Unlabelled) InverseDiagonal(ctx context.Context) ([]float64, error) {
	diagonal, err := l.factor.inverseDiagonal(ctx)
	return scaledBy(diagonal, l.epsilon), err
}

// Centring returns that of the kernel.
func (l *Unlabelled) Centring() *gram.Centring { return l.of.unscaledCentring() }

// Augment returns for r new rows, as rows, G times their centred kernel values over ε with the n rows, r×n,
// G = ε(HKH + εI)⁻¹, and their spread, which is k_c(x, x)/ε less the product of both. It is given their values
// k(x, xᵢ), r×n, and own k(x, x), which it overwrites. Cost: 2n² flops a row.
func (l *Unlabelled) Augment(values *matrix.Dense, own []float64) (v *matrix.Dense, spread []float64) {
	c := l.of.unscaledCentring()
	for i := range own {
		row := values.Row(i)
		mean := c.RowMean(row) - c.Shift
		own[i] = (own[i] - c.Shift - float64(2*mean)) + c.Mean
	}
	c.Cross(values, values)
	for _, m := range []*matrix.Dense{values, matrix.Column(own)} {
		l.of.unit.matrix(m)
		scaledIn(m, m, 1/l.epsilon)
	}
	columns := matrix.Transpose(nil, values)
	l.Inverse(columns)
	v = matrix.Transpose(nil, columns)
	for k := range own {
		own[k] = math.Max(0, own[k]-matrix.Dot(values.Row(k), v.Row(k)))
	}
	return v, own
}
