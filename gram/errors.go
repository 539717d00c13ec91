package gram

import "fmt"

// ParameterError says that a kernel's parameter is outside of its range, or
// that no value could be derived for it from the data.
type ParameterError struct {
	Kernel    string  // name of the kernel, such as "rbf"
	Parameter string  // name of the field, such as "Gamma"
	Value     float64 // the value that is out of range, where it is a number
	Reason    string  // what is wrong and what to do; completes "Parameter …"
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("gram: %s: %s %s", e.Kernel, e.Parameter, e.Reason)
}

// outOfRange is the ParameterError of a number.
func outOfRange(kernel, parameter string, value float64, want string) error {
	return &ParameterError{Kernel: kernel, Parameter: parameter, Value: value,
		Reason: fmt.Sprintf("is %v; it must be %s", value, want)}
}

// ShapeError says that a matrix has other dimensions than it must have.
type ShapeError struct {
	What               string // which matrix
	Rows, Cols         int    // found
	WantRows, WantCols int    // wanted
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("gram: %s must be %d×%d, not %d×%d", e.What, e.WantRows, e.WantCols, e.Rows, e.Cols)
}

// NotFiniteError says that a number which was computed from finite features is
// NaN or infinite. (A feature that is not finite itself is a
// *matrix.NotFiniteError.)
type NotFiniteError struct {
	What     string // "kernel value", or "mapped feature" of a FeatureMap
	Row, Col int    // 0-based, of the kernel matrix or the mapped features
	Value    float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("gram: %s (%d, %d) is %v, not finite; if it overflows, scale the features or change the kernel's parameters",
		e.What, e.Row, e.Col, e.Value)
}

// NotSymmetricError says that a precomputed kernel matrix differs from its
// transpose by more than rounding: A is entry (Row, Col), B entry (Col, Row).
type NotSymmetricError struct {
	Row, Col int // 0-based, Row > Col
	A, B     float64
}

func (e *NotSymmetricError) Error() string {
	return fmt.Sprintf("gram: precomputed kernel matrix is not symmetric: entry (%d, %d) is %v, entry (%d, %d) is %v; further apart than rounding makes them; gram.Symmetrize takes the mean of both",
		e.Row, e.Col, e.A, e.Col, e.Row, e.B)
}

// DomainError says that a feature lies outside of the kernel's domain.
type DomainError struct {
	Kernel   string
	Row, Col int // 0-based
	Value    float64
	Reason   string
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("gram: %s: feature (%d, %d) is %v: %s", e.Kernel, e.Row, e.Col, e.Value, e.Reason)
}

// IndefiniteError says that a kernel is not positive semidefinite, as landmarks need it: less
// than nothing is left of Value = k(x, x) of a row beside landmarks.
type IndefiniteError struct {
	Row         int // 0-based
	Left, Value float64
}

func (e *IndefiniteError) Error() string {
	return fmt.Sprintf("gram: kernel is not positive semidefinite: landmarks leave %v of k(x, x) = %v of row %d; take another kernel, such as rbf",
		e.Left, e.Value, e.Row)
}
