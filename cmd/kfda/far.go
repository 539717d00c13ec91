package main

import (
	"fmt"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// isLocal reports whether rows far from all training rows have the projection 0:
// their kernel values are so small that they are 0 in float64. A ridge in the
// feature space, kpca and ridge centre the kernel, and such a projection is then a
// constant.
func (m *savedModel) isLocal() bool {
	if m.Method() != "kfda" {
		return false
	}
	switch m.Kernel().(type) {
	case gram.RBF, gram.Laplacian, gram.ChiSquared:
		return m.Certificate().Solver != "centred"
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
	if m.isLocal() {
		z, err := m.Project(nil, t.X)
		if err != nil {
			return nil, explainNew(t, err)
		}
		m.warnOfFarRows(s, t, z)
	}
	return predicted, nil
}

// warnOfFarRows says how many rows of t have the projection 0 in z. Whatever is
// made of it says nothing about them.
func (m *savedModel) warnOfFarRows(s streams, t *table.Table, z *matrix.Dense) {
	if !m.isLocal() {
		return
	}
	count, first := 0, 0
rows:
	for i := range z.Rows {
		for _, v := range z.Row(i) {
			if v != 0 {
				continue rows
			}
		}
		if count++; count == 1 {
			first = i
		}
	}
	if count > 0 {
		fmt.Fprintf(s.err, "kfda: %s: %d of %d rows, the first in line %d, are so far from all training rows that all their kernel values and projections are 0; the model knows nothing about them\n",
			t.File, count, z.Rows, t.Lines[first])
	}
}
