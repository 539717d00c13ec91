package fisher

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// BlockRows is the number of rows of a block: shards of a table begin at multiples of it.
const BlockRows = 1 << 16

// Shape is what an [Accumulator] takes.
type Shape struct {
	Classes  int // 1 without classes
	Features int
	Targets  int  // numbers to be predicted, 0 for the classes themselves
	Folds    int  // 1 for none
	Weighed  bool // rows have weights
	Left     bool // rows say what their features leave out
}

func (s Shape) columns() int {
	n := s.Classes + s.Features + s.Targets
	if s.Left {
		n++
	}
	return n
}

// Rows are rows of a table for an [Accumulator], each field but the first nil where its [Shape] has no
// such.
type Rows struct {
	Features *matrix.Dense
	Codes    []int // of the classes
	Targets  *matrix.Dense
	Weights  Weights
	Left     []float64 // what is not in the squares of the features, ≥ 0
}

// Accumulator takes the rows of a table, whatever their number, in memory that does not grow with
// it, and gives their [Moments] by way of [Part]s. Rows have numbers. Those of a block of [BlockRows] are factored
// in their order and blocks are joined in a tree of their numbers (see [solve.RowFactor]), and a
// row's fold is drawn by its number: so the moments have the same bits for any number of
// workers and however blocks are shared out among accumulators that are merged.
type Accumulator struct {
	Shape
	folds  []*solve.RowFactor
	counts [][]int // of each fold, by class
	next   int     // the number of the next row
	short  int     // the block that has ended before it was whole, or −1
	end    int     // the block after the last that has ended
	memory []float64
}

// NewAccumulator returns one for rows from number first on, a multiple of BlockRows.
func NewAccumulator(shape Shape, first int) *Accumulator {
	if first < 0 || first%BlockRows != 0 || min(shape.Classes, shape.Features, shape.Folds) < 1 || shape.Targets < 0 {
		panic(fmt.Sprintf("fisher: NewAccumulator: %+v from row %d", shape, first))
	}
	a := &Accumulator{Shape: shape, next: first, short: -1}
	for range shape.Folds {
		a.folds = append(a.folds, solve.NewRowFactor(shape.columns(), first/BlockRows))
		a.counts = append(a.counts, make([]int, shape.Classes))
	}
	return a
}

// Next returns the number of the next row.
func (a *Accumulator) Next() int { return a.next }

// foldOf returns the fold of a row.
func (a *Accumulator) foldOf(row int) int {
	random := splitmix.Random(row)
	return random.Below(a.Folds)
}

// Spans returns the numbers of the rows, ascending, as spans from the first to before the second that do
// not touch.
func (a *Accumulator) Spans() [][2]int {
	var all [][2]int
	add := func(first, end int) {
		if last := len(all) - 1; last >= 0 && all[last][1] == first {
			all[last][1] = end
		} else if first < end {
			all = append(all, [2]int{first, end})
		}
	}
	for _, n := range a.folds[0].State().Nodes {
		add(n.Index<<n.Level*BlockRows, min((n.Index+1)<<n.Level*BlockRows, a.next))
	}
	if a.short < 0 {
		add(a.next-a.next%BlockRows, a.next)
	}
	return all
}

// Append adds rows. A number that is not finite is a *matrix.NotFiniteError, with nothing added.
func (a *Accumulator) Append(rows Rows) error {
	features, targets := rows.Features, rows.Targets
	if features.Cols != a.Features || (targets != nil) != (a.Targets > 0) || (rows.Weights != nil) != a.Weighed || (rows.Left != nil) != a.Left {
		panic(fmt.Sprintf("fisher: Accumulator.Append: %d×%d features, targets %t, weights %t, left %t for %+v", features.Rows, features.Cols, targets != nil, rows.Weights != nil, rows.Left != nil, a.Shape))
	}
	if a.short >= 0 {
		return &solve.BlockError{Block: a.short, Reason: "has ended before it was whole: no row can follow"}
	}
	if err := matrix.CheckFinite(features); err != nil {
		return err
	}
	if targets != nil {
		if err := matrix.CheckFinite(targets); err != nil {
			return err
		}
	}
	for i := 0; i < features.Rows; {
		some := min(features.Rows-i, BlockRows-a.next%BlockRows)
		for fold, numbers := range a.byFold(some) {
			if err := a.folds[fold].Append(a.rowsOf(fold, i, numbers, rows)); err != nil {
				return err
			}
		}
		i, a.next = i+some, a.next+some
		if a.next%BlockRows == 0 {
			if err := a.endBlock(); err != nil {
				return err
			}
		}
	}
	return nil
}

// byFold returns which of the next count rows each fold has.
func (a *Accumulator) byFold(count int) [][]int {
	rows := make([][]int, a.Folds)
	for k := range count {
		fold := 0
		if a.Folds > 1 {
			fold = a.foldOf(a.next + k)
		}
		rows[fold] = append(rows[fold], k)
	}
	return rows
}

