package fisher

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Features and rows lead to the same solution, whichever are more.
func TestDualAgreesWithPrimal(t *testing.T) {
	for _, shape := range [][2]int{{20, 12}, {20, 20}, {12, 25}} {
		x, codes := matrixtest.Blobs(shape[0], shape[1], 3)
		counts := NewClasses(codes, 3, nil).Counts
		ridge := ridgeValue{value: 0.25}
		var solutions [2]*LinearSolution
		var weights [2]*matrix.Dense
		for i := range solutions {
			p := &linearProblem{LinearProblem: LinearProblem{Classes: NewClasses(codes, len(counts), nil), Regularizer: Regularizer{Ridge, 0.25}}}
			f := centreFeatures(x, nil)
			var err error
			if i == 0 {
				solutions[i], err = solveWithin(t.Context(), f, p, ridge)
			} else {
				solutions[i], err = p.solveDual(t.Context(), f, ridge)
			}
			if err != nil {
				t.Fatal(err)
			}
			weights[i] = must.Get(f.unscaled(solutions[i].Weights))(t)
			fixSigns(weights[i])
		}
		for k, want := range solutions[0].Lambda {
			if got := solutions[1].Lambda[k]; math.Abs(got-want) > 1e-12*want {
				t.Errorf("%v: λ%d is %v in the dual, %v in the primal", shape, k, got, want)
			}
		}
		for i, want := range weights[0].Data {
			if got := weights[1].Data[i]; math.Abs(got-want) > 1e-11*matrix.MaxAbs(weights[0]) {
				t.Fatalf("%v: weight %d is %v in the dual, %v in the primal", shape, i, got, want)
			}
		}
	}
}
