package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// influences returns 1/Cᵢᵢ − ε of each row for the ridge ε, scaled, and the factor of
// the matrix: see LeaveOut. Cost: n³/3 flops.
func (s *scaledProblem) influences(ctx context.Context, factor *ridgeFactor, epsilon float64) ([]float64, error) {
	influences, err := factor.inverseDiagonal(ctx)
	back := scaleBy(-s.scale.exp)
	for i, c := range influences {
		influences[i] = back.value(1/c-epsilon) / s.weights.Of(i)
	}
	return influences, err
}

// LeaveOut returns the leave-one-out projections of the training rows, given their
// projections z, for a ridge in the RKHS.
//
// There the projections are the fitted values of kernel ridge regression with an
// intercept on the contrasts Q, times a fixed matrix T: with (HKH + εI)Z = Q, z =
// (Q − εZ)T and α = ZT. The regression without row i predicts qᵢ − zᵢ/Cᵢᵢ there
// (Cawley and Talbot 2003), exactly, and so
//
//	(qᵢ − Zᵢ/Cᵢᵢ)T = zᵢ − (1/Cᵢᵢ − ε)αᵢ
//
// They are moved to where they are if the mean of the contrasts stays that of all rows, 0.
// Without row i it is −qᵢ/(n−1), away from the row's class; a new row changes no shares.
// With qᵢT = zᵢ + εαᵢ it is a step of (zᵢ + εαᵢ)/(n−1).
//
// With weights α is √w times that of the regression, so that the row is projected to
// zᵢ − (1/Cᵢᵢ − ε)αᵢ/wᵢ and the step is (wᵢzᵢ + εαᵢ)/(Σw − wᵢ).
//
// The one row of a class keeps its projection: without it the class is unknown.
func (s *Solution) LeaveOut(z *matrix.Dense, of *Classes) *matrix.Dense {
	left, total := z.Clone(), of.Total()
	for i, f := range s.influences {
		if of.Counts[of.Codes[i]] == 1 {
			continue
		}
		w := of.Weights.Of(i)
		rest := total - w
		row := left.Row(i)
		for k, a := range s.Alpha.Row(i) {
			row[k] -= float64(f * a)
			row[k] += math.FMA(s.Ridge, a, float64(w*z.At(i, k))) / rest
		}
	}
	return left
}