// rowsOf returns the rows [T Φ Y √left] of some rows of a fold, numbered from i on, and counts them.
func (a *Accumulator) rowsOf(fold, i int, some []int, of Rows) *matrix.Dense {
	rows := &matrix.Dense{Rows: len(some), Cols: a.columns(), Stride: a.columns()}
	a.memory = slices.Grow(a.memory[:0], rows.Rows*rows.Cols)
	rows.Data = a.memory[:rows.Rows*rows.Cols]
	for n, k := range some {
		row, code := rows.Row(n), 0
		clear(row[:a.Classes])
		if of.Codes != nil {
			code = of.Codes[i+k]
		}
		row[code] = 1
		copy(row[a.Classes:], of.Features.Row(i+k))
		if of.Targets != nil {
			copy(row[a.Classes+a.Features:], of.Targets.Row(i+k))
		}
		if of.Left != nil {
			row[len(row)-1] = math.Sqrt(of.Left[i+k])
		}
		if of.Weights != nil {
			f64.Scale(row, of.Weights.root(i+k))
		}
		if of.Weights.Of(i+k) > 0 {
			a.counts[fold][code]++
		}
	}
	return rows
}

func (a *Accumulator) endBlock() error {
	for _, f := range a.folds {
		if err := f.EndBlock(); err != nil {
			return err
		}
	}
	a.end, _ = a.folds[0].Block()
	return nil
}

// End ends a last block that is not whole, after which no row can follow.
func (a *Accumulator) End() error {
	if a.next%BlockRows == 0 {
		return nil
	}
	a.short, _ = a.folds[0].Block()
	return a.endBlock()
}

// Merge adds the rows of b, of the same shape. Both must have ended. Where they have a block in
// common, or rows follow a block that is not whole, the error is a *solve.BlockError, and a is
// of no further use.
func (a *Accumulator) Merge(b *Accumulator) error {
	if a.Shape != b.Shape {
		panic(fmt.Sprintf("fisher: Accumulator.Merge: %+v and %+v", a.Shape, b.Shape))
	}
	short := max(a.short, b.short)
	if least := min(a.short, b.short); short >= 0 && (least >= 0 || max(a.end, b.end) > short+1) {
		if least >= 0 {
			short = least
		}
		return &solve.BlockError{Block: short, Reason: fmt.Sprintf("has fewer than %d rows, and others follow", BlockRows)}
	}
	for fold, f := range a.folds {
		if err := f.Merge(b.folds[fold]); err != nil {
			return err
		}
		for j, count := range b.counts[fold] {
			a.counts[fold][j] += count
		}
	}
	a.short, a.end, a.next = short, max(a.end, b.end), max(a.next, b.next)
	return nil
}

// Parts returns those of the folds. Where a block is missing, the error is a *solve.BlockError.
func (a *Accumulator) Parts() ([]*Part, error) {
	var all []*Part
	for fold, f := range a.folds {
		lower, err := f.Lower()
		if err != nil {
			return nil, err
		}
		all = append(all, newPart(lower, slices.Clone(a.counts[fold]), a.Shape))
	}
	return all, nil
}

// State is all that an accumulator has, for who keeps or sends it.
type State struct {
	Shape
	Factors          []solve.RowState
	Counts           [][]int
	Next, Short, End int
}

// State returns that of a.
func (a *Accumulator) State() State {
	s := State{Shape: a.Shape, Counts: a.counts, Next: a.next, Short: a.short, End: a.end}
	for _, f := range a.folds {
		s.Factors = append(s.Factors, f.State())
	}
	return s
}

// RestoreAccumulator returns the accumulator that had the state. One that none can have is an error.
func RestoreAccumulator(s State) (*Accumulator, error) {
	if min(s.Classes, s.Features, s.Folds) < 1 || s.Targets < 0 || max(s.Classes, s.Features, s.Targets) > 1<<28 || s.Next < 0 || s.Short < -1 || s.End < 0 ||
		len(s.Factors) != s.Folds || len(s.Counts) != s.Folds {
		return nil, fmt.Errorf("fisher: %d folds and %d counts for %+v, next row %d", len(s.Factors), len(s.Counts), s.Shape, s.Next)
	}
	a := &Accumulator{Shape: s.Shape, counts: s.Counts, next: s.Next, short: s.Short, end: s.End}
	for fold, state := range s.Factors {
		f, err := solve.RestoreRowFactor(state)
		if err != nil {
			return nil, err
		}
		if f.Cols() != s.columns() || len(s.Counts[fold]) != s.Classes {
			return nil, fmt.Errorf("fisher: fold %d has %d columns and %d counts for %+v", fold, f.Cols(), len(s.Counts[fold]), s.Shape)
		}
		a.folds = append(a.folds, f)
	}
	return a, nil
}
