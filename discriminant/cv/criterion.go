package cv

import (
	"cmp"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Criterion is what makes a candidate better than another.
type Criterion uint8

const (
	ByErrors           Criterion = iota // fewer rows taken for another class
	ByBalancedAccuracy                  // a larger mean of the classes' recalls
	ByLogLoss                           // a smaller log loss, for a classifier with posteriors
	ByAUC                               // a larger mean of the classes' AUC

	bySquaredError // a smaller mean squared error, of a regression
)

// String returns "errors", "balanced accuracy", "log loss" or "AUC".
func (c Criterion) String() string {
	if int(c) >= len(criteria) {
		return "invalid"
	}
	return criteria[c]
}

var criteria = []string{"errors", "balanced accuracy", "log loss", "AUC", "squared error"}

func (c Criterion) validate() error {
	if c > ByAUC {
		return &ParameterError{Field: "Criterion", Value: "invalid", Reason: "want ByErrors, ByBalancedAccuracy, ByLogLoss or ByAUC"}
	}
	return nil
}

// larger reports whether larger values are better.
func (c Criterion) larger() bool { return c == ByBalancedAccuracy || c == ByAUC }

// of returns what the criterion compares of a candidate.
func (c Criterion) of(d Candidate) float64 {
	switch c {
	case ByErrors:
		if d.Weight != 0 {
			return float64(d.Wrong)
		}
		return float64(d.Errors)
	case ByBalancedAccuracy:
		return float64(d.Balanced)
	}
	return float64(d.Score)
}

// compare compares candidates without failures, the better first.
func (c Criterion) compare(a, b Candidate) int {
	if c.larger() {
		a, b = b, a
	}
	return cmp.Compare(c.of(a), c.of(b))
}

// needsPosteriors reports whether a classifier must have posteriors to be compared.
func (c Criterion) needsPosteriors(classes int) bool {
	return c == ByLogLoss || c == ByAUC && classes > 2
}

// ofScores returns what the criterion compares of scores, or NaN where there is no
// such value.
func (c Criterion) ofScores(s *Scores) float64 {
	switch c {
	case ByErrors:
		_, wrong := s.Weight()
		return wrong
	case ByBalancedAccuracy:
		return s.BalancedAccuracy()
	case ByLogLoss:
		return s.LogLoss
	}
	if s.AUC == nil {
		return math.NaN()
	}
	return matrix.Sum(s.AUC) / float64(len(s.AUC))
}

// missing returns the error of a candidate without the value.
func (c Criterion) missing() error {
	reason := "the classifier has no posteriors: want Gaussian, KNN or an SVM with Probability"
	if c == ByAUC {
		reason = "there are no decision values or posteriors to compare within a fold: want two classes, or Gaussian, KNN or an SVM with Probability, and for each class a fold that tests rows of it and of others"
	}
	return &ParameterError{Field: "Criterion", Value: c.String(), Reason: reason}
}
