package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

// addClasses adds what a page says of the scores of a model of classes.
func (p *pageData) addClasses(u *subject) error {
	r := newScore(u.Classes(), u.classes, u.t, u.weights...)
	r.Baseline = u.baseline(u.t.Labels, u.weights)
	p.Headline = fmt.Sprintf("%d of %s are wrong: %s. Always answering %s is wrong in %s.",
		r.Errors, plural.Count(r.N, "row"), u.wrongText(r), show.Name(r.Baseline.Class), percentText(1-r.Baseline.Accuracy))
	p.addClassTable(u, r)
	p.addTrust(u, func() { p.compareClasses(u, r) })
	p.addScores(u, r)
	p.addWrong(u)
	return nil
}

func (u *subject) wrongText(r *score) string {
	of := ""
	if u.weights != nil {
		of = " of the weight"
	}
	return fmt.Sprintf("%s%s (95 %% interval %s to %s)", percentText(1-r.Accuracy), of, percentText(1-r.Interval[1]), percentText(1-r.Interval[0]))
}

func (p *pageData) addScores(u *subject, r *score) {
	class, wrong := r.Baseline.Class, r.Baseline.Errors
	p.Scores = []labelled{
		{"wrong rows", fmt.Sprintf("%d of %d: %s", r.Errors, r.N, u.wrongText(r))},
		{"always " + show.Name(class), fmt.Sprintf("%d of %d: %s", wrong, r.N, shareText(wrong, r.N))},
	}
	if u.weights != nil {
		p.Scores[1].Text = fmt.Sprintf("%d of %d: %s of the weight", wrong, r.N, percentText(1-r.Baseline.Accuracy))
	}
	if !math.IsNaN(r.balanced) {
		p.Scores = append(p.Scores, labelled{"balanced accuracy", percentText(r.balanced) + ", the mean of the classes' shares of right rows"})
	}
	if u.scores != nil {
		loss, prior, total := 0.0, 0.0, 0.0
		shares := u.shares()
		for i, c := range u.class {
			if c < 0 {
				continue
			}
			w := 1.0
			if u.weights != nil {
				w = u.weights[i]
			}
			total += w
			loss += w * assess.LogLoss(u.scores.At(i, c))
			prior += w * assess.LogLoss(shares[c])
		}
		if total > 0 {
			p.Scores = append(p.Scores, labelled{"log loss", fmt.Sprintf("%.4f; the shares of the classes in training have %.4f", loss/total, prior/total)})
		}
	}
	for _, v := range r.Unknown {
		p.Scores = append(p.Scores, labelled{"label " + show.Name(v.Label), plural.Count(v.Count, "row") + "; the model does not know it, and they count as wrong"})
	}
}

// wrongRow is a row of the table of wrong rows, and how wrong it is.
type wrongRow struct {
	cells []string
	loss  float64
}

// addRows adds the rows that are most wrong, the worst first, after their numbers and ids.
func (p *pageData) addRows(u *subject, rows []int, of func(i int) wrongRow, names ...string) {
	heads := []string{"#row"}
	for _, name := range u.t.IDNames {
		heads = append(heads, cmp.Or(show.Text(name), "id"))
	}
	p.Wrong = &pageTable{Head: headings(append(heads, names...)...)}
	var all []wrongRow
	for _, i := range rows {
		w := of(i)
		first := []string{strconv.Itoa(u.t.Rows[i])}
		for _, id := range u.t.IDs {
			first = append(first, show.Text(id[i]))
		}
		w.cells = append(first, w.cells...)
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b wrongRow) int { return cmp.Compare(b.loss, a.loss) })
	if n := len(all); n > mostWrong {
		all = all[:mostWrong]
		p.WrongNote += fmt.Sprintf(" The first %d of %d.", mostWrong, n)
	}
	for _, w := range all {
		p.Wrong.Rows = append(p.Wrong.Rows, w.cells)
	}
}

// addWrong lists rows of another class than predicted, by descending log loss or, without
// probabilities, by how far they are on the wrong side of two classes.
func (p *pageData) addWrong(u *subject) {
	p.WrongNote = "Rows of another class than predicted"
	switch {
	case u.scores != nil:
		p.WrongNote += ", by log loss: −ln of the probability of their own class."
	case u.decision != nil:
		p.WrongNote += ", by the size of their decision value."
	default:
		p.WrongNote += ", in the order of the file."
	}
	var rows []int
	for i, label := range u.t.Labels {
		if label != u.classes[i] {
			rows = append(rows, i)
		}
	}
	p.addRows(u, rows, func(i int) wrongRow {
		probability, loss, text := "–", math.Inf(1), "–"
		switch c := u.class[i]; {
		case c < 0:
			text = "unknown label"
		case u.scores != nil:
			loss = assess.LogLoss(u.scores.At(i, c))
			probability, text = fmt.Sprintf("%.3g", u.scores.At(i, c)), fmt.Sprintf("%.3f", loss)
		case u.decision != nil:
			loss = math.Abs(u.decision[i])
			text = digitsText(loss)
		}
		return wrongRow{[]string{show.Name(u.t.Labels[i]), show.Name(u.classes[i]), probability, text}, loss}
	}, "class", "taken for", "#probability of its class", "#how wrong")
}
