package main

import (
	"slices"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

// baseline is what always answering one class comes to.
type baseline struct {
	Class    string  `json:"class"`
	Errors   int     `json:"errors"`
	Accuracy float64 `json:"accuracy"`
}

// always compares that answer with the labels of rows; weights may be nil.
func always(class string, labels []string, weights []float64) *baseline {
	found := cv.Compare([]string{class}, slices.Repeat([]string{class}, len(labels)), labels, weights...)
	return &baseline{class, found.Errors, found.Accuracy()}
}

// baseline is always for the commonest class of the training.
func (m *savedModel) baseline(labels []string, weights []float64) *baseline {
	return always(commonest(m.Classes(), weighedOf(m.learnt, m.Counts()).Rows), labels, weights)
}

// commonest returns the class that weighs most, of equal ones the first.
func commonest(classes []string, weigh []float64) string {
	return classes[slices.Index(weigh, slices.Max(weigh))]
}

// classSums returns what the rows of each class weigh, each 1 without weights.
func classSums(classes, labels []string, weights []float64) []float64 {
	sums := make([]float64, len(classes))
	for i, j := range codesOf(classes, labels) {
		if weights == nil {
			sums[j]++
		} else {
			sums[j] += weights[i]
		}
	}
	return sums
}

// intervalOfHits is the 95 % interval of the share of rows, or of their weight, that were taken
// for what they are.
func intervalOfHits(predicted, labels []string, weights []float64) [2]float64 {
	var units []assess.Unit
	for i, label := range labels {
		u := assess.Unit{Size: 1}
		if weights != nil {
			u.Size = weights[i]
		}
		if label == predicted[i] {
			u.Hits = u.Size
		}
		if u.Size > 0 {
			units = append(units, u)
		}
	}
	_, within := assess.Share(len(units), units)
	return [2]float64{within.Low, within.High}
}

// sharesOf divides values by their sum.
func sharesOf(values []float64) []float64 {
	total := matrix.Sum(values)
	shares := make([]float64, len(values))
	for j, v := range values {
		shares[j] = v / total
	}
	return shares
}

// shares are those of the classes in the training rows, by weight.
func (m *savedModel) shares() []float64 { return sharesOf(weighedOf(m.learnt, m.Counts()).Rows) }

// weightOf stands before rows of which a share has weights.
func weightOf(weighted bool) string {
	if weighted {
		return "the weight of "
	}
	return ""
}
