package gram

import (
	"fmt"
	"math"
	"reflect"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Kernel is a function k(x, y) = k(y, x) of two rows of features. The kinds are
// those of this package; FeatureMap and Func hold functions of the caller's,
// Sum, Product and Scaled combine kernels, and Columns is one of some features.
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
	resolve(x *matrix.Dense, weights []float64) (Kernel, error)
	// rows prepares rows of finite features, once for all tiles.
	rows(x *matrix.Dense) (rows, error)
	write(w *writer)
}

// rows are rows of features as a kernel wants to see them.
type rows struct {
	x     *matrix.Dense
	norms []float64 // squared norms of the rows (Cosine)
	parts []rows    // for the kernels that are combined (Sum, Product)

	packed *packed // of an evaluator's rows, which meet few new ones at a time
}

// maxDepth limits how deep kernels may be nested in sums, products and scalings.
const maxDepth = 32

// maxParts limits how many kernels a sum, a product or a scaling may consist of.
const maxParts = 10_000

// Resolve returns k with every default made explicit from the training rows x, which may
// have weights, see [GammaScale].
// Resolving twice changes nothing. It returns a *ParameterError for parameters
// out of range and for defaults that x does not determine, and a
// *matrix.NotFiniteError for a feature that is not finite.
func Resolve(k Kernel, x *matrix.Dense, weights ...float64) (Kernel, error) {
	misuse.NotNil("gram: Resolve", "x", x)
	if k == nil {
		return nil, errNilKernel
	}
	if err := k.Validate(); err != nil {
		return nil, err
	}
	if reflect.TypeOf(k).Kind() == reflect.Pointer {
		return nil, &ParameterError{Kernel: k.String(), Parameter: "Kernel", Value: math.NaN(), Reason: "is a pointer; give the kernel itself"}
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	return k.resolve(x, weights)
}

var errNilKernel = &ParameterError{Kernel: "kernel", Parameter: "Kernel", Reason: "is nil"}

// leastDecay is the least γ of exp(−γ·d): a distance that overflows then still has
// the kernel value 0, exp(−2⁻¹⁰¹⁴·MaxFloat64) being below half of the least
// subnormal number.
const leastDecay = 0x1p-1014

// checkDecay is checkGamma for exp(−γ·d).
func checkDecay(kernel string, gamma float64) error {
	if err := checkGamma(kernel, gamma); err != nil {
		return err
	}
	if gamma != 0 && gamma < leastDecay {
		return &ParameterError{Kernel: kernel, Parameter: "Gamma", Value: gamma,
			Reason: "is so small that distances between rows may overflow; scale the features"}
	}
	return nil
}

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
