// Command kfda fits kernel Fisher discriminants to tables in files, and
// classifies the rows of other tables with them.
//
//	kfda demo                                      fit and score a small data set, with explanations
//	kfda fit TRAIN [--label COLUMN] -o MODEL       fit a model
//	kfda score MODEL FILE                          compare with the labels of the file
//	kfda predict MODEL FILE                        write the class of each row as CSV
//	kfda report MODEL FILE -o PAGE                 write a page on a model and a table
//	kfda plot WHAT MODEL FILE -o PICTURE           draw a picture, as SVG, PNG or PDF
//	kfda explain MODEL FILE                        show why rows get their classes, or which columns matter
//	kfda inspect MODEL                             show what a model holds
//	kfda cv TRAIN [--label COLUMN]                 estimate how well a fit classifies new rows
//	kfda tune TRAIN [--label COLUMN] [-o MODEL]    search the settings of a model, fit the best
//	kfda test FILE [--label COLUMN]                test whether groups of rows differ
//	kfda sets TRAIN FILE [--label COLUMN]          say which classes rows may be of, with a guarantee
//	kfda novelty TRAIN [FILE]                      say how unlike the rows of a table new ones are
//	kfda changes FILE                              say after which rows a table changes
//	kfda export MODEL --format onnx|c|go|card      write a model for other programs
//	kfda project MODEL FILE                        write the projections of each row as CSV
//	kfda landmarks TRAIN --landmarks M -o L        begin the fit of a table in parts
//	kfda accumulate L SHARD --shard I -o FILE      take in the rows of a part
//	kfda merge FILE... -o MODEL                    fit a model to all of them
//	kfda help tables                               how files are read, and what is refused
//	kfda version [-v]
//
// Results go to the standard output, notices and errors to the standard error.
// The exit status is 0, or 1 if something is wrong with a file or its contents,
// or 2 if the command line is, or 130 after an interrupt.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// Commands are listed in the order in which a newcomer meets them.
func init() { cobra.EnableCommandSorting = false }

func main() { os.Exit(command()) }

// command is run for the process.
func command() int {
	ignoreClosedPipe()
	return run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Exit statuses.
const (
	statusOK    = 0
	statusData  = 1 // something is wrong with a file or its contents
	statusUsage = 2 // something is wrong with the command line

	// As of a process that the signal ends: 128 and its number.
	statusInterrupted = 130 // SIGINT
	statusClosed      = 141 // SIGPIPE: nobody reads the standard output
	statusTerminated  = 143 // SIGTERM
)

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// streams are what a command reads and writes besides files.
type streams struct {
	in   io.Reader
	out  *bufio.Writer // keeps the first error of all writes; run flushes it
	err  io.Writer     // takes a message with each write
	line *statusLine   // of a terminal, or nil
}

// run is the command with everything that it depends on as arguments.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	line := statusLineOf(errs)
	s := streams{in, bufio.NewWriterSize(results{out, line}, 1<<16), messages{errs, args, line}, line}
	root, started := newRoot(s)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	line.close()
	if err == nil {
		err, *started = s.out.Flush(), true
	}
	var wrong usageError
	var ended interruption
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, syscall.EPIPE):
		return statusClosed
	case errors.As(err, &ended):
		fmt.Fprintf(s.err, "%s: %v\n", cmd.CommandPath(), ended)
		return ended.status()
	}
	fmt.Fprintf(s.err, "%s: %s\n", cmd.CommandPath(), withCommand(err, args))
	if !*started || errors.As(err, &wrong) {
		fmt.Fprintf(s.err, "Run '%s --help' for usage.\n", cmd.CommandPath())
		return statusUsage
	}
	return statusData
}

// withCommand returns the text of an error, with the whole command line where it says with which
// flags a table can be read.
func withCommand(err error, args []string) string {
	var wrong *table.Error
	text := err.Error()
	if !errors.As(err, &wrong) || wrong.Flags == "" {
		return text
	}
	line := "kfda"
	for _, a := range args {
		if strings.ContainsFunc(a, unicode.IsControl) {
			return text
		}
		line += " " + show.Word(a)
	}
	return strings.TrimSuffix(text, " "+wrong.Flags) + "\n    " + line + " " + wrong.Flags
}

