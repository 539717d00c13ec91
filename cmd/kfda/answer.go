package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

// answer is what a command without a model printed with --json.
type answer struct {
	command string
	lead    string // the answer in a sentence
	report  report
	figures []*picture.Figure // of a page; the first, or whole, is that of a picture
	whole   *picture.Figure
}

// answerKinds tells the commands by keys that only what they print has.
var answerKinds = []struct {
	command string
	keys    []string
	read    func(text []byte) (*answer, error)
}{
	{"changes", []string{"curve", "changes"}, readChanges},
	{"sets", []string{"coverage", "training"}, readSets},
	{"novelty", []string{"level", "training"}, readNovelty},
	{"test", []string{"statistic", "eigenvalues", "classes"}, readTest},
}

// readAnswer reads from the file at path what a command printed, for one that writes output; other names the arguments
// that it takes in its place.
func readAnswer(s streams, path, output, other string) (*answer, error) {
	if err := checkOutput(output, path); err != nil {
		return nil, err
	}
	in := s.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		first := make([]byte, 64)
		n, _ := io.ReadFull(f, first)
		if !bytes.HasPrefix(bytes.TrimLeft(first[:n], "\ufeff \t\r\n"), []byte("{")) {
			return nil, usage("%s is no JSON: want what 'kfda test', 'kfda sets', 'kfda novelty' or 'kfda changes' prints with --json, or %s", path, other)
		}
		in = io.MultiReader(bytes.NewReader(first[:n]), f)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var keys map[string]any
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("%s: no whole JSON object, as 'kfda test', 'kfda sets', 'kfda novelty' or 'kfda changes' prints with --json", path)
	}
	for _, k := range answerKinds {
		found := 0
		for _, key := range k.keys {
			if _, ok := keys[key]; ok {
				found++
			}
		}
		if found < len(k.keys) {
			continue
		}
		var a *answer
		if err = checkNumbers("", keys); err == nil {
			a, err = k.read(text)
		}
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			err = fmt.Errorf("%s is damaged", cmp.Or(wrong.Field, "a value"))
		}
		if err == nil {
			err = noNulls(text, a.report)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: not what 'kfda %s --json' prints: %w", path, k.command, err)
		}
		a.command = k.command
		return a, nil
	}
	more := ""
	if _, ok := keys["search"]; ok {
		more = "; 'kfda plot search' draws what tune printed"
	}
	return nil, fmt.Errorf("%s: want what 'kfda test', 'kfda sets', 'kfda novelty' or 'kfda changes' prints with --json%s", path, more)
}

// noNulls refuses a null in text where what was read of it has a value, such as a number that is then 0.
func noNulls(text []byte, read any) error {
	again, err := json.Marshal(read)
	if err != nil {
		return err
	}
	var was, is any
	if err := errors.Join(json.Unmarshal(text, &was), json.Unmarshal(again, &is)); err != nil {
		return err
	}
	var compare func(name string, was, is any) error
	compare = func(name string, was, is any) (err error) {
		switch is := is.(type) {
		case map[string]any:
			was, _ := was.(map[string]any)
			for _, key := range slices.Sorted(maps.Keys(was)) {
				err = cmp.Or(err, compare(key, was[key], is[key]))
			}
		case []any:
			was, _ := was.([]any)
			for i := range min(len(was), len(is)) {
				err = cmp.Or(err, compare(name, was[i], is[i]))
			}
		}
		if was == nil && is != nil {
			err = fmt.Errorf("%s is null", name)
		}
		return err
	}
	return compare("all", was, is)
}

// figure draws all in one picture, or says why there is none.
func (a *answer) figure(path string) (*picture.Figure, error) {
	if len(a.figures) == 0 {
		return nil, undrawable("%s: there is nothing to draw of 'kfda %s' without %s", path, a.command, map[string]string{"test": "--permutations", "sets": "--check"}[a.command])
	}
	if a.whole != nil {
		return a.whole, nil
	}
	return a.figures[0], nil
}

