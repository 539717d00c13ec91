package gram

import "fmt"

// Format returns the exact text of a kernel, for files: numbers are
// hexadecimal, so Parse returns the same kernel to the last bit. Examples:
//
//	rbf(gamma=0x1p-01)
//	sum(polynomial(gamma=0x1p+00, coef0=0x1p+00, degree=2), scaled(factor=0x1.8p+00, linear()))
//	featuremap(name="circle", dim=3)
//
// A parameter of 0 that stands for its default is written as 0. A kernel that
// is not valid is a *ParameterError; one that holds a Func, or a FeatureMap
// without a name, an *UnsavableError.
func Format(k Kernel) (string, error) {
	if k == nil {
		return "", errNilKernel
	}
	if err := k.Validate(); err != nil {
		return "", err
	}
	w := writer{exact: true}
	k.write(&w)
	if w.err != nil {
		return "", w.err
	}
	return string(w.text), nil
}

// UnsavableError says that a kernel has no exact text.
type UnsavableError struct {
	Kernel string // the part that has none, such as `func(name="mine")`
	Reason string // why, and what to do
}

func (e *UnsavableError) Error() string { return fmt.Sprintf("gram: %s: %s", e.Kernel, e.Reason) }
