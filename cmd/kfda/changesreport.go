package main

import (
	"fmt"
	"strings"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// changeReport is what changes prints.
type changeReport struct {
	File    string  `json:"file"`
	N       int     `json:"n"`
	Dropped int     `json:"dropped"`
	Scale   string  `json:"scale"`
	Seed    uint64  `json:"seed"`
	Block   int     `json:"block"`
	Segment int     `json:"segment"`
	Level   float64 `json:"level"`
	kernelParameters
	kernel    string
	Landmarks *landmarkReport `json:"landmarks,omitempty"`
	Ridge     float64         `json:"ridge"`

	Curve     []float64 `json:"curve"`               // nλ of the split after 1, 2, … rows
	Scores    []float64 `json:"scores"`              // the same, less its mean over its deviation
	Threshold *float64  `json:"threshold,omitempty"` // of the scores

	IDColumns     []string    `json:"id_columns,omitempty"`
	Best          changePlace `json:"best"`
	Score         float64     `json:"score"`
	Statistic     float64     `json:"statistic"`
	RelativeError float64     `json:"relative_error"`
	P             *float64    `json:"p_permutation,omitempty"`
	permutationTest

	Changes  []foundChange `json:"changes"`
	Segments []int         `json:"segments"` // rows of each

	Neighbours float64 `json:"neighbours"` // far above 0: rows depend on those before
	Reach      int     `json:"reach"`      // up to this distance
}

// changePlace is between two rows.
type changePlace struct {
	After int      `json:"after"`         // so many of the n rows
	Row   int      `json:"row"`           // the last of them in the file, from 0, as in other commands
	Line  int      `json:"line"`          // where it begins
	IDs   []string `json:"ids,omitempty"` // of it, and of the one after it
	Next  []string `json:"next_ids,omitempty"`
	names []string
}

type foundChange struct {
	changePlace
	P         float64      `json:"p_permutation"`
	Statistic float64      `json:"statistic"` // of the segments on both sides
	Columns   []testColumn `json:"columns"`   // the largest correlation first
}

func newPlace(t *table.Table, after int) changePlace {
	return changePlace{after, t.Rows[after-1], t.Lines[after-1], idsOf(t, after-1), idsOf(t, after), t.IDNames}
}

// take takes what was found in t.
func (r *changeReport) take(t *table.Table, found *inference.ChangePoints) {
	r.Segment, r.Ridge, r.Curve, r.Scores = found.Segment, found.Ridge, found.Curve, found.Scores
	r.IDColumns = t.IDNames
	r.Best, r.Score, r.Statistic, r.RelativeError = newPlace(t, found.Best), found.Score, found.Statistic, found.RelativeError
	r.Neighbours, r.Reach = found.Neighbours, found.Reach
	r.P, r.permutationTest = newPermutationTest(found.Permuted)
	if found.Permuted != nil {
		r.Threshold = &found.Threshold
	}
	r.Changes, r.Segments = []foundChange{}, []int{}
	before := 0
	for _, c := range found.Changes {
		r.Changes = append(r.Changes, foundChange{newPlace(t, c.After), c.P, c.Statistic, []testColumn{}})
		r.Segments = append(r.Segments, c.After-before)
		before = c.After
	}
	r.Segments = append(r.Segments, r.N-before)
}

// notices tells what the figures alone do not.
func (r *changeReport) notices(s streams, o inference.ChangeOptions) {
	if r.RelativeError > 0.01 {
		notice(s.err, "the relative error of the statistic may be %.2g: use a larger ridge", r.RelativeError)
	}
	if r.P == nil {
		return
	}
	if d := r.Distinct; d != nil && *d*r.Level < 1 {
		notice(s.err, "no p-value of %s%s, in segments of at least %d, can be below %.2g: no change can be found at a level of %v", plural.Count(r.N, "row"), strings.TrimSuffix(r.blocks(), ","), r.Segment, 1 / *d, r.Level)
	}
	if block := 10 * r.Reach; r.Block < block {
		o.Block = block
		advice := fmt.Sprintf("say --block %d", block)
		if p, err := o.SmallestP(r.N); err != nil || p > r.Level {
			advice = fmt.Sprintf("the table is too short for blocks of %d rows, which would tell", block)
		}
		notice(s.err, "rows are alike up to a distance of %d, those that follow each other by %.1f standard deviations more than others: if they depend on each other, p-values%s are too small; %s", r.Reach, r.Neighbours, r.blocks(), advice)
	}
}

// blocks says how rows move, "" for by themselves.
func (r *changeReport) blocks() string {
	if r.Block == 1 {
		return ""
	}
	return fmt.Sprintf(", permuted in blocks of %d,", r.Block)
}

func (r *changeReport) write(p *printer) {
	p.printf("rows\t%d in their order%s\n", r.N, strings.TrimSuffix(r.blocks(), ","))
	if r.Dropped > 0 {
		p.printf("dropped\t%s\n", plural.Count(r.Dropped, "incomplete row"))
	}
	p.printf("kernel\t%s, ridge %.6g, scaling %s\n", r.kernel, r.Ridge, r.Scale)
	r.Landmarks.write(p)
	p.printf("best split\t%s; segments have at least %s\n", r.Best.text(), plural.Count(r.Segment, "row"))
	p.printf("statistic\t%.6g, relative error below %.1g\n", r.Statistic, r.RelativeError)
	p.printf("score\t%.4g standard deviations above the mean of all orders of the rows\n", r.Score)
	if r.P == nil {
		return
	}
	p.printf("p-value\t%s\n", r.permutationTest.text(*r.P))
	if len(r.Changes) == 0 {
		p.printf("changes\tnone at a level of %v\n", r.Level)
		return
	}
	p.printf("changes\t%d, between segments of %s rows\n", len(r.Changes), numbersText(r.Segments))
	for _, c := range r.Changes {
		p.printf("change\t%s; p-value %.4g, statistic %.6g\n", c.text(), c.P, c.Statistic)
		var texts []string
		for _, column := range c.Columns[:min(furthest, len(c.Columns))] {
			texts = append(texts, fmt.Sprintf("%s %+.2f", show.Name(column.Column), column.Correlation))
		}
		if texts != nil {
			p.printf("\tcolumns, by correlation with its direction: %s\n", strings.Join(texts, ", "))
		}
	}
}

func numbersText(numbers []int) string {
	var texts []string
	for _, v := range numbers {
		texts = append(texts, fmt.Sprint(v))
	}
	return listText(texts)
}

// text says where a change is.
func (c changePlace) text() string {
	text := fmt.Sprintf("after row %d (line %d)", c.Row, c.Line)
	var ids []string
	for i, id := range c.IDs {
		name := ""
		if i < len(c.names) && c.names[i] != "" {
			name = show.Name(c.names[i]) + " "
		}
		ids = append(ids, fmt.Sprintf("%s%s, then %s", name, show.Name(id), show.Name(c.Next[i])))
	}
	if ids == nil {
		return text
	}
	return text + ": " + strings.Join(ids, "; ")
}
