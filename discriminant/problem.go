package discriminant

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// problem is the input of a solver.
type problem struct {
	k             *matrix.Dense // n×n kernel matrix; the solver overwrites it
	source        solve.Source  // the same matrix again, by rows
	codes, counts []int
	scatter       Scatter
	reg           Regularizer
	components    int  // 0: all
	leaveOneOut   bool // find the influences too
	terms         int  // of the sums that k was made of, where they are no part of the problem
}

// contrastRank returns the numerical rank of the contrasts KQ: the number of
// singular values above n·u·‖K‖_F.
func contrastRank(kq *matrix.Dense, norm float64) (int, error) {
	values, err := solve.SingularValues(kq)
	if err != nil {
		return 0, err
	}
	limit := float64(float64(float64(kq.Rows)*u) * norm)
	rank := 0
	for _, v := range values {
		if v > limit {
			rank++
		}
	}
	if rank == 0 {
		return 0, &CoincidentMeansError{Contrast: values[0], Norm: norm}
	}
	return rank, nil
}

// componentsOf returns how many directions are wanted.
func componentsOf(p problem, rank int) (int, error) {
	if p.components > rank {
		return 0, &ComponentsError{Asked: p.components, Classes: len(p.counts), Rank: rank}
	}
	if p.components == 0 {
		return rank, nil
	}
	return p.components, nil
}

// clusterGap is the relative distance of two eigenvalues up to which they count
// as equal: only the span of their directions is then determined.
const clusterGap = 0x1p-26

// noiseError is the bound of its error from which an eigenvalue is taken for rounding: the
// bounds are some hundred to three thousand times the errors.
const noiseError = 0x1p10

// leading returns the first take of the eigenvalues, and records in cert the errors of
// these and whether that cuts a cluster of equal ones. An eigenvalue that may be nothing but
// rounding is no part of the rank where all that there are were requested; if it is the
// first, or one of a number, it is an *AccuracyError; one that is below 0 beyond rounding, with
// this ridge in the RKHS, is an *IndefiniteKernelError.
func leading(lambda, errors []float64, take, asked int, ridge float64, cert *Certificate) ([]float64, error) {
	for k, l := range lambda[:take] {
		if l > 0 && !math.IsInf(l, 1) && errors[k] < noiseError {
			continue
		}
		if l < 0 && errors[k] < 1 && (k == 0 || asked > 0) {
			return nil, &IndefiniteKernelError{Ridge: ridge, Pivot: -1}
		}
		if k == 0 || asked > 0 {
			return nil, &AccuracyError{What: fmt.Sprintf("the rounding error of eigenvalue %d, computed as %.3g, relative to it,", k, l), Value: errors[k], Limit: 1}
		}
		cert.Rank, take, lambda = k, k, lambda[:k]
		break
	}
	for _, e := range errors[:take] {
		cert.EigenvalueError = math.Max(cert.EigenvalueError, e)
	}
	if take < len(lambda) && lambda[take-1]-lambda[take] <= float64(clusterGap*lambda[take-1]) {
		cert.CutsCluster = true
	}
	return lambda[:take], nil
}
