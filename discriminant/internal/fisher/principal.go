package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// PrincipalSolution is what [Principal] and [Moments.Principal] find.
type PrincipalSolution struct {
	Lambda      []float64      // descending
	Alpha       *matrix.Dense  // n×p, v/√λ; of features m×p, their weights
	Centring    *gram.Centring // nil of features
	Trace       float64        // of HKH
	Least       float64        // its smallest eigenvalue, or a bound of it
	Complete    bool           // whether it is that eigenvalue itself
	Certificate Certificate
}

// Principal finds leading eigenpairs of the centred kernel matrix, HKH v = λv, with vᵀv = 1
// and α = v/√λ: that many, or all with a positive λ for 0. With a share above 0 it is the
// fewest of them that together have this share of the trace, or all of them if they have
// less. It overwrites k. With weights v is that of DKD, and α = √w v/√λ.
func Principal(ctx context.Context, k *matrix.Dense, components int, share float64, weights Weights) (*PrincipalSolution, error) {
	n := k.Rows
	p, err := newPrincipalProblem(n, n-1, components, share, matrix.MaxAbs(k))
	if err != nil {
		return nil, err
	}
	m := newUnitMatrix(k, true, weights)
	p.back = scaleBy(-m.scale.exp)
	s, err := p.solve(ctx, k, func(norm float64) float64 {
		limit := float64(float64(float64(n)*u) * math.Max(norm, m.largest))
		return math.Max(limit, float64(float64(n)*m.scale.value(math.SmallestNonzeroFloat64))) // the rounding of subnormal values
	})
	if err != nil {
		return nil, err
	}
	s.Centring = m.unscaledCentring()
	fixSigns(weights.TimesRoots(s.Alpha))
	for j, l := range s.Lambda {
		divideBy(s.Alpha.View(0, j, n, 1), math.Sqrt(l))
	}
	return s, nil
}

// Principal finds leading principal components of the features: with the rows A = [F; R] that stand
// for HΦ, AᵀA v = λv for the λ of HK̂H, which has no negative ones. The components of a row are
// (φ(x) − Means)ᵀv. An eigenvalue counts as zero where the rounding of A and AᵀA can make as much.
func (f *Moments) Principal(ctx context.Context, components int, share float64) (*PrincipalSolution, error) {
	p, err := newPrincipalProblem(f.rows, min(f.rows-1, len(f.Means)), components, share, f.norm)
	if err != nil {
		return nil, err
	}
	p.back = scaleBy(-2 * f.scale.exp)
	rows, err := f.rowsFor(false)
	if err != nil {
		return nil, err
	}
	a := stacked(rows.f, rows.r)
	s, err := p.solve(ctx, matrix.SymRankK(nil, a, matrix.Transposed), func(norm float64) float64 {
		rounded := float64(rows.error * math.FMA(2, math.Sqrt(norm), rows.error))
		return math.FMA(float64(chainError(a.Rows)*rows.norm), rows.norm, rounded)
	})
	if err != nil {
		return nil, err
	}
	s.Least, s.Complete = 0, true // that of v = 1
	fixSigns(s.Alpha)
	return s, nil
}

// principalProblem asks for principal components of some rows.
type principalProblem struct {
	rows          int
	asked, wanted int // as many, or fewer, or all for 0
	share         float64
	back          binaryScale // from the units of the matrix
}

// newPrincipalProblem refuses what there can't be of rows with the most components that there can be,
// whose matrix has such a largest value.
func newPrincipalProblem(rows, most, components int, share, largest float64) (*principalProblem, error) {
	p := &principalProblem{rows: rows, asked: components, wanted: components, share: share}
	if share > 0 {
		p.asked = 0 // fewer will do
	}
	switch {
	case p.asked > most:
		return nil, &RankError{Asked: p.asked, Rank: most, Rows: rows}
	case most == 0 || largest == 0:
		return nil, &RankError{Asked: p.asked, Rows: rows}
	}
	return p, nil
}

// solve finds the pairs of a centred matrix, of which limitOf the norm is the largest eigenvalue that
// counts as zero. Those of the solution have the length 1.
func (p *principalProblem) solve(ctx context.Context, k *matrix.Dense, limitOf func(norm float64) float64) (*PrincipalSolution, error) {
	wanted := k.Rows
	if p.wanted > 0 {
		wanted = min(p.wanted, wanted)
	}
	trace := diagonalSum(k)
	pairs, err := solve.Leading(ctx, k, wanted)
	if err != nil {
		return nil, err
	}
	limit := limitOf(pairs.Norm)
	rank := pairs.Above(limit)
	if p.asked == 0 && pairs.Least < -limit {
		return nil, &IndefiniteKernelError{Least: p.back.value(pairs.Least), Largest: p.back.value(pairs.Values[0]), Positive: rank}
	}
	take := min(rank, wanted)
	if take < p.asked || rank == 0 {
		e := &RankError{Asked: p.asked, Rank: rank, Rows: p.rows, Limit: p.back.value(limit), Value: p.back.value(pairs.Values[rank])}
		if pairs.Least < -limit {
			e.Least = p.back.value(pairs.Least)
		}
		return nil, e
	}
	if p.share > 0 {
		take = explaining(pairs.Values[:take], float64(p.share*trace))
	}
	s := &PrincipalSolution{
		Alpha: pairs.Vectors.View(0, 0, k.Rows, take).Clone(), Trace: p.back.value(trace), Least: p.back.value(pairs.Least), Complete: pairs.Complete,
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
	for _, l := range pairs.Values[:take] {
		l = p.back.value(l)
		if l == 0 || math.IsInf(l, 1) {
			return nil, &AccuracyError{What: "the largest eigenvalue of the kernel matrix, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
		}
		s.Lambda = append(s.Lambda, l)
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
