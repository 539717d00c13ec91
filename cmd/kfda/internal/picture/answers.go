package picture

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/internal/wilson"
)

// Histogram are counts between a low and a high value, in equal steps.
type Histogram struct {
	Low, High float64
	Counts    []int
}

// step is the width of a bar, 0 where all values are equal.
func (b Histogram) step() float64 { return (b.High - b.Low) / float64(len(b.Counts)) }

// top is the largest count.
func (b Histogram) top() float64 {
	most := 1
	for _, n := range b.Counts {
		most = max(most, n)
	}
	return float64(most)
}

// bars draws them, of a share of their steps but at least a point wide.
func bars(b Histogram, share float64) drawn {
	return func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		c.SetColor(tint(palette[0], 0.75))
		for i, n := range b.Counts {
			if n == 0 {
				continue
			}
			from, to := tx(b.Low+float64(i)*b.step()), tx(b.Low+float64(i+1)*b.step())
			half := max(1, vg.Length(share)*(to-from)) / 2
			from, to = (from+to)/2-half, (from+to)/2+half
			c.Fill(vg.Rectangle{Min: vg.Point{X: from, Y: ty(0)}, Max: vg.Point{X: to, Y: ty(float64(n))}}.Path())
		}
	}
}

// Null shows the values of a statistic for permuted labels, and that of the labels.
func Null(title, name string, null Histogram, statistic float64, notes ...string) *Figure {
	p := newPanel(name, "permutations")
	p.X.Min, p.X.Max = span([]float64{null.Low, null.High, statistic}, 0.04)
	p.Y.Min, p.Y.Max = 0, 1.08*null.top()
	mark := draw.LineStyle{Color: palette[3], Width: 2}
	p.Add(grid, bars(null, 1), line(mark, []float64{statistic, statistic}, []float64{0, p.Y.Max}))
	return &Figure{
		Title: title, Notes: notes, width: 390, height: 250, panels: []*plot.Plot{p},
		legend: []entry{
			patchEntry("labels permuted", tint(palette[0], 0.75), palette[0]),
			lineEntry("labels as they are: "+strconv.FormatFloat(statistic, 'g', 4, 64), mark),
		},
	}
}

// PValues shows how many rows have p-values up to each twentieth, where they are multiples of one in
// so many, and how many would if all rows were like the others.
func PValues(title string, p []float64, ranks int, level float64, notes ...string) *Figure {
	const steps = 20
	b := Histogram{0, 1, make([]int, steps)}
	x, y := []float64{}, []float64{}
	for _, v := range p {
		b.Counts[max(0, int(math.Ceil(v*steps-1e-9))-1)]++
	}
	top, before := b.top(), 0.0
	for i := range steps {
		possible := math.Floor(float64(ranks*(i+1))/steps + 1e-9)
		expected := float64(len(p)) * (possible - before) / float64(ranks)
		before = possible
		x, y = append(x, float64(i)/steps, float64(i+1)/steps), append(y, expected, expected)
		top = max(top, expected)
	}
	panel := newPanel("p-value", "rows")
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = -0.02, 1.02, 0, 1.08*top
	alike, at := draw.LineStyle{Color: ink, Width: 1.2, Dashes: []vg.Length{5, 3}}, draw.LineStyle{Color: palette[3], Width: 1.4}
	panel.Add(grid, bars(b, 0.94), line(alike, x, y), line(at, []float64{level, level}, []float64{0, panel.Y.Max}))
	return &Figure{
		Title: title, Notes: notes, width: 390, height: 250, panels: []*plot.Plot{panel},
		legend: []entry{
			patchEntry("rows", tint(palette[0], 0.75), palette[0]), lineEntry("expected of like rows", alike),
			lineEntry(fmt.Sprintf("level %v", level), at),
		},
	}
}

// Share is how many of some rows, which have a name, count.
type Share struct {
	Name       string
	Hits, Rows int
}

