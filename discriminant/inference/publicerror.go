package inference

import (
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
)

// publicError returns an error of package fisher as that of the same name in discriminant, and any
// other as it is.
func publicError(err error) error {
	switch e := err.(type) {
	case *fisher.AccuracyError:
		return (*discriminant.AccuracyError)(e)
	case *fisher.CoincidentMeansError:
		return (*discriminant.CoincidentMeansError)(e)
	case *fisher.IndefiniteKernelError:
		return (*discriminant.IndefiniteKernelError)(e)
	case *fisher.OverflowError:
		return (*discriminant.OverflowError)(e)
	case *fisher.RidgeError:
		reg := discriminant.RKHS(e.Regularizer.Value)
		if e.Regularizer.Kind == fisher.RelativeRKHS {
			reg = discriminant.RelativeRKHS(e.Regularizer.Value)
		}
		return &discriminant.RidgeError{Regularizer: reg, Ridge: e.Ridge, Reason: e.Reason}
	}
	return err
}
