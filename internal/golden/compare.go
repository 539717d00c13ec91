package golden

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// Compare compares got with the field of p.Expected as each of the file's checks of it says and
// fails the test where they differ too much, where got holds a NaN, where the
// shapes differ, and where nothing was compared: no check for the field, or an
// empty field. tight takes the check's tol_tight where the file has one.
//
// got is a *matrix.Dense, [][]float64, []float64 or float64, []int or int. A
// vector and a matrix of one column are the same.
//
// The result is the largest ratio error/tolerance: at most 1 where it passes,
// +Inf where nothing could be compared, and 0 or +Inf in mode exact.
func (p *Problem) Compare(t testing.TB, field string, got any, tight bool) float64 {
	t.Helper()
	checks := p.checksOf(field)
	if len(checks) == 0 {
		t.Errorf("golden: %s: compared nothing: the file has no check for %q", p.Name, field)
		return math.Inf(1)
	}
	a, err := table(got)
	if err != nil {
		t.Errorf("golden: %s: %s: compared nothing: %v", p.Name, field, err)
		return math.Inf(1)
	}
	b := p.Expected.table(field)
	if a.rows != b.rows || a.cols != b.cols {
		t.Errorf("golden: %s: %s is %d×%d, want %d×%d", p.Name, field, a.rows, a.cols, b.rows, b.cols)
		return math.Inf(1)
	}
	if len(b.data) == 0 {
		t.Errorf("golden: %s: compared nothing: %s is empty", p.Name, field)
		return math.Inf(1)
	}
	largest := 0.0
	for _, c := range checks {
		tol := c.Tol
		if tight && c.TolTight != nil {
			tol = *c.TolTight
		}
		w := worst(c.Mode, tol, a, b)
		if w.err != nil {
			t.Errorf("golden: %s: %s: %v", p.Name, field, w.err)
			return math.Inf(1)
		}
		if !(w.ratio <= 1) {
			t.Errorf("golden: %s: %s (mode %s, tol %.3g): error is %.3g times the tolerance, at %s", p.Name, field, c.Mode, tol, w.ratio, w.place)
		}
		largest = max(largest, w.ratio)
	}
	p.mu.Lock()
	p.done[field] = true
	p.mu.Unlock()
	return largest
}

// HasCheck reports whether the file says how to compare the field.
func (p *Problem) HasCheck(field string) bool { return len(p.checksOf(field)) > 0 }

// Compared returns the fields that Compare has compared, in ascending order.
func (p *Problem) Compared() []string {
	return p.checked(true)
}

// Uncompared returns the fields that have a check and were not compared.
func (p *Problem) Uncompared() []string {
	return p.checked(false)
}

// Count returns how many checks of the problems were performed, and how many
// there are.
func Count(ps []*Problem) (performed, total int) {
	for _, p := range ps {
		performed += len(p.Compared())
		total += len(p.Checks)
	}
	return performed, total
}

func (p *Problem) checked(done bool) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, c := range p.Checks {
		if p.done[c.Field] == done {
			names = append(names, c.Field)
		}
	}
	slices.Sort(names)
	return names
}

// checksOf returns the checks of a field: one, or two of different modes.
func (p *Problem) checksOf(field string) []Check {
	var checks []Check
	for _, c := range p.Checks {
		if c.Field == field {
			checks = append(checks, c)
		}
	}
	return checks
}

// values is a matrix for comparison; a vector is one column.
type values struct {
	rows, cols int
	data       []float64 // row-major
}

func (v values) at(i, j int) float64 { return v.data[i*v.cols+j] }

func (f Fields) table(name string) values {
	switch v := f.value(name).(type) {
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].([]any); ok {
				m := f.Matrix(name)
				return values{m.Rows, m.Cols, m.Data}
			}
		}
		x := f.numbers(name, v)
		return values{len(x), 1, x}
	default:
		return values{1, 1, []float64{f.number(name, v)}}
	}
}

