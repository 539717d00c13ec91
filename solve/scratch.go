package solve

import (
	"sync"
	"sync/atomic"

	"github.com/seed92411348/kfda/matrix"
)

// scratch keeps the working memory of a factorization for its solves and residuals,
// which are as many calls and need about as much. It serves one of several calls at
// the same time, the others get memory of their own.
type scratch struct{ kept atomic.Pointer[[]float64] }

// leftover keeps working memory of a Krylov space that was tried in vain for the
// factorization of the same order that follows as a rule: as garbage it would add to that.
var leftover sync.Pool // of *[]float64

// take returns n numbers of undefined value, and what gives them back.
func (s *scratch) take(n int) (numbers []float64, release func()) {
	kept := s.kept.Swap(nil)
	if kept == nil || len(*kept) < n {
		numbers := make([]float64, n)
		kept = &numbers
	}
	return *kept, func() { s.kept.Store(kept) }
}

// cut returns a matrix of undefined values in the front of memory, and the rest.
func cut(memory []float64, rows, cols int) (*matrix.Dense, []float64) {
	return &matrix.Dense{Rows: rows, Cols: cols, Stride: cols, Data: memory[:rows*cols]}, memory[rows*cols:]
}
