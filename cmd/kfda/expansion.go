package main

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// expansion is what the projections of a model are sums of: of a row x, in direction j,
// Σₖ factors[k][j] · value[k] + offset, where the values are those of the kernel with the training
// rows that the model keeps, or of an lda those of the columns, from the mean of the classes.
type expansion struct {
	m       *savedModel
	kernel  gram.Kernel    // nil for an lda
	rows    *matrix.Dense  // that the model keeps, as the kernel sees them; nil where it keeps none
	numbers []int          // of these rows among those of the training, from 0
	factors *matrix.Dense  // by value and direction
	offsets []float64      // by direction
	sums    []float64      // of the factors of a centred kernel, by direction: 0 but for rounding
	centred *gram.Centring // or nil
	origin  []float64      // of an lda
}

func expansionOf(m *savedModel) *expansion {
	f := m.Formula()
	e := &expansion{m: m, kernel: f.Kernel, rows: f.Rows, factors: f.Alpha, centred: f.Centring, origin: f.Origin, offsets: make([]float64, f.Components)}
	copy(e.offsets, f.Offset)
	switch {
	case f.Machines != nil:
		e.kernel, e.rows = f.Machines.Kernel, f.Machines.Rows
		e.addMachines(m.Machines(), len(f.Machines.Counts))
	case f.Kernel == nil:
		e.factors = f.Weights
	default:
		e.numbers = positions(e.factors.Rows)
	}
	if e.centred == nil {
		return e
	}
	e.sums = make([]float64, f.Components)
	for j := range e.offsets {
		column := columnOf(e.factors, j)
		e.sums[j] = matrix.Sum(column)
		e.offsets[j] -= matrix.Dot(column, e.centred.Means)
	}
	return e
}

// addMachines makes the terms those of machines, of rows by class and number.
func (e *expansion) addMachines(machines []discriminant.Machine, classes int) {
	byClass := make([][]int, classes)
	for _, one := range machines {
		for k, row := range one.Support {
			class := one.First
			if one.Coefficients[k] > 0 {
				class = one.Second
			}
			byClass[class] = append(byClass[class], row)
		}
	}
	at := make(map[int]int) // places of training rows
	for _, rows := range byClass {
		slices.Sort(rows)
		for _, row := range slices.Compact(rows) {
			at[row] = len(e.numbers)
			e.numbers = append(e.numbers, row)
		}
	}
	e.factors = matrix.New(len(e.numbers), len(machines))
	for p, one := range machines {
		for k, row := range one.Support {
			e.factors.Row(at[row])[p] = one.Coefficients[k]
		}
		e.offsets[p] = one.Bias
	}
}

// seen returns what the kernel, or an lda, sees of rows of a table.
func (m *savedModel) seen(x *matrix.Dense) (_ *matrix.Dense, err error) {
	if p := m.Preparation(); p != nil {
		if x, err = p.Transform(nil, x); err != nil {
			return nil, err
		}
	}
	if s := m.Scaler(); s != nil {
		return s.Transform(nil, x)
	}
	return x, nil
}

// values returns those of rows as the kernel sees them.
func (e *expansion) values(x *matrix.Dense) (*matrix.Dense, error) {
	switch {
	case e.kernel == nil:
		v := x.Clone()
		for i := range v.Rows {
			for j, o := range e.origin {
				v.Row(i)[j] -= o
			}
		}
		return v, nil
	case e.rows != nil:
		return gram.Cross(nil, e.kernel, x, e.rows)
	case len(e.numbers) == x.Cols:
		return x, nil
	}
	v := matrix.New(x.Rows, len(e.numbers)) // of the rows that support machines
	for i := range v.Rows {
		for k, row := range e.numbers {
			v.Row(i)[k] = x.At(i, row)
		}
	}
	return v, nil
}

