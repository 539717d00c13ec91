package gram

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Polynomial is k(x, y) = (γ x·y + c)^p, positive semidefinite for c ≥ 0. The
// base t = γ x·y + c is one fused multiply-add on the chain x·y, and the power
// is multiplied out from the left: ((t·t)·t)·….
type Polynomial struct {
	Gamma  float64 // γ > 0; 0 means 1/d for d features
	Coef0  float64 // c, taken as it is
	Degree int     // p, 1 to 100; 0 means 3
}

// maxDegree bounds the work of an entry.
const maxDegree = 100

// NewPolynomial returns the inhomogeneous polynomial kernel of that degree:
// Coef0 = 1 and the default Gamma.
func NewPolynomial(degree int) Polynomial { return Polynomial{Coef0: 1, Degree: degree} }

func (k Polynomial) Validate() error {
	if err := checkGamma("polynomial", k.Gamma); err != nil {
		return err
	}
	if err := checkCoef0("polynomial", k.Coef0); err != nil {
		return err
	}
	if k.Degree < 0 || k.Degree > maxDegree {
		return outOfRange("polynomial", "Degree", float64(k.Degree), "from 1 to 100, or 0 for the default 3")
	}
	return nil
}

func (k Polynomial) validate(int) error { return k.Validate() }

func (k Polynomial) resolve(x *matrix.Dense, _ []float64) (Kernel, error) {
	var err error
	k.Gamma, err = reciprocalDim("polynomial", k.Gamma, x)
	if k.Degree == 0 {
		k.Degree = 3
	}
	return k, err
}

func (Polynomial) rows(x *matrix.Dense) (rows, error) { return rows{x: x}, nil }

func (Polynomial) op() f64.Op { return f64.Product }

func (k Polynomial) apply(values []float64, _ rows, _ int, _ rows, _ int) {
	f64.AffinePow(values, k.Gamma, k.Coef0, k.Degree)
}

func (k Polynomial) String() string { return toString(k) }

func (k Polynomial) write(w *writer) {
	w.open("polynomial")
	w.optional("gamma", k.Gamma)
	w.number("coef0", k.Coef0)
	w.integer("degree", k.Degree)
	w.close()
}
