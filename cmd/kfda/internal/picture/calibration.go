package picture

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/internal/wilson"
)

// Calibration shows how often what was predicted with a probability came true.
func Calibration(title, x, y string, bins []assess.Bin, notes ...string) *Figure {
	p := newPanel(x, y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.03, 1.03, -0.03, 1.1
	p.Y.Tick.Marker = plot.TickerFunc(func(low, _ float64) []plot.Tick { return rounded(low, 1) })
	p.Add(grid, line(thin(pale, 3, 3), []float64{0, 1}, []float64{0, 1}))
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) {
		count := writing(8.5, pale)
		count.XAlign = draw.XCenter
		for _, b := range bins {
			low, high := wilson.Of(b.Hits, b.Rows)
			at := points(&c, p, []float64{b.Probability, b.Probability, b.Probability}, []float64{low, float64(b.Hits) / float64(b.Rows), high})
			style := draw.LineStyle{Color: colourOf(0), Width: 1.3}
			c.StrokeLine2(style, at[0].X, at[0].Y, at[2].X, at[2].Y)
			for _, end := range []vg.Point{at[0], at[2]} {
				c.StrokeLine2(style, end.X-3, end.Y, end.X+3, end.Y)
			}
			fillDots(&c, colourOf(0), 3.2, at[1])
			c.FillText(count, points(&c, p, []float64{b.Middle}, []float64{1.05})[0], fmt.Sprint(b.Rows))
		}
	}))
	return &Figure{
		Title: title, Notes: append(notes, "The numbers of rows stand above."), width: 380, height: 340, panels: []*plot.Plot{p},
		legend: []entry{
			lineEntry("as predicted", thin(pale, 3, 3)),
			{"rows of a tenth: their share, its 95 % interval (Wilson)", func(c *draw.Canvas, at vg.Point) {
				style := draw.LineStyle{Color: colourOf(0), Width: 1.3}
				c.StrokeLine2(style, at.X, at.Y-6, at.X, at.Y+6)
				fillDots(c, colourOf(0), 3, at)
			}},
		},
	}
}
