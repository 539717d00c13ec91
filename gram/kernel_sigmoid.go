package gram

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Sigmoid is k(x, y) = tanh(γ x·y + c). Its matrices are indefinite in
// general, whatever the parameters.
type Sigmoid struct {
	Gamma float64 // γ > 0; 0 means 1/d for d features
	Coef0 float64 // c, taken as it is
}

// NewSigmoid returns the kernel with Coef0 = 1 and the default Gamma.
func NewSigmoid() Sigmoid { return Sigmoid{Coef0: 1} }

func (k Sigmoid) Validate() error {
	if err := checkGamma("sigmoid", k.Gamma); err != nil {
		return err
	}
	return checkCoef0("sigmoid", k.Coef0)
}

func (k Sigmoid) validate(int) error { return k.Validate() }

func (k Sigmoid) resolve(x *matrix.Dense, _ []float64) (Kernel, error) {
	var err error
	k.Gamma, err = reciprocalDim("sigmoid", k.Gamma, x)
	return k, err
}

func (Sigmoid) rows(x *matrix.Dense) (rows, error) { return rows{x: x}, nil }

func (Sigmoid) op() f64.Op { return f64.Product }

func (k Sigmoid) apply(values []float64, _ rows, _ int, _ rows, _ int) {
	f64.AffinePow(values, k.Gamma, k.Coef0, 1)
	f64.TanhSlice(values)
}

func (k Sigmoid) String() string { return toString(k) }

func (k Sigmoid) write(w *writer) {
	w.open("sigmoid")
	w.optional("gamma", k.Gamma)
	w.number("coef0", k.Coef0)
	w.close()
}
