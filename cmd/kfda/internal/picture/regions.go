package picture

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Classify returns the classes of places in a plane.
type Classify func(x, y []float64) ([]int, error)

// lattice is a grid of places and their classes. Place (k, r) has index r·columns + k.
type lattice struct {
	left, right, bottom, top float64
	columns, rows            int
	class                    []int
}

// Regions shows which class a model gives each place around rows, and the rows.
func Regions(title string, rows Rows, classify Classify, notes ...string) (*Figure, error) {
	f := &Figure{Title: title, Notes: append(notes, rows.thinned()...), width: 390, height: 300}
	l := &lattice{columns: 220, rows: 165}
	l.left, l.right = span(rows.Values[0], 0.08)
	l.bottom, l.top = span(rows.Values[1], 0.08)
	borders, err := l.ask(classify)
	if err != nil {
		return nil, err
	}
	p := newPanel(rows.Axes[0], rows.Axes[1])
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = l.left, l.right, l.bottom, l.top
	seen := make(map[int]bool)
	for _, c := range append(rows.present(), l.class...) {
		seen[c] = true
	}
	for c, text := range Names(rows.Classes) {
		if seen[c] {
			p.Add(l.cells(c))
			f.legend = append(f.legend, regionEntry(text, c))
		}
	}
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) {
		var path vg.Path
		for _, b := range borders {
			ends := points(&c, p, b[0][:], b[1][:])
			path.Move(ends[0])
			path.Line(ends[1])
		}
		if path != nil {
			c.SetLineStyle(draw.LineStyle{Color: ink, Width: 0.8})
			c.Stroke(path)
		}
		for _, k := range rows.present() {
			drawMarks(&c, k, points(&c, p, rows.of(0, k, true), rows.of(1, k, true)), 2.3)
		}
	}))
	f.panels = []*plot.Plot{p}
	return f, nil
}

func regionEntry(text string, class int) entry {
	patch := patchEntry(text, tint(colourOf(class), 0.22), colourOf(class))
	mark := markEntry(text, class)
	return entry{text, func(c *draw.Canvas, at vg.Point) { patch.draw(c, at); mark.draw(c, at) }}
}

func (l *lattice) at(i int) (x, y float64) {
	return l.left + (l.right-l.left)*(float64(i%l.columns)+0.5)/float64(l.columns),
		l.bottom + (l.top-l.bottom)*(float64(i/l.columns)+0.5)/float64(l.rows)
}

// segment is a line, the x of its ends and their y.
type segment [2][2]float64

// crossing is where the class changes on the way from one place to a neighbour.
type crossing struct{ from, to int }

// ask gets the classes of all places and returns the lines between the regions: where the class
// changes between neighbours the place is found by halving.
func (l *lattice) ask(classify Classify) (borders []segment, err error) {
	n := l.columns * l.rows
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = l.at(i)
	}
	if l.class, err = classify(x, y); err != nil {
		return nil, err
	}
	var edges []crossing
	for i := range n {
		if i%l.columns > 0 && l.class[i-1] != l.class[i] {
			edges = append(edges, crossing{i - 1, i})
		}
		if i >= l.columns && l.class[i-l.columns] != l.class[i] {
			edges = append(edges, crossing{i - l.columns, i})
		}
	}
	if len(edges) == 0 {
		return nil, nil
	}
	places, err := l.halve(edges, classify)
	if err != nil {
		return nil, err
	}
	return l.join(places), nil
}

// halve finds where on each edge the class changes.
func (l *lattice) halve(edges []crossing, classify Classify) (map[crossing][2]float64, error) {
	low, high := make([]float64, len(edges)), make([]float64, len(edges))
	x, y := make([]float64, len(edges)), make([]float64, len(edges))
	for i := range high {
		high[i] = 1
	}
	for step := range 7 {
		for i, e := range edges {
			ax, ay := l.at(e.from)
			bx, by := l.at(e.to)
			t := (low[i] + high[i]) / 2
			x[i], y[i] = ax+t*(bx-ax), ay+t*(by-ay)
		}
		if step == 6 {
			break
		}
		class, err := classify(x, y)
		if err != nil {
			return nil, err
		}
		for i, e := range edges {
			if t := (low[i] + high[i]) / 2; class[i] == l.class[e.from] {
				low[i] = t
			} else {
				high[i] = t
			}
		}
	}
	places := make(map[crossing][2]float64, len(edges))
	for i, e := range edges {
		places[e] = [2]float64{x[i], y[i]}
	}
	return places, nil
}

// join draws lines between the crossings around each square of four places: between two of
// them, or of more to their middle.
func (l *lattice) join(places map[crossing][2]float64) (lines []segment) {
	for i := range l.columns * (l.rows - 1) {
		if i%l.columns == l.columns-1 {
			continue
		}
		up := i + l.columns
		var around [][2]float64
		for _, e := range []crossing{{i, i + 1}, {i + 1, up + 1}, {up, up + 1}, {i, up}} {
			if p, ok := places[e]; ok {
				around = append(around, p)
			}
		}
		if len(around) == 2 {
			lines = append(lines, segment{{around[0][0], around[1][0]}, {around[0][1], around[1][1]}})
			continue
		}
		var middle [2]float64
		for _, p := range around {
			middle[0] += p[0] / float64(len(around))
			middle[1] += p[1] / float64(len(around))
		}
		for _, p := range around {
			lines = append(lines, segment{{p[0], middle[0]}, {p[1], middle[1]}})
		}
	}
	return lines
}

// cells fills the cells of a class: runs of them as one box.
func (l *lattice) cells(which int) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		w, h := c.Size().X/vg.Length(l.columns), c.Size().Y/vg.Length(l.rows)
		const more = 0.25 // so that no line shows between rows
		var path vg.Path
		for r := range l.rows {
			row := l.class[r*l.columns : (r+1)*l.columns]
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
		if path != nil {
			c.SetColor(tint(colourOf(which), 0.22))
			c.Fill(path)
		}
	}
}
