// Command peers measures the library against other programs that do the same, and
// prints tables in Markdown. The script run beside it builds what it needs and starts
// it; see docs/benchmarks.md.
//
// Every program is a process that waits for commands (internal/worker). The programs
// of a row take turns, one at a time, for several rounds, so that what else the machine
// does strikes all of them alike; ratios are taken within a round.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// run is the command. An interrupt and the end of the time leave rows out; what was
// measured before is printed.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	full := flags.Bool("full", false, "all sizes and more rounds")
	budget := flags.Duration("budget", 0, "`time` after which no more is measured (7m, with -full 1h)")
	only := flags.String("only", "", "measure only the tables whose title matches the `expression`")
	programs := flags.String("programs", ".", "`folder` of the compiled programs")
	scripts := flags.String("scripts", "workers", "`folder` of the programs in Python and R")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("no arguments are wanted, got %q", flags.Args())
	}
	title, err := regexp.Compile("(?i)" + *only)
	if err != nil {
		return err
	}
	if *budget == 0 {
		*budget = 7 * time.Minute
		if *full {
			*budget = time.Hour
		}
	}

	folder, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	files, err := writeData(folder)
	if err != nil {
		return err
	}
	if err := files.writeTables(os.Getenv("KFDA_DATA")); err != nil {
		return err
	}
	if b := (planner{full: *full}); title.MatchString(b.readings().title) {
		if err := files.writeCSV(b.csvLines()); err != nil {
			return err
		}
	}
	files.writeSpam(filepath.Join(*scripts, "spam.R"))

	ctx, cancel := context.WithTimeout(ctx, *budget)
	defer cancel()
	b := newBench(known(*programs, *scripts), stderr)
	defer b.close()
	if *full {
		b.rounds, b.patience = 15, time.Minute
	}
	load := loadAverage()
	var results []result
	for _, g := range plan(files, *full) {
		if title.MatchString(g.title) {
			results = append(results, b.group(ctx, g))
		}
	}
	memory := memoryGroup(files, *full)
	var peaks []footprint
	if title.MatchString(memory.title) {
		peaks = b.memory(ctx, memory)
	}

	writeSummary(stdout, results)
	fmt.Fprintln(stdout, "## Machine and programs")
	writeMachine(stdout, load)
	b.writePrograms(stdout)
	b.writePeaks(stdout)
	for _, r := range results {
		b.writeResult(stdout, r)
	}
	if peaks != nil {
		writeMemory(stdout, memory, peaks)
	}
	return writeSize(stdout, *programs)
}
