package discriminant

import (
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/solve"
)

// An accumulator's file is a container as that of a model is, with the critical sections
//
//	accumulator  the numbers of classes, features, targets and folds, whether rows have
//	             weights and leave something out; the next row, the short block and the end; the counts of classes
//	factors      of each fold the open block, its rows, its factor and the rest of its rows,
//	             and the nodes: level, index, lower triangle
//
// before which or after which others may stand.

// accumulatorFields names the fields of an accumulator's state.
func (c *codec) accumulatorFields(s *fisher.State) {
	c.section("accumulator")
	c.int("classes", &s.Classes)
	c.int("features", &s.Features)
	c.int("targets", &s.Targets)
	c.int("folds", &s.Folds)
	c.bool("weighed", &s.Weighed)
	c.bool("left", &s.Left)
	c.number("next row", &s.Next)
	short := int64(s.Short)
	c.int64("short block", &short)
	s.Short = int(short)
	c.number("end", &s.End)
	folds := c.count("folds", len(s.Counts), 8)
	if c.reading() {
		s.Counts, s.Factors = make([][]int, folds), make([]solve.RowState, folds)
	}
	for fold := range s.Counts {
		classes := c.count("classes", len(s.Counts[fold]), 8)
		if c.reading() {
			s.Counts[fold] = make([]int, classes)
		}
		for j := range s.Counts[fold] {
			c.number("count", &s.Counts[fold][j])
		}
	}
	c.large(factorsSection, func(c *codec) {
		for fold := range s.Factors {
			c.rowFactorFields(&s.Factors[fold])
		}
	})
}

const factorsSection = "factors"

func (c *codec) rowFactorFields(s *solve.RowState) {
	c.int("columns", &s.Cols)
	c.number("block", &s.Block)
	c.number("rows", &s.Rows)
	c.floats("open factor", &s.Open)
	c.matrix("open rows", &s.Piece)
	nodes := c.count("nodes", len(s.Nodes), 24)
	if c.reading() {
		s.Nodes = make([]solve.RowNode, nodes)
	}
	for i := range s.Nodes {
		node := &s.Nodes[i]
		c.int("level", &node.Level)
		c.number("index", &node.Index)
		c.floats("factor", &node.Lower)
	}
}
