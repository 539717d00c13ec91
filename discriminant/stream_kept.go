package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// mostKept is the number of rows that a stream keeps, an equal share of each class: scores of ten
// classes that are calibrated on them lose a hundredth of the likelihood that they could have.
const mostKept = 4096

// keptSeed draws them apart from rows that landmarks are drawn from.
const keptSeed = 0x6b657074

// keptOf returns how many of a class are kept at most.
func keptOf(classes int) int { return (mostKept + classes - 1) / classes }

// keptRows are some rows of each class as they were given, those with the least hashes of their
// numbers; where rows have weights, these stand behind them.
type keptRows struct {
	columns int // of the table
	weighed bool
	classes []*gram.Sample
}

func newKeptRows(columns int, shape fisher.Shape) *keptRows {
	k := &keptRows{columns: columns, weighed: shape.Weighed}
	for range shape.Classes {
		k.classes = append(k.classes, gram.NewSample(keptOf(shape.Classes), keptSeed))
	}
	return k
}

// add adds rows, of which the first has that number. Those of weight 0 do not count.
func (k *keptRows) add(first int, x *matrix.Dense, codes []int, weights fisher.Weights) {
	var both []float64
	for i, code := range codes {
		row := x.Row(i)
		if weights != nil {
			if weights[i] == 0 {
				continue
			}
			both = append(append(both[:0], row...), weights[i])
			row = both
		}
		if err := k.classes[code].Add(uint64(first+i), row); err != nil {
			panic(err) // they all have the stream's columns
		}
	}
}

func (k *keptRows) merge(other *keptRows) {
	for j, s := range k.classes {
		if err := s.Merge(other.classes[j]); err != nil {
			panic(err)
		}
	}
}

// rows returns them by class and number.
func (k *keptRows) rows() (*matrix.Dense, *fisher.Classes) {
	var codes []int
	var weights fisher.Weights
	var cells []float64
	for j, s := range k.classes {
		x, _ := s.Rows()
		for i := range x.Rows {
			codes, cells = append(codes, j), append(cells, x.Row(i)[:k.columns]...)
			if k.weighed {
				weights = append(weights, x.At(i, k.columns))
			}
		}
	}
	x := &matrix.Dense{Rows: len(codes), Cols: k.columns, Stride: k.columns, Data: cells}
	return x, fisher.NewClasses(codes, len(k.classes), weights)
}

// keptFields names those of the rows that are kept, by class their number and of each its own and
// its cells. Streams that never took a row lack the section, and some that keep none.
func (s *streamed) keptFields(c *codec, of *fisher.State) {
	if !c.ok() || !s.keeps(of.Shape) || !c.optional("kept", s.kept != nil && of.Next > 0, true) {
		return
	}
	if c.reading() {
		s.kept = newKeptRows(s.columns, of.Shape)
	}
	width := s.columns
	if of.Weighed {
		width++
	}
	for j, sample := range s.kept.classes {
		x, numbers := sample.Rows()
		n := c.count("rows", len(numbers), 8*(1+width))
		if c.reading() {
			x, numbers = matrix.New(n, width), make([]uint64, n)
		}
		for i := range n {
			c.uint64("number", &numbers[i])
			for k, v := range x.Row(i) { // missing cells too
				bits := math.Float64bits(v)
				c.uint64("cell", &bits)
				x.Set(i, k, math.Float64frombits(bits))
			}
		}
		if c.reading() {
			s.readKept(c, of, j, x, numbers)
		}
	}
}

// readKept adds rows of class j that were read.
func (s *streamed) readKept(c *codec, of *fisher.State, j int, x *matrix.Dense, numbers []uint64) {
	count := 0
	for _, counts := range of.Counts {
		if j < len(counts) {
			count += counts[j]
		}
	}
	if want := min(count, keptOf(of.Classes)); x.Rows != want {
		c.fail("rows", "%d of class %d, want %d", x.Rows, j, want)
		return
	}
	if err := s.checkRows(x.View(0, 0, x.Rows, s.columns)); err != nil {
		c.fail("cell", "%v", err)
	}
	for i, number := range numbers {
		if of.Weighed && !(x.At(i, s.columns) > 0 && finite(x.At(i, s.columns))) {
			c.fail("cell", "a weight of %v", x.At(i, s.columns))
		}
		c.keep(s.kept.classes[j].Add(number, x.Row(i)))
	}
}

// leaveOut returns the projections of the rows that are kept as they are when each is left out of
// the fit f. Where there are other rows they go with all, which stand for these, to calibrate posteriors
// by, with weights by which those of a class stand for all of it.
func (s *streamFit) leaveOut(ctx context.Context, f *fitted, all projections, found *fisher.LinearSolution) (projections, error) {
	x, of := s.kept.rows()
	out, err := s.moments.LeaveOut(found)
	if err != nil {
		return all, err
	}
	var fitted, left []float64
	for lo := 0; lo < x.Rows; lo += streamRows {
		some := x.View(lo, 0, min(streamRows, x.Rows-lo), x.Cols)
		features := matrix.New(some.Rows, s.width())
		if _, err := s.landmarks.mapRows(ctx, features, f.pipeline.scaled(some, new(matrix.Dense), new(matrix.Dense))); err != nil {
			return all, err
		}
		z, without, err := out.Project(features, lo, of)
		if err != nil {
			return all, err
		}
		fitted, left = append(fitted, z.Data...), append(left, without.Data...)
	}
	p := len(found.Lambda)
	kept := &projections{z: &matrix.Dense{Rows: x.Rows, Cols: p, Stride: p, Data: left}, classes: of}
	if x.Rows == f.training.Rows {
		all.z, all.classes = kept.z, of
		all.fitted = &matrix.Dense{Rows: x.Rows, Cols: p, Stride: p, Data: fitted}
		return all, nil
	}
	weights := make(fisher.Weights, x.Rows)
	for i, j := range of.Codes {
		weights[i] = float64(of.Weights.Of(i) * (s.moments.Sizes[j] / of.Sizes[j]))
	}
	kept.classes = fisher.NewClasses(of.Codes, len(of.Counts), weights)
	all.held = kept
	return all, nil
}
