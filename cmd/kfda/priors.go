package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/show"
)

// parsePriors reads class probabilities: numbers in class order, or class=number
// in any order. Names of classes may hold commas and equal signs.
func parsePriors(text string, classes []string) ([]float64, error) {
	return parseShares("priors", text, classes, func(priors []float64) error {
		return discriminant.KFDA{Priors: priors}.Validate()
	})
}

// parseWeights reads the factors of C in the same form.
func parseWeights(text string, classes []string) ([]float64, error) {
	return parseShares("weights", text, classes, func(weights []float64) error {
		return discriminant.SVM{Weights: weights}.Validate()
	})
}

// parseShares reads one number for each class, which the library then validates.
func parseShares(flag, text string, classes []string, validate func([]float64) error) ([]float64, error) {
	wrong := func(format string, args ...any) error {
		return usage("--%s %s: %s", flag, text, fmt.Sprintf(format, args...))
	}
	shares, err := numbers(text)
	if err != nil {
		shares, err = namedShares(text, classes, wrong)
	}
	if err != nil {
		return nil, err
	}
	if len(shares) != len(classes) {
		return nil, wrong("%d numbers for %d classes: %s", len(shares), len(classes), classList(classes))
	}
	var parameter *discriminant.ParameterError
	if err := validate(shares); errors.As(err, &parameter) {
		return nil, wrong("%s", parameter.Reason)
	}
	return shares, nil
}

// numbers reads a list with commas.
func numbers(text string) ([]float64, error) {
	var list []float64
	for _, s := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// namedShares reads class=number,… with every class once. wrong makes the error of the flag.
func namedShares(text string, classes []string, wrong func(format string, args ...any) error) ([]float64, error) {
	shares := make([]float64, len(classes))
	given := make([]bool, len(classes))
	for rest, more := text, true; more; {
		j := -1
		for k, c := range classes { // the longest name that fits
			if strings.HasPrefix(rest, c+"=") && (j < 0 || len(c) > len(classes[j])) {
				j = k
			}
		}
		if j < 0 {
			return nil, wrong("%q is neither a list of numbers nor class=number; the classes are %s", rest, classList(classes))
		}
		if given[j] {
			return nil, wrong("the class %s stands twice", show.Name(classes[j]))
		}
		var number string
		number, rest, more = strings.Cut(rest[len(classes[j])+1:], ",")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return nil, wrong("%q is not a number", number)
		}
		shares[j], given[j] = v, true
		rest = strings.TrimLeft(rest, " ")
	}
	for j, c := range classes {
		if !given[j] {
			return nil, wrong("the class %s is missing", show.Name(c))
		}
	}
	return shares, nil
}

// classList lists classes for a message.
func classList(classes []string) string {
	var names []string
	for _, c := range classes {
		names = append(names, show.Name(c))
	}
	return show.List(names, listed)
}
