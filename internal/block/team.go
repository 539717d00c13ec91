package block

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

var workerLimit atomic.Int64

// helping is the number of goroutines of all teams. One less than Workers() is the
// most, so calls that run at the same time, or one inside a task of the other,
// share the processors instead of crowding them.
var helping atomic.Int64

// SetWorkers bounds the workers of all calls together that start later, and
// returns the former bound. 0, which is the value in the beginning, stands for
// GOMAXPROCS.
func SetWorkers(n int) (former int) {
	if n < 0 {
		panic("block: SetWorkers: negative number of workers")
	}
	return int(workerLimit.Swap(int64(n)))
}

// Workers returns the number of workers that a call which is alone would use now,
// the calling goroutine included.
func Workers() int {
	n := runtime.GOMAXPROCS(0)
	if bound := int(workerLimit.Load()); bound > 0 && bound < n {
		n = bound
	}
	return n
}

// A Team is the caller and the goroutines that work for it during one top-level
// call. They start with the first work that can be shared, wait for more in a
// short spin and then asleep, and end with Close; no goroutine outlives the
// call. A nil Team is the caller alone.
//
// Only the goroutine that made the team may call its methods.
type Team struct {
	size    int
	ctx     context.Context // see Until; or nil
	helpers []*helper
	current atomic.Pointer[round] // what helpers work on
	running sync.WaitGroup
}

type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // one token for every asleep that somebody else cleared
}

// round is one call of Do.
type round struct {
	tasks  int64
	task   func(i int)
	team   *Team
	next   atomic.Int64 // the first task that nobody has taken
	left   atomic.Int64 // tasks that are not finished
	failed atomic.Pointer[failure]

	asleep atomic.Bool // the caller waits for done
	done   chan struct{}
}

type failure struct{ value any }

// stop is the round that ends helpers.
var stop = new(round)

// NewTeam returns a team of up to Workers() workers. Close must follow.
func NewTeam() *Team { return &Team{size: Workers()} }

// TeamFor returns a new team for a call of as many multiply-adds as the product of
// the factors, and nil, the caller alone, where the call takes less time than
// starting a goroutine on another processor. Close must follow.
func TeamFor(factors ...int) *Team {
	terms := 1.0
	for _, f := range factors {
		terms = float64(terms * float64(f))
	}
	if terms < sharedTerms {
		return nil
	}
	return NewTeam()
}

const sharedTerms = 1 << 22

// Alone is the caller alone, for a job that is part of a task.
var Alone = &Team{size: 1}

// alone reports whether the team is the caller alone.
func (t *Team) alone() bool { return t == nil || t.size == 1 }

// Until makes Do leave out the tasks that have not begun when ctx is done. Results are
// then incomplete; the caller has to ask ctx. A nil Team takes no notice.
func (t *Team) Until(ctx context.Context) {
	if t != nil {
		t.ctx = ctx
	}
}

// TeamUntil is TeamFor and Until, with a team of one where TeamFor returns none.
func TeamUntil(ctx context.Context, factors ...int) *Team {
	t := TeamFor(factors...)
	if t == nil {
		t = &Team{size: 1}
	}
	t.Until(ctx)
	return t
}

// done reports whether the team's context is done.
func (t *Team) done() bool { return t != nil && t.ctx != nil && t.ctx.Err() != nil }

// hire reserves one more goroutine, unless there are as many as there may be.
func hire(workers int) bool {
	for {
		n := helping.Load()
		if n >= int64(workers)-1 {
			return false
		}
		if helping.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Close ends the team's goroutines and waits until they are gone.
func (t *Team) Close() {
	if t == nil || len(t.helpers) == 0 {
		return
	}
	t.publish(stop)
	t.running.Wait()
	helping.Add(-int64(len(t.helpers)))
	t.helpers = nil
}

// Do calls task(i) for i = 0 … tasks−1, in any order and on any of the workers,
// and returns when all calls have returned. A panic in one of them stops the
// tasks that have not begun and becomes, with the same value, a panic of Do.
func (t *Team) Do(tasks int, task func(i int)) {
	if t.alone() || tasks <= 1 {
		for i := range tasks {
			if t.done() {
				return
			}
			task(i)
		}
		return
	}
	r := &round{tasks: int64(tasks), task: task, team: t}
	r.left.Store(int64(tasks))
	t.publish(r)
	for len(t.helpers) < min(t.size, tasks)-1 && hire(t.size) {
		h := &helper{wake: make(chan struct{}, 1)}
		t.helpers = append(t.helpers, h)
		t.running.Add(1)
		go t.help(h)
	}
	defer func() {
		// Also where a task ends this goroutine by runtime.Goexit.
		r.wait()
		if f := r.failed.Load(); f != nil {
			panic(f.value)
		}
	}()
	r.work()
}

// rowsInTask is the number of rows in a task of Rows.
const rowsInTask = 64

// Rows calls f for rows lo … hi−1 of every part of n rows, as Do calls tasks. The
// parts depend on n alone.
func (t *Team) Rows(n int, f func(lo, hi int)) {
	t.Do((n+rowsInTask-1)/rowsInTask, func(i int) { f(i*rowsInTask, min((i+1)*rowsInTask, n)) })
}

// publish hands r to the helpers.
func (t *Team) publish(r *round) {
	t.current.Store(r)
	for _, h := range t.helpers {
		if h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

// help works on every round until stop.
func (t *Team) help(h *helper) {
	defer t.running.Done()
	var last *round
	for {
		r := t.await(h, last)
		if r == stop {
			return
		}
		r.work()
		last = r
	}
}

// await returns the current round as soon as it is not last.
func (t *Team) await(h *helper, last *round) *round {
	var r *round
	changed := func() bool {
		r = t.current.Load()
		return r != last
	}
	for !spin(awaitTurns, changed) {
		h.asleep.Store(true)
		if changed() && h.asleep.CompareAndSwap(true, false) {
			break
		}
		<-h.wake
	}
	return r
}

// work takes tasks until none are left.
func (r *round) work() {
	for i := r.next.Add(1) - 1; i < r.tasks; i = r.next.Add(1) - 1 {
		r.run(int(i))
	}
}

// run runs task i, or drops it when another has failed or the context is done.
func (r *round) run(i int) {
	returned := false
	defer func() {
		if !returned {
			value := recover()
			if value == nil {
				value = "block: a task called runtime.Goexit"
			}
			r.failed.CompareAndSwap(nil, &failure{value})
		}
		if r.left.Add(-1) == 0 && r.asleep.CompareAndSwap(true, false) {
			close(r.done)
		}
	}()
	if r.failed.Load() == nil && !r.team.done() {
		r.task(i)
	}
	returned = true
}

// wait returns when all tasks are finished.
func (r *round) wait() {
	finished := func() bool { return r.left.Load() == 0 }
	if spin(waitTurns, finished) {
		return
	}
	r.done = make(chan struct{})
	r.asleep.Store(true)
	if finished() && r.asleep.CompareAndSwap(true, false) {
		return
	}
	<-r.done
}

// A turn of spin takes some 3 µs. A helper awaits the next round for longer than a
// caller waits for the last task: the gaps between the rounds of a factorization are
// of some 100 µs, and to fall asleep in them costs more. The caller lets its processor
// go soon, because a helper that has a task may have none.
const (
	awaitTurns = 50
	waitTurns  = 4
)

// spin checks ok for that many turns, giving way to other goroutines after each, and
// reports whether it became true.
func spin(turns int, ok func() bool) bool {
	for range turns {
		for range 1000 {
			if ok() {
				return true
			}
		}
		runtime.Gosched()
	}
	return ok()
}
