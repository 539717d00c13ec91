package matrix

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
)

// RaggedError says that a row of a table has another length than its first row.
type RaggedError struct {
	Row       int // 0-based
	Got, Want int // lengths
}

func (e *RaggedError) Error() string {
	return fmt.Sprintf("matrix: row %d has %s, the rows before it have %d", e.Row, plural.Count(e.Got, "value"), e.Want)
}

// NotFiniteError names an element that is NaN or infinite.
type NotFiniteError struct {
	Row, Col int // 0-based
	Value    float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("matrix: element (%d, %d) is %v; every value must be finite", e.Row, e.Col, e.Value)
}

// CheckFinite returns a *NotFiniteError for the first element, by rows, that is
// NaN or infinite, and nil where there is none.
func CheckFinite(a *Dense) error {
	misuse.NotNil("matrix: CheckFinite", "a", a)
	for i := range a.Rows {
		if f64.AllFinite(a.Row(i)) {
			continue
		}
		for j, v := range a.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	return nil
}
