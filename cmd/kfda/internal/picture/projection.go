package picture

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
)

// Rows are rows with their classes in the coordinates of a picture.
type Rows struct {
	Classes []string
	Class   []int       // of each row
	Values  [][]float64 // by coordinate
	Axes    []string    // their names
}

// mostMarks is how many rows are drawn in a panel.
const mostMarks = 2000

// every returns of how many rows one is drawn.
func (r *Rows) every() int { return max(1, (len(r.Class)+mostMarks-1)/mostMarks) }

// of returns coordinate k of the rows of a class, all or those that are drawn.
func (r *Rows) of(k, class int, drawn bool) (values []float64) {
	every := 1
	if drawn {
		every = r.every()
	}
	for i, c := range r.Class {
		if c == class && i%every == 0 {
			values = append(values, r.Values[k][i])
		}
	}
	return values
}

// thinned says how many rows are drawn, where these are not all.
func (r *Rows) thinned() (notes []string) {
	if every := r.every(); every > 1 {
		notes = append(notes, fmt.Sprintf("Marks for %d of %d rows; all else is of all.", (len(r.Class)+every-1)/every, len(r.Class)))
	}
	return notes
}

// present are the classes that have rows.
func (r *Rows) present() (classes []int) {
	count := make([]int, len(r.Classes))
	for _, c := range r.Class {
		count[c]++
	}
	for c, n := range count {
		if n > 0 {
			classes = append(classes, c)
		}
	}
	return classes
}

// Projection shows the projections of rows: on one direction the densities of the classes and
// the thresholds between them, on two a scatter, of more the pairs of the first three.
func Projection(title string, rows Rows, thresholds []float64, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, width: 390, height: 280}
	switch p := len(rows.Values); {
	case p == 1:
		f.densities(rows, thresholds)
		return f
	case p == 2:
		f.panels = append(f.panels, scatter(rows, 0, 1))
	default:
		f.Columns, f.width, f.height = 3, 280, 240
		for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			f.panels = append(f.panels, scatter(rows, pair[0], pair[1]))
		}
		if p > 3 {
			f.Notes = append(f.Notes, fmt.Sprintf("The first 3 of %d directions.", p))
		}
	}
	if len(rows.present()) > MostTold {
		f.Notes = append(f.Notes, "Names stand at the means of the classes, as many as there is room for; rows are dots.")
		f.Notes = append(f.Notes, rows.thinned()...)
		return f
	}
	f.Notes = append(f.Notes, "Dots: means of classes. Ellipses: 95 % of a normal distribution with a class's mean and covariance.")
	f.Notes = append(f.Notes, rows.thinned()...)
	names := Names(rows.Classes)
	for _, c := range rows.present() {
		f.legend = append(f.legend, markEntry(names[c], c))
	}
	return f
}

// scatter shows two coordinates of rows.
func scatter(rows Rows, a, b int) *plot.Plot {
	p := newPanel(rows.Axes[a], rows.Axes[b])
	if len(rows.present()) > MostTold {
		p.X.Min, p.X.Max = span(rows.Values[a], 0.03)
		p.Y.Min, p.Y.Max = span(rows.Values[b], 0.03)
		p.Add(grid, drawn(func(c draw.Canvas, p *plot.Plot) { drawNames(&c, p, rows, a, b) }))
		return p
	}
	xs, ys := append([]float64(nil), rows.Values[a]...), append([]float64(nil), rows.Values[b]...)
	curves := make(map[int][2][]float64)
	for _, c := range rows.present() {
		e, ok := assess.NewEllipse(rows.of(a, c, false), rows.of(b, c, false))
		if !ok {
			continue
		}
		var x, y []float64
		for k := range 73 {
			u, v := e.At(2 * math.Pi * float64(k) / 72)
			x, y = append(x, u), append(y, v)
		}
		curves[c] = [2][]float64{x, y}
		xs, ys = append(xs, x...), append(ys, y...)
	}
	p.X.Min, p.X.Max = span(xs, 0.03)
	p.Y.Min, p.Y.Max = span(ys, 0.03)
	p.Add(grid, drawn(func(c draw.Canvas, p *plot.Plot) {
		for _, class := range rows.present() {
			drawMarks(&c, class, points(&c, p, rows.of(a, class, true), rows.of(b, class, true)), 2.4)
		}
		for _, class := range rows.present() {
			curve := curves[class]
			style := lineOf(class)
			style.Width = 1.2
			c.StrokeLines(style, points(&c, p, curve[0], curve[1]))
		}
		for _, class := range rows.present() {
			x, y := mean(rows.of(a, class, false)), mean(rows.of(b, class, false))
			drawCentroid(&c, class, points(&c, p, []float64{x}, []float64{y})[0])
		}
	}))
	return p
}