// offset returns what is added to the terms in direction j.
func (e *expansion) offset(j int, values []float64) float64 {
	b := e.offsets[j]
	if c := e.centred; c != nil {
		b += e.sums[j] * (c.Mean - c.RowMean(values))
	}
	return b
}

// distances returns k(x,x) + k(y,y) − 2k(x,y) of rows as the kernel sees them from those that
// the model keeps, values being k(x,y).
func (e *expansion) distances(x, values *matrix.Dense) (*matrix.Dense, error) {
	own, err := gram.Diag(nil, e.kernel, x)
	if err != nil {
		return nil, err
	}
	kept, err := gram.Diag(nil, e.kernel, e.rows)
	if err != nil {
		return nil, err
	}
	d := matrix.New(values.Rows, values.Cols)
	for i := range d.Rows {
		to := d.Row(i)
		for k, v := range values.Row(i) {
			to[k] = max(0, own[i]+kept[k]-2*v)
		}
	}
	return d, nil
}

// mostApart are how many training rows say how far apart they are.
const mostApart = 500

// apart returns the distances of some of the rows that the model keeps, mostApart at most, from
// the nearest of the others, ascending.
func (e *expansion) apart() ([]float64, error) {
	n := e.rows.Rows
	if n < 2 {
		return nil, nil
	}
	some := matrix.New(min(n, mostApart), e.rows.Cols)
	at := make([]int, some.Rows)
	for i := range at {
		at[i] = i * n / some.Rows
		copy(some.Row(i), e.rows.Row(at[i]))
	}
	values, err := e.values(some)
	if err != nil {
		return nil, err
	}
	d, err := e.distances(some, values)
	if err != nil {
		return nil, err
	}
	least := make([]float64, some.Rows)
	for i := range least {
		d.Row(i)[at[i]] = math.Inf(1)
		least[i] = slices.Min(d.Row(i))
	}
	slices.Sort(least)
	return least, nil
}

// keptRow is a training row that the model keeps.
type keptRow struct {
	Row   int    `json:"row"`             // its number, from 0: of the training rows, or of the table that has them
	Label string `json:"label,omitempty"` // where it is known
	ID    string `json:"id,omitempty"`

	inTable  bool // a table has the row
	landmark bool // its number is that of a landmark
}

// names returns what is known of the kept rows: by the model or, where a table has them, by that.
func (e *expansion) names(t *table.Table) ([]keptRow, int, error) {
	all := make([]keptRow, len(e.numbers))
	f := e.m.Formula()
	var classes []string
	if e.m.numbers == nil {
		classes = e.m.Classes()
	}
	for k, row := range e.numbers {
		all[k].Row, all[k].landmark = row, isStreamed(e.m.learnt)
		if f.Rule.Codes != nil {
			all[k].Label = classes[f.Rule.Codes[row]]
		}
	}
	if f.Machines != nil {
		k := 0
		for j, count := range f.Machines.Counts {
			for range count {
				all[k].Label = classes[j]
				k++
			}
		}
	}
	if t == nil || e.rows == nil {
		return all, 0, nil
	}
	x, err := e.m.seen(t.X)
	if err != nil {
		return nil, 0, explain.New(t, err)
	}
	rows := make(map[rowHash][]int) // of the table, with the same numbers
	for i := range x.Rows {
		rows[rowKey(x.Row(i))] = append(rows[rowKey(x.Row(i))], i)
	}
	found := 0
	for k := range all {
		same := rows[rowKey(e.rows.Row(k))]
		if len(same) == 0 {
			continue
		}
		found++
		i := same[0]
		if len(same) > 1 {
			rows[rowKey(e.rows.Row(k))] = same[1:]
		}
		all[k].Row, all[k].inTable, all[k].landmark = t.Rows[i], true, false
		if t.Labels != nil {
			all[k].Label = t.Labels[i]
		}
		if len(t.IDs) > 0 {
			all[k].ID = t.IDs[0][i]
		}
	}
	return all, found, nil
}
