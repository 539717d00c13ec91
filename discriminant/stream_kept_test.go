package discriminant

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
)

// A file of a stream whose kept rows can't be those of its rows is an error.
func TestKeptRowsFile(t *testing.T) {
	ctx := context.Background()
	x, codes := matrixtest.Blobs(60, 2, 3)
	weights := make([]float64, x.Rows)
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	start := must.Get(NewStream(ctx, KFDA{Regularizer: RKHS(1)}, x, codes, Landmarks{Count: 4}, weights...))(t)
	for name, spoil := range map[string]func(s *Stream[int]){
		"a row is missing":  func(s *Stream[int]) { s.kept = newKeptRows(2, s.rows.Shape) },
		"a cell":            func(s *Stream[int]) { must.Do(t, s.kept.classes[1].Add(99, []float64{1, math.Inf(1), 2})) },
		"a weight":          func(s *Stream[int]) { must.Do(t, s.kept.classes[1].Add(99, []float64{1, 1, -2})) },
		"nothing is spoilt": func(*Stream[int]) {},
	} {
		s := start.From(0)
		must.Do(t, s.Append(ctx, x, codes, weights...))
		if name == "a cell" || name == "a weight" { // in place of the first of the class
			rows, numbers := s.kept.classes[1].Rows()
			s.kept.classes[1] = gram.NewSample(keptOf(3), keptSeed)
			for i, number := range numbers[1:] {
				must.Do(t, s.kept.classes[1].Add(number, rows.Row(i+1)))
			}
		}
		spoil(s)
		err := new(Stream[int]).UnmarshalBinary(must.Get(s.MarshalBinary())(t))
		if errors.As(err, new(*section.FormatError)) == (name == "nothing is spoilt") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A stream that is merged with one of a file without kept rows has none, whichever is merged with the other.
func TestMergeWithoutKeptRows(t *testing.T) {
	ctx := context.Background()
	x, codes := matrixtest.Blobs(BlockRows+100, 2, 2)
	m := KFDA{Regularizer: RKHS(1)}
	start := must.Get(NewStream(ctx, m, x.View(0, 0, 50, 2), codes[:50], Landmarks{Count: 4}))(t)
	for _, oldFirst := range []bool{true, false} {
		a, b := start.From(0), start.From(BlockRows)
		must.Do(t, a.Append(ctx, x.View(0, 0, BlockRows, 2), codes[:BlockRows]))
		must.Do(t, b.Append(ctx, x.View(BlockRows, 0, 100, 2), codes[BlockRows:]))
		a.kept = nil
		if !oldFirst {
			a, b = b, a
		}
		must.Do(t, a.Merge(b))
		details := must.Get(a.Model(ctx, m))(t).Details().(KFDADetails)
		must.Equal(t, "left out", details.LeaveOneOut(), false)
	}
	must.Do(t, start.Append(ctx, x, codes))
	must.Equal(t, "left out", must.Get(start.Model(ctx, m))(t).Details().(KFDADetails).LeaveOneOut(), true)
}
