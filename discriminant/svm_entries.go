package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// trainingEntries are the kernel values of all training rows.
type trainingEntries interface {
	// of returns the kernel matrix of the given rows.
	of(rows []int) solve.Entries
}

// storedEntries is a kernel matrix in memory: a precomputed one, or one that is
// made for several solvers.
type storedEntries struct {
	k      *matrix.Dense
	places []int         // the row of k for each training row; nil: the same
	x      *matrix.Dense // the training rows of a linear kernel, or nil
}

func (e *storedEntries) of(rows []int) solve.Entries {
	places := rows
	if e.places != nil {
		places = make([]int, len(rows))
		for i, r := range rows {
			places[i] = e.places[r]
		}
	}
	return storedRows{e, places, rows}
}

// storedRows is the part of k in the given rows and columns.
type storedRows struct {
	*storedEntries
	rows []int // of k
	ids  []int // the training rows
}

func (e storedRows) Order() int { return len(e.rows) }

func (e storedRows) Diag(dst []float64) []float64 {
	for i, r := range e.rows {
		dst[i] = e.k.At(r, r)
	}
	return dst
}

// Features returns the rows of a linear kernel.
func (e storedRows) Features() *matrix.Dense {
	if e.x == nil {
		return nil
	}
	return selectRows(e.x, e.ids)
}

func (e storedRows) Columns(cols []int) solve.Columns {
	columns := storedColumns{storedRows: e}
	for _, c := range cols {
		place, last := e.rows[c], len(columns.runs)-1
		if last >= 0 && columns.runs[last][1] == place {
			columns.runs[last][1]++
		} else {
			columns.runs = append(columns.runs, [2]int{place, place + 1})
		}
	}
	if len(columns.runs) <= 2 {
		return adjoiningColumns{columns}
	}
	return columns
}

type storedColumns struct {
	storedRows
	runs [][2]int // the columns of k: from the one, up to but not including the other
}

func (c storedColumns) Rows(dst *matrix.Dense, rows []int) error {
	for i, r := range rows {
		from, to := c.k.Row(c.rows[r]), dst.Row(i)
		for _, run := range c.runs {
			to = to[copy(to, from[run[0]:run[1]]):]
		}
	}
	return nil
}

// adjoiningColumns are columns in at most two runs: those of a pair of classes.
type adjoiningColumns struct{ storedColumns }

func (c adjoiningColumns) Row(row int) (head, tail []float64) {
	k := c.k.Row(c.rows[row])
	head = k[c.runs[0][0]:c.runs[0][1]]
	if len(c.runs) > 1 {
		tail = k[c.runs[1][0]:c.runs[1][1]]
	}
	return head, tail
}

// evaluatedEntries computes kernel values on demand.
type evaluatedEntries struct {
	kernel gram.Kernel // resolved
	x      *matrix.Dense
	diag   []float64
}

func (e *evaluatedEntries) of(rows []int) solve.Entries {
	return &evaluatedRows{evaluatedEntries: e, x: selectRows(e.x, rows), ids: rows}
}

// selectRows returns a matrix of the given rows of x.
func selectRows(x *matrix.Dense, rows []int) *matrix.Dense {
	s := matrix.New(len(rows), x.Cols)
	for i, r := range rows {
		copy(s.Row(i), x.Row(r))
	}
	return s
}

type evaluatedRows struct {
	*evaluatedEntries
	x   *matrix.Dense
	ids []int // the training row of each row of x
}

func (e *evaluatedRows) Order() int { return e.x.Rows }

func (e *evaluatedRows) Diag(dst []float64) []float64 {
	for i, id := range e.ids {
		dst[i] = e.diag[id]
	}
	return dst
}

// mustEvaluate returns the evaluator of a kernel, resolved from all training rows,
// for some of them: what is accepted for all is accepted for some.
func mustEvaluate(kernel gram.Kernel, x *matrix.Dense) *gram.Evaluator {
	e, err := gram.NewEvaluator(kernel, x)
	if err != nil {
		panic(fmt.Sprintf("discriminant: SVM: rows that were accepted are refused: %v", err))
	}
	return e
}

// Features returns the rows of a linear kernel.
func (e *evaluatedRows) Features() *matrix.Dense {
	if _, linear := e.kernel.(gram.Linear); !linear {
		return nil
	}
	return e.x
}

func (e *evaluatedRows) Columns(cols []int) solve.Columns {
	x := e.x
	if len(cols) < x.Rows {
		x = selectRows(e.x, cols)
	}
	return &evaluatedColumns{rows: e, kernel: mustEvaluate(e.kernel, x), cols: cols}
}

type evaluatedColumns struct {
	rows   *evaluatedRows
	kernel *gram.Evaluator // of the columns
	lines  *gram.Lines     // the same, for few rows
	cols   []int
	some   matrix.Dense // requested rows
}

func (c *evaluatedColumns) Rows(dst *matrix.Dense, rows []int) error {
	resize(&c.some, len(rows), c.rows.x.Cols)
	for i, r := range rows {
		copy(c.some.Row(i), c.rows.x.Row(r))
	}
	const few = 8 // rows that are cheaper one by one
	var err error
	if len(rows) < few {
		if c.lines == nil {
			c.lines = gram.NewLines(c.kernel)
		}
		err = c.lines.Cross(dst, &c.some)
	} else {
		_, err = c.kernel.Cross(dst, &c.some)
	}
	if e, ok := err.(*gram.NotFiniteError); ok {
		err = &gram.NotFiniteError{What: e.What, Row: c.rows.ids[rows[e.Row]], Col: c.rows.ids[c.cols[e.Col]], Value: e.Value}
	}
	return err
}
