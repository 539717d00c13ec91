package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// bench measures rows and keeps the processes that it started.
type bench struct {
	programs  map[string]program
	processes map[string]*process // by key
	absent    map[string]error    // programs that do not start, by name
	failed    []string            // what went wrong, one line each
	about     []string
	progress  io.Writer

	rounds   int
	patience time.Duration // after which a row takes no more than three rounds

	peaks map[string]float64 // best rate of multiply-adds on a core in GFLOP/s, by instruction set
	clock float64            // GHz
}

func newBench(programs []program, progress io.Writer) *bench {
	b := &bench{
		programs: map[string]program{}, processes: map[string]*process{}, absent: map[string]error{}, progress: progress,
		rounds: 5, patience: 4 * time.Second,
		peaks: map[string]float64{},
	}
	for _, p := range programs {
		b.programs[p.name] = p
	}
	return b
}

func (b *bench) close() {
	for _, p := range b.processes {
		p.close()
	}
}

// process returns the running program of an entry, the instance-th of its kind.
func (b *bench) process(ctx context.Context, e entry, threads, instance int) (*process, string, error) {
	key := fmt.Sprint(e.program, threads, e.env, instance)
	if p := b.processes[key]; p != nil {
		return p, key, nil
	}
	if err := b.absent[e.program]; err != nil {
		return nil, key, err
	}
	p, err := start(ctx, b.programs[e.program], threads, e.env...)
	if err != nil {
		if ctx.Err() == nil {
			b.absent[e.program] = err
		}
		return nil, key, err
	}
	b.processes[key] = p
	about := p.about
	if len(e.env) > 0 {
		about += " (" + strings.Join(e.env, " ") + ")"
	}
	if !slices.Contains(b.about, about) {
		b.about = append(b.about, about)
	}
	return p, key, nil
}

// lose forgets a process that failed.
func (b *bench) lose(key string) {
	if p := b.processes[key]; p != nil {
		p.cmd.Process.Kill()
		p.close()
		delete(b.processes, key)
	}
}

// timing is what was measured of an entry.
type timing struct {
	rounds      []float64 // the median of each round, in seconds
	best        float64
	processor   []float64 // like rounds, the time of all processors
	tier        string    // of a rate: whose peak it is compared with
	allocations float64
	check       []float64 // its result
}

// result is a group with what was measured, by rows and entries; nil where there is
// nothing.
type result struct {
	group   group
	timings [][]*timing
}

// group measures the rows of a group.
func (b *bench) group(ctx context.Context, g group) result {
	r := result{group: g}
	for _, row := range g.rows {
		fmt.Fprintf(b.progress, "%s: %s\n", g.title, row.what)
		timings := make([]*timing, len(row.entries))
		if err := b.row(ctx, g, row, timings); err != nil {
			b.fail(g, row, "", err)
		}
		r.timings = append(r.timings, timings)
	}
	return r
}

func (b *bench) fail(g group, r row, label string, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("the time was up")
	}
	line := fmt.Sprintf("%s, %s", g.title, r.what)
	if label != "" {
		line += ", " + label
	}
	line += ": " + err.Error()
	if !slices.Contains(b.failed, line) {
		b.failed = append(b.failed, line)
		fmt.Fprintln(b.progress, "  "+line)
	}
}

// contender is an entry that takes part in a row.
type contender struct {
	entry   entry
	process *process
	key     string
	timing  *timing
	warm    int // runs in a round that do not count
	repeat  int // and runs that do
}

// row measures the entries of a row.
func (b *bench) row(ctx context.Context, g group, r row, timings []*timing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var all []*contender
	defer func() {
		for _, c := range all {
			if _, err := c.process.ask(context.WithoutCancel(ctx), "drop"); err != nil {
				b.lose(c.key)
			}
		}
	}()
	lost := func(c *contender, err error) {
		b.fail(g, r, c.entry.label, err)
		b.lose(c.key)
		all = slices.DeleteFunc(all, func(o *contender) bool { return o == c })
	}

	instances := map[string]int{}
	var want []float64
	for i, e := range r.entries {
		kind := fmt.Sprint(e.program, e.env)
		p, key, err := b.process(ctx, e, r.threads, instances[kind])
		if err != nil {
			b.fail(g, r, e.label, err)
			continue
		}
		instances[kind]++
		c := &contender{entry: e, process: p, key: key, timing: &timing{best: math.Inf(1)}}
		all = append(all, c)
		got, err := b.prepare(ctx, c)
		if err != nil {
			lost(c, err)
			continue
		}
		timings[i], c.timing.check = c.timing, got
		same := compare
		if g.set != "" {
			same = compareSets
		}
		if i == 0 {
			want = got
		} else if want != nil && !e.unlike {
			if err := same(got, want, e.tolerance); err != nil {
				b.fail(g, r, e.label, err)
			}
		}
	}

	began := time.Now()
	for round := range b.rounds {
		if round >= 3 && time.Since(began) > b.patience {
			break
		}
		for _, c := range slices.Clone(all) {
			if err := b.measure(ctx, r, c); err != nil {
				lost(c, err)
			}
		}
	}
	return nil
}

