package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// shortKernel writes the parameters of a kernel with few digits.
func shortKernel(text string) string {
	return regexp.MustCompile(`\d+\.\d{5,}(e[-+]?\d+)?`).ReplaceAllStringFunc(text, func(s string) string {
		v, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(v, 'g', 4, 64)
	})
}

// known returns the rows with a class of the model, and notes how many there are besides.
func (u *subject) known() (rows []int, notes []string) {
	for i, c := range u.class {
		if c >= 0 {
			rows = append(rows, i)
		}
	}
	if n := len(u.class) - len(rows); n > 0 {
		notes = []string{fmt.Sprintf("Without %s of labels that the model does not know.", plural.Count(n, "row"))}
	}
	if u.weights != nil {
		notes = append(notes, "Rows are counted, whatever they weigh.")
	}
	return rows, notes
}

// direction names a column of the projections.
func (u *subject) direction(k int) string {
	if u.numbers != nil {
		return u.target()
	}
	switch classes := u.Classes(); {
	case u.Method() == "kpca":
		return fmt.Sprintf("principal component %d", k+1)
	case u.Method() == "ridge" && u.Components() == len(classes):
		return "value of " + picture.Name(classes[k])
	case u.Method() == "ridge":
		return "value, positive for " + picture.Name(classes[1])
	case u.Method() == "svm":
		one := u.Machines()[k]
		return fmt.Sprintf("machine %s / %s", picture.Name(classes[one.First]), picture.Name(classes[one.Second]))
	}
	return fmt.Sprintf("discriminant %d", k+1)
}

// projections returns the known rows on the directions of the model.
func (u *subject) projections() (picture.Rows, []string, error) {
	rows := picture.Rows{Classes: u.Classes()}
	known, notes := u.known()
	if len(known) == 0 {
		return rows, nil, undrawable("%s: no row has a label that the model knows", u.file)
	}
	z, err := u.Project(nil, u.t.X)
	if err != nil {
		return rows, nil, explain.New(u.t, err)
	}
	for k := range z.Cols {
		values := make([]float64, len(known))
		for r, i := range known {
			values[r] = z.At(i, k)
		}
		rows.Values, rows.Axes = append(rows.Values, values), append(rows.Axes, u.direction(k))
	}
	for _, i := range known {
		rows.Class = append(rows.Class, u.class[i])
	}
	return rows, notes, nil
}

func (u *subject) projection() (*picture.Figure, error) {
	rows, notes, err := u.projections()
	if err != nil {
		return nil, err
	}
	var thresholds []float64
	if n := len(rows.Classes); len(rows.Values) == 1 && n > picture.MostTold {
		return nil, undrawable("%s: the densities of %d classes can't be told apart; 'kfda plot confusion' shows those with the most errors", u.path, n)
	}
	if len(rows.Values) == 1 {
		if thresholds, err = u.thresholds(rows.Values[0]); err != nil {
			return nil, err
		}
	}
	title := u.title("projections of %s", plural.Count(len(rows.Class), "row"))
	return picture.Projection(title, rows, thresholds, append([]string{u.note()}, notes...)...), nil
}

// thresholds returns where on the one direction of a model the class changes in the range of
// values: places of a fine grid, each made exact by halving.
func (u *subject) thresholds(values []float64) (at []float64, err error) {
	const steps = 2000
	low, high := slices.Min(values), slices.Max(values)
	grid := matrix.New(steps+1, 1)
	for k := range grid.Data {
		grid.Data[k] = low + (high-low)*float64(k)/steps
	}
	classes, err := u.PredictProjections(nil, grid)
	if err != nil {
		return nil, err
	}
	one := matrix.New(1, 1)
	for k := 1; k <= steps; k++ {
		a, b := grid.Data[k-1], grid.Data[k]
		if classes[k] == classes[k-1] {
			continue
		}
		for range 50 {
			one.Data[0] = a + (b-a)/2
			c, err := u.PredictProjections(nil, one)
			if err != nil {
				return nil, err
			}
			if c[0] == classes[k-1] {
				a = one.Data[0]
			} else {
				b = one.Data[0]
			}
		}
		if math.Abs(b) < 1e-9*(high-low) {
			b = 0
		}
		at = append(at, b)
	}
	return at, nil
}

// codesOf returns the numbers of classes, −1 for a label that is none of them.
func codesOf(classes, labels []string) []int {
	of := make(map[string]int, len(classes))
	for j, class := range classes {
		of[class] = j + 1
	}
	codes := make([]int, len(labels))
	for i, l := range labels {
		codes[i] = of[l] - 1
	}
	return codes
}

// column names feature j.
func (u *subject) column(j int) string {
	if u.layout.Names != nil && u.layout.Names[j] != "" {
		return picture.Name(u.layout.Names[j])
	}
	return fmt.Sprintf("column %d", u.layout.Features[j]+1)
}
