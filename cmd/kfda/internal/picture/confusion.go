package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Confusion shows how many rows of the class of each line were taken for the class of each
// column, and which share of the line that is.
func Confusion(title string, classes []string, counts [][]int, notes ...string) *Figure {
	if len(classes) > MostTold {
		notes = append(notes, fmt.Sprintf("The %d of %d classes with the most errors, and all others together.", mostLines, len(classes)))
		classes, counts = worst(classes, counts)
	}
	n := len(classes)
	side := vg.Length(math.Max(15, math.Min(64, 400/float64(n))))
	for _, row := range counts {
		side = max(side, writing(leastCell, ink).Width(fmt.Sprint(slices.Max(row)))+3)
	}
	names, reversed := Names(classes), make([]string, n)
	longest := vg.Length(0)
	for i, c := range names {
		reversed[n-1-i] = c
		longest = max(longest, writing(9.5, ink).Width(c))
	}
	p := newPanel("taken for", "class")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5, -0.5, float64(n)-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = named(names), named(reversed)
	p.X.Tick.Length, p.Y.Tick.Length = 2, 2
	below := vg.Length(12)
	if longest+4 > side {
		upright(&p.X)
		below = longest
	}
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) { drawConfusion(&c, counts) }))
	return &Figure{
		Title: title, panels: []*plot.Plot{p},
		Notes:  append([]string{"Rows of the class of each line, and their share of the line: the darker, the larger."}, notes...),
		width:  max(300, side*vg.Length(n)+longest+34),
		height: side*vg.Length(n) + below + 30,
	}
}

// mostLines are the classes that have a line of their own, of too many for a picture.
const mostLines = 24

// worst joins all classes but those that are most often taken for others, or others for them.
func worst(classes []string, counts [][]int) ([]string, [][]int) {
	errors, order := make([]int, len(classes)), make([]int, len(classes))
	for i, row := range counts {
		order[i] = i
		for j, v := range row {
			if i != j {
				errors[i], errors[j] = errors[i]+v, errors[j]+v
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return errors[b] - errors[a] })
	kept := slices.Sorted(slices.Values(order[:mostLines]))
	line := make([]int, len(classes)) // of a class
	for i := range line {
		line[i] = mostLines
	}
	var names []string
	for k, i := range kept {
		line[i], names = k, append(names, classes[i])
	}
	joined := make([][]int, mostLines+1)
	for k := range joined {
		joined[k] = make([]int, mostLines+1)
	}
	for i, row := range counts {
		for j, v := range row {
			joined[line[i]][line[j]] += v
		}
	}
	return append(names, "all others"), joined
}

func drawConfusion(c *draw.Canvas, counts [][]int) {
	n := len(counts)
	w, h := c.Size().X/vg.Length(n), c.Size().Y/vg.Length(n)
	for i, row := range counts {
		sum := 0
		for _, v := range row {
			sum += v
		}
		for j, v := range row {
			corner := vg.Point{X: c.Min.X + vg.Length(j)*w, Y: c.Max.Y - vg.Length(i+1)*h}
			box := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: w, Y: h})}
			share := float64(v) / math.Max(1, float64(sum))
			fill := shade(share)
			c.SetColor(fill)
			c.Fill(box.Path())
			c.SetLineStyle(thin(color.White))
			c.Stroke(box.Path())
			drawCell(c, box, v, share, h)
		}
	}
}

// shade is white for 0 and darker the larger a share is.
func shade(share float64) color.RGBA { return tint(palette[0], 0.05+0.9*share) }

// leastCell is the size of the smallest texts of cells.
const leastCell vg.Length = 6.5

// drawCell writes a count and, where there is room, its share.
func drawCell(c *draw.Canvas, box vg.Rectangle, v int, share float64, height vg.Length) {
	style := writing(min(11, max(leastCell, height*0.32)), ink)
	if room, width := box.Size().X-2, style.Width(fmt.Sprint(v)); width > room {
		style.Font.Size *= room / width
	}
	switch {
	case share > 0.5:
		style.Color = color.White
	case v == 0:
		style.Color = color.RGBA{0x9a, 0x9a, 0x9a, 0xff}
	}
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	middle := box.Min.Add(box.Max).Scale(0.5)
	if v == 0 || height < 26 {
		c.FillText(style, middle, fmt.Sprint(v))
		return
	}
	c.FillText(style, middle.Add(vg.Point{Y: 0.6 * style.Font.Size}), fmt.Sprint(v))
	style.Font.Size *= 0.82
	c.FillText(style, middle.Sub(vg.Point{Y: 0.75 * style.Font.Size}), percent(share))
}

func percent(share float64) string {
	switch p := 100 * share; {
	case p > 0 && p < 1, p > 99 && p < 100:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}
