package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/matrix"
)

// LeaveOneOut fits m to all rows, as [Fit] does, and returns for each row what the
// fit without it would say of it: the decision value f(xᵢ) of two classes, n×1, or
// the value of each class, n×c. It is exact, from the one factorization (Cawley
// and Talbot 2004):
//
//	f₍ᵢ₎(xᵢ) = tᵢ − aᵢ/Cᵢᵢ
//
// with C = (K + λI)⁻¹, less its part along the intercept where that is fitted; λ,
// the kernel's parameters and the scaling are those of the fit to all rows. The
// errors are those of Fit. Cost: 2n³/3 flops.
func LeaveOneOut[L Label](ctx context.Context, m KernelRidge, x *matrix.Dense, labels []L) (*matrix.Dense, error) {
	classes, codes, err := checkFit(m, x, labels)
	if err != nil {
		return nil, err
	}
	targets := classTargets(codes, len(classes))
	_, r, err := m.regressClasses(ctx, x, targets, len(classes))
	if err != nil {
		return nil, err
	}
	values, err := r.LeaveOneOut(ctx)
	if err != nil {
		return nil, publicError(err)
	}
	if m.Intercept.kind == givenOffset {
		for i := range values.Rows {
			values.Row(i)[0] += m.Intercept.value
		}
	}
	return values, nil
}

// LeaveOneOutRegression fits m to all rows, as [FitRegression] does, and returns
// for each row the prediction of the fit without it, n×p, as [LeaveOneOut] does.
func LeaveOneOutRegression(ctx context.Context, m KernelRidge, x, targets *matrix.Dense) (*matrix.Dense, error) {
	_, r, err := m.fitTargets(ctx, x, targets)
	if err != nil {
		return nil, err
	}
	values, err := r.LeaveOneOut(ctx)
	return values, publicError(err)
}