// unmarshalChecked reads what a command printed, or says what it would not have.
func unmarshalChecked(text []byte, r interface{ check() error }) error {
	if err := json.Unmarshal(text, r); err != nil {
		return err
	}
	return r.check()
}

func readTest(text []byte) (*answer, error) {
	r := new(testReport)
	if err := unmarshalChecked(text, r); err != nil {
		return nil, err
	}
	r.restore()
	a := &answer{report: r, lead: fmt.Sprintf("Statistic %.4g of %s in %d groups.", r.Statistic, plural.Count(r.N, "row"), len(r.Classes))}
	if r.P == nil || r.Null == nil {
		return a, nil
	}
	a.lead = fmt.Sprintf("p = %.4g: %s at the level of 0.05.", r.smallest(), map[bool]string{true: "the groups differ", false: "no difference between the groups is found"}[r.smallest() <= 0.05])
	note := fmt.Sprintf("%s; %s, ridge %.4g.", show.List(r.groups(), 5), shortKernel(r.kernel), r.Ridge)
	notes := []string{note, fmt.Sprintf("p = %s.", r.permutationTest.text(*r.P))}
	if r.Corrected != nil {
		notes = append(notes, fmt.Sprintf("Corrected for %d gammas: %.4g.", len(r.Tests), *r.Corrected))
	}
	a.figures = append(a.figures, picture.Null(r.title("do the groups differ?"), "statistic T", r.Null.bars(), r.Statistic, notes...))
	if t := r.Accuracy; t != nil && t.P != nil && t.Null != nil {
		notes := []string{fmt.Sprintf("p = %s.", t.text(*t.P))}
		if t.Corrected != nil {
			notes = append(notes, fmt.Sprintf("Corrected for %d gammas: %.4g.", len(r.Tests), *t.Corrected))
		}
		a.figures = append(a.figures, picture.Null(r.title("can the groups be told apart?"), "accuracy of "+cmp.Or(t.LeftOut, rowsLeftOut), t.Null.bars(), t.Accuracy, notes...))
	}
	return a, nil
}

// smallest is the p-value that counts.
func (r *testReport) smallest() float64 {
	if r.Corrected != nil {
		return *r.Corrected
	}
	return *r.P
}

func (r *testReport) title(text string) string { return titled(r.File, text) }

// titled begins a title with the name of a file.
func titled(path, text string) string {
	if path == "" {
		return text
	}
	return filepath.Base(path) + ": " + text
}

func readSets(text []byte) (*answer, error) {
	r := new(setReport)
	if err := unmarshalChecked(text, r); err != nil {
		return nil, err
	}
	r.restore()
	a := &answer{report: r, lead: fmt.Sprintf("%s at a coverage of %v", plural.Count(r.N, "set"), r.Coverage)}
	title, note := titled(r.File, "which classes rows may be of"), fmt.Sprintf("%s; %s, ridge %.4g.", plural.Count(r.Training, "training row"), shortKernel(r.kernel), r.Ridge)
	if r.Sizes == nil {
		a.lead = fmt.Sprintf("%s at a coverage of %v", plural.Count(r.N, "interval"), r.Coverage)
	} else {
		a.figures = append(a.figures, picture.Sets(title, r.Sizes, nil, r.Coverage, note))
	}
	var held []picture.Share
	all := picture.Share{Name: "all rows"}
	for _, h := range r.Held {
		if h.Rows > 0 {
			held = append(held, picture.Share{Name: cmp.Or(h.Class, all.Name), Hits: h.Held, Rows: h.Rows})
			all.Hits, all.Rows = all.Hits+h.Held, all.Rows+h.Rows
		}
	}
	if held != nil {
		a.lead += fmt.Sprintf(": %d of %d hold the truth", all.Hits, all.Rows)
		a.figures = append(a.figures, picture.Sets(titled(r.File, "how many hold the truth?"), nil, held, r.Coverage, note))
		a.whole = picture.Sets(title, r.Sizes, held, r.Coverage, note)
	}
	a.lead += "."
	return a, nil
}

