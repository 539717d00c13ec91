// Kfda-beam fits a model of landmarks to a table in any number of files, and predicts with it, on
// Apache Beam. README.md says how it is run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/seed92411348/kfda/internal/plural"
)

const usage = `Usage:
  kfda-beam fit --landmarks-file L --input 'part-*.csv' -o MODEL [flags]
  kfda-beam accumulate --landmarks-file L --input 'part-*.csv' -o FILE [flags]
  kfda-beam predict --model MODEL --input 'new-*.csv' -o 'OUT.csv' [flags]

fit writes a model of all rows of the files, and accumulate a file for 'kfda merge', which can give
it other settings. L is a file of 'kfda landmarks'. predict writes OUT-00000-of-00012.csv and so on,
which in this order are what 'kfda predict' writes.

Flags:
`

// flags are those of the program beside Beam's.
type flags struct{ landmarks, model, input, output string }

func main() {
	command := ""
	if len(os.Args) > 1 && os.Args[1] != "" && os.Args[1][0] != '-' { // a worker is started with flags only
		command = os.Args[1]
		os.Args = append(os.Args[:1], os.Args[2:]...)
	}
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	var f flags
	flag.StringVar(&f.landmarks, "landmarks-file", "", "`file` of 'kfda landmarks', for fit and accumulate")
	flag.StringVar(&f.model, "model", "", "`file` of the model, for predict")
	flag.StringVar(&f.input, "input", "", "`patterns` of CSV files, with commas between them; their rows are those of one table, in the order of the patterns and of the names")
	flag.StringVar(&f.output, "o", "", "`file` to write to")
	flag.Parse()
	beam.Init() // of a worker, it does not return
	if err := run(context.Background(), command, f); err != nil {
		fmt.Fprintln(os.Stderr, "kfda-beam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command string, f flags) error {
	p, s := beam.NewPipelineWithRoot()
	if flag.NArg() > 0 || f.input == "" || f.output == "" {
		return errors.New("want --input and -o, and no arguments; --help says more")
	}
	files, err := inputs(ctx, f.input)
	if err != nil {
		return err
	}
	switch command {
	case "fit", "accumulate":
		err = fit(ctx, s, files, f.landmarks, f.output, command == "fit")
	case "predict":
		err = predict(ctx, s, files, f.model, f.output)
	default:
		err = fmt.Errorf("command %q: want fit, accumulate or predict; --help says more", command)
	}
	if err != nil {
		return err
	}
	if err = beamx.Run(ctx, p); err == nil {
		fmt.Fprintln(os.Stderr, "kfda-beam:", summary(ctx, command, len(files), f.output))
	}
	return err
}

// summary says what a job has written, as far as that is there: a job may be handed on.
func summary(ctx context.Context, command string, files int, output string) string {
	rows := -1
	switch command {
	case "fit":
		if _, m, err := load(ctx, kept{Path: output}, parseModel); err == nil {
			rows = m.Training().Rows
		}
	case "accumulate":
		if _, s, err := load(ctx, kept{Path: output}, parseStream); err == nil {
			rows = s.Next()
		}
	case "predict":
		ext := path.Ext(output)
		return fmt.Sprintf("predictions for %s are in %s-*-of-*%s", plural.Count(files, "file"), strings.TrimSuffix(output, ext), ext)
	}
	if rows < 0 {
		return output + " is not there yet"
	}
	return fmt.Sprintf("%s is of %s in %s", output, plural.Count(rows, "row"), plural.Count(files, "file"))
}
