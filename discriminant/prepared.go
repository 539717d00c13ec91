package discriminant

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Prepared fits Method to a table whose columns are prepared for it: a category becomes a
// column of zeros and ones for each of its levels, and missing cells, NaN, are filled in.
// What that takes is learnt from the training rows, also in every fold of a
// cross-validation, and kept in the model, which then takes rows of the same table:
// [Model.Dim] counts its columns, and [Model.Scaler], and the coefficients of [LDADetails],
// are about the columns of [Model.Preparation].
//
// A level that no training row has is none of the levels in a new row: its columns are all 0.
// A column without a gap in the training rows is filled by the same rule in new rows; with
// [FillIndicator] it has no indicator. Where all cells of a column are missing in the
// training rows, numbers are filled with 0, and a category with none of the levels.
type Prepared struct {
	Method Method // but a Prepared; the [gram.Columns] of its kernel are columns of the table

	// Levels is the number of levels of each column, 0 for one of numbers; nil means numbers
	// in all. The cells of a category are the numbers 0 … levels − 1; any other stands for a level that
	// is not known.
	Levels []int

	Missing Missing
}

// method returns the Method, and panics where there is none.
func (m Prepared) method() Method {
	misuse.NotNil("discriminant: Prepared", "the Method", m.Method)
	return m.Method
}

// Validate returns an error for a setting that is wrong whatever the data.
func (m Prepared) Validate() error {
	if _, twice := m.method().(Prepared); twice {
		return &ParameterError{Field: "Method", Value: "Prepared", Reason: "want one that takes prepared columns"}
	}
	if isPrecomputed(m.Method.Settings().Kernel) {
		return &ParameterError{Field: "Method", Value: m.Method.Settings().Kernel.String(), Reason: "a precomputed kernel matrix has no columns to prepare"}
	}
	if m.Missing > FillIndicator {
		return &ParameterError{Field: "Missing", Value: m.Missing.String(), Reason: "want RefuseMissing, FillMean, FillMedian, FillMostFrequent or FillIndicator"}
	}
	for j, levels := range m.Levels {
		if levels < 0 || levels > math.MaxInt32 {
			return &ParameterError{Field: fmt.Sprintf("Levels[%d]", j), Value: fmt.Sprint(levels), Reason: "want a number of levels, or 0 for a column of numbers"}
		}
	}
	return m.Method.Validate()
}

// Plan returns what a fit of n rows, d columns and that many classes will need at most.
func (m Prepared) Plan(n, d, classes int) Plan {
	width := m.width(d)
	p := m.method().Plan(n, width, classes)
	p.Bytes += float64(8 * float64(float64(n)*float64(width)))
	return p
}

// width returns the number of prepared columns of d, at most.
func (m Prepared) width(d int) int {
	width := d
	for _, levels := range m.Levels {
		width += max(levels-1, 0)
	}
	if m.Missing == FillIndicator {
		width += d
	}
	return width
}

// Settings returns those of the Method.
func (m Prepared) Settings() Settings { return m.method().Settings() }

// With returns m with these settings of the Method.
func (m Prepared) With(s Settings) Method {
	m.Method = m.method().With(s)
	return m
}

// Parameter returns that of the Method.
func (m Prepared) Parameter() Parameter {
	p := m.method().Parameter()
	set := p.Set
	p.Set = func(value float64) Method {
		m := m
		m.Method = set(value)
		return m
	}
	return p
}

// Learn returns what the training rows x say of the columns. Cost: O(nd log n). The errors
// are *[RowsError], a *[FeatureError] where Levels are of another number of columns, those of
// Transform, and a *[ParameterError] where no column is left. Rows may have weights, as in
// [Fit]: means, medians and frequencies are weighted.
func (m Prepared) Learn(x *matrix.Dense, weights ...float64) (*Preparation, error) {
	return m.learn(x, weights, false)
}

// learn is Learn; all Levels are kept where the rows are a sample of those that train.
func (m Prepared) learn(x *matrix.Dense, weights []float64, sample bool) (*Preparation, error) {
	misuse.NotNil("discriminant: Learn", "x", x)
	t, err := newWeighed(x, weights, false)
	if err != nil {
		return nil, err
	}
	x = t.x
	if x.Rows == 0 {
		return nil, &RowsError{}
	}
	if m.Levels != nil && len(m.Levels) != x.Cols {
		return nil, &FeatureError{Got: x.Cols, Want: len(m.Levels)}
	}
	if err := checkCells(m.Missing, x); err != nil {
		return nil, err
	}
	p := &Preparation{missing: m.Missing, columns: make([]preparedColumn, x.Cols)}
	values := make([]float64, x.Rows)
	for j := range p.columns {
		for i := range values {
			values[i] = x.Row(i)[j]
		}
		levels := 0
		if m.Levels != nil {
			levels = m.Levels[j]
		}
		p.columns[j] = m.Missing.learn(values, t.weights, levels, sample)
		p.width += p.columns[j].width()
	}
	if p.width == 0 {
		return nil, &ParameterError{Field: "Levels", Value: fmt.Sprint(m.Levels), Reason: "the training rows have no level of any column"}
	}
	return p, nil
}

func (m Prepared) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	return m.fitPrepared(x, of.Weights, func(method Method, rows *matrix.Dense) (*fitted, error) {
		return method.fit(ctx, rows, of)
	})
}

// Kernel returns k with its [gram.Columns], which are columns of the table, replaced by those that
// the method sees of them. One that the table does not have is a *[gram.ParameterError].
func (p *Preparation) Kernel(k gram.Kernel) (gram.Kernel, error) {
	misuse.NotNil("discriminant: Kernel", "the Preparation", p)
	var err error
	k = gram.EachColumns(k, func(at int) (seen []int) {
		if at >= len(p.columns) {
			err = &gram.ParameterError{Kernel: "columns", Parameter: "At", Value: float64(at), Reason: fmt.Sprintf("is %d; the table has %d columns", at, len(p.columns))}
			return nil
		}
		first := 0
		for j := range at {
			first += p.columns[j].width()
		}
		for j := range p.columns[at].width() {
			seen = append(seen, first+j)
		}
		return seen
	})
	return k, err
}

// method returns m with its kernel of the columns that it sees.
func (p *Preparation) method(m Method) (Method, error) {
	s := m.Settings()
	if s.Kernel == nil {
		return m, nil
	}
	k, err := p.Kernel(s.Kernel)
	if err != nil || reflect.DeepEqual(k, s.Kernel) {
		return m, err
	}
	s.Kernel = k
	return m.With(s), nil
}

// fitPrepared fits the Method, with its kernel of prepared columns, to the prepared rows of x.
func (m Prepared) fitPrepared(x *matrix.Dense, weights fisher.Weights, fit func(method Method, rows *matrix.Dense) (*fitted, error)) (*fitted, error) {
	p, err := m.Learn(x, weights...)
	if err != nil {
		return nil, err
	}
	method, err := p.method(m.Method)
	if err != nil {
		return nil, err
	}
	rows := matrix.New(x.Rows, p.width)
	p.apply(rows, x)
	f, err := fit(method, rows)
	if err != nil {
		return nil, p.OfTable(err)
	}
	f.pipeline.preparation = p
	return f, nil
}

// unprepared returns the Method of a Prepared, and another as it is.
func unprepared(m Method) Method {
	if p, ok := m.(Prepared); ok {
		return p.method()
	}
	return m
}

// missingOf returns what a method does about missing cells.
func missingOf(m Method) Missing {
	p, _ := m.(Prepared)
	return p.Missing
}