// drawNames draws rows as dots, and the names of their classes at the means, where these do not lie
// over each other: those with the most rows first.
func drawNames(c *draw.Canvas, p *plot.Plot, rows Rows, a, b int) {
	var x, y []float64
	for i := 0; i < len(rows.Class); i += rows.every() {
		x, y = append(x, rows.Values[a][i]), append(y, rows.Values[b][i])
	}
	var dots vg.Path
	for _, at := range points(c, p, x, y) {
		dots = append(dots, vg.Rectangle{Min: at.Sub(vg.Point{X: 0.7, Y: 0.7}), Max: at.Add(vg.Point{X: 0.7, Y: 0.7})}.Path()...)
	}
	c.SetColor(tint(palette[0], 0.5))
	c.Fill(dots)
	style := writing(8, ink)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	names, classes := Names(rows.Classes), rows.present()
	count := make(map[int]int)
	for _, k := range rows.Class {
		count[k]++
	}
	slices.SortStableFunc(classes, func(i, j int) int { return count[j] - count[i] })
	var taken []vg.Rectangle
	for _, k := range classes {
		at := points(c, p, []float64{mean(rows.of(a, k, false))}, []float64{mean(rows.of(b, k, false))})[0]
		half := vg.Point{X: style.Width(names[k])/2 + 1, Y: 5}
		box := vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
		if !c.Contains(box.Min) || !c.Contains(box.Max) || slices.ContainsFunc(taken, func(o vg.Rectangle) bool {
			return box.Min.X < o.Max.X && o.Min.X < box.Max.X && box.Min.Y < o.Max.Y && o.Min.Y < box.Max.Y
		}) {
			continue
		}
		taken = append(taken, box)
		c.SetColor(tint(palette[0], 0.08))
		c.Fill(box.Path())
		c.FillText(style, at, names[k])
	}
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

// densities shows one coordinate of rows.
func (f *Figure) densities(rows Rows, thresholds []float64) {
	const steps = 240
	p := newPanel(rows.Axes[0], "density")
	p.X.Min, p.X.Max = span(rows.Values[0], 0.12)
	at := make([]float64, steps+1)
	for k := range at {
		at[k] = p.X.Min + (p.X.Max-p.X.Min)*float64(k)/steps
	}
	present := rows.present()
	curves, top := make([][]float64, len(present)), 0.0
	for k, c := range present {
		curves[k] = assess.Density(rows.of(0, c, false), at)
		for _, v := range curves[k] {
			top = max(top, v)
		}
	}
	strip := top * 0.06
	p.Y.Min, p.Y.Max = -strip*(float64(len(present))+0.5), 1.05*top
	p.Y.Tick.Marker = plot.TickerFunc(func(_, high float64) []plot.Tick { return rounded(0, high) })
	p.Add(grid)
	floor, before := make([]float64, len(at)), make([]float64, len(at))
	for k, c := range present {
		p.Add(band(tint(colourOf(c), 0.2), at, floor, curves[k]))
		both := make([]float64, len(at))
		for i, v := range curves[k] {
			both[i], before[i] = min(v, before[i]), max(v, before[i])
		}
		p.Add(band(tint(ink, 0.16), at, floor, both)) // where classes lie over each other
	}
	names := Names(rows.Classes)
	for k, c := range present {
		p.Add(line(lineOf(c), at, curves[k]), rug(c, rows.of(0, c, true), -strip*float64(k+1), strip*0.7))
		f.legend = append(f.legend, lineEntry(names[c], lineOf(c)))
	}
	for _, t := range thresholds {
		p.Add(line(thin(ink, 5, 3), []float64{t, t}, []float64{p.Y.Min, p.Y.Max}))
	}
	switch len(thresholds) {
	case 0:
	case 1:
		f.legend = append(f.legend, lineEntry("threshold "+fmt.Sprintf("%.4g", thresholds[0]), thin(ink, 5, 3)))
	default:
		f.legend = append(f.legend, lineEntry("thresholds", thin(ink, 5, 3)))
	}
	f.Notes = append(f.Notes, "Densities by a normal kernel of Silverman's width, of each class by itself; below each row is a stroke.")
	f.Notes = append(f.Notes, rows.thinned()...)
	f.panels = append(f.panels, p)
}

// rug draws a stroke for each value on a strip.
func rug(class int, values []float64, bottom, height float64) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		x, y := p.Transforms(&c)
		var path vg.Path
		for _, v := range values {
			path.Move(vg.Point{X: x(v), Y: y(bottom)})
			path.Line(vg.Point{X: x(v), Y: y(bottom + height)})
		}
		c.SetLineStyle(draw.LineStyle{Color: colourOf(class), Width: 0.6})
		c.Stroke(path)
	}
}
