package main

import (
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// rule is how the projection onto the one discriminant becomes a label.
type rule int

const (
	midpoint rule = iota // the class with the nearest mean: Model.Predict
	gaussian             // the sign of Model.Decision, with the classes' shares as priors
	perClass             // Predict with a Gaussian of its own variance for each class
	ruleCount
)

func (r rule) String() string { return [...]string{"midpoint", "Gaussian", "two variances"}[r] }

// classifier returns the classifier that a model needs for the rule.
func (r rule) classifier() discriminant.Classifier {
	if r == perClass {
		return discriminant.Gaussian{PerClass: true}
	}
	return discriminant.NearestCentroid{}
}

// countWrong returns how many of the rows of x a model with the rule's classifier gives
// another label.
func (r rule) countWrong(model *discriminant.Model[int], x *matrix.Dense, labels []int) (int, error) {
	var predicted []int
	var err error
	if r == gaussian {
		predicted, err = bySign(model, x)
	} else {
		predicted, err = model.Predict(nil, x)
	}
	if err != nil {
		return 0, err
	}
	return countDifferent(predicted, labels), nil
}

func countDifferent(predicted, labels []int) int {
	wrong := 0
	for i, label := range predicted {
		if label != labels[i] {
			wrong++
		}
	}
	return wrong
}

func bySign(model *discriminant.Model[int], x *matrix.Dense) ([]int, error) {
	decisions, err := model.Decision(nil, x)
	if err != nil {
		return nil, err
	}
	return signs(decisions, model.Classes()), nil
}

// signs returns the later class for each positive value, else the first.
func signs(decisions []float64, classes []int) []int {
	predicted := make([]int, len(decisions))
	for i, v := range decisions {
		predicted[i] = classes[0]
		if v > 0 {
			predicted[i] = classes[1]
		}
	}
	return predicted
}
