package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ignoredRidge is the largest relative error of eigenvalues that a ridge is left out for,
// where with it the scatter is singular to working accuracy.
const ignoredRidge = 0x1p-20

// solveRegularized solves S_B w = λ(S_W + εI)w by the scatter. Where that is singular to
// working accuracy all the same, ε is no more than rounding: on the directions that the
// unregularised solution keeps, whose total scatter is at least s², it changes λ by at most
// a factor 1 + (1+λ)ε/s², and along the others there is nothing.
func (p *linearProblem) solveRegularized(ctx context.Context, f *features, ridge ridgeValue) (*LinearSolution, error) {
	s, err := solveWithin(ctx, f, p, ridge)
	if singular := (*ScatterError)(nil); !errors.As(err, &singular) {
		return s, err
	}
	refused := &RidgeError{Regularizer: p.Regularizer, Ridge: p.ridge, Reason: "the within-class scatter with the ridge is singular to working accuracy: use a larger one"}
	s, least, err := p.solveWhitened(ctx, f)
	if err != nil {
		return nil, refused
	}
	largest := 0.0
	for _, exp := range f.exp {
		largest = math.Max(largest, ridge.in(exp))
	}
	left := float64((1 + s.Lambda[0]) * (largest / least / least))
	if !(left <= ignoredRidge) {
		return nil, refused
	}
	s.Certificate.EigenvalueError += left
	return s, nil
}

// solveUnregularized solves S_B w = λ S_W w: by the scatter where that is well
// conditioned, else in coordinates in which the total scatter is I and from which
// directions without spread are dropped.
func (p *linearProblem) solveUnregularized(ctx context.Context, f *features) (*LinearSolution, error) {
	if f.x.Cols <= f.rows-len(p.Classes.Counts) {
		s, err := solveWithin(ctx, f, p, ridgeValue{})
		if singular := (*ScatterError)(nil); !errors.As(err, &singular) || singular.Col >= 0 {
			return s, err
		}
	}
	s, _, err := p.solveWhitened(ctx, f)
	return s, err
}

// solveWhitened solves S_B w = λ S_W w in coordinates in which the total scatter is I, from
// which directions without spread are dropped. It returns the least singular value of the
// centred table that it has kept, too.
func (p *linearProblem) solveWhitened(ctx context.Context, f *features) (*LinearSolution, float64, error) {
	by := make([]int, f.x.Cols)
	for j, norm := range columnNorms(f.weighed()) {
		_, by[j] = math.Frexp(norm)
	}
	f.rescale(by)
	x := f.weighed()
	u, values, v, err := solve.SVD(x)
	if err != nil {
		return nil, 0, err
	}
	limit := f.noise()
	rank := above(values, limit)
	if rank == 0 {
		return nil, 0, &CoincidentMeansError{Contrast: values[0], Norm: limit}
	}
	if rank > f.rows-len(p.Classes.Counts) {
		return nil, 0, &ScatterError{Col: -1}
	}
	whitened := *f
	whitened.x, whitened.exp, whitened.sizes, whitened.at = f.weights.overRoots(u.View(0, 0, u.Rows, rank).Clone()), make([]int, rank), make([]float64, rank), nil
	for j := range rank {
		whitened.sizes[j] = 1
	}
	s, err := solveWithin(ctx, &whitened, p, ridgeValue{})
	if err != nil {
		return nil, 0, err
	}
	for j := range rank {
		scale := scaleBy(-whitened.exp[j])
		row := s.Weights.Row(j)
		for k, w := range row {
			row[k] = scale.value(w) / values[j]
		}
	}
	s.Certificate.Solver = "whitened"
	s.whitened((spaceError(x, values[0]) + float64(f.rounded()*matrix.NormFrobenius(x))) / values[rank-1])
	s.Certificate.CondBound = float64(s.Certificate.CondBound * (values[0] / values[rank-1]))
	s.Weights = matrix.Mul(nil, v.View(0, 0, v.Rows, rank), matrix.NoTrans, s.Weights, matrix.NoTrans)
	return s, values[rank-1], nil
}

// spaceError bounds what the rounding of the centred table x, and that of its
// decomposition with the largest singular value s, may have changed x by.
func spaceError(x *matrix.Dense, s float64) float64 {
	decomposed := float64(float64(8*math.Sqrt(float64(max(x.Rows, x.Cols)))) * float64(float64(x.Cols)*s))
	return float64(u * (decomposed + float64(4*matrix.NormFrobenius(x))))
}

// whitened adds to the errors of the eigenvalues what an error θ of the space of the
// coordinates makes: λ is the squared tangent of an angle of it.
func (s *LinearSolution) whitened(theta float64) {
	s.Certificate.EigenvalueError = 0
	for k, l := range s.Lambda {
		root := float64(theta * math.Sqrt(1+l))
		r := float64((root + float64(theta*math.Sqrt((1+l)/l))) * (1 + relativeToExact(root)))
		error := s.errors[k] + float64((1+s.errors[k])*relativeToExact(float64(2*r)+float64(r*r)))
		s.errors[k] = error
		s.Certificate.EigenvalueError = math.Max(s.Certificate.EigenvalueError, error)
	}
}

// unsolved returns the error for a system that could not be solved accurately.
func unsolved(err error) error {
	switch err.(type) {
	case *solve.NotPositiveDefiniteError, *AccuracyError:
		return &ScatterError{Col: -1}
	}
	return err
}
