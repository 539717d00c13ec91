package cv

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Score says how well a model classifies rows with those labels, which it should not have been
// fitted to. A label that the model does not know counts as an error, and is in no row of the
// confusion and without a share in the log loss. The errors are those of
// [discriminant.Model.Predict], and a *[RowsError].
func Score[L discriminant.Label](m *discriminant.Model[L], x *matrix.Dense, labels []L) (*Scores, error) {
	misuse.NotNil("cv: Score", "m", m, "x", x)
	if x.Rows != len(labels) {
		return nil, &RowsError{Rows: x.Rows, Labels: len(labels), Folds: x.Rows}
	}
	classes := m.Classes()
	t, err := testModel(m, x, codesOf(labels, classes))
	if err != nil {
		return nil, err
	}
	return newScores([]*tested{t}, len(classes)), nil
}

// Compare is [Score] of predictions that were made before, for a model of those classes: there
// is no log loss, and no AUC.
func Compare[L discriminant.Label](classes, predicted, labels []L) *Scores {
	t := &tested{truth: codesOf(labels, classes), predicted: codesOf(predicted, classes)}
	if len(predicted) != len(labels) || slices.Contains(t.predicted, -1) {
		panic(fmt.Sprintf("cv: Compare: %d predictions of %d classes, and no others, for %d labels", len(predicted), len(classes), len(labels)))
	}
	return newScores([]*tested{t}, len(classes))
}
