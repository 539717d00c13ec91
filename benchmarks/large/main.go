// Command large measures the command kfda on tables that a kernel matrix does not suffice
// for, as whole processes: time, peak of memory and test error.
//
//	KFDA_DATA=FOLDER go run ./benchmarks/large [twonorm|flights|mnist|mnist-exact|rows ...]
//
// All, or those that are named, one after the other. γ and the ridges of
// mnist were chosen by rows of those that train, γ of flights by 30,000 of them. It builds
// the command, writes some GB of tables to a folder that it removes, and prints a table in
// Markdown, progress to the standard error. scikit-learn is that of /usr/bin/python3.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

//go:embed nystroem.py
var nystroem string

// task is a pair of tables and the runs on them.
type task struct {
	name  string
	write func(data, train, test string) error
	runs  []fitting
}

// fitting is a fit with these flags, of the first rows where that is not 0.
type fitting struct {
	what string
	rows int
	fit  []string
	peer []string // of scikit-learn, in place of the command
}

var tasks = []task{
	{"twonorm", twonorm(1_000_000), []fitting{
		{what: "m = 2000", fit: []string{"--landmarks", "2000", "--gamma", "0.025", "--scale", "none"}},
	}},
	{"flights", flights, []fitting{
		{what: "m = 2000", fit: []string{"--landmarks", "2000", "--gamma", "0.1", "--scale", "minmax"}},
		{what: "m = 2000, 200,000 rows", rows: 200_000, fit: []string{"--landmarks", "2000", "--gamma", "0.1", "--scale", "minmax"}},
		{what: "scikit-learn, m = 2000, 200,000 rows", rows: 200_000, peer: []string{"2000", "0.1"}},
	}},
	{"mnist", mnist, []fitting{
		{what: "m = 1000", fit: []string{"--landmarks", "1000", "--gamma", "0.012", "--scale", "none"}},
		{what: "m = 1000, a given ridge", fit: []string{"--landmarks", "1000", "--gamma", "0.012", "--scale", "none", "--relative-ridge", "0.1"}},
		{what: "m = 5000, a given ridge", fit: []string{"--landmarks", "5000", "--gamma", "0.012", "--scale", "none", "--relative-ridge", "0.05"}},
	}},
	{"mnist-exact", mnist, []fitting{
		{what: "conjugate gradients", fit: []string{"--solver", "conjugate", "--gamma", "0.02", "--scale", "none", "--relative-ridge", "0.1"}},
	}},
	{"rows", clusters(100_000), []fitting{
		{what: "conjugate gradients", fit: []string{"--solver", "conjugate", "--gamma", "0.015625", "--scale", "standard", "--relative-ridge", "0.1"}},
	}},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		os.Exit(1)
	}
}

// writes is the first argument of a process that writes the tables of a task. It is one of its own, for
// the peak of a process is at least what the one that started it has.
const writes = "write"

func run(ctx context.Context, args []string) error {
	if len(args) == 5 && args[0] == writes {
		for _, t := range tasks {
			if t.name == args[1] {
				return t.write(args[2], args[3], args[4])
			}
		}
	}
	return measure(ctx, args)
}

func measure(ctx context.Context, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(tasks, func(t task) bool { return t.name == name }) {
			return fmt.Errorf("%q: want twonorm, flights, mnist, mnist-exact or rows", name)
		}
	}
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		return errors.New("set KFDA_DATA to the folder that contains mnist/ and flights/")
	}
	dir, err := os.MkdirTemp("", "large")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "kfda")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/seed92411348/kfda/cmd/kfda").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	fmt.Printf("%s, %s, %d processors\n\n", runtime.GOARCH, processor(), runtime.NumCPU())
	fmt.Println("| table | fit | seconds | peak MB | predict s | peak MB | wrong % | AUC |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, t := range tasks {
		if len(names) > 0 && !slices.Contains(names, t.name) {
			continue
		}
		if err := t.measure(ctx, data, dir, program); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func (t task) measure(ctx context.Context, data, dir, program string) error {
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, err := timed(ctx, self, writes, t.name, data, train, test); err != nil {
		return err
	}
	for _, r := range t.runs {
		out, model := filepath.Join(dir, "out.csv"), filepath.Join(dir, "model")
		var fit, predict cost
		var err error
		if r.peer != nil {
			args := append([]string{"-c", nystroem, train, test, out, fmt.Sprint(r.rows)}, r.peer...)
			fit, err = timed(ctx, "/usr/bin/python3", args...)
		} else {
			args := append([]string{"fit", train, "--label", "label", "-o", model}, r.fit...)
			if r.rows > 0 {
				args = append(args, "--rows", fmt.Sprintf(":%d", r.rows))
			}
			if fit, err = timed(ctx, program, args...); err == nil {
				predict, err = timed(ctx, program, append([]string{"predict", model, test, "-o", out}, decision(test)...)...)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.what, err)
		}
		wrong, auc, err := judge(test, out)
		if err != nil {
			return fmt.Errorf("%s: %w", r.what, err)
		}
		fmt.Printf("| %s | %s | %.1f | %.0f | %.1f | %.0f | %.3f | %s |\n", t.name, r.what,
			fit.seconds, fit.megabytes, predict.seconds, predict.megabytes, 100*wrong, auc)
	}
	return nil
}

// cost is that of a process.
type cost struct{ seconds, megabytes float64 }

func timed(ctx context.Context, program string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	c := cost{seconds: time.Since(start).Seconds()}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.megabytes = float64(used.Maxrss) / 1000
	}
	return c, nil
}
