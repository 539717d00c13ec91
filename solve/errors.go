package solve

import "fmt"

// NotPositiveDefiniteError says that a Cholesky factorization met a pivot that
// is not positive.
type NotPositiveDefiniteError struct {
	Pivot int     // 0-based row and column of the pivot
	Value float64 // the pivot: ≤ 0, or NaN after an overflow
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("solve: matrix is not positive definite: pivot %d is %g; a larger ridge on the diagonal makes it so", e.Pivot, e.Value)
}

// ShiftError says that K − iσI cannot be factored with this shift, because of
// its sign or because squares of the numbers involved leave the range of
// float64.
type ShiftError struct {
	Sigma  float64 // the shift σ
	MaxAbs float64 // max |K_ij|, 0 where it was not reached
	Reason string
}

func (e *ShiftError) Error() string {
	return fmt.Sprintf("solve: shift σ = %g of a matrix with entries up to %g: %s", e.Sigma, e.MaxAbs, e.Reason)
}

// RangeError says that a result is beyond the range of float64, although every
// element of the matrix is within it.
type RangeError struct {
	What string  // "eigenvalue", "singular value", "diagonal element of the inverse"
	Size float64 // of the matrix: its largest magnitude or its norm
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("solve: the largest %s of a matrix of size %g is beyond the range of float64; scale the matrix by a power of two", e.What, e.Size)
}

// NotConvergedError says that an iteration used up its sweeps or steps. No
// values are returned with it.
type NotConvergedError struct {
	Method string
	Order  int // number of columns
	Sweeps int // or steps
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("solve: %s of order %d did not converge in %d sweeps", e.Method, e.Order, e.Sweeps)
}

// IterationLimitError says that [SMO] ended before the optimality conditions held
// within the tolerance.
type IterationLimitError struct {
	Iterations int
	Gap        float64 // the largest violation that is left
	Tolerance  float64
	Reason     string // why, and what to do
}

func (e *IterationLimitError) Error() string {
	return fmt.Sprintf("solve: after %d steps of sequential minimal optimisation the optimality conditions are violated by %.3g, want at most %.3g: %s", e.Iterations, e.Gap, e.Tolerance, e.Reason)
}
