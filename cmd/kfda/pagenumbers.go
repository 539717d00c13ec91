package main

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/internal/plural"
)

// addNumbers adds what a page says of the scores of a regression.
func (p *pageData) addNumbers(u *subject) error {
	r := newRegressionScore(u.values, u.t.Targets, u.weights)
	p.Headline = fmt.Sprintf("In %s predictions of %s are off by %s, the root of the mean squared error (95 %% interval %s to %s). Always predicting the mean of these rows is off by %s.",
		plural.Count(r.N, "row"), u.target(), digitsText(r.RMSE), digitsText(r.Intervals.RMSE.Low), digitsText(r.Intervals.RMSE.High), digitsText(r.Mean.RMSE))
	p.addTrust(u, "predicting the mean of the rows", func(held *heldOut) bool { return p.compareNumbers(r, held) })
	line := func(name string, value float64, within assess.Interval, mean float64) {
		p.Scores = append(p.Scores, labelled{name, fmt.Sprintf("%s (95 %% interval %s to %s); always predicting the mean: %s",
			digitsText(value), digitsText(within.Low), digitsText(within.High), digitsText(mean))})
	}
	line("RMSE, root of the mean squared error", r.RMSE, r.Intervals.RMSE, r.Mean.RMSE)
	line("MAE, mean absolute error", r.MAE, r.Intervals.MAE, r.Mean.MAE)
	if r.R2 != nil {
		line("R², share of the variance that is predicted", *r.R2, *r.Intervals.R2, 0)
	}
	p.Intervals = "Intervals hold 95 % of bootstrap samples of the rows, taken as independent."
	p.WrongNote = "Rows by how far the prediction is from their true value."
	p.addRows(u, positions(len(u.values)), func(i int) wrongRow {
		rest := u.t.Targets[i] - u.values[i]
		return wrongRow{[]string{fmt.Sprintf("%.6g", u.t.Targets[i]), fmt.Sprintf("%.6g", u.values[i]), digitsText(rest)}, math.Abs(rest)}
	}, "#"+u.target(), "#predicted", "#true less predicted")
	return nil
}

// compareNumbers says whether the model is better than the mean of the rows, or of those held out.
func (p *pageData) compareNumbers(r *regressionScore, held *heldOut) bool {
	which := "these rows"
	if held != nil {
		if r = held.Numbers; r == nil {
			return false
		}
		which = "the rows" + heldText
	}
	switch within := r.Intervals.R2; {
	case within == nil:
		p.warn("All rows have the same true value, so that nothing tells the model from that value.")
	case within.Low > 0:
		p.say("The model is better than always predicting the mean of %s: even the lower end of the interval of R², %.4f, is above 0.", which, within.Low)
	case within.High < 0:
		p.warn("The model is worse than always predicting the mean of %s.", which)
	default:
		p.warn("In %s the model can't be told from always predicting their mean: 0 lies within the interval of R².", which)
	}
	return true
}
