package discriminant

import "github.com/seed92411348/kfda/internal/section"

func (p *pcaDetails) encode(w *fileWriter, priors []float64) {
	e := w.section("components", true)
	e.Uint64("whitening", uint64(p.whiten))
	e.Float64("trace", p.trace)
	e.Float64("least", p.least)
	e.Bool("complete", p.complete)
	e.Floats("priors", priors)
}

// decodePCA reads what only kernel PCA has, and checks the parts of f that have
// been read.
func decodePCA(r *fileReader, f *fitted, classes uint64) (*pcaDetails, []float64, error) {
	if f.expansion().centring == nil {
		return nil, nil, &section.FormatError{Section: "kernel", Field: "centred", Reason: "the kernel of a principal component analysis is centred"}
	}
	d := r.section("components")
	p := &pcaDetails{whiten: Whitening(min(d.Uint64("whitening"), 255)), trace: d.Float64("trace"), least: d.Float64("least"), complete: d.Bool("complete")}
	if p.whiten > UnitVariance {
		d.Fail("whitening", "not a kind of whitening")
	}
	for _, l := range f.lambda {
		if l <= 0 {
			d.Fail("whitening", "an eigenvalue is not positive")
		}
	}
	priors := decodePriors(d, classes)
	return p, priors, d.Close()
}
