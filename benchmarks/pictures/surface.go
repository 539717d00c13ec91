package main

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
)

// surface shows the wrong rows of a search over γ and the ridge.
func surface(ctx context.Context, root string) (*picture, error) {
	x, labels, err := wine(root, table.Range{})
	if err != nil {
		return nil, err
	}
	var gammas, ridges []float64
	for k := -6; k <= 6; k++ {
		gammas = append(gammas, math.Ldexp(1/float64(x.Cols), k))
		ridges = append(ridges, []float64{1, 3}[k&1]*math.Pow10((k&^1)/2))
	}
	folds, err := cv.Repeated(labels, 5, 5, 0)
	if err != nil {
		return nil, err
	}
	tuned, err := cv.Tune(ctx, cv.Search{
		Method:   discriminant.KFDA{Kernel: gram.RBF{}, Classifier: discriminant.NearestCentroid{}},
		Scalings: []discriminant.Scaling{discriminant.Standard}, Gammas: gammas, Values: ridges, Folds: folds,
	}, x, labels)
	if err != nil {
		return nil, err
	}

	const left, bottom, width, height = 70, 310, 36, 21
	p := &picture{width: 560, height: 360}
	for i, c := range tuned.Record.Candidates {
		share := 100 * float64(c.Errors) / float64(c.Rows)
		x, y := left+width*float64(i%len(ridges)), bottom-height*float64(i/len(ridges)+1)
		p.bar(x, y, width, height, colours[0], math.Round(100*min(0.7, math.Sqrt(share/60)))/100)
		mark := ""
		if i == tuned.Record.Best {
			mark = "*"
		}
		p.text(x+width/2, y+15, "middle", "%.1f%s", share, mark)
	}
	for k := 0; k < len(ridges); k += 2 {
		p.text(left+width*(float64(k)+0.5), bottom+16, "middle", "%s", tick(ridges[k], true))
		p.text(left-6, bottom-height*(float64(k)+0.5)+5, "end", "%.2g", gammas[k])
	}
	p.text(left+width*6.5, bottom+36, "middle", "relative ridge")
	p.text(left-6, 24, "end", "γ")
	p.text(538, 24, "end", "wine: wrong rows in %%, five times 5 folds; * the best")
	return p, nil
}
