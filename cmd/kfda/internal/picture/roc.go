package picture

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
)

// ROC shows the ROC and the precision-recall curve of one class, with bands, or of each class
// against the rest. A class without a curve is left out.
func ROC(title string, classes []string, curves []*assess.Curve, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, Columns: 2, width: 330, height: 310}
	roc := newPanel("false positive rate", "true positive rate")
	pr := newPanel("recall", "precision")
	for _, p := range []*plot.Plot{roc, pr} {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.02, 1.02, -0.02, 1.02
		p.Add(grid)
	}
	if len(curves) > MostTold {
		all := len(curves)
		classes, curves = least(classes, curves)
		f.Notes = append(f.Notes, fmt.Sprintf("The %d of %d classes with the smallest areas below the ROC curve.", len(curves), all))
	}
	if len(curves) == 1 {
		a, b := curves[0].Bands()
		fill := tint(colourOf(0), 0.22)
		roc.Add(band(fill, a.At, a.Low, a.High))
		pr.Add(band(fill, b.At, b.Low, b.High))
	}
	roc.Add(line(thin(pale, 3, 3), []float64{0, 1}, []float64{0, 1}))
	names := Names(classes)
	for j, c := range curves {
		if c == nil {
			continue
		}
		style := lineOf(j)
		x, y := c.Rates()
		roc.Add(line(style, x, y))
		x, y = c.Precisions()
		pr.Add(line(style, x, y))
		text := fmt.Sprintf("%s: AUC %.4f", names[j], c.AUC)
		if low, high := c.Interval(); low < high {
			text += fmt.Sprintf(" (%.4f to %.4f)", low, high)
		}
		f.legend = append(f.legend, lineEntry(text+fmt.Sprintf(", average precision %.4f", c.AveragePrecision), style))
		if len(curves) == 1 {
			share := float64(c.Positives) / float64(c.Positives+c.Negatives)
			pr.Add(line(thin(pale, 3, 3), []float64{0, 1}, []float64{share, share}))
		}
	}
	f.legend = append(f.legend, lineEntry("chance", thin(pale, 3, 3)))
	if len(curves) == 1 {
		f.legend = append(f.legend, patchEntry("95 % of 500 bootstrap samples, pointwise", tint(colourOf(0), 0.22), colourOf(0)))
	}
	f.panels = []*plot.Plot{roc, pr}
	return f
}

// least returns the classes with the smallest areas, in their order.
func least(classes []string, curves []*assess.Curve) (names []string, some []*assess.Curve) {
	const most = 8
	var order []int
	for j, c := range curves {
		if c != nil {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(curves[a].AUC, curves[b].AUC) })
	for _, j := range slices.Sorted(slices.Values(order[:min(most, len(order))])) {
		names, some = append(names, classes[j]), append(some, curves[j])
	}
	return names, some
}
