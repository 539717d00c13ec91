package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/export"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

type exportFlags struct{ format, output string }

func newExport(s streams) *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export MODEL --format onnx|c|go|card -o FILE",
		Short: "Write a model for other programs, or a card about it",
		Long: `export writes the model in the file MODEL ("-" is the standard input), scaling
included, as
  onnx  a graph of double-precision operators of ONNX (opset 13)
  c     source in C99, without dependencies
  go    source in Go, a package model, which computes the same bits as kfda
  card  a model card in Markdown: what it is, what it was fitted to, how far to trust it
Features go in the order of the model's columns; categories and truth values as numbers
that a source names, missing cells as NaN where the model fills them. A source holds at
most 100,000 numbers. A kernel precomputed, kernels of some columns, as --kernel-weights
makes them, and functions of a program are exported to a card only.`,
		Example: "  kfda export iris.kfda --format c -o iris.c",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	cmd.Flags().StringVar(&f.format, "format", "", "`what` to write: onnx, c, go or card")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "`file` to write, \"-\" is the standard output")
	cmd.MarkFlagRequired("format")
	cmd.MarkFlagRequired("output")
	return cmd
}

func (f *exportFlags) run(cmd *cobra.Command, s streams, path string) error {
	if !slices.Contains([]string{"onnx", "c", "go", "card"}, f.format) {
		return usage("--format %q: want onnx, c, go or card", f.format)
	}
	if err := checkOutput(f.output, path); err != nil {
		return err
	}
	m, err := loadModel(path, s.in)
	if err != nil {
		return err
	}
	var data []byte
	switch f.format {
	case "card":
		data = card(m)
	case "onnx", "c", "go":
		e := &export.Model{Model: m.Formula(), Names: m.layout.Names, Columns: m.layout.Columns, Inputs: m.Dim()}
		if m.numbers == nil {
			e.Labels = m.Classes()
		}
		if p := m.Preparation(); p != nil {
			e.Prepared, e.Fills = p.Columns(), p.Missing() != discriminant.RefuseMissing
		}
		if f.format == "onnx" {
			data, err = e.ONNX()
		} else {
			data, err = e.Source(f.format == "c")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
	}
	if f.output == "-" {
		_, err := s.out.Write(data)
		return err
	}
	return save(cmd.Context(), f.output, data, func() error { return nil })
}

// card is a model card in Markdown.
func card(m *savedModel) []byte {
	var b bytes.Buffer
	t := m.Training()
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# A model of %s\n\n", m.Method())
	p("## What it is\n\n")
	const by = "fitted by [kfda](https://github.com/seed92411348/kfda)"
	same, hashed := "with the classes\n  as frequent", "classes"
	if m.numbers != nil {
		same, hashed = "with the target\n  in the same range", "targets"
		p("A regression of %s on %d features, %s.\n", markdown(cmp.Or(m.layout.LabelName, m.targetText())), m.Dim(), by)
	} else {
		p("A classifier of rows of %s into %d classes, %s.\n\n", plural.Count(m.Dim(), "feature"), len(m.Classes()), by)
		p("| class | training rows |\n|---|---|\n")
		for j, class := range m.Classes() {
			p("| %s | %d |\n", markdown(class), m.Counts()[j])
		}
	}
	if names := m.layout.Names; names != nil {
		p("\nFeatures, in order: ")
		for j, name := range names {
			p("%s%s", []string{"", ", "}[min(j, 1)], markdown(name))
		}
		p(".\n")
	}
	p("\n## What it was fitted to\n\n%d rows of %s", t.Rows, plural.Count(t.Cols, "column"))
	bits := "the same bits on every machine"
	if isStreamed(m.learnt) {
		bits = "the same model but for rounding, on every machine"
	} else {
		p("; the SHA-256 of these numbers and their %s is\n`%x`", hashed, t.SHA256)
	}
	p(".\n\n")
	p("## How it was fitted\n\n```\n")
	text := bufio.NewWriter(&b)
	writeReport(text, false, newInspectReport(m))
	text.Flush()
	p("```\n\n")
	p("## How far to trust it\n\n")
	p("- What it says holds for new rows that come from where the training rows do, %s, and not for rows of another kind: other instruments, sites or times.\n", same)
	search, _ := searchOf(m)
	p("- What it does on rows that it has not seen says `kfda score MODEL FILE`, on a table that had no\n  part in the fit or its choices; what fits of its kind do, `%s`%s.\n", estimateLine(search), cautionOf(m.learnt))
	if m.Method() != "lda" {
		p("- The file of the model, and an export of it, holds training rows as they are: treat it as the data.\n")
	}
	p("\n## How to reproduce it\n\nOn the same rows in the same order this gives %s:\n\n    %s\n", bits, strings.ReplaceAll(m.refitLine("TRAIN", "MODEL"), "\n", "\n    "))
	return b.Bytes()
}

// markdown is a text as a cell of a table.
func markdown(text string) string {
	return "`" + strings.NewReplacer("|", `\|`, "`", "'").Replace(show.Text(text)) + "`"
}
