package inference

import (
	"context"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// AccuracyResult is what [TestAccuracy] finds.
type AccuracyResult[L discriminant.Label] struct {
	Classes   []L
	Correct   int           // rows that are predicted rightly where they, or their groups, are left out
	Accuracy  float64       // their share
	Predicted []L           // class of each row, where it or its group is left out
	Permuted  *Permutations // of the accuracy; nil where there were none
}

// TestAccuracy tests whether classes can be told apart: whether kernel ridge classification with an
// unpenalised intercept predicts rows that are left out better than it does for permuted labels
// (Ojala and Garriga, JMLR 11, 2010). With the indicators Y of the classes, row i is predicted by a fit to the
// others exactly as
//
//	ŷ₋ᵢ = yᵢ − (GY)ᵢ/Gᵢᵢ
//
// and taken for the class of the largest entry, the first such. Of TestOptions.Groups all rows B of a
// group are left out together, so that none is predicted by rows like it:
//
//	ŷ₋B = y_B − (G_BB)⁻¹(GY)_B
//
// G is the same for all labels: no permutation needs a fit. Errors and the guarantee are those of
// [Test]. Cost: n³/3 flops for the diagonal, or 2n³ for blocks, and 2n²(c−1) for each permutation, with
// twice the squares of the sizes of groups.
func TestAccuracy[L discriminant.Label](ctx context.Context, s *Sample, labels []L, o TestOptions) (*AccuracyResult[L], error) {
	misuse.NotNil("inference: TestAccuracy", "ctx", ctx, "s", s)
	classes, of, err := classesOf(s, labels, o)
	if err != nil {
		return nil, err
	}
	relabelled, err := newRelabelling(of.Codes, len(classes), o)
	if err != nil {
		return nil, err
	}
	leave, err := s.leaving(ctx, relabelled.unit)
	if err != nil {
		return nil, err
	}
	r := &AccuracyResult[L]{Classes: classes, Predicted: make([]L, len(labels))}
	n := s.Rows()
	_, err = s.accuracies(ctx, relabelled.indicators(n, relabelled.unchanged), leave, 1, nil, func(i, class int) {
		if r.Predicted[i] = classes[class]; class == of.Codes[i] {
			r.Correct++
		}
	})
	r.Accuracy = float64(r.Correct) / float64(n)
	if err != nil || o.Permutations == 0 {
		return r, err
	}
	null, err := s.accuracies(ctx, relabelled.indicators(n, relabelled.draw), leave, o.Permutations, o.Progress, nil)
	if err != nil {
		return nil, err
	}
	r.Permuted = newPermutations(r.Accuracy, null, relabelled.distinct())
	return r, nil
}

// indicators are those of all classes but the last, less their means. That of the last is 0 less the
// sum of the others.
func (r *relabelling) indicators(rows int, draw func(int, []int, []int, []int)) *labelled {
	l := &labelled{rows: rows, classes: r.classes, each: r.classes - 1, draw: draw, values: func(sizes []float64) *matrix.Dense {
		y := matrix.New(len(sizes), len(sizes)-1)
		for j := range y.Rows {
			for k := range y.Cols {
				y.Set(j, k, -sizes[k]/float64(rows))
			}
			if j < y.Cols {
				y.Row(j)[j]++
			}
		}
		return y
	}}
	l.fix(r)
	return l
}

// accuracies returns the share of rows that are predicted rightly in count labellings, and calls tell, for
// nil of nobody, with the class that each row of each is taken for.
func (s *Sample) accuracies(ctx context.Context, l *labelled, leave leftOut, count int, progress func(done, total int), tell func(i, class int)) ([]float64, error) {
	shares := make([]float64, count)
	var given *matrix.Dense
	err := l.blocks(ctx, columnsAtOnce(s.rows.landmarks()), count, progress, func(b *matrix.Dense, first int) {
		if given == nil || given.Cols != b.Cols {
			given = matrix.New(b.Rows, b.Cols)
		}
		given.CopyFrom(b)
		s.rows.Inverse(b)
		leave(b)
		for k := range b.Cols / l.each {
			correct := 0
			for i := range l.rows {
				own, taken := predicted(given.Row(i)[k*l.each:(k+1)*l.each], b.Row(i)[k*l.each:(k+1)*l.each])
				if own == taken {
					correct++
				}
				if tell != nil {
					tell(i, taken)
				}
			}
			shares[first+k] = float64(correct) / float64(l.rows)
		}
	})
	return shares, err
}

// predicted returns the class of a row, of which the indicator less its mean is positive, or the last,
// and the one that it is taken for where it is left out, given by how much these miss then.
func predicted(indicators, missed []float64) (own, taken int) {
	own = len(indicators)
	for k, y := range indicators {
		if y > 0 {
			own = k
		}
	}
	best, last := 0.0, 0.0
	for k, v := range missed {
		left := -v
		last -= left
		if k == own {
			left++
		}
		if k == 0 || left > best {
			best, taken = left, k
		}
	}
	if own == len(indicators) {
		last++
	}
	if last > best {
		taken = len(indicators)
	}
	return own, taken
}
