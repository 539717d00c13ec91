package main

import (
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// rule is how the projection onto the one discriminant becomes a label.
type rule int

const (
	midpoint rule = iota // the class with the nearest mean
	gaussian             // Gaussians of one variance, with the classes' shares as priors
	perClass             // a Gaussian of its own variance for each class
	ruleCount
)

func (r rule) String() string { return [...]string{"midpoint", "Gaussian", "two variances"}[r] }

// classifier returns the classifier that a model needs for the rule.
func (r rule) classifier() discriminant.Classifier {
	return [...]discriminant.Classifier{discriminant.NearestCentroid{}, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}}[r]
}

// countWrong returns how many of the rows of x a model gives another label.
func countWrong(model *discriminant.Model[int], x *matrix.Dense, labels []int) (int, error) {
	predicted, err := model.Predict(nil, x)
	return countDifferent(predicted, labels), err
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
