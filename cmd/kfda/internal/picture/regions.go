package picture

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid is where the class of a place in a plane is asked for: the middles of cells.
type Grid struct {
	Left, Right, Bottom, Top float64
	Columns, Rows            int
}

// NewGrid returns a grid around rows.
func NewGrid(x, y []float64) Grid {
	g := Grid{Columns: 220, Rows: 165}
	g.Left, g.Right = span(x, 0.08)
	g.Bottom, g.Top = span(y, 0.08)
	return g
}

// At returns the middle of cell k; the cells of a row follow each other, from the bottom row on.
func (g Grid) At(k int) (x, y float64) {
	return g.Left + (g.Right-g.Left)*(float64(k%g.Columns)+0.5)/float64(g.Columns),
		g.Bottom + (g.Top-g.Bottom)*(float64(k/g.Columns)+0.5)/float64(g.Rows)
}

// Regions shows which class a model gives each place of a grid, and rows on it.
func Regions(title string, rows Rows, g Grid, class []int, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: append(notes, rows.thinned()...), width: 440, height: 330}
	p := newPanel(rows.Axes[0], rows.Axes[1])
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = g.Left, g.Right, g.Bottom, g.Top
	seen := make(map[int]bool)
	for _, c := range class {
		seen[c] = true
	}
	for _, c := range rows.present() {
		seen[c] = true
	}
	for c, text := range rows.Classes {
		if !seen[c] {
			continue
		}
		p.Add(g.cells(class, c))
		f.legend = append(f.legend, regionEntry(name(text), c))
	}
	p.Add(g.borders(class), drawn(func(c draw.Canvas, p *plot.Plot) {
		for _, k := range rows.present() {
			drawMarks(&c, k, points(&c, p, rows.of(0, k, true), rows.of(1, k, true)), 2.3)
		}
	}))
	f.panels = []*plot.Plot{p}
	return f
}

func regionEntry(text string, class int) entry {
	patch := patchEntry(text, tint(colourOf(class), 0.22), colourOf(class))
	mark := markEntry(text, class)
	return entry{text, func(c *draw.Canvas, at vg.Point) { patch.draw(c, at); mark.draw(c, at) }}
}

// cells fills the cells of a class: runs of them as one box.
func (g Grid) cells(class []int, which int) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		w, h := c.Size().X/vg.Length(g.Columns), c.Size().Y/vg.Length(g.Rows)
		const more = 0.25 // so that no line shows between rows
		var path vg.Path
		for r := range g.Rows {
			row := class[r*g.Columns : (r+1)*g.Columns]
			for k := 0; k < len(row); {
				from := k
				for k < len(row) && row[k] == row[from] {
					k++
				}
				if row[from] != which {
					continue
				}
				y0, y1 := c.Min.Y+vg.Length(r)*h, min(c.Max.Y, c.Min.Y+vg.Length(r+1)*h+more)
				x0, x1 := c.Min.X+vg.Length(from)*w, min(c.Max.X, c.Min.X+vg.Length(k)*w+more)
				path = append(path, vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path()...)
			}
		}
		c.SetColor(tint(colourOf(which), 0.22))
		if path != nil {
			c.Fill(path)
		}
	}
}

// borders draws the lines between cells of different classes.
func (g Grid) borders(class []int) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		w, h := c.Size().X/vg.Length(g.Columns), c.Size().Y/vg.Length(g.Rows)
		at := func(k, r int) vg.Point {
			return c.Min.Add(vg.Point{X: vg.Length(k) * w, Y: vg.Length(r) * h})
		}
		var path vg.Path
		for r := range g.Rows {
			for k := range g.Columns {
				i := r*g.Columns + k
				if k > 0 && class[i] != class[i-1] {
					path.Move(at(k, r))
					path.Line(at(k, r+1))
				}
				if r > 0 && class[i] != class[i-g.Columns] {
					path.Move(at(k, r))
					path.Line(at(k+1, r))
				}
			}
		}
		if path != nil {
			c.SetLineStyle(draw.LineStyle{Color: pale, Width: 0.7})
			c.Stroke(path)
		}
	}
}
