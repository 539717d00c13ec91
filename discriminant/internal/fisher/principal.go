package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// PrincipalSolution is what [Principal] finds.
type PrincipalSolution struct {
	Lambda      []float64     // descending
	Alpha       *matrix.Dense // n×p, v/√λ
	Centring    *gram.Centring
	Trace       float64 // of HKH
	Least       float64 // its smallest eigenvalue, or a bound of it
	Complete    bool    // whether it is that eigenvalue itself
	Certificate Certificate
}

// Principal finds leading eigenpairs of the centred kernel matrix, HKH v = λv, with vᵀv = 1
// and α = v/√λ: that many, or all with a positive λ for 0. With a share above 0 it is the
// fewest of them that together have this share of the trace, or all of them if they have
// less. It overwrites k. With weights v is that of DKD, and α = √w v/√λ.
func Principal(ctx context.Context, k *matrix.Dense, components int, share float64, weights Weights) (*PrincipalSolution, error) {
	n := k.Rows
	wanted := n
	if components > 0 {
		wanted = min(components, n)
	}
	if share > 0 {
		components = 0 // fewer will do
	}
	if components > n-1 {
		return nil, &RankError{Asked: components, Rank: n - 1, Rows: n}
	}
	if n == 1 || matrix.MaxAbs(k) == 0 {
		return nil, &RankError{Asked: components, Rows: n}
	}
	m := newUnitMatrix(k, true, weights)
	trace := diagonalSum(k)
	pairs, err := solve.Leading(ctx, k, wanted)
	if err != nil {
		return nil, err
	}
	limit := float64(float64(float64(n)*u) * math.Max(pairs.Norm, m.largest))
	limit = math.Max(limit, float64(float64(n)*m.scale.value(math.SmallestNonzeroFloat64))) // the rounding of subnormal values
	rank := pairs.Above(limit)
	back := scaleBy(-m.scale.exp)
	if components == 0 && pairs.Least < -limit {
		return nil, &IndefiniteKernelError{Least: back.value(pairs.Least), Largest: back.value(pairs.Values[0]), Positive: rank}
	}
	take := min(rank, wanted)
	if take < components || rank == 0 {
		e := &RankError{Asked: components, Rank: rank, Rows: n, Limit: back.value(limit), Value: back.value(pairs.Values[rank])}
		if pairs.Least < -limit {
			e.Least = back.value(pairs.Least)
		}
		return nil, e
	}
	if share > 0 {
		take = explaining(pairs.Values[:take], float64(share*trace))
	}
	s := &PrincipalSolution{
		Centring: m.unscaledCentring(), Trace: back.value(trace), Least: back.value(pairs.Least), Complete: pairs.Complete,
		Certificate: Certificate{
			Solver: "lanczos", Backward: pairs.Residual, CondBound: 1, Growth: 1,
			KernelRounding: limit / pairs.Values[take-1], Rank: rank, Passes: 1,
		},
	}
	if pairs.Complete {
		s.Certificate.Solver = "eigen"
	}
	next := math.Inf(-1)
	if take < min(rank, wanted) {
		next = pairs.Values[take]
	} else if take == wanted {
		next = pairs.Next
	}
	if last := pairs.Values[take-1]; last-next <= float64(clusterGap*last) {
		s.Certificate.CutsCluster = true
	}
	s.Alpha = pairs.Vectors.View(0, 0, n, take).Clone()
	fixSigns(weights.TimesRoots(s.Alpha))
	for j, l := range pairs.Values[:take] {
		l = back.value(l)
		if l == 0 || math.IsInf(l, 1) {
			return nil, &AccuracyError{What: "the largest eigenvalue of the kernel matrix, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
		}
		s.Lambda = append(s.Lambda, l)
		divideBy(s.Alpha.View(0, j, n, 1), math.Sqrt(l))
	}
	return s, nil
}

// explaining returns how many of the descending values have a sum of at least total: all, if
// theirs is less.
func explaining(values []float64, total float64) int {
	sum := 0.0
	for i, v := range values {
		if sum += v; sum >= total {
			return i + 1
		}
	}
	return len(values)
}
