package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/section"
)

func (k *kfdaDetails) encode(w *fileWriter) {
	e := w.section("regularizer", true)
	e.Uint64("kind", uint64(k.regularizer.kind))
	e.Float64("value", k.regularizer.value)
	e.Float64("shrinkage", k.shrinkage)
	e.Float64("ridge", k.ridge)
	e.Uint64("scatter", uint64(k.scatter))
	e.Floats("priors", k.priors)
	e.Bool("leave one out", k.leaveOneOut)
}

func (c Certificate) encode(w *fileWriter) {
	e := w.section("certificate", false)
	e.String("solver", c.Solver)
	e.Float64("backward", c.Backward)
	e.Float64("forward", c.Forward)
	e.Count("refinements", c.Refinements)
	e.Float64("condition bound", c.CondBound)
	e.Float64("growth", c.Growth)
	e.Float64("kernel rounding", c.KernelRounding)
	e.Count("rank", c.Rank)
	e.Count("passes", c.Passes)
	e.Bool("cuts cluster", c.CutsCluster)
	if c.EigenvalueError != 0 {
		w.section("accuracy", false).Float64("bound", c.EigenvalueError)
	}
}

func decodeKFDA(r *fileReader, method string, classes uint64) (k kfdaDetails, err error) {
	d := r.section("regularizer")
	k.regularizer = Regularizer{kind: fisher.Kind(min(d.Uint64("kind"), 255)), value: d.Float64("value")}
	k.shrinkage, k.ridge = d.Float64("shrinkage"), d.Float64("ridge")
	known := k.regularizer.kind >= fisher.RelativeRidge && k.regularizer.kind <= fisher.LedoitWolf
	switch {
	case k.shrinkage < 0 || k.shrinkage > 1:
		d.Fail("shrinkage", "not between 0 and 1")
	case method == "kfda" && (!known || k.regularizer.validate() != nil || k.ridge <= 0):
		d.Fail("kind", "not a regulariser with a positive ridge")
	case method == "lda" && (!known || k.regularizer.validateFeatures() != nil || k.ridge < 0):
		d.Fail("kind", "not a regulariser of features")
	case (method == "ridge" || method == "regression") && (!known || k.regularizer.validateKernelRidge() != nil || k.ridge <= 0):
		d.Fail("kind", "not a regulariser of kernel ridge regression")
	}
	if k.scatter = Scatter(min(d.Uint64("scatter"), 255)); k.scatter > AveragedScatter {
		d.Fail("scatter", "not a kind of scatter")
	}
	k.priors = decodePriors(d, classes)
	if k.leaveOneOut = d.Bool("leave one out"); k.leaveOneOut && !k.regularizer.inRKHS() {
		d.Fail("leave one out", "only for a ridge in the RKHS")
	}
	return k, d.Close()
}

// decodePriors reads the priors of a fit, nil where none were given.
func decodePriors(d *section.Decoder, classes uint64) []float64 {
	priors := d.Floats("priors")
	if len(priors) == 0 {
		return nil
	}
	if uint64(len(priors)) != classes || validatePriors(priors) != nil {
		d.Fail("priors", fmt.Sprintf("not one positive share for each of %d classes", classes))
	}
	return priors
}

func decodeCertificate(r *fileReader) (c Certificate, err error) {
	if !r.has("certificate") {
		return c, nil
	}
	d := r.section("certificate")
	c = Certificate{
		Solver: d.String("solver"), Backward: d.Float64("backward"),
		Forward: d.Float64("forward"), Refinements: d.Int("refinements"),
		CondBound: d.Float64("condition bound"), Growth: d.Float64("growth"),
		KernelRounding: d.Float64("kernel rounding"),
		Rank:           d.Int("rank"), Passes: d.Int("passes"),
		CutsCluster: d.Bool("cuts cluster"),
	}
	if err := d.Close(); err != nil || !r.has("accuracy") {
		return c, err
	}
	d = r.section("accuracy")
	if c.EigenvalueError = d.Float64("bound"); c.EigenvalueError < 0 {
		d.Fail("bound", "negative")
	}
	return c, d.Close()
}
