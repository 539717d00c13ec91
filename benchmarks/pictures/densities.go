package main

import (
	"context"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
)

// densities shows where the rows of two classes lie between the class means, as the
// fit to them has it and as the fits without each of them have it.
func densities(ctx context.Context, root string) (*picture, error) {
	x, codes, err := twoWines(root)
	if err != nil {
		return nil, err
	}
	method := discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(1e-3)}
	m, err := discriminant.Fit(ctx, method, x, codes)
	if err != nil {
		return nil, err
	}
	z, err := m.Project(nil, x)
	if err != nil {
		return nil, err
	}
	left, err := cv.ClosedForm(ctx, method, x, codes)
	if err != nil {
		return nil, err
	}
	mean, count := [2]float64{}, [2]float64{}
	for i, c := range codes {
		mean[c] += z.At(i, 0)
		count[c]++
	}
	for c := range mean {
		mean[c] /= count[c]
	}
	fitted := make([]float64, x.Rows)
	for i := range fitted {
		fitted[i] = (z.At(i, 0) - (mean[0]+mean[1])/2) / (mean[1] - mean[0])
	}

	const bins, least, most = 48, -1.2, 1.2
	p := &picture{width: 560, height: 360}
	h := axis{min: least, max: most, from: 50, to: 540}
	for k, panel := range []struct {
		name   string
		values []float64
		top    float64
	}{{"fitted to all rows", fitted, 60}, {"each row left out", left.Values, 20}} {
		v := axis{min: 0, max: panel.top, from: 165 + 150*float64(k), to: 45 + 150*float64(k)}
		name := ""
		if k == 1 {
			name = "0 between the class means, which lie at −½ and ½"
		}
		p.frame(h, v, name, "rows", []float64{-1, -0.5, 0, 0.5, 1}, []float64{0, panel.top / 2, panel.top})
		p.text(h.from+6, v.to+14, "start", "%s", panel.name)
		var heights [2][bins]float64
		for i, value := range panel.values {
			bin := int((value - least) / (most - least) * bins)
			heights[codes[i]][min(max(bin, 0), bins-1)]++
		}
		width := (h.to - h.from) / bins
		for c := range heights {
			for bin, rows := range heights[c] {
				if rows > 0 {
					p.bar(h.from+width*float64(bin), v.at(rows), width, v.from-v.at(rows), colours[c], 0.7)
				}
			}
		}
	}
	p.key(60, 24, "class_0", "class_1")
	return p, nil
}
