package picture

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size is how fits to so many rows fared.
type Size struct {
	Rows             int
	Share, Low, High float64 // of wrong rows, with an interval
}

// Learning shows the share of wrong rows by the number of rows that a fit has seen, and that of
// always answering the commonest class.
func Learning(title string, sizes []Size, majority float64, notes ...string) *Figure {
	p := newPanel("rows of the fit", "share of wrong rows")
	var x, y, low, high []float64
	for _, s := range sizes {
		x, y, low, high = append(x, float64(s.Rows)), append(y, s.Share), append(low, s.Low), append(high, s.High)
	}
	p.X.Min, p.X.Max = 0, 1.05*x[len(x)-1]
	_, p.Y.Max = span(append(append([]float64{0, majority}, y...), high...), 0.05)
	p.Y.Min = 0
	style := lineOf(0)
	p.Add(grid, band(tint(colourOf(0), 0.2), x, low, high),
		line(thin(ink, 5, 3), []float64{0, p.X.Max}, []float64{majority, majority}),
		line(style, x, y), drawn(func(c draw.Canvas, p *plot.Plot) {
			var path vg.Path
			for _, at := range points(&c, p, x, y) {
				addMark(&path, 0, at, 3)
			}
			c.SetColor(colourOf(0))
			c.Fill(path)
		}))
	return &Figure{
		Title: title, Notes: notes, width: 390, height: 270, panels: []*plot.Plot{p},
		legend: []entry{
			lineEntry("rows that the fits have not seen", style),
			patchEntry("95 % interval (Wilson)", tint(colourOf(0), 0.2), colourOf(0)),
			lineEntry("always the commonest class", thin(ink, 5, 3)),
		},
	}
}
