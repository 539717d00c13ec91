package block

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// withWorkers runs f under GOMAXPROCS ≥ n and a bound of n workers.
func withWorkers(n int, f func()) {
	if former := runtime.GOMAXPROCS(0); former < n {
		runtime.GOMAXPROCS(n)
		defer runtime.GOMAXPROCS(former)
	}
	defer SetWorkers(SetWorkers(n))
	f()
}

// goroutinesReturnTo waits until no more than n goroutines are left.
func goroutinesReturnTo(t *testing.T, n int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left, %d before", runtime.NumGoroutine(), n)
}

func TestDoRunsEveryTaskOnce(t *testing.T) {
	before := runtime.NumGoroutine()
	for workers := 1; workers <= 5; workers++ {
		withWorkers(workers, func() {
			team := NewTeam()
			defer team.Close()
			for _, tasks := range []int{0, 1, 2, 3, 7, 100} {
				for range 50 {
					count := make([]atomic.Int32, tasks)
					team.Do(tasks, func(i int) { count[i].Add(1) })
					for i := range count {
						if n := count[i].Load(); n != 1 {
							t.Fatalf("%d workers, %d tasks: task %d ran %d times", workers, tasks, i, n)
						}
					}
				}
			}
		})
	}
	goroutinesReturnTo(t, before)
}

// TestDoUsesAllWorkers makes every worker wait for the others: it can only end
// when as many tasks run at once as there are workers.
func TestDoUsesAllWorkers(t *testing.T) {
	for workers := 1; workers <= 5; workers++ {
		withWorkers(workers, func() {
			team := NewTeam()
			defer team.Close()
			for range 3 {
				var all sync.WaitGroup
				all.Add(workers)
				team.Do(workers, func(int) {
					all.Done()
					all.Wait()
				})
				time.Sleep(time.Millisecond) // long enough for helpers to fall asleep
			}
		})
	}
}

func TestWorkersBound(t *testing.T) {
	defer SetWorkers(SetWorkers(0))
	if got, want := Workers(), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("without a bound: %d workers, want GOMAXPROCS = %d", got, want)
	}
	SetWorkers(1)
	if got := Workers(); got != 1 {
		t.Errorf("bound 1: %d workers", got)
	}
	SetWorkers(1000)
	if got, want := Workers(), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("bound 1000: %d workers, want GOMAXPROCS = %d", got, want)
	}
}

func TestPanicInWorker(t *testing.T) {
	before := runtime.NumGoroutine()
	cause := errors.New("rows 3 and 7")
	for workers := 1; workers <= 5; workers++ {
		for _, culprit := range []int{0, 1, 99} {
			withWorkers(workers, func() {
				var ran atomic.Int32
				value := func() (value any) {
					defer func() { value = recover() }()
					team := NewTeam()
					defer team.Close()
					team.Do(100, func(i int) {
						ran.Add(1)
						if i == culprit {
							panic(cause)
						}
						runtime.Gosched()
					})
					return "no panic"
				}()
				if value != cause {
					t.Errorf("%d workers, task %d: recovered %v, want the task's own value", workers, culprit, value)
				}
				if n := ran.Load(); culprit == 0 && workers == 1 && n != 1 {
					t.Errorf("%d tasks ran after the first panicked", n-1)
				}
			})
		}
	}
	goroutinesReturnTo(t, before)
}

// TestTeamAfterPanic uses a team again whose caller recovered.
func TestTeamAfterPanic(t *testing.T) {
	withWorkers(3, func() {
		team := NewTeam()
		defer team.Close()
		for range 20 {
			func() {
				defer func() { recover() }()
				team.Do(10, func(i int) { panic(fmt.Sprint(i)) })
			}()
			var ran atomic.Int32
			team.Do(10, func(int) { ran.Add(1) })
			if ran.Load() != 10 {
				t.Fatalf("%d of 10 tasks ran after a panic", ran.Load())
			}
		}
	})
}

// TestGoexitInWorker ends goroutines within tasks, as testing.T.FailNow does.
func TestGoexitInWorker(t *testing.T) {
	before := runtime.NumGoroutine()
	withWorkers(3, func() {
		for culprit := range 8 {
			ended := make(chan any)
			go func() {
				var value any
				defer func() { ended <- value }()
				defer func() { value = recover() }()
				team := NewTeam()
				defer team.Close()
				team.Do(8, func(i int) {
					if i == culprit {
						runtime.Goexit()
					}
					time.Sleep(100 * time.Microsecond)
				})
			}()
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatal("the call hangs")
			}
		}
	})
	goroutinesReturnTo(t, before)
}

// TestManyTeams runs more teams at once than there are processors.
func TestManyTeams(t *testing.T) {
	before := runtime.NumGoroutine()
	withWorkers(2, func() {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				team := NewTeam()
				defer team.Close()
				for range 200 {
					var sum atomic.Int64
					team.Do(9, func(i int) { sum.Add(int64(i)) })
					if sum.Load() != 36 {
						t.Errorf("sum of the tasks is %d, want 36", sum.Load())
					}
				}
			})
		}
		all.Wait()
	})
	goroutinesReturnTo(t, before)
}

// TestTeamsShareWorkers makes teams inside the tasks of another: all together have
// no more goroutines than there are workers.
func TestTeamsShareWorkers(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		withWorkers(workers, func() {
			var running, most atomic.Int64
			outer := NewTeam()
			defer outer.Close()
			outer.Do(6, func(int) {
				inner := NewTeam()
				defer inner.Close()
				inner.Do(6, func(int) {
					n := running.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					time.Sleep(100 * time.Microsecond)
					running.Add(-1)
				})
			})
			if n := most.Load(); n > int64(workers) {
				t.Errorf("%d workers: %d tasks ran at once", workers, n)
			}
		})
	}
}

func TestNilTeam(t *testing.T) {
	var team *Team
	var order []int
	team.Do(4, func(i int) { order = append(order, i) })
	team.Close()
	if fmt.Sprint(order) != "[0 1 2 3]" {
		t.Errorf("order %v", order)
	}
}

// TestTeamUntil ends the context in the middle of the tasks: those that have begun are
// finished, the others are left out, on one worker and on several.
func TestTeamUntil(t *testing.T) {
	for _, terms := range []int{1, sharedTerms} {
		ctx, cancel := context.WithCancel(context.Background())
		team := TeamUntil(ctx, terms)
		var begun, finished atomic.Int64
		team.Do(1000, func(i int) {
			if begun.Add(1) == 10 {
				cancel()
			}
			finished.Add(1)
		})
		if b, f := begun.Load(), finished.Load(); b != f || b < 10 || b > 10+int64(Workers()) {
			t.Errorf("%d tasks began after the context ended in the tenth, %d were finished", b, f)
		}
		team.Do(3, func(i int) { t.Errorf("task %d began after the context ended", i) })
		team.Close()
	}
}