func table(got any) (values, error) {
	switch v := got.(type) {
	case *matrix.Dense:
		if v == nil {
			return values{}, fmt.Errorf("got a nil matrix")
		}
		c := v.Clone()
		return values{c.Rows, c.Cols, c.Data}, nil
	case [][]float64:
		m, err := matrix.FromRows(v)
		if err != nil {
			return values{}, err
		}
		return values{m.Rows, m.Cols, m.Data}, nil
	case []float64:
		return values{len(v), 1, v}, nil
	case float64:
		return values{1, 1, []float64{v}}, nil
	case []int:
		x := make([]float64, len(v))
		for i, n := range v {
			x[i] = float64(n)
		}
		return values{len(x), 1, x}, nil
	case int:
		return values{1, 1, []float64{float64(v)}}, nil
	}
	return values{}, fmt.Errorf("cannot compare a %T", got)
}

// outcome of a comparison: the largest ratio error/tolerance and its place.
type outcome struct {
	ratio float64
	place string
	err   error // the values cannot be compared
}

// worst applies a compare mode of testdata/README.md.
func worst(mode string, tol float64, a, b values) outcome {
	for i := range a.rows {
		for j := range a.cols {
			if math.IsNaN(a.at(i, j)) && !math.IsNaN(b.at(i, j)) {
				return outcome{err: fmt.Errorf("NaN at (%d, %d), want %v", i, j, b.at(i, j))}
			}
		}
	}
	w := outcome{place: "nowhere"}
	take := func(ratio float64, place string, args ...any) {
		if ratio > w.ratio || math.IsNaN(ratio) {
			w.ratio, w.place = ratio, fmt.Sprintf(place, args...)
		}
	}
	switch mode {
	case "exact", "entry", "max", "abs":
		scale := 0.0 // max |b|
		for _, v := range b.data {
			scale = max(scale, math.Abs(v))
		}
		for i := range a.rows {
			for j := range a.cols {
				x, y := a.at(i, j), b.at(i, j)
				var allowed float64
				switch mode {
				case "entry":
					allowed = float64(tol * math.Abs(y))
				case "max":
					allowed = float64(tol * scale)
				case "abs":
					allowed = tol
				}
				take(ratio(distance(x, y), allowed), "(%d, %d): got %v, want %v", i, j, x, y)
			}
		}
	case "col", "col_sign":
		for j := range a.cols {
			r := columnRatio(a, b, j, +1, tol)
			if mode == "col_sign" {
				r = min(r, columnRatio(a, b, j, -1, tol))
			}
			take(r, "column %d: starts with %v, want %v", j, a.at(0, j), b.at(0, j))
		}
	default:
		return outcome{err: fmt.Errorf("unknown compare mode %q", mode)}
	}
	return w
}

// columnRatio is ‖sign·a_j − b_j‖₂ / (tol ‖b_j‖₂).
func columnRatio(a, b values, j int, sign, tol float64) float64 {
	d := make([]float64, a.rows)
	y := make([]float64, a.rows)
	for i := range d {
		y[i] = b.at(i, j)
		d[i] = distance(float64(sign*a.at(i, j)), y[i])
	}
	return ratio(norm2(d), float64(tol*norm2(y)))
}

// distance is |x − y|, and 0 for equal infinities and two NaNs.
func distance(x, y float64) float64 {
	if x == y || math.IsNaN(x) && math.IsNaN(y) {
		return 0
	}
	return math.Abs(x - y)
}

// ratio is err/allowed, where no error fits every tolerance.
func ratio(err, allowed float64) float64 {
	if err == 0 {
		return 0
	}
	return err / allowed
}

// norm2 is the Euclidean norm, scaled against over- and underflow.
func norm2(x []float64) float64 {
	scale := 0.0
	for _, v := range x {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 || math.IsInf(scale, 0) {
		return scale
	}
	sum := 0.0
	for _, v := range x {
		r := v / scale
		sum += float64(r * r)
	}
	return float64(scale * math.Sqrt(sum))
}
