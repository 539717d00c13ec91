package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// reducers are the methods that solve.Reduce chooses from.
var reducers = map[string]Reducer{
	"krylov": func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error) {
		return solve.Lanczos(ctx, k, f, shifts, solve.LanczosLimit{Cost: math.Inf(1), Vectors: math.MaxInt})
	},
	"band": func(ctx context.Context, k, f *matrix.Dense, _ []solve.Shift) (*solve.Reduction, error) {
		return solve.Reduce(ctx, k, f, nil)
	},
}
