package picture

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostEigenvalues is how many are drawn.
const mostEigenvalues = 25

// Eigenvalues shows the eigenvalues of directions and what share of what they explain, nil where
// that is not known.
func Eigenvalues(title, x, y string, values, shares []float64, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, width: 390, height: 260}
	if n := len(values); n > mostEigenvalues {
		text := fmt.Sprintf("The first %d of %d", mostEigenvalues, n)
		values = values[:mostEigenvalues]
		if sum := 0.0; len(shares) == n {
			for _, v := range shares[:mostEigenvalues] {
				sum += v
			}
			text += ", together " + percent(sum)
		}
		f.Notes = append(f.Notes, text+".")
	}
	p := newPanel(x, y)
	names := make([]string, len(values))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.6, float64(len(values))-0.4, 0, 1.12*values[0]
	p.X.Tick.Marker = named(names)
	p.X.Tick.Length = 2
	p.Add(grid, drawn(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		text := writing(min(9.5, 120/vg.Length(len(values))), ink)
		text.Font.Size = max(6, text.Font.Size)
		text.XAlign = draw.XCenter
		for i, v := range values {
			box := vg.Rectangle{Min: vg.Point{X: tx(float64(i) - 0.36), Y: ty(0)}, Max: vg.Point{X: tx(float64(i) + 0.36), Y: ty(v)}}
			c.SetColor(tint(palette[0], 0.75))
			c.Fill(box.Path())
			if room := tx(1) - tx(0); i < len(shares) && text.Width(percent(shares[i])) < room {
				c.FillText(text, vg.Point{X: tx(float64(i)), Y: ty(v) + 3}, percent(shares[i]))
			}
		}
	}))
	f.panels = []*plot.Plot{p}
	return f
}
