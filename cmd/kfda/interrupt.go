package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
)

// interruption says that a signal has ended the work.
type interruption struct{ signal os.Signal }

func (e interruption) Error() string {
	if e.signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

func (interruption) Is(target error) bool { return target == context.Canceled }

// status is the exit status of a process that the signal ends.
func (e interruption) status() int {
	if e.signal == syscall.SIGTERM {
		return statusTerminated
	}
	return statusInterrupted
}

// untilInterrupt calls work. The first interrupt stops it, a second one the process. It
// does not wait until work has noticed: the process is about to end. What tells of Ctrl-C is
// said by work: before it a signal ends the process without a word.
func untilInterrupt[T any](ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 1)
	if runtime.GOARCH != "wasm" { // which has no signals
		if heeded := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM}, signal.Ignored); len(heeded) > 0 {
			signal.Notify(signals, heeded...)
			defer signal.Stop(signals)
		}
	}
	var result, none T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		result, err = work(ctx)
	}()
	select {
	case s := <-signals:
		return none, interruption{s}
	case <-ctx.Done():
	case <-done:
	}
	if ctx.Err() != nil {
		return none, interruption{os.Interrupt}
	}
	return result, err
}
