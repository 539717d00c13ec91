package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// MomentsLeaveOut projects rows as they are when each has been left out of a fit, see
// [Solution.LeaveOut]. With S_T = S_B + S_W there is of a row, φ and z less their means,
//
//	εα = τ − z,   1/C − ε = εh/(1 − h),   h = w(1/Σw + φᵀ(S_T + εI)⁻¹φ)
//
// where τ = (1 + 1/λ)(the mean of z in the row's class), as (S_T + εI)w = (1 + 1/λ)S_B w.
type MomentsLeaveOut struct {
	of      *Moments
	weights *matrix.Dense
	mean    []float64     // of the projections
	targets *matrix.Dense // τ, by class
	factor  *matrix.Dense // L with LLᵀ = S_T + εI, scaled
}

// LeaveOut returns that of a solution with a ridge in the RKHS. Cost: that of two factors.
func (f *Moments) LeaveOut(s *LinearSolution) (*MomentsLeaveOut, error) {
	between, within := f.scaled()
	lower, err := lowerOf(matrix.Mul(nil, f.contrasts(), matrix.Transposed, between, matrix.NoTrans), within)
	if err != nil {
		return nil, err
	}
	l := &MomentsLeaveOut{
		of: f, weights: s.Weights,
		mean:   matrix.Mul(nil, &matrix.Dense{Rows: 1, Cols: len(f.Means), Stride: len(f.Means), Data: f.Means}, matrix.NoTrans, s.Weights, matrix.NoTrans).Data,
		factor: solve.JoinRidge(nil, lower, f.scale.value(math.Sqrt(s.Ridge)), lower.Cols),
	}
	between, _ = f.features()
	l.targets = matrix.Mul(nil, between, matrix.NoTrans, s.Weights, matrix.NoTrans)
	for j, size := range f.Sizes {
		row, root := l.targets.Row(j), math.Sqrt(size)
		for k, lambda := range s.Lambda {
			row[k] = float64((row[k]/root - l.mean[k]) * (1 + 1/lambda))
		}
	}
	return l, nil
}

// Project returns the projections z of the rows first, first+1, … of some, by their features, which are
// overwritten, and as they are without each. Cost: m² flops a row.
func (l *MomentsLeaveOut) Project(features *matrix.Dense, first int, some *Classes) (z, left *matrix.Dense, err error) {
	z = matrix.Mul(nil, features, matrix.NoTrans, l.weights, matrix.NoTrans)
	left = z.Clone()
	for i := range features.Rows {
		row := features.Row(i)
		for k, mean := range l.of.Means {
			row[k] -= mean
		}
	}
	columns := matrix.Transpose(nil, features)
	l.of.scale.matrix(columns)
	matrix.SolveLower(l.factor, columns)
	least := float64(float64(4*columns.Rows) * u)
	for i, size := range columnNorms(columns) {
		j, w := some.Codes[first+i], some.Weights.Of(first+i)
		if l.of.Counts[j] == 1 {
			continue
		}
		h := float64(w * math.FMA(size, size, 1/l.of.total))
		if !(1-h > least) {
			return nil, nil, &AccuracyError{What: "the rounding of a leave-one-out value, relative to it", Value: least / (1 - h), Limit: 1, Remedy: largerRidge}
		}
		row, rest := left.Row(i), l.of.total-w
		for k, target := range l.targets.Row(j) {
			row[k] -= float64(h / (1 - h) * (target - (row[k] - l.mean[k])))
			row[k] += float64(w*target) / rest
		}
	}
	return z, left, nil
}
