package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// influencesOf returns 1/Cᵢᵢ − ε of each row, for C = H(HKH + εI)⁻¹H =
// (HKH + εI)⁻¹ − 11ᵀ/(nε) and the factor of HKH + εI, epsilon and K being scaled.
// Cost: n³/3 flops.
func influencesOf(ctx context.Context, factor *solve.Cholesky, epsilon float64, scale binaryScale) ([]float64, error) {
	influences, err := factor.InverseDiagonal(ctx)
	if err != nil {
		return nil, err
	}
	common := 1 / float64(float64(len(influences))*epsilon)
	back := scaleBy(-scale.exp)
	for i, v := range influences {
		c := v - common
		if least := float64(float64(len(influences)) * u * common); !(c > least) {
			return nil, &AccuracyError{What: "the rounding of a leave-one-out projection, relative to it", Value: least / c, Limit: 1}
		}
		influences[i] = back.value(1/c - epsilon)
	}
	return influences, nil
}

// leaveOut returns the leave-one-out projections of the training rows, given their
// projections z and the coefficients α, for a ridge in the RKHS.
//
// There the projections are the fitted values of kernel ridge regression with an
// intercept on the contrasts Q, times a fixed matrix T: with (HKH + εI)Z = Q, z =
// (Q − εZ)T and α = ZT. The regression without row i predicts qᵢ − zᵢ/Cᵢᵢ there
// (Cawley and Talbot 2003), exactly, and so
//
//	(qᵢ − Zᵢ/Cᵢᵢ)T = zᵢ − (1/Cᵢᵢ − ε)αᵢ
//
// The one row of a class keeps its projection: without it the class is unknown.
func leaveOut(z, alpha *matrix.Dense, influences []float64, codes, counts []int) *matrix.Dense {
	left := z.Clone()
	for i, f := range influences {
		if counts[codes[i]] == 1 {
			continue
		}
		row := left.Row(i)
		for k, a := range alpha.Row(i) {
			row[k] -= float64(f * a)
		}
	}
	return left
}
