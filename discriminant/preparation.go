package discriminant

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Missing says what [Prepared] does about missing cells, which are NaN.
type Missing uint8

const (
	// RefuseMissing makes a missing cell an error, in training and in new rows.
	RefuseMissing Missing = iota
	// FillMean takes the mean of the other cells of the column in the training rows, of a
	// category the most frequent level.
	FillMean
	// FillMedian takes their median, of a category the most frequent level.
	FillMedian
	// FillMostFrequent takes the most frequent value or level, the smallest of equals.
	FillMostFrequent
	// FillIndicator takes the mean, of a category none of the levels, and adds, for each
	// column in which the training rows lack a cell, another that is 1 where it is missing
	// and else 0.
	FillIndicator
)

var missingNames = [...]string{"error", "mean", "median", "most-frequent", "indicator"}

// String returns "error", "mean", "median", "most-frequent" or "indicator".
func (m Missing) String() string {
	if int(m) >= len(missingNames) {
		return "invalid"
	}
	return missingNames[m]
}

// Preparation is what [Prepared] learns from the training rows: a map from the columns of
// a table to those that its method sees. It is immutable and safe for concurrent use.
type Preparation struct {
	missing Missing
	columns []preparedColumn
	width   int // columns that the method sees
}

// preparedColumn is a column of the table.
type preparedColumn struct {
	levels    []float64 // of a category: those of the training rows, ascending
	fill      float64   // what a missing cell counts as; noLevel for none of the levels
	category  bool
	indicator bool
}

const noLevel = -1

// width is the number of columns that the method sees of c.
func (c *preparedColumn) width() int {
	n := 1
	if c.category {
		n = len(c.levels)
	}
	if c.indicator {
		n++
	}
	return n
}

// put writes what the method sees of a cell to dst, which is zero, and returns its width.
func (c *preparedColumn) put(dst []float64, v float64) int {
	n := c.width()
	if math.IsNaN(v) {
		v = c.fill
		if c.indicator {
			dst[n-1] = 1
		}
	}
	if !c.category {
		dst[0] = v
	} else if at, found := slices.BinarySearch(c.levels, v); found {
		dst[at] = 1
	}
	return n
}

