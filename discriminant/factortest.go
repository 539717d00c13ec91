package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
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
	centred := solve.NewUpper(k)
	results := make([]pathResult, len(regularizers))
	for i, reg := range regularizers {
		found, err := p.solve(ctx, k, reg, s.method.LeaveOneOut)
		restoreLower(k, centred)
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

// restoreLower overwrites the lower triangle and the diagonal of k, which a factorization has
// overwritten, by those of the same matrix as it was.
func restoreLower(k *matrix.Dense, was *solve.Upper) {
	const atOnce = 64
	rows := matrix.New(min(atOnce, k.Rows), k.Cols)
	for first := 0; first < k.Rows; first += atOnce {
		some := rows.View(0, 0, min(atOnce, k.Rows-first), k.Cols)
		was.Rows(some, first)
		for r := range some.Rows {
			i := first + r
			copy(k.Row(i)[:i+1], some.Row(r))
		}
	}
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
