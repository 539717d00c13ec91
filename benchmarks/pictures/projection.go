package main

import (
	"context"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
)

// projection shows the wines on two discriminants that are fitted to every other row.
func projection(ctx context.Context, root string) (*picture, error) {
	x, labels, err := wine(root, table.Range{})
	if err != nil {
		return nil, err
	}
	train, trained, err := wine(root, table.Range{Step: 2})
	if err != nil {
		return nil, err
	}
	m, err := discriminant.Fit(ctx, discriminant.KFDA{Scaling: discriminant.Standard}, train, trained)
	if err != nil {
		return nil, err
	}
	z, err := m.Project(nil, x)
	if err != nil {
		return nil, err
	}
	p := &picture{width: 560, height: 330}
	least, most := slices.Clone(z.Row(0)), slices.Clone(z.Row(0))
	for i := range z.Rows {
		for j, v := range z.Row(i) {
			least[j], most[j] = min(least[j], v), max(most[j], v)
		}
	}
	h := axis{min: least[0] - 0.05, max: most[0] + 0.05, from: 70, to: 540}
	v := axis{min: least[1] - 0.05, max: most[1] + 0.05, from: 285, to: 40}
	p.frame(h, v, "first discriminant", "second discriminant", []float64{-0.5, 0, 0.5}, []float64{-0.25, 0, 0.25})
	for i := range z.Rows {
		for j, name := range m.Classes() {
			if labels[i] == name {
				p.dot(h.at(z.At(i, 0)), v.at(z.At(i, 1)), colours[j], i%2 == 1)
			}
		}
	}
	p.key(80, 24, m.Classes()...)
	p.text(540, 24, "end", "hollow: fitted, filled: new")
	return p, nil
}