// messages makes each text that is written to it a message for a terminal. What it says
// of the arguments is on one line, with line ends in them.
type messages struct {
	w    io.Writer
	args []string
	line *statusLine
}

func (m messages) Write(p []byte) (int, error) {
	text := string(p)
	for _, a := range m.args {
		_, value, _ := strings.Cut(a, "=")
		for _, part := range []string{a, value} {
			if strings.ContainsAny(part, "\n") {
				text = strings.ReplaceAll(text, part, show.Text(part))
			}
		}
	}
	var err error
	m.line.wipe(func() { _, err = io.WriteString(m.w, show.Message(text)) })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// helpText is the template of help: what to type stands before the explanations.
const helpText = `{{if .HasExample}}Usage:
  {{.UseLine}}

Examples:
{{.Example}}

{{.Long}}

Flags:
{{.LocalFlags.FlagUsages}}{{else}}{{or .Long .Short}}

{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}{{end}}`

// newRoot makes the tree of commands. started tells whether a command got as far
// as its own work; an error before is one of usage.
func newRoot(s streams) (root *cobra.Command, started *bool) {
	started = new(bool)
	root = &cobra.Command{
		Use:   "kfda",
		Short: "Kernel Fisher discriminant analysis",
		Long: `kfda fits kernel Fisher discriminants to tables in files, and classifies the rows
of other tables with them. New here? Run 'kfda demo'. With a table of your own:

  kfda fit train.csv --label species -o model.kfda
  kfda score model.kfda test.csv
  kfda report model.kfda test.csv -o page.html`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(explainFlags)
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpText)
	for _, c := range []*cobra.Command{
		newDemo(s), newFit(s), newScoreCommand(s), newPredict(s), newPage(s), newPlot(s), newReasons(s), newInspect(s), newCV(s), newTune(s), newTest(s), newSets(s), newNovelty(s), newChanges(s), newExport(s), newProject(s), newLandmarks(s), newAccumulate(s), newMerge(s), newManual(), newVersion(s),
	} {
		files := c.Args
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(files(cmd, args), cmd.ValidateRequiredFlags()); err != nil {
				return fmt.Errorf("%w; say\n    %s", err, cmd.UseLine())
			}
			return checkGroups(cmd)
		}
		work := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error {
			*started = true
			if err := checkEmpty(cmd); err != nil {
				return err
			}
			if err := lowerNames(cmd); err != nil {
				return err
			}
			return work(cmd, args)
		}
		c.DisableFlagsInUseLine = true
		c.Flags().SortFlags = false
		root.AddCommand(c)
	}
	// A command without work of its own is a topic of help.
	root.AddCommand(&cobra.Command{Use: "tables", Short: "How files are read, and what is refused", Long: table.Rules})
	return root, started
}

// checkGroups refuses flags of which only one can be given.
func checkGroups(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	_, list, _ := strings.Cut(err.Error(), "; [")
	given := strings.Fields(strings.TrimSuffix(list, "] were all set"))
	return usage("--%s exclude each other: leave all but one of them out", strings.Join(given, " and --"))
}

// noneKey marks flags of which an empty text says something.
const noneKey = "none"

// checkEmpty refuses a flag with an empty text, such as that of a variable of the shell that
// is not set, which would else count as not given, unless it stands for none.
func checkEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, none := f.Annotations[noneKey]; f.Value.Type() == "string" && f.Value.String() == "" && !none {
			err = usage("--%s \"\": want a value, or leave the flag out", f.Name)
		}
	})
	return err
}

// named are the flags whose values are names of the program's own.
var named = []string{"model", "kernel", "kernels", "scale", "regularizer", "scatter", "solver", "classifier", "classifiers", "criterion", "format", "separator", "missing"}

// lowerNames lets such names be written in any case.
func lowerNames(cmd *cobra.Command) error {
	for _, name := range named {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.Type() == "string" {
			if err := f.Value.Set(strings.ToLower(f.Value.String())); err != nil {
				return err
			}
		}
	}
	return nil
}