func readNovelty(text []byte) (*answer, error) {
	r := new(noveltyReport)
	if err := unmarshalChecked(text, r); err != nil {
		return nil, err
	}
	r.restore()
	of, ranks := r.File, r.Training+1
	if r.File == "" {
		of, ranks = r.Train, r.Training
	}
	a := &answer{report: r, lead: fmt.Sprintf("%d of %s have p-values of at most %v, where rows like those of training would be %.4g.", r.Below, plural.Count(r.N, "row"), r.Level, r.Level*float64(r.N))}
	for _, row := range r.Rows {
		r.p = append(r.p, row.PValue)
	}
	if r.p != nil {
		note := fmt.Sprintf("%s; %s, ridge %.4g.", plural.Count(r.Training, "training row"), shortKernel(r.kernel), r.Ridge)
		a.figures = append(a.figures, picture.PValues(titled(of, "how unlike the training rows are rows?"), r.p, ranks, r.Level, note))
	}
	return a, nil
}

func readChanges(text []byte) (*answer, error) {
	r := new(changeReport)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	if err := r.restore(); err != nil {
		return nil, err
	}
	var after []int
	for _, c := range r.Changes {
		after = append(after, c.After)
	}
	rows := "rows before the split"
	if r.Best.Row != r.Best.After-1 {
		rows += ", of those used"
	}
	a := &answer{report: r, lead: r.lead()}
	notes := []string{a.lead, fmt.Sprintf("Segments of at least %s; %s, ridge %.4g.", plural.Count(r.Segment, "row"), shortKernel(r.kernel), r.Ridge)}
	a.figures = append(a.figures, picture.Changes(titled(r.File, "when did the process change?"), rows, "score of the split", r.Scores, r.Segment, after, r.Threshold, notes...))
	return a, nil
}

// restore completes what was read from JSON, or says what does not fit.
func (r *changeReport) restore() error {
	r.kernel, r.Best.names = r.kernelParameters.name(), r.IDColumns
	switch {
	case len(r.Curve) == 0:
		return errors.New("an empty curve")
	case len(r.Scores) != len(r.Curve):
		return fmt.Errorf("%d scores of %d splits", len(r.Scores), len(r.Curve))
	case r.N != len(r.Curve)+1 || r.Segment < 1 || r.Segment > r.N/2:
		return fmt.Errorf("%d splits of %d rows in segments of %d", len(r.Curve), r.N, r.Segment)
	}
	places, before := []changePlace{r.Best}, 0
	for i := range r.Changes {
		c := &r.Changes[i].changePlace
		if c.names = r.IDColumns; c.After <= before {
			return fmt.Errorf("a change after %d rows and one after %d", before, c.After)
		}
		before, places = c.After, append(places, *c)
	}
	for _, c := range places {
		if c.After < 1 || c.After >= r.N {
			return fmt.Errorf("a split after %d of %d rows", c.After, r.N)
		}
		if len(c.Next) != len(c.IDs) {
			return errors.New("ids without those of the next row")
		}
	}
	return nil
}

// lead says when.
func (r *changeReport) lead() string {
	switch {
	case r.P == nil:
		return fmt.Sprintf("Best split %s; no p-value without permutations.", r.Best.text())
	case len(r.Changes) == 0:
		return fmt.Sprintf("No change at a level of %v: p = %.4g of the best split, %s.", r.Level, *r.P, r.Best.text())
	}
	const most = 4
	var texts []string
	for _, c := range r.Changes[:min(most, len(r.Changes))] {
		texts = append(texts, c.text())
	}
	if more := len(r.Changes) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s at a level of %v, p = %.4g: %s.", plural.Count(len(r.Changes), "change"), r.Level, *r.P, strings.Join(texts, "; "))
}
