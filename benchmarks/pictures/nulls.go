package main

import (
	"context"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
)

// nulls shows the statistics of permuted labels and that of the labels, for every second wine against
// the others, as they are and with the alcohol of the others moved, by what kfda novelty --together does.
func nulls(ctx context.Context, root string) (*picture, error) {
	p := &picture{width: 560, height: 375}
	h := axis{min: 120, max: 300, from: 50, to: 540}
	for k, panel := range []struct {
		name string
		move float64
	}{{"halves of one table", 0}, {"the alcohol of one half raised by 0.6", 0.6}} {
		x, _, err := wine(root, table.Range{})
		if err != nil {
			return nil, err
		}
		labels := make([]string, x.Rows)
		for i := range labels {
			if labels[i] = "train"; i%2 == 1 {
				labels[i] = "new"
				x.Row(i)[0] += panel.move
			}
		}
		scaler, err := discriminant.FitScaler(discriminant.Standard, x)
		if err != nil {
			return nil, err
		}
		if x, err = scaler.Transform(nil, x); err != nil {
			return nil, err
		}
		s, err := inference.NewSample(ctx, inference.Settings{Kernel: gram.RBF{}, Ridge: 0.001 * float64(x.Rows)}, x)
		if err != nil {
			return nil, err
		}
		r, err := inference.Test(ctx, s, labels, inference.TestOptions{Permutations: 9999})
		if err != nil {
			return nil, err
		}
		const bins = 60
		var heights [bins]float64
		for _, v := range r.Permuted.Null {
			bin := int((v - h.min) / (h.max - h.min) * bins)
			heights[min(max(bin, 0), bins-1)]++
		}
		v := axis{min: 0, max: 800, from: 165 + 165*float64(k), to: 45 + 165*float64(k)}
		name := ""
		if k == 1 {
			name = "statistic T"
		}
		p.frame(h, v, name, "permutations", []float64{150, 200, 250, 300}, []float64{0, 400, 800})
		width := (h.to - h.from) / bins
		for bin, n := range heights {
			if n > 0 {
				p.bar(h.from+width*float64(bin), v.at(n), width, v.from-v.at(n), colours[0], 0.7)
			}
		}
		p.line(h.at(r.Statistic), v.from, h.at(r.Statistic), v.to, colours[1])
		p.text(h.to, v.to-6, "end", "%s: p = %.2g", panel.name, r.Permuted.P)
	}
	p.key(60, 24, "labels permuted", "labels as they are")
	return p, nil
}
