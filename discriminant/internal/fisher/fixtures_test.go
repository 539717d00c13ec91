package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// sourceOf gives the rows of a matrix.
type sourceOf struct{ k *matrix.Dense }

func (s sourceOf) Order() int { return s.k.Rows }
func (s sourceOf) Rows(dst *matrix.Dense, i0 int) {
	dst.CopyFrom(s.k.View(i0, 0, dst.Rows, s.k.Cols))
}

// reducers are the methods that solve.Reduce chooses from.
var reducers = map[string]Reducer{
	"krylov": func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error) {
		return solve.Lanczos(ctx, k, f, shifts, solve.LanczosLimit{Cost: math.Inf(1), Vectors: math.MaxInt})
	},
	"band": func(ctx context.Context, k, f *matrix.Dense, _ []solve.Shift) (*solve.Reduction, error) {
		return solve.Reduce(ctx, k, f, nil)
	},
}

// blobs returns n rows of d features in c overlapping classes.
func blobs(n, d, c int) (x *matrix.Dense, codes []int) {
	x, codes = matrix.New(n, d), make([]int, n)
	state := uint64(1)
	for i := range n {
		codes[i] = i % c
		for j := range d {
			state = state*6364136223846793005 + 1442695040888963407
			x.Set(i, j, float64(state>>11)/(1<<53)+float64((codes[i]+j)%c)*0.4)
		}
	}
	return x, codes
}
