package picture

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// newPanel returns a panel with named axes.
func newPanel(x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Padding = 5
	p.Title.TextStyle = writing(10.5, ink)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle = writing(10.5, ink)
		a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		a.Label.Padding = 3
		a.Tick.Label.Font, a.Tick.Label.Color = writing(9.5, ink).Font, ink
		a.LineStyle, a.Tick.LineStyle = thin(ink), thin(ink)
		a.Tick.Length, a.Padding = 4, 0
		a.Tick.Marker = plot.TickerFunc(rounded)
	}
	return p
}

// drawn is a plotter that is a function.
type drawn func(c draw.Canvas, p *plot.Plot)

func (d drawn) Plot(c draw.Canvas, p *plot.Plot) { d(c, p) }

// rounded places at most seven ticks at round numbers.
func rounded(low, high float64) (ticks []plot.Tick) {
	if size := max(math.Abs(low), math.Abs(high)); !(high-low > 1e-12*size) { // a point, up to rounding
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 3, 64)}}
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, times := range []float64{2, 2.5, 2} {
		if (high-low)/step <= 6 {
			break
		}
		step *= times
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		v := k * step
		if v == 0 {
			v = 0 // no minus
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: number(v, step)})
	}
	return ticks
}

// number writes a multiple of a step.
func number(v, step float64) string {
	if most := math.Abs(v); most >= 1e6 || step < 1e-4 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if step*math.Pow10(decimals) != math.Round(step*math.Pow10(decimals)) {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// named places a tick with a name at each whole number.
func named(names []string) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(names))
	for i, n := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: n}
	}
	return ticks
}

// upright turns the labels of the ticks below a panel.
func upright(a *plot.Axis) {
	a.Tick.Label.Rotation = math.Pi / 2
	a.Tick.Label.XAlign, a.Tick.Label.YAlign = draw.XRight, draw.YCenter
}

// grid draws faint lines at the ticks.
var grid = &plotter.Grid{Vertical: thin(faint), Horizontal: thin(faint)}

// points returns where values lie in a panel.
func points(c *draw.Canvas, p *plot.Plot, x, y []float64) []vg.Point {
	tx, ty := p.Transforms(c)
	out := make([]vg.Point, len(x))
	for i := range x {
		out[i] = vg.Point{X: tx(x[i]), Y: ty(y[i])}
	}
	return out
}

// line draws a line through values, as far as it is in the panel.
func line(style draw.LineStyle, x, y []float64) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		c.StrokeLines(style, c.ClipLinesXY(apart(points(&c, p, x, y)))...)
	}
}

// apart leaves out points of a line that lie within a third of a point of the one before.
func apart(line []vg.Point) []vg.Point {
	const least = 1.0 / 3
	kept := line[:min(1, len(line))]
	for i, p := range line {
		d := p.Sub(kept[len(kept)-1])
		if i == len(line)-1 || d.Dot(d) > least*least {
			kept = append(kept, p)
		}
	}
	return kept
}

// band fills what lies between two lines over the same x.
func band(fill color.Color, x, low, high []float64) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		around := points(&c, p, x, high)
		below := points(&c, p, x, low)
		for i := len(below) - 1; i >= 0; i-- {
			around = append(around, below[i])
		}
		c.FillPolygon(fill, c.ClipPolygonXY(around))
	}
}

// span returns the range of values with a margin of a share of it.
func span(values []float64, share float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if !(low < high) {
		low, high = low-max(1, math.Abs(low))/2, high+max(1, math.Abs(high))/2
	}
	d := share * (high - low)
	return low - d, high + d
}
