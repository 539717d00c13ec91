package gram

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Kernel is a function k(x, y) = k(y, x) of two rows of features. The kinds are
// those of this package; FeatureMap and Func hold functions of the caller's,
// and Sum, Product and Scaled combine kernels.
//
// A kernel is a plain value. A parameter that is 0 where 0 is not legal stands
// for its documented default, which Resolve takes from the training rows.
type Kernel interface {
	// String returns the kernel with its parameters, such as "rbf(gamma=0.5)".
	String() string
	// Validate returns a *ParameterError if a parameter is out of range.
	Validate() error

	// validate is Validate for a part of another kernel, nested that deep.
	validate(depth int) error
	// resolve makes defaults explicit; x is finite and the kernel valid.
	resolve(x *matrix.Dense) (Kernel, error)
	// rows prepares rows of finite features, once for all tiles.
	rows(x *matrix.Dense) (rows, error)
	write(w *writer)
}

// rows are rows of features as a kernel wants to see them.
type rows struct {
	x     *matrix.Dense
	norms []float64 // squared norms of the rows (Cosine)
	parts []rows    // for the kernels that are combined (Sum, Product)
}

// maxDepth limits how deep kernels may be nested in sums, products and scalings.
const maxDepth = 32

// Resolve returns k with every default made explicit from the training rows x.
// Resolving twice changes nothing. It returns a *ParameterError for parameters
// out of range and for defaults that x does not determine, and a
// *matrix.NotFiniteError for a feature that is not finite.
func Resolve(k Kernel, x *matrix.Dense) (Kernel, error) {
	if k == nil {
		return nil, errNilKernel
	}
	if err := k.Validate(); err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	return k.resolve(x)
}

var errNilKernel = &ParameterError{Kernel: "kernel", Parameter: "Kernel", Reason: "is nil"}

// checkGamma accepts the positive numbers, and 0 for the default.
func checkGamma(kernel string, gamma float64) error {
	if gamma < 0 || math.IsInf(gamma, 0) || math.IsNaN(gamma) {
		return outOfRange(kernel, "Gamma", gamma, "positive and finite, or 0 for the default")
	}
	return nil
}

func checkCoef0(kernel string, coef0 float64) error {
	if math.IsInf(coef0, 0) || math.IsNaN(coef0) {
		return outOfRange(kernel, "Coef0", coef0, "finite")
	}
	return nil
}

// reciprocalDim returns gamma, or the default 1/d for 0.
func reciprocalDim(kernel string, gamma float64, x *matrix.Dense) (float64, error) {
	if gamma != 0 {
		return gamma, nil
	}
	if x.Cols == 0 {
		return 0, &ParameterError{Kernel: kernel, Parameter: "Gamma",
			Reason: fmt.Sprintf("is 0, for the default 1/d, and the %d×%d training rows have no columns", x.Rows, x.Cols)}
	}
	return 1 / float64(x.Cols), nil
}
