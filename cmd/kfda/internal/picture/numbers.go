package picture

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
)

// marksOf draws the first two coordinates of rows of one kind.
func marksOf(rows Rows) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		drawMarks(&c, 0, points(&c, p, rows.of(0, 0, true), rows.of(1, 0, true)), 2.3)
	}
}

// Predicted shows predictions over the true values, with the line where both are the same.
func Predicted(title string, rows Rows, notes ...string) *Figure {
	p := newPanel(rows.Axes[0], rows.Axes[1])
	low, high := span(append(append([]float64(nil), rows.Values[0]...), rows.Values[1]...), 0.04)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
	style := thin(ink, 5, 3)
	p.Add(grid, marksOf(rows), line(style, []float64{low, high}, []float64{low, high}))
	return &Figure{
		Title: title, Notes: append(notes, rows.thinned()...), width: 360, height: 340, panels: []*plot.Plot{p},
		legend: []entry{markEntry("a row", 0), lineEntry("predicted = true", style)},
	}
}

// Residuals shows true less predicted values over the predicted, and their means in tenths of the
// rows.
func Residuals(title string, rows Rows, means []assess.Mean, notes ...string) *Figure {
	p := newPanel(rows.Axes[0], rows.Axes[1])
	p.X.Min, p.X.Max = span(rows.Values[0], 0.04)
	p.Y.Min, p.Y.Max = span(append([]float64{0}, rows.Values[1]...), 0.05)
	zero := thin(ink, 5, 3)
	p.Add(grid, marksOf(rows), line(zero, []float64{p.X.Min, p.X.Max}, []float64{0, 0}), drawn(func(c draw.Canvas, p *plot.Plot) {
		for _, m := range means {
			at := points(&c, p, []float64{m.X, m.X, m.X}, []float64{m.Low, m.Y, m.High})
			drawMean(&c, at[0], at[1], at[2])
		}
	}))
	return &Figure{
		Title: title, Notes: append(notes, rows.thinned()...), width: 390, height: 300, panels: []*plot.Plot{p},
		legend: []entry{markEntry("a row", 0), lineEntry("no error", zero), {"mean of a tenth of the rows, its 95 % interval", func(c *draw.Canvas, at vg.Point) {
			drawMean(c, at.Sub(vg.Point{Y: 6}), at, at.Add(vg.Point{Y: 6}))
		}}},
	}
}

// drawMean draws a dot with an interval that can be told from marks of rows.
func drawMean(c *draw.Canvas, low, at, high vg.Point) {
	for _, s := range []struct {
		colour color.Color
		width  vg.Length
		radius vg.Length
	}{{color.White, 3.6, 5}, {palette[3], 1.6, 3.6}} {
		style := draw.LineStyle{Color: s.colour, Width: s.width}
		c.StrokeLine2(style, low.X, low.Y, high.X, high.Y)
		fillDots(c, s.colour, s.radius, at)
	}
}
