package discriminant

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// leastWeight and largestWeight bound a weight that is not 0.
const (
	leastWeight   = 1e-100
	largestWeight = 1e100
)

// WeightsError says what is wrong with the weights of rows.
type WeightsError struct {
	Rows, Weights int     // how many there are, where the numbers differ; else equal
	Row           int     // of a weight that is none; else −1
	Value         float64 // that
	Class         string  // whose rows all have the weight 0; else ""
}

func (e *WeightsError) Error() string {
	switch {
	case e.Rows != e.Weights:
		return fmt.Sprintf("discriminant: %s for %s: want one for each", plural.Count(e.Weights, "weight"), plural.Count(e.Rows, "row"))
	case e.Row >= 0:
		return fmt.Sprintf("discriminant: the weight %v of row %d: want 0, or a number from %g to %g", e.Value, e.Row, leastWeight, largestWeight)
	case e.Class != "":
		return fmt.Sprintf("discriminant: all rows of class %s have the weight 0: want one with another, or leave the class out", e.Class)
	}
	return "discriminant: all rows have the weight 0"
}

// Balanced returns weights with which all classes weigh the same, n/(c·lⱼ) for each of the
// lⱼ rows of class j, of n rows in c classes. Of rows with weights of their own, n and lⱼ are sums
// of them, and each weight is a factor of its row's.
func Balanced[L Label](labels []L, weights ...float64) []float64 {
	classes, codes := encode(labels)
	of := fisher.NewClasses(codes, len(classes), weights)
	total := of.Total()
	balanced := make([]float64, len(labels))
	for i, j := range codes {
		if w := of.Weights.Of(i); w != 0 {
			balanced[i] = float64(total / float64(float64(len(classes))*of.Sizes[j]) * w)
		}
	}
	return balanced
}

// ClassWeights returns the weight of each row's class, 1 for a class that is not given one.
func ClassWeights[L Label](labels []L, of map[L]float64) []float64 {
	weights := make([]float64, len(labels))
	for i, l := range labels {
		weights[i] = 1
		if w, ok := of[l]; ok {
			weights[i] = w
		}
	}
	return weights
}

// CheckWeights returns a *[WeightsError] for weights that are none of so many rows.
func CheckWeights(rows int, weights []float64) error {
	if len(weights) != rows {
		return &WeightsError{Rows: rows, Weights: len(weights), Row: -1}
	}
	for i, w := range weights {
		if w != 0 && !(w >= leastWeight && w <= largestWeight) {
			return &WeightsError{Rows: rows, Weights: rows, Row: i, Value: w}
		}
	}
	if rows > 0 && slices.Max(weights) == 0 {
		return &WeightsError{Rows: rows, Weights: rows, Row: -1}
	}
	return nil
}

// weighed is a table with what its rows weigh.
type weighed struct {
	x       *matrix.Dense // the rows with a weight
	rows    []int         // their numbers, nil for all
	weights fisher.Weights
}

// newWeighed returns the rows of x with a positive weight: a row of weight 0 is absent.
// Weights of 1 are none. A square precomputed kernel matrix loses the columns, too.
func newWeighed(x *matrix.Dense, weights []float64, precomputed bool) (weighed, error) {
	t := weighed{x: x}
	if weights == nil {
		return t, nil
	}
	if err := CheckWeights(x.Rows, weights); err != nil {
		return t, err
	}
	t.weights = slices.Clone(weights)
	if slices.Contains(weights, 0) {
		t.weights = nil
		for i, w := range weights {
			if w != 0 {
				t.rows, t.weights = append(t.rows, i), append(t.weights, w)
			}
		}
		t.x = someOf(x, t.rows, precomputed && x.Rows == x.Cols)
	}
	if !slices.ContainsFunc(t.weights, func(w float64) bool { return w != 1 }) {
		t.weights = nil
	}
	return t, nil
}

// some returns those of the values of all rows that are of rows with a weight.
func (t weighed) some(values []int) []int {
	if t.rows == nil {
		return values
	}
	left := make([]int, len(t.rows))
	for i, r := range t.rows {
		left[i] = values[r]
	}
	return left
}

// classesOf returns the classes of the rows, of which all have the given codes.
func classesOf[L Label](t weighed, classes []L, codes []int) (*fisher.Classes, error) {
	of := fisher.NewClasses(t.some(codes), len(classes), t.weights)
	if j := slices.Index(of.Counts, 0); j >= 0 {
		return nil, &WeightsError{Rows: len(codes), Weights: len(codes), Row: -1, Class: fmt.Sprint(classes[j])}
	}
	return of, nil
}

// someColumns returns the kernel values y with the training rows that have a weight.
func someColumns(y *matrix.Dense, weights []float64) *matrix.Dense {
	var columns []int
	for j, w := range weights {
		if w != 0 {
			columns = append(columns, j)
		}
	}
	some := matrix.New(y.Rows, len(columns))
	for i := range y.Rows {
		for k, j := range columns {
			some.Set(i, k, y.At(i, j))
		}
	}
	return some
}