// learn returns the preparation of the values of a column, of rows with weights; levels is
// the number of levels of a category, all of which a sample keeps, else 0.
func (m Missing) learn(values []float64, weights fisher.Weights, levels int, sample bool) preparedColumn {
	c := preparedColumn{category: levels > 0}
	if m == RefuseMissing && !c.category {
		return c
	}
	var order []int
	for i, v := range values {
		switch {
		case math.IsNaN(v):
			c.indicator = m == FillIndicator
		case !c.category || v == math.Trunc(v) && v >= 0 && v < float64(levels):
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	known := make([]float64, len(order))
	for k, i := range order {
		known[k] = values[i]
	}
	weights = weights.Some(order)
	switch {
	case sample:
		for level := range levels {
			c.levels = append(c.levels, float64(level))
		}
	case c.category:
		c.levels = slices.Compact(slices.Clone(known))
	}
	switch {
	case m == RefuseMissing:
	case c.category && (m == FillIndicator || len(known) == 0):
		c.fill = noLevel
	case len(known) == 0:
	case c.category || m == FillMostFrequent:
		c.fill = mostFrequent(known, weights)
	case m == FillMedian:
		c.fill = median(known, weights)
	default:
		exp, _, mean := fisher.Centre(known, weights)
		c.fill = math.Ldexp(mean, exp)
	}
	return c
}

// mostFrequent returns the most frequent of ascending values, the smallest of equals.
func mostFrequent(sorted []float64, weights fisher.Weights) (v float64) {
	most := 0.0
	for first := 0; first < len(sorted); {
		last, count := first, 0.0
		for last < len(sorted) && sorted[last] == sorted[first] {
			count += weights.Of(last)
			last++
		}
		if count > most {
			v, most = sorted[first], count
		}
		first = last
	}
	return v
}

// median returns the value in the middle of ascending ones, or the middle between two: of
// their weights, half are up to it, as far as their sum is known.
func median(sorted []float64, weights fisher.Weights) float64 {
	half := float64(0.5 * weights.Total(len(sorted)))
	rounding := float64(half * float64(float64(len(sorted))*f64.Roundoff))
	at, sum := 0, weights.Of(0)
	for sum < half-rounding && at < len(sorted)-1 {
		at++
		sum += weights.Of(at)
	}
	low, high := sorted[at], sorted[min(at+1, len(sorted)-1)]
	if sum > half+rounding || low == high {
		return low
	}
	return float64(low*0.5) + float64(high*0.5)
}

// Transform writes the columns that the method sees to dst, which may not overlap x; a nil
// dst is allocated. A row with another number of columns is a *[FeatureError], an infinite
// value, and a NaN with [RefuseMissing], a *[matrix.NotFiniteError].
func (p *Preparation) Transform(dst, x *matrix.Dense) (*matrix.Dense, error) {
	misuse.NotNil("discriminant: Transform", "x", x, "the Preparation", p)
	if x.Cols != len(p.columns) {
		return nil, &FeatureError{Got: x.Cols, Want: len(p.columns)}
	}
	if err := checkCells(p.missing, x); err != nil {
		return nil, err
	}
	if dst == nil {
		dst = matrix.New(x.Rows, p.width)
	}
	checkDestination("Transform", dst, x, x.Rows, p.width)
	p.apply(dst, x)
	return dst, nil
}

func (p *Preparation) apply(dst, x *matrix.Dense) {
	for i := range x.Rows {
		to := dst.Row(i)
		clear(to)
		for j, v := range x.Row(i) {
			to = to[p.columns[j].put(to, v):]
		}
	}
}

// PreparedColumn is a column that a method sees.
type PreparedColumn struct {
	From  int // the column of the table
	Level int // the level whose cells are 1, and others 0; −1 for none

	// Indicator columns are 1 where a cell is missing, and else 0.
	Indicator bool

	// Missing is what a missing cell of the table is in the column; NaN with RefuseMissing.
	Missing float64
}

// Columns returns the columns that the method sees, in their order.
func (p *Preparation) Columns() []PreparedColumn {
	misuse.NotNil("discriminant: Columns", "the Preparation", p)
	var all []PreparedColumn
	for j := range p.columns {
		c := &p.columns[j]
		values := make([]float64, c.width())
		c.put(values, math.NaN())
		for k, v := range values {
			if p.missing == RefuseMissing {
				v = math.NaN()
			}
			column := PreparedColumn{From: j, Level: -1, Missing: v}
			if k < len(c.levels) {
				column.Level = int(c.levels[k])
			} else {
				column.Indicator = c.indicator && k == len(values)-1
			}
			all = append(all, column)
		}
	}
	return all
}

// Missing returns what is done about missing cells.
func (p *Preparation) Missing() Missing {
	misuse.NotNil("discriminant: Missing", "the Preparation", p)
	return p.missing
}

// checkCells returns a *[matrix.NotFiniteError] for a cell that is not finite, but for one that
// is missing where it can be filled in.
func checkCells(m Missing, x *matrix.Dense) error {
	if m == RefuseMissing {
		return matrix.CheckFinite(x)
	}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if math.IsInf(v, 0) {
				return &matrix.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	return nil
}

// OfTable makes an error about a column that the method sees one about a column of the table;
// it returns others, and those of a nil Preparation, as they are.
func (p *Preparation) OfTable(err error) error {
	if p == nil {
		return err
	}
	from := func(k int) int {
		j := 0
		for ; j < len(p.columns)-1 && k >= p.columns[j].width(); j++ {
			k -= p.columns[j].width()
		}
		return j
	}
	switch e := err.(type) {
	case *matrix.NotFiniteError:
		return &matrix.NotFiniteError{Row: e.Row, Col: from(e.Col), Value: e.Value}
	case *gram.DomainError:
		return &gram.DomainError{Kernel: e.Kernel, Row: e.Row, Col: from(e.Col), Value: e.Value, Reason: e.Reason}
	case *ColumnRangeError:
		return &ColumnRangeError{Col: from(e.Col)}
	case *ScatterError:
		if e.Col >= 0 {
			return &ScatterError{Col: from(e.Col)}
		}
	}
	return err
}

// fields names those of the preparation, and makes the columns that follow those which the
// method sees.
func (p *Preparation) fields(c *codec) {
	kindOf(c, "missing", &p.missing)
	n := c.count("columns", len(p.columns), 24)
	if c.reading() {
		p.columns, p.width = make([]preparedColumn, n), 0
	}
	for j := range p.columns {
		p.columns[j].fields(c, p.missing)
		if c.reading() {
			p.width += p.columns[j].width()
		}
	}
	switch {
	case p.missing > FillIndicator:
		c.fail("missing", "not a way to treat missing cells")
	case uint64(n) != c.cols:
		c.fail("columns", "%d, and the table has %d", n, c.cols)
	case p.width == 0:
		c.fail("columns", "none is left for the method")
	}
	c.cols = uint64(p.width)
}

func (col *preparedColumn) fields(c *codec, m Missing) {
	c.bool("category", &col.category)
	if c.bool("indicator", &col.indicator); col.indicator && m != FillIndicator {
		c.fail("indicator", "there are none of %v", m)
	}
	c.float64("filled", &col.fill)
	if !col.category {
		return
	}
	if c.floats("levels", &col.levels); !slices.IsSortedFunc(col.levels, cmpStrict) {
		c.fail("levels", "they do not ascend")
	}
	for _, v := range col.levels {
		if v < 0 || v != math.Trunc(v) || v > math.MaxInt32 {
			c.fail("levels", "%v is not the number of a level", v)
		}
	}
}

// cmpStrict is cmp.Compare, with equal values out of order.
func cmpStrict(a, b float64) int { return cmp.Or(cmp.Compare(a, b), -1) }
