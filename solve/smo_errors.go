package solve

import "fmt"

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
