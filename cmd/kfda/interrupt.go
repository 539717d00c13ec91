package main

import (
	"context"
	"os"
	"os/signal"
)

// untilInterrupt calls work. The first interrupt stops it, a second one the process. It
// does not wait until work has noticed: the process is about to end.
func untilInterrupt[T any](ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	var result T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		result, err = work(ctx)
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
	if ctx.Err() != nil {
		var none T
		return none, ctx.Err()
	}
	return result, err
}
