package main

import (
	"path/filepath"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// wine reads rows of the demonstration's table.
func wine(root string, rows table.Range) (*matrix.Dense, []string, error) {
	t, err := table.Read(filepath.Join(root, "cmd", "kfda", "demo", "wine.csv"), nil, table.Options{Rows: rows})
	if err != nil {
		return nil, nil, err
	}
	return t.X, t.Labels, nil
}

// twoWines are the rows of the first two cultivars, columns standardised, and 0 or 1 for
// each.
func twoWines(root string) (*matrix.Dense, []int, error) {
	x, labels, err := wine(root, table.Range{Stop: 130, Ended: true})
	if err != nil {
		return nil, nil, err
	}
	codes := make([]int, len(labels))
	for i, l := range labels {
		if l == "class_1" {
			codes[i] = 1
		}
	}
	scaler, err := discriminant.FitScaler(discriminant.Standard, x)
	if err != nil {
		return nil, nil, err
	}
	x, err = scaler.Transform(nil, x)
	return x, codes, err
}
