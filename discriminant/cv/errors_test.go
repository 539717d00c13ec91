package cv

import "testing"

// One of a thing is in the singular.
func TestErrorsCountInTheSingular(t *testing.T) {
	for want, err := range map[string]error{
		"cv: 1 fold of 1 row: why":                                                                  &FoldsError{Folds: 1, Rows: 1, Reason: "why"},
		"cv: 1 row and 2 labels: want the same number of each":                                      &RowsError{Rows: 1, Labels: 2, Folds: 1},
		"cv: 2 rows, 1 label, and folds of 1 row: want the same number of each":                     &RowsError{Rows: 2, Labels: 1, Folds: 1},
		"cv: the only candidate fails in some fold: cv: the training rows of the fold lack class a": &NoCandidateError{Candidates: 1, First: &MissingClassError{Class: "a"}},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
