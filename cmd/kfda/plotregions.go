package main

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// regions shows the plane of the two columns of a model or, where it has others, that of its first
// two directions.
func (u *subject) regions() (*picture.Figure, error) {
	rows, notes, err := u.projections()
	if err != nil {
		return nil, err
	}
	if n := len(rows.Classes); n > picture.MostTold {
		return nil, undrawable("%s: the regions of %d classes can't be told apart; 'kfda plot projection' names the classes, 'kfda plot confusion' shows those with the most errors", u.path, n)
	}
	where, classify := "on the two directions", u.onDirections(rows)
	switch n := len(rows.Values); {
	case u.t.X.Cols == 2 && len(u.layout.Features) == 2 && !u.layout.Sparse && u.Preparation() == nil:
		known, _ := u.known()
		rows.Values = make([][]float64, 2)
		for _, i := range known {
			rows.Values[0], rows.Values[1] = append(rows.Values[0], u.t.X.At(i, 0)), append(rows.Values[1], u.t.X.At(i, 1))
		}
		rows.Axes = []string{u.column(0), u.column(1)}
		where, classify = "of the two columns", u.onColumns
	case n < 2:
		return nil, undrawable("%s: regions need two columns or two directions, and this model has %s and one direction; 'kfda plot projection' shows its threshold",
			u.path, plural.Count(u.Dim(), "column"))
	case n > 2:
		where = fmt.Sprintf("on the first 2 of %d directions", n)
		notes = append(notes, fmt.Sprintf("The other directions of a place are the means of the %d rows that are nearest to it there.", nearestRows))
	}
	return picture.Regions(u.title("decision regions %s", where), rows, classify, append([]string{u.note()}, notes...)...)
}

// onColumns classifies rows of two columns.
func (u *subject) onColumns(x, y []float64) ([]int, error) {
	rows := matrix.New(len(x), 2)
	for i := range x {
		rows.Set(i, 0, x[i])
		rows.Set(i, 1, y[i])
	}
	classes, err := u.Predict(nil, rows)
	if err != nil {
		return nil, explain.New(u.t, err)
	}
	return codesOf(u.Classes(), classes), nil
}

// nearestRows are those that say where a place of a plane lies outside of it.
const nearestRows = 15

// onDirections classifies places on the first two directions of rows.
func (u *subject) onDirections(rows picture.Rows) picture.Classify {
	return func(x, y []float64) ([]int, error) {
		z := matrix.New(len(x), len(rows.Values))
		for i := range x {
			row := z.Row(i)
			row[0], row[1] = x[i], y[i]
			if len(row) == 2 {
				continue
			}
			near := nearest(rows.Values[0], rows.Values[1], x[i], y[i])
			for j := 2; j < len(row); j++ {
				for _, r := range near {
					row[j] += rows.Values[j][r] / float64(len(near))
				}
			}
		}
		classes, err := u.PredictProjections(nil, z)
		if err != nil {
			return nil, explain.New(u.t, err)
		}
		return codesOf(u.Classes(), classes), nil
	}
}

// nearest returns the rows of at most 2000 that are nearest to a place.
func nearest(xs, ys []float64, x, y float64) (rows []int) {
	every := (len(xs) + 1999) / 2000
	var far []float64 // squared distances of rows, ascending
	for i := 0; i < len(xs); i += every {
		d := (xs[i]-x)*(xs[i]-x) + (ys[i]-y)*(ys[i]-y)
		if len(far) == nearestRows && d >= far[len(far)-1] {
			continue
		}
		at, _ := slices.BinarySearch(far, d)
		far, rows = slices.Insert(far, at, d), slices.Insert(rows, at, i)
		if len(far) > nearestRows {
			far, rows = far[:nearestRows], rows[:nearestRows]
		}
	}
	return rows
}
