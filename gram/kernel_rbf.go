package gram

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// RBF is the Gaussian kernel k(x, y) = exp(−γ‖x−y‖²). The squared distance is
// one chain of fused multiply-adds over the squares of the differences, so
// for d features its relative error is at most (d+4)u wherever the rows lie, it
// is never negative, and 0 for equal rows. Where γ‖x−y‖² exceeds 745 the value
// is 0.
type RBF struct {
	Gamma float64 // γ > 0; 0 means GammaScale of the training rows
}

func (k RBF) Validate() error    { return checkDecay("rbf", k.Gamma) }
func (k RBF) validate(int) error { return k.Validate() }

func (k RBF) resolve(x *matrix.Dense, weights []float64) (Kernel, error) {
	var err error
	if k.Gamma == 0 {
		k.Gamma, err = GammaScale(x, weights...)
	}
	return k, err
}

func (RBF) rows(x *matrix.Dense) (rows, error) { return rows{x: x}, nil }

func (RBF) op() f64.Op { return f64.SquaredDistance }

func (k RBF) apply(values []float64, _ rows, _ int, _ rows, _ int) {
	f64.ExpNegScale(values, k.Gamma)
}

func (k RBF) String() string { return toString(k) }

func (k RBF) write(w *writer) {
	w.open("rbf")
	w.optional("gamma", k.Gamma)
	w.close()
}
