package main

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 … n−1 in a number of goroutines and returns the error of
// the least i that has one. After an error, or when ctx is done, it starts no
// further call.
func parallel(ctx context.Context, n, workers int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(max(workers, 1), n) {
		group.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
