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
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/internal/show"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

//go:embed answer.html
var answerText string

// answerTemplate looks like a page on a model.
var answerTemplate = template.Must(template.Must(pageTemplate.Clone()).New("answer").Parse(answerText))

type pageFlags struct {
	table  tableFlags
	ids    string
	output string
}

func newPage(s streams) *cobra.Command {
	f := &pageFlags{}
	cmd := &cobra.Command{
		Use:   "report MODEL FILE -o PAGE.html [flags]",
		Short: "Write a page on a model and how it does on a table, or on an answer",
		Long: `report writes one HTML page, which needs nothing else, on a model and the labelled
table in FILE: what the data are, what was fitted and how far to trust it, scores with
95 % intervals, pictures, the rows that are most wrong, and how to get it again. Score
rows that the model has not been fitted to (--rows). What test, sets, novelty and changes
print with --json makes a page of its own.`,
		Example: `  kfda fit iris.csv --rows 0::2 -o iris.kfda
  kfda report iris.kfda iris.csv --rows 1::2 -o iris.html`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := noneApply(cmd, "output"); err != nil {
					return err
				}
				return f.runAnswer(cmd, s, args[0])
			}
			return f.run(cmd, s, args[0], args[1])
		},
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
	return f.save(cmd, s, pageTemplate, p)
}

// save fills a template in and writes it.
func (f *pageFlags) save(cmd *cobra.Command, s streams, t *template.Template, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return err
	}
	text := bytes.ReplaceAll(b.Bytes(), []byte(" %"), []byte("\u00a0%")) // on one line
	return save(cmd.Context(), f.output, text, s.out.Flush)
}

// noneApply refuses flags for what a command printed as JSON.
func noneApply(cmd *cobra.Command, but ...string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(but, f.Name) {
			err = usage("--%s does not apply to what a command printed with --json", f.Name)
		}
	})
	return err
}

// answerPage is what a page on an answer shows.
type answerPage struct {
	Title, Lead string
	Pictures    []template.HTML
	Said        []labelled
	Version     string
}

// runAnswer writes a page on what a command printed as JSON.
func (f *pageFlags) runAnswer(cmd *cobra.Command, s streams, path string) error {
	if f.output == "-" {
		return usage("-o -: want the name of a file, such as report.html")
	}
	a, err := readAnswer(s, path, f.output, "MODEL FILE")
	if err != nil {
		return err
	}
	p := &answerPage{Title: "kfda " + a.command + ": " + filepath.Base(path), Lead: a.lead, Version: version()}
	for _, figure := range a.figures {
		svg, err := figure.Bytes(".svg")
		if err != nil {
			return err
		}
		p.Pictures = append(p.Pictures, template.HTML(svg))
	}
	var said bytes.Buffer
	lines := &printer{w: tabwriter.NewWriter(&said, 0, 0, 1, '\x01', 0)}
	a.report.write(lines)
	if err := lines.end(); err != nil {
		return err
	}
	for line := range strings.Lines(said.String()) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), "\x01")
		if text = strings.Trim(text, "\x01"); name != "" || text != "" {
			p.Said = append(p.Said, labelled{name, text})
		}
	}
	return f.save(cmd, s, answerTemplate, p)
}

// addReproduction says how to get the page and the model again, and by what to know them.
func (p *pageData) addReproduction(u *subject, cmd *cobra.Command, model, path string) error {
	p.Commands = []labelled{
		{"This page", lineOf(cmd, "report", []string{model, path})},
		{"The model, with all that its fit settled", u.refitLine("TRAIN", show.Word(filepath.Base(u.path)))},
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
