package gram

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Laplacian is k(x, y) = exp(−γ‖x−y‖₁), with the sum of the absolute
// differences. A scale σ in exp(−‖x−y‖₁/σ) is γ = 1/σ.
type Laplacian struct {
	Gamma float64 // γ > 0; 0 means 1/d for d features
}

func (k Laplacian) Validate() error    { return checkDecay("laplacian", k.Gamma) }
func (k Laplacian) validate(int) error { return k.Validate() }

func (k Laplacian) resolve(x *matrix.Dense, _ []float64) (Kernel, error) {
	var err error
	k.Gamma, err = reciprocalDim("laplacian", k.Gamma, x)
	return k, err
}

func (Laplacian) rows(x *matrix.Dense) (rows, error) { return rows{x: x}, nil }

func (Laplacian) op() f64.Op { return f64.ManhattanDistance }

func (k Laplacian) apply(values []float64, _ rows, _ int, _ rows, _ int) {
	f64.ExpNegScale(values, k.Gamma)
}

func (k Laplacian) String() string { return toString(k) }

func (k Laplacian) write(w *writer) {
	w.open("laplacian")
	w.optional("gamma", k.Gamma)
	w.close()
}