// prepare sets up a task, runs it once to warm up and for its numbers to check, and
// chooses how many runs a round has.
func (b *bench) prepare(ctx context.Context, c *contender) (check []float64, err error) {
	if _, err := c.process.ask(ctx, "setup "+c.entry.task); err != nil {
		return nil, err
	}
	first, err := c.process.ask(ctx, "run 1")
	if err != nil {
		return nil, err
	}
	if c.entry.allocations {
		r, err := c.process.ask(ctx, "allocations")
		if err != nil {
			return nil, err
		}
		c.timing.allocations = r.Value
	}
	const round = 0.05 // seconds
	c.repeat = int(min(max(round/first.Seconds[0], 1), 20))
	if first.Seconds[0] < 20*round {
		c.warm = 1 // the caches are another program's, and the processors were idle
	}
	r, err := c.process.ask(ctx, "check")
	return r.Check, err
}

// compare returns an error where the numbers of two programs differ by more than
// their rounding can explain, or than a given tolerance.
func compare(got, want []float64, tolerance float64) error {
	tolerance = max(tolerance, 1e-6)
	if len(got) != len(want) {
		return fmt.Errorf("its result has %d numbers to check, kfda's %d", len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance*max(math.Abs(w), tolerance)) {
			return fmt.Errorf("its result is another one: %v, not %v", got, want)
		}
	}
	return nil
}

// compareSets returns an error where more numbers are in only one of two sets than the
// tolerance allows, as a share of the larger one.
func compareSets(got, want []float64, tolerance float64) error {
	shared, most := len(common(got, want)), max(len(got), len(want))
	if float64(most-shared) > tolerance*float64(most) {
		return fmt.Errorf("its result is another one: a set of %d with %d of kfda's %d", len(got), shared, len(want))
	}
	return nil
}

// common returns the numbers of a that are in b.
func common(a, b []float64) []float64 {
	var both []float64
	for _, v := range a {
		if slices.Contains(b, v) {
			both = append(both, v)
		}
	}
	return both
}

// measure is one round of a contender.
func (b *bench) measure(ctx context.Context, r row, c *contender) error {
	// The threads of a library may wait actively for some time before they sleep.
	time.Sleep(50 * time.Millisecond)
	if r.flops > 0 && c.entry.program == "kfda" {
		peak, err := c.process.ask(ctx, "peak")
		if err != nil {
			return err
		}
		clock, err := c.process.ask(ctx, "clock")
		if err != nil {
			return err
		}
		b.peaks[peak.Name] = max(b.peaks[peak.Name], peak.Value)
		b.clock = max(b.clock, clock.Value)
		c.timing.tier = peak.Name
	}
	times, err := c.process.ask(ctx, fmt.Sprint("run ", c.warm+c.repeat))
	if err != nil {
		return err
	}
	times.Seconds, times.Processor = times.Seconds[c.warm:], times.Processor[c.warm:]
	share := c.entry.share
	if share == 0 {
		share = 1
	}
	c.timing.rounds = append(c.timing.rounds, median(times.Seconds)/share)
	c.timing.processor = append(c.timing.processor, median(times.Processor)/share)
	c.timing.best = min(c.timing.best, slices.Min(times.Seconds)/share)
	return nil
}

// peak returns the peak rate of a core in GFLOP/s that a timing is compared with:
// that of the instruction set of its program, or else the highest.
func (b *bench) peak(t *timing) float64 {
	if peak := b.peaks[t.tier]; peak > 0 {
		return peak
	}
	best := 0.0
	for _, peak := range b.peaks {
		best = max(best, peak)
	}
	return best
}
