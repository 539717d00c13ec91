package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// differenceLevel is how often, at most, a table of rows like those of the training is said to
// differ from them.
const differenceLevel = 0.001

// difference is a column whose values in a table are not like those in training.
type difference struct {
	column     int     // that the kernel sees
	chance     float64 // of such a difference between rows of the same kind, at most
	mean, want float64 // in the units of the table
}

// apart returns the texts of two numbers, of four digits or as many as tell them apart.
func apart(a, b float64) (string, string) {
	for digits := 4; ; digits++ {
		x, y := strconv.FormatFloat(a, 'g', digits, 64), strconv.FormatFloat(b, 'g', digits, 64)
		if x != y || digits == 17 {
			return x, y
		}
	}
}

// noticeDifference says which columns of t differ, as a whole, from the training rows. It compares
// the distributions of a column where the model keeps all training rows; of an lda or svm it knows
// their mean and deviation, where it scales by them. The rows of t may be a sample of so many.
func (m *savedModel) noticeDifference(s streams, t *table.Table, of int) error {
	found, err := m.differences(t)
	if err != nil || len(found) == 0 {
		return err
	}
	var columns []string
	for _, d := range found {
		mean, want := apart(d.mean, d.want)
		columns = append(columns, fmt.Sprintf("%s (mean %s, in training %s)", show.Text(m.seenColumn(d.column)), mean, want))
	}
	rows, differ := plural.Count(of, "row"), "differ"
	if of == 1 {
		differ = "differs"
	} else if of > t.X.Rows {
		rows += fmt.Sprintf(", by a sample of %d,", t.X.Rows)
	}
	notice(s.err, "%s: the %s as a whole %s from the training rows, in %s; predictions may be worse than they were for rows like those (by chance, 1 file in %.0f at most)",
		t.File, rows, differ, show.List(columns, 3), 1/differenceLevel)
	return nil
}

// comparesColumns reports whether the model knows enough of the training rows to be compared with.
func (m *savedModel) comparesColumns() bool {
	return m.comparedRows() != nil || m.Scaler() != nil && m.Scaler().Kind() == discriminant.Standard
}

// comparedRows returns the training rows that the model keeps, nil for landmarks, which are no sample
// of these.
func (m *savedModel) comparedRows() *matrix.Dense {
	if isStreamed(m.learnt) {
		return nil
	}
	return m.Formula().Rows
}

// differences returns the columns that differ, one for each column of the table, the most certain
// first.
func (m *savedModel) differences(t *table.Table) ([]difference, error) {
	if !m.comparesColumns() {
		return nil, nil
	}
	f, scaler, rows := m.Formula(), m.Scaler(), m.comparedRows()
	byMean := rows == nil
	x, err := m.seen(t.X)
	if err != nil {
		return nil, explain.New(t, err)
	}
	var found []difference
	for k := range x.Cols {
		d := difference{column: k}
		values := sortedColumn(x, k)
		d.mean = matrix.Sum(values) / float64(len(values))
		if byMean {
			d.chance = chanceOfScaled(values, scaledBy(m.learnt))
		} else {
			training := sortedColumn(rows, k)
			d.want = matrix.Sum(training) / float64(len(training))
			d.chance = 2 * min(chanceOfDistance(values, training), chanceOfRange(values, training))
		}
		if d.chance*float64(x.Cols) > differenceLevel {
			continue
		}
		if scaler != nil {
			shift, scale := f.Scaling.Shift[k], f.Scaling.Scale[k]
			d.mean, d.want = d.mean*scale+shift, d.want*scale+shift
		}
		found = append(found, d)
	}
	slices.SortStableFunc(found, func(a, b difference) int { return cmp.Compare(a.chance, b.chance) })
	named := make(map[int]bool)
	return slices.DeleteFunc(found, func(d difference) bool {
		from := d.column
		if p := m.Preparation(); p != nil {
			from = p.Columns()[d.column].From
		}
		again := named[from]
		named[from] = true
		return again
	}), nil
}

// scaledBy returns the number of the training rows by which columns were scaled.
func scaledBy(m learnt) int {
	n := m.Training().Rows
	if isStreamed(m) {
		n = min(n, sampleRows(0))
	}
	return n
}

func sortedColumn(x *matrix.Dense, k int) []float64 {
	values := columnOf(x, k)
	slices.Sort(values)
	return values
}

// chanceOfDistance bounds the chance that the empirical distributions of two samples of one kind
// are as far apart as those of ascending values (Kolmogorov and Smirnov).
func chanceOfDistance(a, b []float64) float64 {
	most := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		v := min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return chanceOf(most, len(a), len(b))
}

// chanceOf is 2 exp(−2D² mn/(m+n)) for the largest difference D of the distributions of m and n
// values (Dvoretzky, Kiefer and Wolfowitz; of two samples Wei and Dudley 2012).
func chanceOf(d float64, rows, training int) float64 {
	m, n := float64(rows), float64(training)
	return 2 * math.Exp(-2*d*d*m*n/(m+n))
}

// chanceOfRange bounds the chance that as many of ascending values lie outside of the range of
// those in training: of all that are of one kind, the t outermost are any with the same chance,
// and of t there are t+1 ways to lie above and below.
func chanceOfRange(values, training []float64) float64 {
	low, high, t := training[0], training[len(training)-1], 0
	for _, v := range values {
		if v < low || v > high {
			t++
		}
	}
	chance := float64(t + 1)
	for i := range t {
		chance *= float64(len(values)-i) / float64(len(values)+len(training)-i)
	}
	return chance
}

// chanceOfScaled is about the chance that values are as unlike those of n training rows, of which
// only the mean, 0, and the deviation, 1, are known: that their mean is as far from 0, or as many
// of them so far beyond k deviations, where 1/k² of those in training are at most (Chebyshev). The
// mean of few is not normal enough to tell.
func chanceOfScaled(values []float64, n int) float64 {
	const fewest = 30
	m := len(values)
	if m < fewest {
		return 1
	}
	s := spreadOf(values, 0)
	off := max(1, s.SD) * math.Sqrt(1/float64(m)+1/float64(n))
	sizes := make([]float64, m)
	for i, v := range values {
		sizes[i] = math.Abs(v)
	}
	slices.Sort(sizes)
	beyond := 0.0
	for i, k := range sizes {
		if k > 1 {
			beyond = max(beyond, float64(m-i)/float64(m)-1/(k*k))
		}
	}
	return 2 * min(math.Erfc(math.Abs(s.Mean)/off/math.Sqrt2), chanceOf(beyond, m, n))
}
