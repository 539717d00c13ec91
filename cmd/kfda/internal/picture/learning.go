package picture

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Size is how fits to so many rows fared.
type Size struct {
	Rows             int
	Error, Low, High float64 // with an interval
}

// Learning shows the error, whose kind and interval have names, by the number of rows that a fit
// has seen, and that of an answer that is always the same.
func Learning(title, kind, interval string, sizes []Size, answer string, always float64, notes ...string) *Figure {
	p := newPanel("rows of the fit", kind)
	var x, y, low, high []float64
	for _, s := range sizes {
		x, y, low, high = append(x, float64(s.Rows)), append(y, s.Error), append(low, s.Low), append(high, s.High)
	}
	p.X.Min, p.X.Max = 0, 1.05*x[len(x)-1]
	_, p.Y.Max = span(append(append([]float64{0, always}, y...), high...), 0.05)
	p.Y.Min = 0
	style := lineOf(0)
	p.Add(grid, band(tint(colourOf(0), 0.2), x, low, high),
		line(thin(ink, 5, 3), []float64{0, p.X.Max}, []float64{always, always}),
		line(style, x, y), drawn(func(c draw.Canvas, p *plot.Plot) { fillDots(&c, colourOf(0), 3, points(&c, p, x, y)...) }))
	return &Figure{
		Title: title, Notes: notes, width: 390, height: 270, panels: []*plot.Plot{p},
		legend: []entry{
			lineEntry("rows that the fits have not seen", style),
			patchEntry("95 % interval ("+interval+")", tint(colourOf(0), 0.2), colourOf(0)),
			lineEntry("always "+answer, thin(ink, 5, 3)),
		},
	}
}
