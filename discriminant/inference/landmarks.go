package inference

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// DrawLandmarks returns, ascending, which rows of x, n×d, are to stand for all of them: at most m, drawn by
// [gram.RPCholesky] among max(10,000, 4m) at most of some rows, nil for all, which are random themselves. Labels and
// order play no part. Errors are those of [gram.Evaluator.Landmarks]. Cost: m² flops and m kernel values for each row
// that is looked at.
func DrawLandmarks(ctx context.Context, k gram.Kernel, x *matrix.Dense, among []int, m int, seed uint64) ([]int, error) {
	misuse.NotNil("inference: DrawLandmarks", "ctx", ctx, "x", x)
	kernel, err := gram.Resolve(k, x)
	if err != nil {
		return nil, err
	}
	count := x.Rows
	if among != nil {
		count = len(among)
	}
	all, _ := SetAside(count, min(count, drawnFrom(m)), seed)
	for k, i := range all {
		if among != nil {
			all[k] = among[i]
		}
	}
	e, err := gram.NewEvaluator(kernel, rowsAt(x, all))
	if err != nil {
		return nil, numbered(err, func(i int) int { return all[i] })
	}
	drawn, err := e.Landmarks(ctx, m, gram.RPCholesky, seed)
	if err != nil {
		return nil, numbered(err, func(i int) int { return all[i] })
	}
	rows := make([]int, len(drawn.Rows))
	for k, i := range drawn.Rows {
		rows[k] = all[i]
	}
	slices.Sort(rows)
	return rows, nil
}

// SetAside returns, ascending, which of n rows are set aside, so many random ones by the seed, and which are left.
// What [Novelty], [PredictionSets] and [PredictionIntervals] say is exact for a sample of those that are left with
// landmarks drawn among those set aside: drawn among all, they would leave rows unlike new ones.
func SetAside(n, count int, seed uint64) (aside, left []int) {
	if count < 0 || count > n {
		panic(fmt.Sprintf("inference: SetAside: %d of %d rows", count, n))
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	random := splitmix.Random(splitmix.At(seed, 0))
	random.Shuffle(all, count)
	aside, left = all[:count], all[count:]
	slices.Sort(aside)
	slices.Sort(left)
	return aside, left
}

// drawnFrom is among how many rows landmarks are drawn.
func drawnFrom(m int) int { return max(10_000, 4*m) }

// rowsAt returns some rows of x.
func rowsAt(x *matrix.Dense, rows []int) *matrix.Dense {
	some := matrix.New(len(rows), x.Cols)
	for k, i := range rows {
		copy(some.Row(k), x.Row(i))
	}
	return some
}

// Landmarks returns how many landmarks the sample has, and which share of the trace of the centred kernel matrix
// these leave out: 0 and 0 without.
func (s *Sample) Landmarks() (count int, left float64) {
	r, ok := s.rows.(*mappedRows)
	if !ok {
		return 0, 0
	}
	return r.landmarks(), r.share
}
