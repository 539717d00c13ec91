package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/matrix"
)

// fewFactors is the number of ridges in the RKHS up to which as many factorizations take
// less than one reduction, 4n³/3 flops.
const fewFactors = 4

// testFactors is testPath with a factorization for each ridge in the RKHS, as a single fit
// has it. The centred matrix, the contrasts and the centred rows serve all.
func (s *kfdaStart) testFactors(ctx context.Context, k, y *matrix.Dense, regularizers []Regularizer) ([]pathResult, error) {
	var equal []int // as in heldOut
	if _, ok := s.method.Classifier.(KNN); ok {
		equal = firstEqual(k)
	}
	p, err := centreProblem(s.problem(k, Regularizer{}))
	if err != nil {
		return nil, err
	}
	if err := p.findContrasts(); err != nil {
		return nil, err
	}
	y = p.unscaledCentring().Cross(nil, y)
	work := matrix.New(k.Rows, k.Cols)
	results := make([]pathResult, len(regularizers))
	for i, reg := range regularizers {
		work.CopyFrom(k)
		found, err := p.solve(ctx, work, reg, s.method.LeaveOneOut)
		if err == nil {
			results[i], err = s.testFactor(ctx, p, found, y, equal)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		results[i].err = err
	}
	return results, nil
}

// testFactor classifies rows with the centred kernel values y by a solution of p.
func (s *kfdaStart) testFactor(ctx context.Context, p *centredProblem, found *solution, y *matrix.Dense, equal []int) (r pathResult, err error) {
	negated := fixSigns(found.alpha)
	z := found.projections
	if z != nil {
		negate(z, negated)
	} else {
		z = matrix.Mul(nil, p.k, matrix.NoTrans, found.alpha, matrix.NoTrans)
		scaleBy(-p.scale.exp).matrix(z)
	}
	for i, first := range equal {
		copy(z.Row(i), z.Row(first))
	}
	if err := checkProjections(z); err != nil {
		return r, err
	}
	rule, err := s.rule(ctx, z, found, negated[0])
	if err != nil {
		return r, err
	}
	return s.classify(rule, matrix.Mul(nil, y, matrix.NoTrans, found.alpha, matrix.NoTrans))
}
