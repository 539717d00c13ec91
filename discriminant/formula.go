package discriminant

import "github.com/seed92411348/kfda/internal/formula"

// Formula returns the numbers with which the model computes, for the exports of the command.
// They belong to the model and must not be changed. What Preparation does to a row before is
// not part of it.
func (f *fitted) Formula() *formula.Model {
	f.needs("Formula")
	p := f.pipeline
	m := &formula.Model{Dim: p.embedding.dim(), Components: p.embedding.components(), Classes: len(f.counts), Scaling: p.scaler.formula()}
	switch e := p.embedding.(type) {
	case *linearEmbedding:
		m.Origin, m.Weights = e.origin, e.weights
	case *machineEmbedding:
		m.Machines = e.formula()
	case *offsetEmbedding:
		e.kernelEmbedding.formula(m)
		m.Offset = e.offset
	case *kernelEmbedding:
		e.formula(m)
	}
	if f.rule == nil { // a regression
		return m
	}
	m.Rule = formula.Rule{Kind: f.rule.kind()}
	switch r := f.rule.(type) {
	case *centroidRule:
		if m.Rule.Centroids = r.centroids; r.binary != nil {
			m.Rule.Kind, m.Rule.Scale, m.Rule.Threshold = "threshold", r.binary.scale, r.binary.threshold
		}
	case *linearRule:
		m.Rule.Standard, m.Rule.Coefficients, m.Rule.Offsets = r.scaling.scaler.formula(), r.coefficients, r.offsets
	case *quadraticRule:
		m.Rule.Standard, m.Rule.Offsets, m.Rule.Means, m.Rule.Whitening = r.scaling.scaler.formula(), r.constants, r.at, r.whitening
	case *knnRule:
		m.Rule.Standard, m.Rule.K, m.Rule.Rows, m.Rule.Codes, m.Rule.Weights = r.scaling.scaler.formula(), r.k, r.rows, r.codes, r.weights
	case *voting:
		m.Rule.Sigmoids = r.formula()
	case *machineRule:
		m.Rule.Machines, m.Rule.Sigmoids = r.machines.formula(), r.voting.formula()
	}
	return m
}

func (s *Scaler) formula() *formula.Scaling {
	if s == nil {
		return nil
	}
	return &formula.Scaling{Shift: s.shift, Scale: s.scale, Rounding: s.rounding}
}

func (e *kernelEmbedding) formula(m *formula.Model) {
	m.Kernel, m.Alpha, m.Centring = e.kernel(), e.alpha, e.centring
	if !isPrecomputed(m.Kernel) {
		m.Rows = e.evaluator.X()
	}
}

func (m *machines) formula() *formula.Machines {
	f := &formula.Machines{Kernel: m.svm.Kernel, Counts: m.counts, Coefficients: m.coefficients}
	if !isPrecomputed(m.svm.Kernel) {
		f.Rows = m.evaluator.X()
	}
	for _, fit := range m.fits {
		f.Biases = append(f.Biases, fit.bias)
	}
	return f
}

func (r *voting) formula() (pairs [][2]float64) {
	for _, s := range r.sigmoids {
		pairs = append(pairs, [2]float64{s.slope, s.offset})
	}
	return pairs
}
