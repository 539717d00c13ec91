package fisher

import "fmt"

// The errors have the fields of those of the same names in discriminant, which say in
// full what they mean, and become these.

type (
	// AccuracyError says that the accuracy of a fit can't be vouched for.
	AccuracyError struct {
		What         string
		Value, Limit float64
		Remedy       string
	}
	// CoincidentMeansError says that no direction discriminates.
	CoincidentMeansError struct{ Contrast, Norm float64 }
	// ColumnRangeError says that a weight of a feature overflows.
	ColumnRangeError struct{ Col int }
	// ComponentsError says that there are not as many directions.
	ComponentsError struct{ Asked, Classes, Rank int }
	// IndefiniteKernelError says that the kernel is indefinite.
	IndefiniteKernelError struct {
		Ridge          float64
		Pivot          int
		Value          float64
		Least, Largest float64
		Positive       int
	}
	// IntervalError says that conjugate gradients leave an eigenvalue too uncertain.
	IntervalError struct {
		Eigenvalue              int
		Low, High, Width, Limit float64
		Steps, Rank             int
		Rounding                bool
	}
	// OverflowError says that a projection overflows.
	OverflowError struct{ Row, Component int }
	// RankError says that there are not as many principal components.
	RankError struct {
		Asked, Rank, Rows   int
		Value, Limit, Least float64
	}
	// RidgeError says that a regulariser can't be used.
	RidgeError struct {
		Regularizer Regularizer
		Ridge       float64
		Reason      string
	}
	// ScatterError says that the scatter of features is singular.
	ScatterError struct {
		Col  int
		Zero bool
	}
)

// Public returns an error of this package as that of the same name in discriminant, which sets it, and
// any other as it is.
var Public = func(err error) error { return err }

func text(e any) string { return fmt.Sprintf("%T%+v", e, e) }

func (e *AccuracyError) Error() string         { return text(*e) }
func (e *CoincidentMeansError) Error() string  { return text(*e) }
func (e *ColumnRangeError) Error() string      { return text(*e) }
func (e *ComponentsError) Error() string       { return text(*e) }
func (e *IndefiniteKernelError) Error() string { return text(*e) }
func (e *IntervalError) Error() string         { return text(*e) }
func (e *OverflowError) Error() string         { return text(*e) }
func (e *RankError) Error() string             { return text(*e) }
func (e *RidgeError) Error() string            { return text(*e) }
func (e *ScatterError) Error() string          { return text(*e) }
