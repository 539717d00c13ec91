package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// rule classifies embedded rows.
type rule interface {
	// kind names the rule in a file.
	kind() string
	// classify writes the class of each row of w.z to codes. It may use the rest
	// of the workspace.
	classify(codes []int, w *workspace) error
	// fields names those of the rule's sections.
	fields(c *codec)
}

// classifierRules makes the rules of classifiers by their kind.
var classifierRules = map[string]func() rule{
	centroidRuleKind:  func() rule { return new(centroidRule) },
	linearRuleKind:    func() rule { return new(linearRule) },
	quadraticRuleKind: func() rule { return new(quadraticRule) },
	knnRuleKind:       func() rule { return new(knnRule) },
	machineRuleKind:   func() rule { return &machineRule{machines: new(machines), voting: new(voting)} },
}

// projectionRule is a rule that a [Classifier] made.
type projectionRule interface {
	rule
	classifier() Classifier
	// means returns the class means of the training projections, c×p.
	means() *matrix.Dense
}

// preparedRule is a rule with work to do on w.z, which may fail, before any of its
// other methods is called for it.
type preparedRule interface {
	rule
	prepare(w *workspace) error
}

// decisionRule is a rule with a decision value for two classes.
type decisionRule interface {
	rule
	// decide writes the value of each row of w.z to values: positive for the
	// second class.
	decide(values []float64, w *workspace)
}

// votingRule is a rule of machines that vote.
type votingRule interface {
	rule
	// tally writes to dst, from row first on, what [Model.Votes] returns for the rows of w.z.
	tally(dst *matrix.Dense, first int, w *workspace) error
}

// posteriorRule is a rule that knows how probable each class is.
type posteriorRule interface {
	rule
	// posteriors fills w.posteriors, rows × classes, for the rows of w.z. Each row
	// sums to one up to rounding, and the first of its largest entries is the
	// class that classify gives, except with machines.
	posteriors(w *workspace)
	// hasPosteriors reports whether it does: with machines that is an option of the fit.
	hasPosteriors() bool
}

// posteriorsOf returns r as a rule with posteriors, if it is one.
func posteriorsOf(r rule) (posteriorRule, bool) {
	p, ok := r.(posteriorRule)
	return p, ok && p.hasPosteriors()
}

// classifyByPosteriors takes the first class with the largest posterior.
func classifyByPosteriors(r posteriorRule, codes []int, w *workspace) {
	r.posteriors(w)
	for i := range codes {
		codes[i] = argMax(w.posteriors.Row(i))
	}
}

// argMax returns the first index of the largest value.
func argMax(values []float64) int {
	at := 0
	for j, v := range values {
		if v > values[at] {
			at = j
		}
	}
	return at
}

// standardised is a scaling of projections that keeps them in a range in which
// squares neither overflow nor lose their order.
type standardised struct{ scaler *Scaler }

// farthest is the largest standardised projection that counts as such.
const farthest = 0x1p300

// standardise fits the scaling to the projections z and returns it with the
// scaled projections.
func standardiseProjections(z *matrix.Dense, weights fisher.Weights) (standardised, *matrix.Dense, error) {
	scaler, err := FitScaler(Standard, z, weights...)
	if err != nil {
		return standardised{}, nil, err
	}
	for k := range scaler.rounding { // a file has the shift and the scale alone
		scaler.rounding[k] = -1
	}
	s := standardised{scaler}
	t := new(matrix.Dense)
	s.apply(t, z)
	return s, t, nil
}

// apply makes t the standardised z.
func (s standardised) apply(t, z *matrix.Dense) {
	resize(t, z.Rows, z.Cols)
	s.scaler.apply(t, z)
	for i, v := range t.Data {
		t.Data[i] = math.Max(-farthest, math.Min(v, farthest))
	}
}

func (s *standardised) fields(c *codec) {
	if s.scaler == nil {
		s.scaler = &Scaler{kind: Standard}
	}
	s.scaler.shiftScale(c, c.components)
}
