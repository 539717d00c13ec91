package block

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/must"
)

// TestUpdate compares with plain chains, for sizes around one and several tiles and
// tasks, whole and with the first rows beside the others, on one worker and on several.
func TestUpdate(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		shape := f64.TileShape()
		sizes := []int{0, 1, shape.Rows - 1, shape.Rows, shape.Rows + 1, shape.Cols, shape.Cols + 1, 5 * shape.Cols / 2, 150}
		for _, workers := range []int{1, 3} {
			withWorkers(workers, func() {
				team := NewTeam()
				defer team.Close()
				for _, part := range []Part{Whole, Lower, StrictUpper} {
					for _, n := range sizes {
						for _, k := range []int{0, 1, 7, 40} {
							m := n
							if part == Whole {
								m = sizes[r.IntN(len(sizes))]
							}
							job := newJob(r, f64.Product, Add, part, false, false, m, n, k)
							want := plain(job)
							rows := func(panel []float64, i, rows int) {
								f64.Pack(panel, shape.Rows, job.rowsOfA(i, 0, k), rows, k, false)
							}
							b := PackB(job.B, false).data
							if cut := r.IntN(m + 1); n%2 == 0 {
								Update(team, part, job.C, rows, b, k)
							} else {
								UpdateRows(team, part, job.C, cut, m, rows, b, k, func() {
									UpdateRows(nil, part, job.C, 0, cut, rows, b, k, nil)
								})
							}
							if at := asmtest.Diff(job.C.Data, want); at >= 0 {
								t.Fatalf("%v: element (%d, %d) = %v, want %v", job, at/job.C.Stride, at%job.C.Stride, job.C.Data[at], want[at])
							}
						}
					}
				}
			})
		}
	})
}

func TestUpdateRefuses(t *testing.T) {
	c := newMat(rand.New(rand.NewPCG(1, 2)), 10, 12, 0)
	for i, call := range []func(){
		func() { Update(nil, Lower, c, nil, make([]float64, 1000), 2) },
		func() { Update(nil, Whole, c, nil, make([]float64, 20), 2) },
		func() { UpdateRows(nil, Whole, c, -1, 10, nil, make([]float64, 1000), 2, nil) },
		func() { UpdateRows(nil, Whole, c, 0, 11, nil, make([]float64, 1000), 2, nil) },
	} {
		must.Panic(t, fmt.Sprintf("call %d", i), call)
	}
}
