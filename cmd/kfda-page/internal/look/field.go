package look

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// Box is the part of a plane that a picture shows.
type Box struct {
	Left, Right, Bottom, Top float64
	Columns, Rows            int // of places, two or more, the outer ones on the edges
}

// at returns place k, counted row by row from the top.
func (b Box) at(k int) (x, y float64) {
	return b.Left + (b.Right-b.Left)*float64(k%b.Columns)/float64(b.Columns-1),
		b.Top + (b.Bottom-b.Top)*float64(k/b.Columns)/float64(b.Rows-1)
}

// Field returns for each place of the box, row by row from the top, how much it is for each class: the largest
// value is that of the class that the model says. probable tells whether they are probabilities.
func (f *Fitted) Field(b Box) (values *matrix.Dense, probable bool, err error) {
	n := b.Columns * b.Rows
	if !f.Plane() {
		values, err = f.onDirections(b)
		return values, false, err
	}
	x := matrix.New(n, 2)
	for i := range n {
		x.Row(i)[0], x.Row(i)[1] = b.at(i)
	}
	m := f.Model
	var none *discriminant.PosteriorsError
	if values, err = m.Posteriors(nil, x); !errors.As(err, &none) {
		return values, true, err
	}
	switch {
	case len(m.Classes()) == 2:
		d, err := m.Decision(nil, x)
		if err != nil {
			return nil, false, err
		}
		values = matrix.New(n, 2)
		for i, v := range d {
			values.Row(i)[0], values.Row(i)[1] = -v, v
		}
		return values, false, nil
	case m.Method() == "ridge":
		values, err = m.Project(nil, x)
	case m.Method() == "svm":
		values, err = m.Votes(nil, x)
	default:
		var classes []string
		classes, err = m.Predict(nil, x)
		values = f.shares(classes)
	}
	return values, false, err
}

// onDirections is Field for the plane of two directions. With more directions the class depends on all of them, and a
// plane has none.
func (f *Fitted) onDirections(b Box) (*matrix.Dense, error) {
	if n := f.Model.Components(); n != 2 {
		return nil, fmt.Errorf("no plane has the classes of %s", plural.Count(n, "direction"))
	}
	places := matrix.New(b.Columns*b.Rows, 2)
	for i := range places.Rows {
		places.Row(i)[0], places.Row(i)[1] = b.at(i)
	}
	classes, err := f.Model.PredictProjections(nil, places)
	return f.shares(classes), err
}

// shares are 1 for a class and 0 for the others.
func (f *Fitted) shares(classes []string) *matrix.Dense {
	values := matrix.New(max(1, len(classes)), len(f.Model.Classes()))
	for i, c := range classes {
		values.Set(i, slices.Index(f.Model.Classes(), c), 1)
	}
	return values
}

// Span returns the box of the rows in the picture with a margin.
func (f *Fitted) Span() (b Box, err error) {
	x := f.Table.X
	if !f.Plane() {
		if x, err = f.Projections(); err != nil || x.Cols < 2 {
			return Box{-1, 1, -1, 1, 1, 1}, err
		}
	}
	ends := [2][2]float64{}
	for j := range ends {
		lo, hi := x.At(0, j), x.At(0, j)
		for i := range x.Rows {
			lo, hi = min(lo, x.At(i, j)), max(hi, x.At(i, j))
		}
		margin := 0.08 * (hi - lo)
		if margin == 0 {
			margin = 1
		}
		ends[j] = [2]float64{lo - margin, hi + margin}
	}
	return Box{Left: ends[0][0], Right: ends[0][1], Bottom: ends[1][0], Top: ends[1][1]}, nil
}
