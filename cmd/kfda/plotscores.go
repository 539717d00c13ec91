package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/wilson"
)

func (u *subject) confusion() (*picture.Figure, error) {
	_, notes := u.known()
	r := newScore(u.Classes(), u.classes, u.t)
	low, high := wilson.Of(r.Errors, r.N)
	title := u.title("%s in %s", plural.Count(r.Errors, "error"), plural.Count(r.N, "row"))
	notes = append([]string{fmt.Sprintf("%s Errors %.1f %%, 95 %% interval %.1f to %.1f %%.", u.note(), 100*float64(r.Errors)/float64(max(1, r.N)), 100*low, 100*high)}, notes...)
	return picture.Confusion(title, r.Classes, r.Confusion, notes...), nil
}

// withoutProbabilities says what a picture of probabilities needs.
func (u *subject) withoutProbabilities() error {
	return undrawable("%s: %s", u.path, strings.Replace(remedyForPosteriors(u.savedModel), " for --posteriors", "", 1))
}

// valuesFor returns what orders rows by how much they are of a class, and what it is.
func (u *subject) valuesFor(class int) (values []float64, what string, err error) {
	classes := u.Classes()
	if len(classes) == 2 {
		values = slices.Clone(u.decision)
		if class == 0 {
			for i := range values {
				values[i] = -values[i]
			}
		}
		return values, "decision value", nil
	}
	from, what := u.scores, "probability"
	if from == nil {
		what = "votes"
		if from, err = u.Votes(nil, u.t.X); err != nil && u.Method() == "ridge" {
			from, err = u.Project(nil, u.t.X)
			what = "value"
		}
		if err != nil {
			return nil, "", u.withoutProbabilities()
		}
	}
	values = make([]float64, from.Rows)
	for i := range values {
		values[i] = from.At(i, class)
	}
	return values, what, nil
}

func (u *subject) roc() (*picture.Figure, error) {
	classes := u.Classes()
	known, notes := u.known()
	first, title := 0, "each class against the rest"
	if len(classes) == 2 {
		first = 1
		title = fmt.Sprintf("%s against %s", picture.Name(classes[1]), picture.Name(classes[0]))
	}
	var curves []*assess.Curve
	some := false
	for j := first; j < len(classes); j++ {
		values, what, err := u.valuesFor(j)
		if err != nil {
			return nil, err
		}
		if j == first {
			notes = append([]string{u.note() + " Rows in the order of the " + what + ", ties counting half."}, notes...)
		}
		scores, positive := make([]float64, len(known)), make([]bool, len(known))
		for r, i := range known {
			scores[r], positive[r] = values[i], u.class[i] == j
		}
		c := assess.NewCurve(scores, positive)
		curves, some = append(curves, c), some || c != nil
	}
	if !some {
		return nil, undrawable("%s: the rows are all of one class, and a curve needs two", u.file)
	}
	return picture.ROC(u.title("%s", title), classes[first:], curves, notes...), nil
}

func (u *subject) calibration() (*picture.Figure, error) {
	if u.scores == nil {
		return nil, u.withoutProbabilities()
	}
	classes := u.Classes()
	known, notes := u.known()
	var p []float64
	var hit []bool
	loss := 0.0
	title, x, y := "", "", ""
	for _, i := range known {
		row, at := u.scores.Row(i), 1
		if len(classes) > 2 {
			at = slices.Index(row, slices.Max(row))
		}
		p, hit = append(p, row[at]), append(hit, u.class[i] == at)
		loss += assess.LogLoss(row[u.class[i]])
	}
	if len(classes) == 2 {
		title = "probability of " + picture.Name(classes[1])
		x, y = title, "share of "+picture.Name(classes[1])
	} else {
		title, x, y = "probability of the predicted class", "probability of the predicted class", "share of right predictions"
	}
	if len(known) == 0 {
		return nil, undrawable("%s: no row has a label that the model knows", u.file)
	}
	notes = append([]string{fmt.Sprintf("%s Log loss %.4f in %s.", u.note(), loss/float64(len(known)), plural.Count(len(known), "row"))}, notes...)
	return picture.Calibration(u.title("%s", title), x, y, assess.Reliability(p, hit), notes...), nil
}
