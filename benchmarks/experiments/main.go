// Command experiments repeats published experiments with the library and prints
// their tables in Markdown; docs/experiments.md says what they mean.
//
//	go run ./benchmarks/experiments raetsch
//	go run ./benchmarks/experiments published
//	go run ./benchmarks/experiments nested
//	go run ./benchmarks/experiments defaults
//	go run ./benchmarks/experiments sets
//	go run ./benchmarks/experiments novelty
//	go run ./benchmarks/experiments weights
//	go run ./benchmarks/experiments groups
//	go run ./benchmarks/experiments changes
//
// The data sets are read from the folder that the variable KFDA_DATA or the flag
// -data names. Tables go to the standard output, progress to the standard error.
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
	"runtime"
	"slices"
)

const usage = `usage: experiments raetsch|published|nested|defaults|sets|novelty|weights|groups|changes [-data folder] [data set ...]

raetsch    kernel Fisher discriminants on benchmark data sets of Raetsch, as in
           Mika et al. 1999, Table 1
published  kernel PCA and kernel Fisher discriminants with a support vector machine
           on Arcene and Madelon: as published, and by a sound protocol
nested     the search for γ, the ridge and the scaling, with no settings, judged by
           ten outer folds around it
defaults   what the command does without settings, beside the majority class and
           scikit-learn (of /usr/bin/python3, where it is there), on all sets; mnist only
           where it is named; -json prints the errors in each split
sets       how many prediction sets hold the class of rows, and how large they are,
           in 100 splits of digits and letter
novelty    the nines among digits, where zeros to eights are known, beside
           scikit-learn's detectors
weights    searches with weights of kernels, of columns and of widths, beside those of one
           kernel, by ten outer folds; and what becomes of useless columns
groups     how often tests find a difference of groups where there is none, and where
           there is, in 2,000 data sets each; it needs no folder
changes    how often changes are found in 1,000 series of noise, and in 100 series
           with three; it needs no folder

All data sets of an experiment, or those that are named. The folder, by default
$KFDA_DATA, is the one that contains raetsch/, arcene/, madelon/ and classic/.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv("KFDA_DATA"), os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

// run is the command with its arguments and the folder of data sets that it takes
// where there is no flag.
func run(ctx context.Context, args []string, data string, stdout, stderr io.Writer) error {
	if len(args) == 0 || !slices.Contains([]string{"raetsch", "published", "nested", "defaults", "sets", "novelty", "weights", "groups", "changes"}, args[0]) {
		fmt.Fprint(stderr, usage)
		if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
			return flag.ErrHelp
		}
		return fmt.Errorf("want the experiment raetsch, published, nested, defaults, sets, novelty, weights, groups or changes, got %q", args)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	flags.StringVar(&data, "data", data, "the folder of the data sets")
	raw := false
	if args[0] == "defaults" {
		flags.BoolVar(&raw, "json", false, "print JSON")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if args[0] == "groups" {
		return groupTests(ctx, 2000, runtime.GOMAXPROCS(0), stdout, stderr)
	}
	if args[0] == "changes" {
		return changePoints(ctx, 1000, runtime.GOMAXPROCS(0), stdout, stderr)
	}
	if data == "" {
		return errors.New("no data sets: set KFDA_DATA, or give -data, to the folder that contains raetsch/, arcene/, madelon/ and classic/")
	}
	workers := runtime.GOMAXPROCS(0)
	switch args[0] {
	case "published":
		chosen, err := choose(publications, flags.Args())
		if err != nil {
			return err
		}
		return published(ctx, data, chosen, soundTests, workers, stdout, stderr)
	case "defaults":
		return defaults(ctx, data, flags.Args(), raw, workers, stdout, stderr)
	case "sets":
		return predictionSets(ctx, data, flags.Args(), workers, stdout, stderr)
	case "novelty":
		return novelty(ctx, data, stdout, stderr)
	case "weights":
		return kernelWeights(ctx, data, flags.Args(), workers, stdout, stderr)
	case "nested":
		return nested(ctx, filepath.Join(data, "classic"), flags.Args(), stdout, stderr)
	}
	chosen, err := choose(benchmarks, flags.Args())
	if err != nil {
		return err
	}
	return raetsch(ctx, filepath.Join(data, "raetsch"), chosen, coarse, workers, stdout, stderr)
}
