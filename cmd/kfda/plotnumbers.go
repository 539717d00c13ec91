package main

import (
	"fmt"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/plural"
)

// numberRows are the rows of a regression on two coordinates.
func (u *subject) numberRows(x, y []float64, axes ...string) picture.Rows {
	return picture.Rows{Classes: []string{"a row"}, Class: make([]int, len(x)), Values: [][]float64{x, y}, Axes: axes}
}

// target names the column that a regression is of.
func (u *subject) target() string {
	if u.layout.LabelName == "" {
		return u.targetText()
	}
	return picture.Name(u.layout.LabelName)
}

// rmseText is the RMSE of the rows, and that of their mean.
func (u *subject) rmseText() string {
	r := newRegressionScore(u.values, u.t.Targets, u.weights)
	return fmt.Sprintf("RMSE %s, 95 %% interval %s to %s; of always predicting the mean %s.%s",
		digitsText(r.RMSE), digitsText(r.Intervals.RMSE.Low), digitsText(r.Intervals.RMSE.High), digitsText(r.Mean.RMSE), u.weighed())
}

func (u *subject) predictions() (*picture.Figure, error) {
	rows := u.numberRows(u.t.Targets, u.values, "true "+u.target(), "predicted "+u.target())
	return picture.Predicted(u.title("predictions of %s", plural.Count(len(u.values), "row")), rows, u.note()+" "+u.rmseText()), nil
}

func (u *subject) residuals() (*picture.Figure, error) {
	errors := make([]float64, len(u.values))
	for i, v := range u.values {
		errors[i] = u.t.Targets[i] - v
	}
	rows := u.numberRows(u.values, errors, "predicted "+u.target(), "true less predicted")
	return picture.Residuals(u.title("residuals of %s", plural.Count(len(u.values), "row")), rows,
		assess.Tenths(u.values, errors, u.weights), u.note()+" "+u.rmseText()), nil
}
