package discriminant

import (
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// validateKernel returns an error for a kernel or a scaling that is wrong whatever
// the data.
func validateKernel(kernel gram.Kernel, scaling Scaling) error {
	if isPrecomputed(kernel) && scaling != NoScaling {
		return &ParameterError{Field: "Scaling", Value: scaling.String(), Reason: "a precomputed kernel matrix can't be scaled by columns; want NoScaling"}
	}
	if err := scaling.validate(); err != nil {
		return err
	}
	if kernel == nil {
		return nil
	}
	return kernel.Validate()
}

// validateChosen is validateKernel where the scaling may be AutoScaling.
func validateChosen(kernel gram.Kernel, scaling Scaling) error {
	if scaling == AutoScaling && !isPrecomputed(kernel) {
		scaling = Standard
	}
	return validateKernel(kernel, scaling)
}

// startKernel scales the rows of x and prepares the kernel, gram.RBF{} for nil, on
// them. It keeps no part of x, except a precomputed matrix.
func startKernel(kernel gram.Kernel, scaling Scaling, x *matrix.Dense) (*pipeline, *gram.Evaluator, error) {
	p := &pipeline{}
	rows, err := p.fitScaler(scaling, x)
	if err != nil {
		return nil, nil, err
	}
	kernel = kernelOr(kernel)
	if rows == x && !isPrecomputed(kernel) {
		rows = x.Clone() // the model keeps the rows
	}
	evaluator, err := gram.NewEvaluator(kernel, rows)
	return p, evaluator, err
}

// withoutMatrix returns the evaluator for a model: without the kernel matrix, if
// that was precomputed.
func withoutMatrix(e *gram.Evaluator) *gram.Evaluator {
	if isPrecomputed(e.Kernel()) {
		return gram.PrecomputedRows(e.Order())
	}
	return e
}

// checkTable returns an error for a table without rows or with a value that is
// not finite.
func checkTable(x *matrix.Dense) error {
	if x.Rows == 0 {
		return &RowsError{}
	}
	return matrix.CheckFinite(x)
}
