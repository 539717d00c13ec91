package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/internal/show"
)

// lineOf is a command line with arguments, and with the flags that were given to cmd but for
// those left out.
func lineOf(cmd *cobra.Command, name string, args []string, without ...string) string {
	words := []string{"kfda", name}
	for _, a := range args {
		words = append(words, show.Word(a))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch {
			case slices.Contains(without, f.Name):
			case f.Value.Type() == "bool" && v == "true":
				words = append(words, "--"+f.Name)
			case f.Value.Type() == "bool":
				words = append(words, "--"+f.Name+"="+v)
			default:
				words = append(words, "--"+f.Name, show.Word(v))
			}
		}
	})
	return strings.Join(words, " ")
}

// nextAfterFit are the lines to type after a fit, where folds are so many at most.
func nextAfterFit(cmd *cobra.Command, train, output string, folds int) (lines []string) {
	if output != "-" {
		lines = append(lines, "kfda score "+show.Word(output)+" FILE, with rows that the fit has not seen")
	}
	if train != "-" && folds > 1 {
		line := lineOf(cmd, "cv", []string{train}, "output", "solver", "max-memory", "json", "verbose", "holdout", "seed")
		if folds < defaultFolds {
			line += fmt.Sprint(" --folds ", folds)
		}
		lines = append(lines, line+learntWeights(fmt.Sprint(cmd.Flags().Lookup("kernel").Value)))
	}
	return lines
}

// nextAfterScore is the line to type after a score.
func nextAfterScore(cmd *cobra.Command, model, path string) []string {
	if model == "-" || path == "-" {
		return nil
	}
	page := strings.TrimSuffix(filepath.Base(model), filepath.Ext(model)) + ".html"
	return []string{lineOf(cmd, "report", []string{model, path}, "json") + " -o " + show.Word(page)}
}

// writeNext prints lines to type.
func writeNext(p *printer, lines []string) {
	for i, line := range lines {
		name := ""
		if i == 0 {
			name = "next"
		}
		p.printf("%s\t%s\n", name, line)
	}
}
