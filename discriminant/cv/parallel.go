package cv

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls f for 0, …, n−1 from that many workers, which take the next number as
// they become free. f may call tick, and each then calls ticked with the same number
// from the caller's goroutine. The first error, by number, of those that occurred is
// returned; no call starts after one. A cancelled context returns its error. f must
// write its result where no other call does.
func each(parent context.Context, n, workers int, f func(ctx context.Context, i int, tick func(int)) error, ticked func(int)) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	errs := make([]error, n)
	ticks := make(chan int)
	tick := func(k int) { ticks <- k }
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(ctx, i, tick); errs[i] != nil {
					cancel()
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(ticks)
	}()
	for k := range ticks {
		ticked(k)
	}
	if err := parent.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// workerBytes bounds the memory of the matrices that workers hold, where more
// than one of them works.
const workerBytes = 1 << 30

// workersFor returns how many workers to use for n rows by default:
// as many as there are processors, where the matrices of each are so small that
// one fit does not occupy them all, and within the bound of memory.
func workersFor(asked, n int) int {
	const ownTeam = 512 // rows from which one fit uses all processors itself
	if asked > 0 {
		return asked
	}
	if n > ownTeam {
		return 1
	}
	return max(1, min(runtime.GOMAXPROCS(0), workerBytes/(matricesPerWorker*8*n*n+1)))
}

// matricesPerWorker is about how many n×n matrices a worker holds: distances and the
// kernel matrix of the training rows, and what single fits take.
const matricesPerWorker = 3
