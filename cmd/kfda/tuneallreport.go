package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/show"
)

// comparison is what tune prints of several models: of the best what it prints of one.
type comparison struct {
	*tuneReport
	Best      string           `json:"best"`
	Folds     string           `json:"folds"`
	Criterion cv.Criterion     `json:"-"` // of the choice
	Weighted  bool             `json:"weighted,omitempty"`
	Models    []*comparedModel `json:"models"`
	Commonest *commonestClass  `json:"commonest"`
	grouped   bool
}

// comparedModel is a model that was searched, and the estimate of the search.
type comparedModel struct {
	Model    string     `json:"model"`
	*answers            // null without a result
	Failed   string     `json:"failed,omitempty"` // why there is none
	Search   *cv.Record `json:"search,omitempty"`
	Nested   *cvReport  `json:"nested,omitempty"`
	Seconds  float64    `json:"seconds"`
}

// commonestClass is what always answering it comes to.
type commonestClass struct {
	Class string `json:"class"`
	*answers
}

// loss is what the criterion makes of the estimate, the less the better.
func (c *comparedModel) loss(by cv.Criterion) float64 {
	switch n := c.Nested; by {
	case cv.ByBalancedAccuracy:
		return -n.Balanced
	case cv.ByLogLoss:
		return *n.LogLoss
	case cv.ByAUC:
		return -meanOf(n.AUC)
	}
	return 1 - c.Nested.Accuracy
}

func meanOf(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}

// choose returns the number of the model with the least loss, of equal ones the first, and
// compares the others with it.
func (r *comparison) choose() (int, error) {
	best := -1
	for i, c := range r.Models {
		if c.Failed == "" && (best < 0 || c.loss(r.Criterion) < r.Models[best].loss(r.Criterion)) {
			best = i
		}
	}
	if best < 0 {
		return 0, errors.New("no model has a result; of the first: " + r.Models[0].Failed)
	}
	r.Best = r.Models[best].Model
	for i, c := range r.Models {
		if c.Failed == "" && i != best {
			c.against(r.Models[best].answers)
		}
	}
	r.Commonest.against(r.Models[best].answers)
	return best, nil
}

// alike is the p from which answers can't be told from those of the best.
const alike = 0.05

func (r *comparison) write(p *printer) {
	r.writeTable(p)
	p.printf("folds\t%s, and searches in the rest of each (nested)\n\n", r.Folds)
	r.writeModels(p)
	what, units := "fewest wrong rows", "the exact test of McNemar on the same rows"
	if r.Weighted {
		what = "least weighted share of wrong rows"
	}
	if r.Criterion != cv.ByErrors {
		what = "best " + r.Criterion.String()
	}
	if r.grouped {
		units = "the exact sign test on the wrong rows of the same groups"
	}
	p.printf("best\t%s: %s by nested searches, as the best of several somewhat optimistic%s\n", r.Best, what, r.Group)
	var ties, worse []string
	add := func(name string, a *answers) {
		switch text := fmt.Sprintf("%s (p = %.2g)", name, a.Versus.P); {
		case a.Versus.P >= alike:
			ties = append(ties, text)
		default:
			worse = append(worse, text)
		}
	}
	for _, c := range r.Models {
		if c.Failed == "" && c.Model != r.Best {
			add(c.Model, c.answers)
		}
	}
	add("always "+show.Name(r.Commonest.Class), r.Commonest.answers)
	if ties != nil {
		p.printf("ties\t%s can't be told from it by %s\n", strings.Join(ties, ", "), units)
	}
	if worse != nil {
		p.printf("different\t%s by that test\n", strings.Join(worse, ", "))
	}
	r.HeldOut.write(p)
	for _, c := range r.Models {
		if c.Search == nil {
			continue
		}
		if edges := c.Search.Edges(); len(edges) > 0 {
			p.printf("edge\t%s: the best has the %s that was tried: a better one may lie beyond\n", c.Model, strings.Join(edges, " and the "))
		}
	}
	r.writeEnd(p)
}

// writeModels prints a line for each model, and one for always answering the commonest class.
func (r *comparison) writeModels(p *printer) {
	lines := []string{"model\t  wrong: in its search\t  nested\t  " + weightedText(r.Weighted) + "share (95 % interval)\t"}
	if r.Criterion != cv.ByErrors {
		lines[0] += "  " + r.Criterion.String() + "\t"
	}
	lines[0] += "  best of its search"
	cells := func(a *answers) string {
		return fmt.Sprintf("\t  %d\t  %s (%s to %s)\t", a.Errors, percentText(1-a.Accuracy), percentText(1-a.Within.High), percentText(1-a.Within.Low))
	}
	for _, c := range r.Models {
		if c.Failed != "" {
			continue
		}
		best := c.Search.Candidates[c.Search.Best]
		line := fmt.Sprintf("%s\t  %d%s", c.Model, best.Errors, cells(c.answers))
		if r.Criterion != cv.ByErrors {
			line += fmt.Sprintf("  %.4f\t", max(c.loss(r.Criterion), -c.loss(r.Criterion)))
		}
		lines = append(lines, line+"  "+show.Text(candidateText(best)))
	}
	lines = append(lines, "always "+show.Name(r.Commonest.Class)+"\t"+cells(r.Commonest.answers), "", "")
	p.print(aligned(0, lines...))
	for _, c := range slices.DeleteFunc(slices.Clone(r.Models), func(c *comparedModel) bool { return c.Failed == "" }) {
		p.printf("failed\t%s: %s\n", c.Model, c.Failed)
	}
}