// Sets shows how many sets have each number of classes, nil for intervals, and the share that hold the
// truth of some rows, nil where that is not known, beside what is promised.
func Sets(title string, sizes []int, held []Share, coverage float64, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, Columns: 2, width: 330, height: 260}
	if sizes != nil {
		f.panels = append(f.panels, sizePanel(sizes))
	}
	if held == nil {
		return f
	}
	const most = 40
	if n := len(held); n > most {
		held = held[:most]
		f.Notes = append(f.Notes, fmt.Sprintf("The first %d of %d classes.", most, n))
	}
	p := newPanel("", "share that holds the truth")
	names, least := make([]string, len(held)), coverage
	for i, h := range held {
		names[i] = h.Name
		low, _ := wilson.Of(h.Hits, h.Rows)
		least = min(least, low)
	}
	p.X.Tick.Marker = named(Names(names))
	p.X.Tick.Length = 2
	if len(held) > 5 {
		upright(&p.X)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.6, float64(len(held))-0.4, max(0, least-0.03), 1.01
	p.Y.Tick.Marker = plot.TickerFunc(func(low, _ float64) []plot.Tick { return rounded(low, 1) })
	promise := thin(ink, 5, 3)
	p.Add(grid, line(promise, []float64{p.X.Min, p.X.Max}, []float64{coverage, coverage}), drawn(func(c draw.Canvas, p *plot.Plot) {
		for i, h := range held {
			low, high := wilson.Of(h.Hits, h.Rows)
			x := []float64{float64(i), float64(i), float64(i)}
			at := points(&c, p, x, []float64{low, float64(h.Hits) / float64(h.Rows), high})
			drawMean(&c, at[0], at[1], at[2])
		}
	}))
	f.panels = append(f.panels, p)
	f.legend = []entry{{"share, its 95 % interval (Wilson)", func(c *draw.Canvas, at vg.Point) {
		drawMean(c, at.Sub(vg.Point{Y: 6}), at, at.Add(vg.Point{Y: 6}))
	}}, lineEntry(fmt.Sprintf("coverage %v", coverage), promise)}
	return f
}

// sizePanel shows how many sets have each number of classes, up to the last that any has.
func sizePanel(sizes []int) *plot.Plot {
	for len(sizes) > 2 && sizes[len(sizes)-1] == 0 {
		sizes = sizes[:len(sizes)-1]
	}
	p := newPanel("classes in a set", "rows")
	b := Histogram{-0.5, float64(len(sizes)) - 0.5, sizes}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.Low-0.1, b.High+0.1, 0, 1.1*b.top()
	if len(sizes) <= 12 {
		names := make([]string, len(sizes))
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		p.X.Tick.Marker = named(names)
	}
	p.Add(grid, bars(b, 0.72), drawn(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		text := writing(9.5, ink)
		text.XAlign = draw.XCenter
		for i, n := range sizes {
			if s := strconv.Itoa(n); text.Width(s) < tx(1)-tx(0) {
				c.FillText(text, vg.Point{X: tx(float64(i)), Y: ty(float64(n)) + 3}, s)
			}
		}
	}))
	return p
}

// Changes shows a statistic of splits after each row but the last, after which rows a process changed,
// and from what value on it did, nil where that is not known. Splits with fewer rows than a segment on one side
// count for nothing, and are dashed.
func Changes(title, rows, name string, curve []float64, segment int, changes []int, threshold *float64, notes ...string) *Figure {
	p := newPanel(rows, name)
	x := make([]float64, len(curve))
	for i := range x {
		x[i] = float64(i + 1)
	}
	values := append([]float64{0}, curve...)
	if threshold != nil {
		values = append(values, *threshold)
	}
	p.X.Min, p.X.Max = 0, float64(len(curve)+1)
	p.Y.Min, p.Y.Max = span(values, 0.05)
	p.Add(grid)
	f := &Figure{Title: title, Notes: notes, width: 430, height: 250}
	split, limit := draw.LineStyle{Color: palette[3], Width: 1.6}, thin(ink, 5, 3)
	for _, after := range changes {
		p.Add(line(split, []float64{float64(after), float64(after)}, []float64{p.Y.Min, p.Y.Max}))
	}
	outer, first, last := thin(pale, 2, 2), segment-1, len(curve)-segment
	p.Add(line(draw.LineStyle{Color: palette[0], Width: 1.4}, x[first:last+1], curve[first:last+1]))
	if first > 0 {
		p.Add(line(outer, x[:first+1], curve[:first+1]), line(outer, x[last:], curve[last:]))
		f.legend = append(f.legend, lineEntry(fmt.Sprintf("fewer than %d rows", segment), outer))
	}
	if changes != nil {
		f.legend = append(f.legend, lineEntry("change", split))
	}
	if threshold != nil {
		p.Add(line(limit, []float64{p.X.Min, p.X.Max}, []float64{*threshold, *threshold}))
		f.legend = append(f.legend, lineEntry("threshold "+strconv.FormatFloat(*threshold, 'g', 4, 64), limit))
	}
	f.panels = []*plot.Plot{p}
	return f
}
