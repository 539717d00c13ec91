package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

type pageFlags struct {
	table  tableFlags
	ids    string
	output string
}

func newPage(s streams) *cobra.Command {
	f := &pageFlags{}
	cmd := &cobra.Command{
		Use:   "report MODEL FILE -o PAGE.html [flags]",
		Short: "Write a page on a model and how it does on a table",
		Long: `report writes one HTML page, which needs nothing else, on a model and the labelled
table in FILE: what the data are, what was fitted and how far to trust it, scores with
95 % intervals, pictures, the rows that are most wrong, and how to get it again. Score
rows that the model has not been fitted to (--rows).`,
		Example: `  kfda fit iris.csv --rows 0::2 -o iris.kfda
  kfda report iris.kfda iris.csv --rows 1::2 -o iris.html`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the page to")
	flags.StringVar(&f.ids, "ids", "", "`columns` that name the rows: names or positions from 1, as for --ignore")
	f.table.add(cmd, "(default the one of training)")
	f.table.weights.addRemembered(cmd)
	cmd.MarkFlagRequired("output")
	return cmd
}

func (f *pageFlags) run(cmd *cobra.Command, s streams, model, path string) error {
	if f.output == "-" {
		return usage("-o -: want the name of a file, such as report.html")
	}
	if err := checkOutput(f.output, model, path); err != nil {
		return err
	}
	f.table.weights.remembered = true
	u := &subject{ctx: cmd.Context(), s: s}
	if err := u.load(&f.table, model, path, f.ids, false); err != nil {
		return err
	}
	p, err := newPageData(u)
	if err != nil {
		return err
	}
	if err := p.addReproduction(u, cmd, model, path); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	text := bytes.ReplaceAll(b.Bytes(), []byte(" %"), []byte("\u00a0%")) // on one line
	return save(cmd.Context(), f.output, text, s.out.Flush)
}

// addReproduction says how to get the page and the model again, and by what to know them.
func (p *pageData) addReproduction(u *subject, cmd *cobra.Command, model, path string) error {
	p.Commands = []labelled{
		{"This page", lineOf(cmd, "report", []string{model, path})},
		{"The model, with all that its fit settled", u.refitLine("TRAIN", shellWord(filepath.Base(u.path)))},
	}
	for _, name := range []string{path, model} {
		if name == "-" {
			continue
		}
		sum, err := hashOf(name)
		if err != nil {
			return err
		}
		p.Hashes = append(p.Hashes, labelled{filepath.Base(name), sum})
	}
	if training := u.Training().SHA256; !isStreamed(u.learnt) {
		p.Hashes = append(p.Hashes, labelled{"training rows and classes, as 'kfda inspect' has it", hex.EncodeToString(training[:])})
	}
	p.Version = version()
	return nil
}

// hashOf returns the SHA-256 of a file.
func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
