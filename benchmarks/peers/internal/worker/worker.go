// Package worker is the side of a benchmark's program that is written in Go: it reads
// commands, one a line, from the standard input and answers each by one line of JSON.
//
//	about                    {"about": "gonum v0.17.0"}
//	setup task key=value …   {}                  loads the data, runs nothing
//	run 3                    {"seconds": [0.21, 0.2, 0.2], "processor": [0.4, 0.4, 0.4]}
//	check                    {"check": [1.5, 2]}   some numbers of the last result
//	allocations              {"value": 0}          of one run
//	memory                   {"value": 2.4e+08}    peak resident bytes so far
//	drop                     {}                  forgets the task
//
// An answer {"error": "…"} says what went wrong. The programs in other languages
// understand the same commands, but for those that make no sense there.
package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Task is what a program times.
type Task struct {
	Before func() // brings the input back before each run; may be nil
	Run    func()
	Check  func() []float64 // numbers of the last result, to compare with other programs'
}

// Program is a set of tasks.
type Program struct {
	About func() string
	Tasks map[string]func(p *Params) (*Task, error)
	Rates map[string]func() Rate // further commands that measure the machine
}

// Rate is an answer that is a number and the name of what was measured.
type Rate struct {
	Value float64 `json:"value"`
	Name  string  `json:"name"`
}

// Serve answers the commands on in until its end.
func (p Program) Serve(in io.Reader, out io.Writer) error {
	var task *Task
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		reply, err := p.answer(&task, strings.Fields(lines.Text()))
		if err != nil {
			reply = map[string]string{"error": err.Error()}
		}
		if err := json.NewEncoder(out).Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Main serves the standard input.
func (p Program) Main() {
	if err := p.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (p Program) answer(task **Task, words []string) (any, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("an empty command")
	}
	done := struct{}{}
	switch command := words[0]; command {
	case "about":
		return map[string]string{"about": p.About()}, nil
	case "memory":
		peak, err := peakMemory()
		return map[string]float64{"value": peak}, err
	case "drop":
		*task = nil
		debug.FreeOSMemory()
		return done, nil
	case "setup":
		if len(words) < 2 || p.Tasks[words[1]] == nil {
			return nil, fmt.Errorf("no such task: %q", words[1:])
		}
		params := &Params{values: words[2:]}
		t, err := p.Tasks[words[1]](params)
		if params.err != nil {
			err = params.err
		}
		*task = t
		return done, err
	default:
		if rate := p.Rates[command]; rate != nil {
			return rate(), nil
		}
		if *task == nil {
			return nil, fmt.Errorf("%s: there is no task", command)
		}
	}

	t := *task
	switch words[0] {
	case "run":
		repetitions, err := strconv.Atoi(words[len(words)-1])
		seconds, processor := t.times(repetitions)
		return map[string][]float64{"seconds": seconds, "processor": processor}, err
	case "check":
		return map[string][]float64{"check": t.Check()}, nil
	case "allocations":
		return map[string]float64{"value": testing.AllocsPerRun(10, t.Run)}, nil
	}
	return nil, fmt.Errorf("no such command: %q", words)
}

// times returns the time of each run, and the time of all processors in it.
func (t *Task) times(repetitions int) (seconds, processor []float64) {
	for range repetitions {
		if t.Before != nil {
			t.Before()
		}
		used, start := processorTime(), time.Now()
		t.Run()
		seconds = append(seconds, time.Since(start).Seconds())
		processor = append(processor, (processorTime() - used).Seconds())
	}
	return seconds, processor
}

// processorTime returns what this process has used of all processors.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// peakMemory returns the largest resident memory of this process so far, in bytes.
func peakMemory() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0, fmt.Errorf("/proc/self/status has no VmHWM")
	}
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return 1024 * kib, err
}
