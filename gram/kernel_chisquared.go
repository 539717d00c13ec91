package gram

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// ChiSquared is k(x, y) = exp(−γ Σ (xₖ−yₖ)²/(xₖ+yₖ)) for features that are
// not negative, such as histograms; a term 0/0 counts 0. A negative feature is
// a *DomainError, and so is one above half of the largest float64.
type ChiSquared struct {
	Gamma float64 // γ > 0; 0 means 1
}

func (k ChiSquared) Validate() error    { return checkDecay("chi2", k.Gamma) }
func (k ChiSquared) validate(int) error { return k.Validate() }

func (k ChiSquared) resolve(*matrix.Dense, []float64) (Kernel, error) {
	if k.Gamma == 0 {
		k.Gamma = 1
	}
	return k, nil
}

func (ChiSquared) rows(x *matrix.Dense) (rows, error) {
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v < 0 {
				return rows{}, &DomainError{Kernel: "chi2", Row: i, Col: j, Value: v,
					Reason: "features must not be negative; shift or rescale the column"}
			}
			if v > math.MaxFloat64/2 {
				return rows{}, &DomainError{Kernel: "chi2", Row: i, Col: j, Value: v,
					Reason: "the sum of two such features overflows; scale the features"}
			}
		}
	}
	return rows{x: x}, nil
}

func (ChiSquared) op() f64.Op { return f64.ChiSquared }

func (k ChiSquared) apply(values []float64, _ rows, _ int, _ rows, _ int) {
	f64.ExpNegScale(values, k.Gamma)
}

func (k ChiSquared) String() string { return toString(k) }

func (k ChiSquared) write(w *writer) {
	w.open("chi2")
	w.optional("gamma", k.Gamma)
	w.close()
}
