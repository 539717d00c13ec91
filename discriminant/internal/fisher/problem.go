// Package fisher solves the eigenproblems of kernel Fisher discriminant analysis,
//
//	M α = λ(N + εI)α   or   M α = λ(N + εK)α,
//
// with the between-class scatter M and the within-class scatter N of a kernel matrix K, of
// linear discriminant analysis, kernel principal components, and the linear system of
// kernel ridge regression. The forms stand side by side:
//
//	shifted.go       a ridge on the coefficients, by K − i√ε I
//	centred.go       a ridge in the RKHS, by HKH + εI
//	averaged.go      the class-averaged scatter, by N + εI
//	shrunk.go        a scatter that is shrunk to a multiple of I
//	krylov.go        shifted, in a Krylov space of the contrasts
//	conjugate.go     centred, without the matrix, by conjugate gradients; intervals.go
//	conjugate_shifted.go  shifted, in the same way
//	path.go          shifted or centred, for many ridges, by one reduction
//	within.go        features, by the Cholesky factor of their scatter
//	whitened.go      features, in coordinates of unit total scatter
//	kernel_ridge.go  kernel ridge regression
//	principal.go     kernel principal components
//	accumulator.go   rows of any number, brought to the triangular factor of a table
//	moments.go       what that says; discriminants and regressions in features from it
//
// All of kernel Fisher begin with the same prologue, problem.go, and end with the same
// epilogue, solution.go.
package fisher

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Problem is what directions are sought for.
type Problem struct {
	K           *matrix.Dense // n×n kernel matrix, which is overwritten
	Source      solve.Source  // the same matrix again, by rows
	Classes     *Classes      // of the rows
	Averaged    bool          // every class weighs as much, whatever its size
	Regularizer Regularizer
	Components  int  // 0: all
	LeaveOneOut bool // prepare Solution.LeaveOut
	terms       int  // of the sums that K was made of, where they are no part of the problem
}

// A Form solves a problem up to the shrinking and the signs.
type Form func(context.Context, Problem) (*Solution, error)

// form returns the one for the regulariser and the scatter.
func (p Problem) form() Form {
	switch {
	case p.Regularizer.Kind.InRKHS():
		return Centred
	case p.Regularizer == Regularizer{Shrink, 1}:
		return Shrunk
	case p.Averaged:
		return Averaged
	}
	return Shifted
}

// Solve finds the directions in a form, that of the problem for nil.
func Solve(ctx context.Context, form Form, p Problem) (*Solution, error) {
	if form == nil {
		form = p.form()
	}
	found, err := form(ctx, p)
	if err != nil {
		return nil, err
	}
	return found, found.finish(p.Regularizer)
}

// scaledProblem is a problem in units in which max|K| is in [1, 2), and without weights: see
// [Weights].
type scaledProblem struct {
	Problem    // K holds the scaled matrix, or HKH
	unitMatrix // of it

	meanN      float64       // tr(N)/n, as meanWithin returns it
	measured   bool          // whether it is known
	q          *matrix.Dense // the contrasts
	kq         contrastProducts
	rank, take int // of KQ, and the number of directions wanted
}

// scaled scales p.K in place, and centres it if asked to. K = 0 is a *CoincidentMeansError.
func (p Problem) scaled(centred bool) (*scaledProblem, error) {
	s := &scaledProblem{Problem: p, unitMatrix: newUnitMatrix(p.K, centred, p.Classes.Weights)}
	if s.normK == 0 {
		return nil, &CoincidentMeansError{}
	}
	return s, nil
}

// findContrasts sets the contrasts, their rank and the number of directions.
func (s *scaledProblem) findContrasts() (err error) {
	s.q = contrasts(s.Classes, s.Averaged)
	s.kq = contrastsOf(s.K, s.q, s.weights)
	if s.rank, err = contrastRank(s.kq.Dense, float64(float64(float64(s.rows)*u)*s.normK), s.normK); err != nil {
		return err
	}
	s.take, err = directions(s.Components, s.rank, len(s.Classes.Counts))
	return err
}

// rowsOfK returns the rows of the scaled matrix, which is not centred.
func (s *scaledProblem) rowsOfK() solve.Source { return s.rowsOf(s.Source, nil) }

// contrastRank returns the numerical rank of the contrasts of values of some norm: the
// number of their singular values above the limit.
func contrastRank(contrasts *matrix.Dense, limit, norm float64) (rank int, err error) {
	values, err := solve.SingularValues(contrasts)
	if err != nil {
		return 0, err
	}
	if rank = above(values, limit); rank == 0 {
		return 0, &CoincidentMeansError{Contrast: values[0], Norm: norm}
	}
	return rank, nil
}

// above returns how many of the values are above the limit.
func above(values []float64, limit float64) (count int) {
	for _, v := range values {
		if v > limit {
			count++
		}
	}
	return count
}

// directions returns how many directions are wanted, all for 0, of so many classes.
func directions(wanted, rank, classes int) (int, error) {
	if wanted > rank {
		return 0, &ComponentsError{Asked: wanted, Classes: classes, Rank: rank}
	}
	if wanted == 0 {
		return rank, nil
	}
	return wanted, nil
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
			remedy := "fewer components"
			switch {
			case k == 0 && ridge > 0: // which has made it so small: one that is too small is refused before
				remedy = "a smaller ridge"
			case k == 0:
				remedy = ""
			}
			return nil, &AccuracyError{What: fmt.Sprintf("the rounding error of eigenvalue %d, computed as %.3g, relative to it,", k, l), Value: errors[k], Limit: 1, Remedy: remedy}
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
