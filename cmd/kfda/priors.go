package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
)

// priorsError says what is wrong with --priors.
func priorsError(text, format string, args ...any) error {
	return usage("--priors %s: %s", text, fmt.Sprintf(format, args...))
}

// parsePriors reads class probabilities: numbers in class order, or class=number
// in any order. Names of classes may hold commas and equal signs.
func parsePriors(text string, classes []string) ([]float64, error) {
	priors, err := numbers(text)
	if err != nil {
		priors, err = namedPriors(text, classes)
	}
	if err != nil {
		return nil, err
	}
	if len(priors) != len(classes) {
		return nil, priorsError(text, "%d numbers for %d classes: %s", len(priors), len(classes), classList(classes))
	}
	var wrong *discriminant.ParameterError
	if err := (discriminant.KFDA{Priors: priors}).Validate(); errors.As(err, &wrong) {
		return nil, priorsError(text, "%s", wrong.Reason)
	}
	return priors, nil
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

// namedPriors reads class=number,… with every class once.
func namedPriors(text string, classes []string) ([]float64, error) {
	priors := make([]float64, len(classes))
	given := make([]bool, len(classes))
	for rest, more := text, true; more; {
		j := -1
		for k, c := range classes { // the longest name that fits
			if strings.HasPrefix(rest, c+"=") && (j < 0 || len(c) > len(classes[j])) {
				j = k
			}
		}
		if j < 0 {
			return nil, priorsError(text, "%q is neither a list of numbers nor class=number; the classes are %s", rest, classList(classes))
		}
		if given[j] {
			return nil, priorsError(text, "the class %s stands twice", showLabel(classes[j]))
		}
		var number string
		number, rest, more = strings.Cut(rest[len(classes[j])+1:], ",")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return nil, priorsError(text, "%q is not a number", number)
		}
		priors[j], given[j] = v, true
		rest = strings.TrimLeft(rest, " ")
	}
	for j, c := range classes {
		if !given[j] {
			return nil, priorsError(text, "the class %s is missing", showLabel(c))
		}
	}
	return priors, nil
}

// classList lists classes for a message.
func classList(classes []string) string {
	const most = 20
	var shown []string
	for _, c := range classes[:min(len(classes), most)] {
		shown = append(shown, showLabel(c))
	}
	s := strings.Join(shown, ", ")
	if n := len(classes) - most; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}
