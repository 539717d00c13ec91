package main

import (
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
)

// isLocal reports whether rows far from all training rows have kernel values so
// small that they are 0 in float64.
func (m *savedModel) isLocal() bool {
	switch kernelOf(m.model).(type) {
	case gram.RBF, gram.Laplacian, gram.ChiSquared:
		return true
	}
	return false
}

// predict returns the class of each row of t, and warns of rows about which the
// model knows nothing.
func (m *savedModel) predict(s streams, t *table.Table) ([]string, error) {
	predicted, err := m.Predict(nil, t.X)
	if err != nil {
		return nil, explainNew(t, err)
	}
	return predicted, m.warnOfFarRows(s, t)
}

// warnOfFarRows says how many rows of t have no kernel value above 0 with the rows
// that the model keeps. Whatever is made of them says nothing about them.
func (m *savedModel) warnOfFarRows(s streams, t *table.Table) error {
	if !m.isLocal() {
		return nil
	}
	far, err := m.Far(nil, t.X)
	if err != nil {
		return explainNew(t, err)
	}
	count, first := 0, 0
	for i, v := range far {
		if !v {
			continue
		}
		if count++; count == 1 {
			first = i
		}
	}
	if count > 0 {
		kept := "training rows"
		if m.Method() == "svm" {
			kept = "rows that support the machines"
		}
		notice(s.err, "%s: %d of %d rows, the first in line %d, are so far from all %s that their kernel values are 0; the model knows nothing about them",
			t.File, count, len(far), t.Lines[first], kept)
	}
	return nil
}
