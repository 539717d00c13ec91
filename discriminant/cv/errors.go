package cv

import (
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
)

// FoldsError says that rows can't be divided into folds as asked.
type FoldsError struct {
	Folds  int
	Rows   int
	Reason string
}

func (e *FoldsError) Error() string {
	return fmt.Sprintf("cv: %s of %s: %s", plural.Count(e.Folds, "fold"), plural.Count(e.Rows, "row"), e.Reason)
}

// RareClassError says that a class has fewer rows than there are folds, so that
// not every fold could test it.
type RareClassError struct {
	Class       string
	Rows, Folds int
}

func (e *RareClassError) Error() string {
	if e.Rows < 2 {
		return fmt.Sprintf("cv: class %s has %s: whichever fold tests it has none left to train on; leave the class out, or get more rows of it", e.Class, plural.Count(e.Rows, "row"))
	}
	return fmt.Sprintf("cv: class %s has %d rows, fewer than the %d folds: ask for at most %d folds", e.Class, e.Rows, e.Folds, e.Rows)
}

// MissingClassError says that the training rows of a fold lack a class.
type MissingClassError struct {
	Class string
}

func (e *MissingClassError) Error() string {
	return fmt.Sprintf("cv: the training rows of the fold lack class %s", e.Class)
}

// RowsError says that the number of rows, of labels and of rows that the folds
// divide is not the same.
type RowsError struct {
	Rows, Labels, Folds int
}

func (e *RowsError) Error() string {
	if e.Folds == e.Rows {
		return fmt.Sprintf("cv: %s and %s: want the same number of each", plural.Count(e.Rows, "row"), plural.Count(e.Labels, "label"))
	}
	return fmt.Sprintf("cv: %s, %s, and folds of %s: want the same number of each", plural.Count(e.Rows, "row"), plural.Count(e.Labels, "label"), plural.Count(e.Folds, "row"))
}

// ParameterError names a setting that has no legal value.
type ParameterError struct {
	Field, Value, Reason string
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("cv: %s = %s: %s", e.Field, e.Value, e.Reason)
}

// ScalingError says that rows so scaled can't be searched: they can't be scaled, or have
// no default γ, such as those that all are equal.
type ScalingError struct {
	Scaling discriminant.Scaling
	Err     error
}

func (e *ScalingError) Error() string { return fmt.Sprintf("cv: scaling %v: %v", e.Scaling, e.Err) }

func (e *ScalingError) Unwrap() error { return e.Err }

// BestFitError says that the best candidate of a search, which has a result in every fold,
// can't be fitted to all rows.
type BestFitError struct {
	Candidate Candidate
	Err       error
}

func (e *BestFitError) Error() string {
	return fmt.Sprintf("cv: the best candidate, %v, fitted to all rows: %v", e.Candidate, e.Err)
}

func (e *BestFitError) Unwrap() error { return e.Err }

// NoCandidateError says that every candidate of a search failed in some fold.
type NoCandidateError struct {
	Candidates int
	First      error // the first failure of the first candidate
}

func (e *NoCandidateError) Error() string {
	if e.Candidates == 1 {
		return fmt.Sprintf("cv: the only candidate fails in some fold: %v", e.First)
	}
	return fmt.Sprintf("cv: each of the %d candidates fails in some fold; the first: %v", e.Candidates, e.First)
}

func (e *NoCandidateError) Unwrap() error { return e.First }
