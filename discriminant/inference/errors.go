package inference

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/plural"
)

// FewRowsError says that a class has fewer rows than a test needs.
type FewRowsError struct {
	Class      string
	Rows, Want int
}

func (e *FewRowsError) Error() string {
	return fmt.Sprintf("inference: the class %q has %s, want %d or more: leave it out or join it to another", e.Class, plural.Count(e.Rows, "row"), e.Want)
}

// TruncationError says that a truncated statistic was asked of more directions than the within-class
// scatter has, up to rounding. What lies beyond is rounding.
type TruncationError struct {
	Asked, Rank int
	Most        int     // rows less classes
	Value       float64 // the first eigenvalue that does not count, where that is known
	Limit       float64 // up to which eigenvalues do not
}

func (e *TruncationError) Error() string {
	if e.Asked > e.Most {
		return fmt.Sprintf("inference: truncation at %s asked for, but there are at most %d (rows − classes)", plural.Count(e.Asked, "direction"), e.Most)
	}
	return fmt.Sprintf("inference: truncation at %s asked for, but the within-class scatter has only %d above rounding (the next eigenvalue is %.3g, the limit %.3g): ask for at most %d", plural.Count(e.Asked, "direction"), e.Rank, e.Value, e.Limit, e.Rank)
}

// RestrictionError says that strata or groups leave no permutation of the labels, or contradict the
// labels or each other.
type RestrictionError struct {
	Field  string // "Strata" or "Groups"
	Row    int    // 0-based, the first that is wrong, or −1
	Reason string
}

func (e *RestrictionError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("inference: %s: %s", e.Field, e.Reason)
	}
	return fmt.Sprintf("inference: %s: row %d: %s", e.Field, e.Row, e.Reason)
}
