package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// pcaSolution is the solution of the eigenproblem of a centred kernel matrix.
type pcaSolution struct {
	lambda   []float64
	alpha    *matrix.Dense
	centring *gram.Centring
	pcaDetails
	certificate Certificate
}

// solve finds the leading eigenpairs of the centred kernel matrix, which is
// scaled by a power of two so that max|K| is in [1, 2).
func (m KernelPCA) solve(ctx context.Context, evaluator *gram.Evaluator) (*pcaSolution, error) {
	k, err := evaluator.Matrix(nil)
	if err != nil {
		return nil, err
	}
	n := k.Rows
	if m.Components > n-1 {
		return nil, &RankError{Asked: m.Components, Rank: n - 1, Rows: n}
	}
	maxAbs := matrix.MaxAbs(k)
	if maxAbs == 0 || n == 1 {
		return nil, &RankError{Asked: m.Components, Rows: n}
	}
	scale := unitScale(maxAbs)
	scale.matrix(k)
	maxAbs = scale.value(maxAbs)
	centring := gram.NewCentring(k)
	centring.Matrix(k, k)
	trace := diagonalSum(k)

	wanted := m.Components
	if wanted == 0 {
		wanted = n
	}
	pairs, err := solve.Leading(ctx, k, wanted)
	if err != nil {
		return nil, err
	}
	limit := float64(float64(float64(n)*u) * math.Max(pairs.Norm, maxAbs))
	limit = math.Max(limit, float64(float64(n)*scale.value(math.SmallestNonzeroFloat64))) // the rounding of subnormal values
	rank := pairs.Above(limit)
	back := scaleBy(-scale.exp)
	if m.Components == 0 && pairs.Least < -limit {
		return nil, &IndefiniteKernelError{Least: back.value(pairs.Least), Largest: back.value(pairs.Values[0]), Positive: rank}
	}
	take := min(rank, wanted)
	if take < m.Components || rank == 0 {
		e := &RankError{Asked: m.Components, Rank: rank, Rows: n, Limit: back.value(limit), Value: back.value(pairs.Values[rank])}
		if pairs.Least < -limit {
			e.Least = back.value(pairs.Least)
		}
		return nil, e
	}
	s := &pcaSolution{
		centring:   unscaled(centring, scale),
		pcaDetails: pcaDetails{whiten: m.Whiten, trace: back.value(trace), least: back.value(pairs.Least), complete: pairs.Complete},
		certificate: Certificate{
			Solver: "lanczos", Backward: pairs.Residual, CondBound: 1, Growth: 1,
			KernelRounding: limit / pairs.Values[take-1], Rank: rank, Passes: 1,
		},
	}
	if pairs.Complete {
		s.certificate.Solver = "eigen"
	}
	if last := pairs.Values[take-1]; take == wanted && last-pairs.Next <= float64(clusterGap*last) {
		s.certificate.CutsCluster = true
	}
	s.alpha = pairs.Vectors.View(0, 0, n, take).Clone()
	fixSigns(s.alpha)
	for j, l := range pairs.Values[:take] {
		l = back.value(l)
		if l == 0 || math.IsInf(l, 1) {
			return nil, &AccuracyError{What: "the largest eigenvalue of the kernel matrix, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
		}
		s.lambda = append(s.lambda, l)
		length, spread := math.Sqrt(l), m.Whiten.spread(l, n)
		for i := range n {
			s.alpha.Set(i, j, s.alpha.At(i, j)/length/spread)
		}
	}
	return s, nil
}

// diagonalSum returns the trace of a.
func diagonalSum(a *matrix.Dense) float64 {
	diagonal := make([]float64, a.Rows)
	for i := range diagonal {
		diagonal[i] = a.At(i, i)
	}
	return matrix.Sum(diagonal)
}
