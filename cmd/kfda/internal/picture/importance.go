package picture

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bar is a named value with what it varies by, on either side.
type Bar struct {
	Name        string
	Value, Half float64
}

// Bars shows values below each other, the first at the top.
func Bars(title, axis string, bars []Bar, notes ...string) *Figure {
	p := newPanel(axis, "")
	ends := []float64{0}
	names := make([]string, len(bars))
	for i, b := range bars {
		ends = append(ends, b.Value-b.Half, b.Value+b.Half)
		names[len(bars)-1-i] = Name(b.Name)
	}
	p.X.Min, p.X.Max = span(ends, 0.05)
	p.Y.Min, p.Y.Max = -0.6, float64(len(bars))-0.4
	p.Y.Tick.Marker = named(names)
	p.Y.Tick.Length = 2
	p.Add(grid, drawn(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		for i, b := range bars {
			at := float64(len(bars) - 1 - i)
			box := vg.Rectangle{
				Min: vg.Point{X: tx(math.Min(0, b.Value)), Y: ty(at - 0.36)},
				Max: vg.Point{X: tx(math.Max(0, b.Value)), Y: ty(at + 0.36)},
			}
			c.SetColor(tint(palette[0], 0.75))
			c.Fill(box.Path())
			low, high := tx(b.Value-b.Half), tx(b.Value+b.Half)
			c.StrokeLine2(thin(ink), low, ty(at), high, ty(at))
			for _, x := range []vg.Length{low, high} {
				c.StrokeLine2(thin(ink), x, ty(at-0.15), x, ty(at+0.15))
			}
		}
		c.StrokeLine2(thin(ink), tx(0), c.Min.Y, tx(0), c.Max.Y)
	}))
	height := 90 + 16*vg.Length(len(bars))
	return &Figure{Title: title, Notes: notes, width: 390, height: height, panels: []*plot.Plot{p}}
}

// Curve is a named line over values, with a band or, where that is nil, without.
type Curve struct {
	Name         string
	Y, Low, High []float64
}

// Curves shows curves over x or, with levels, marks over these, each in a panel of its own.
func Curves(title, axis, value string, x []float64, levels []string, curves []Curve, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, Columns: 2, width: 390, height: 280}
	if len(curves) > 1 {
		f.width, f.height = 270, 200
	}
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = cut(l, 14)
	}
	var all []float64
	for _, curve := range curves {
		all = append(append(append(all, curve.Y...), curve.Low...), curve.High...)
	}
	for k, curve := range curves {
		p := newPanel(axis, value)
		p.Title.Text = Name(curve.Name)
		p.Y.Min, p.Y.Max = span(all, 0.03)
		p.Add(grid)
		f.panels = append(f.panels, p)
		if levels == nil {
			p.X.Min, p.X.Max = span(x, 0)
			if curve.Low != nil {
				p.Add(band(tint(colourOf(k), 0.2), x, curve.Low, curve.High))
			}
			p.Add(line(lineOf(k), x, curve.Y))
			continue
		}
		p.X.Min, p.X.Max = -0.5, float64(len(x))-0.5
		if p.X.Tick.Marker = named(names); len(names) > 5 {
			upright(&p.X)
		}
		p.Add(drawn(func(c draw.Canvas, p *plot.Plot) {
			places := positions(len(x))
			if curve.Low != nil {
				low, high := points(&c, p, places, curve.Low), points(&c, p, places, curve.High)
				for i := range low {
					c.StrokeLine2(draw.LineStyle{Color: tint(colourOf(k), 0.4), Width: 4}, low[i].X, low[i].Y, high[i].X, high[i].Y)
				}
			}
			drawMarks(&c, k, points(&c, p, places, curve.Y), 3.2)
		}))
	}
	return f
}

// positions are the places of things beside each other.
func positions(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i)
	}
	return all
}
