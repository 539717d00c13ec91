package discriminant

import (
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/plural"
)

// solutionFields names those of a solution with so many eigenvalues, whose regulariser, as
// it is read, allowed accepts.
func (f *fitted) solutionFields(c *codec, eigenvalues uint64, allowed func(solution) bool, fault string) {
	f.lambdaFields(c, eigenvalues)
	s := &f.solution
	c.section("regularizer")
	kindOf(c, "kind", &s.regularizer.kind)
	c.float64("value", &s.regularizer.value)
	c.float64("shrinkage", &s.shrinkage)
	c.float64("ridge", &s.ridge)
	switch known := s.regularizer.kind >= fisher.RelativeRidge && s.regularizer.kind <= fisher.LedoitWolf; {
	case s.shrinkage < 0 || s.shrinkage > 1:
		c.fail("shrinkage", "not between 0 and 1")
	case !known || !allowed(*s):
		c.fail("kind", "%s", fault)
	}
	if kindOf(c, "scatter", &s.scatter); s.scatter > AveragedScatter {
		c.fail("scatter", "not a kind of scatter")
	}
	f.priorFields(c)
	if c.bool("leave one out", &s.leaveOneOut); s.leaveOneOut && !s.regularizer.inRKHS() {
		c.fail("leave one out", "only for a ridge in the RKHS")
	}
	s.certificate.fields(c)
}

func (f *fitted) lambdaFields(c *codec, want uint64) {
	c.section("eigenvalues")
	if c.floats("eigenvalues", &f.lambda); uint64(len(f.lambda)) != want {
		c.fail("eigenvalues", "%s, want %d", plural.Count(len(f.lambda), "eigenvalue"), want)
	}
}

// priorFields names the priors of a fit, none where none were given.
func (f *fitted) priorFields(c *codec) {
	p := &f.solution.priors
	c.floats("priors", p)
	switch {
	case !c.reading():
	case len(*p) == 0:
		*p = nil
	case uint64(len(*p)) != c.classes || validatePriors(*p) != nil:
		c.fail("priors", "not one positive share for each of %d classes", c.classes)
	}
}

func (s *Certificate) fields(c *codec) {
	if !c.ok() || !c.optional("certificate", true, false) {
		return
	}
	c.string("solver", &s.Solver)
	c.float64("backward", &s.Backward)
	c.float64("forward", &s.Forward)
	c.int("refinements", &s.Refinements)
	c.float64("condition bound", &s.CondBound)
	c.float64("growth", &s.Growth)
	c.float64("kernel rounding", &s.KernelRounding)
	c.int("rank", &s.Rank)
	c.int("passes", &s.Passes)
	c.bool("cuts cluster", &s.CutsCluster)
	if !c.ok() || !c.optional("accuracy", s.EigenvalueError != 0, false) {
		return
	}
	if c.float64("bound", &s.EigenvalueError); s.EigenvalueError < 0 {
		c.fail("bound", "negative")
	}
}
