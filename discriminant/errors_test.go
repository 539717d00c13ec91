package discriminant

import "testing"

// One of a thing is in the singular.
func TestErrorsCountInTheSingular(t *testing.T) {
	for want, err := range map[string]error{
		"discriminant: 1 row but 2 labels":                                                                      &RowsError{Rows: 1, Labels: 2},
		"discriminant: rows have 1 column, want the 3 of the training rows":                                     &FeatureError{Got: 1, Want: 3},
		"discriminant: 2 components asked for, but the means of the 3 classes span only 1 dimension: at most 1": &ComponentsError{Asked: 2, Classes: 3, Rank: 1},
		"discriminant: the kernel is indefinite: the eigenvalues of its centred matrix go from 2 down to -1; ask for at most 1 component, the positive part, or change the kernel":    &IndefiniteKernelError{Least: -1, Largest: 2, Positive: 1},
		"discriminant: 2 components asked for, but the centred kernel matrix of the 9 rows has only 1 eigenvalue above rounding (the next is 0.25, the limit 0.5): ask for at most 1": &RankError{Asked: 2, Rank: 1, Rows: 9, Value: 0.25, Limit: 0.5},
		"discriminant: 1 row to fit with 2×3 targets: want as many rows of targets, at least one, and at least one column":                                                            &TargetsError{Rows: 1, Targets: 2, Cols: 3},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
