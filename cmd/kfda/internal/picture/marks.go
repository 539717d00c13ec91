package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shapes are the marks of classes, around the origin, of radius 1: the corners, closed but for
// pairs of the ends of lines; the first is a circle.
var shapes = []struct {
	corners []vg.Point
	open    bool
}{
	{},
	{corners: []vg.Point{{X: 0, Y: 1.2}, {X: 1.05, Y: -0.7}, {X: -1.05, Y: -0.7}}},
	{corners: []vg.Point{{X: -0.85, Y: -0.85}, {X: 0.85, Y: -0.85}, {X: 0.85, Y: 0.85}, {X: -0.85, Y: 0.85}}},
	{corners: []vg.Point{{X: -0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}, {X: 0.9, Y: -0.9}}, open: true},
	{corners: []vg.Point{{X: 0, Y: 1.25}, {X: 1.25, Y: 0}, {X: 0, Y: -1.25}, {X: -1.25, Y: 0}}},
	{corners: []vg.Point{{X: 0, Y: -1.2}, {X: 1.05, Y: 0.7}, {X: -1.05, Y: 0.7}}},
	{corners: []vg.Point{{X: -1.15, Y: 0}, {X: 1.15, Y: 0}, {X: 0, Y: -1.15}, {X: 0, Y: 1.15}}, open: true},
}

// addMark adds the mark of a class to a path.
func addMark(path *vg.Path, class int, at vg.Point, radius vg.Length) {
	s := shapes[class%len(shapes)]
	if s.corners == nil {
		path.Move(at.Add(vg.Point{X: radius}))
		path.Arc(at, radius, 0, 2*math.Pi)
		path.Close()
		return
	}
	for i, p := range s.corners {
		p = at.Add(p.Scale(radius))
		if i == 0 || s.open && i%2 == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	if !s.open {
		path.Close()
	}
}

// drawMarks draws the marks of rows of a class as one path.
func drawMarks(c *draw.Canvas, class int, at []vg.Point, radius vg.Length) {
	var path vg.Path
	for _, p := range at {
		addMark(&path, class, p, radius)
	}
	if path == nil {
		return
	}
	c.SetLineStyle(draw.LineStyle{Color: colourOf(class), Width: 1})
	c.Stroke(path)
}

// fillDots draws discs.
func fillDots(c *draw.Canvas, colour color.Color, radius vg.Length, at ...vg.Point) {
	var path vg.Path
	for _, p := range at {
		addMark(&path, 0, p, radius)
	}
	c.SetColor(colour)
	c.Fill(path)
}

// Entries of a legend.

func markEntry(text string, class int) entry {
	return entry{text, func(c *draw.Canvas, at vg.Point) { drawMarks(c, class, []vg.Point{at}, 3.2) }}
}

func lineEntry(text string, style draw.LineStyle) entry {
	return entry{text, func(c *draw.Canvas, at vg.Point) { c.StrokeLine2(style, at.X-8, at.Y, at.X+8, at.Y) }}
}

func patchEntry(text string, fill, edge color.Color) entry {
	return entry{text, func(c *draw.Canvas, at vg.Point) {
		box := vg.Rectangle{Min: at.Sub(vg.Point{X: 7, Y: 4}), Max: at.Add(vg.Point{X: 7, Y: 4})}.Path()
		c.SetColor(fill)
		c.Fill(box)
		c.SetLineStyle(thin(edge))
		c.Stroke(box)
	}}
}

// drawCentroid draws the mean of a class: its mark in white on a disc of its colour.
func drawCentroid(c *draw.Canvas, class int, at vg.Point) {
	for _, ring := range []struct {
		radius vg.Length
		colour color.Color
	}{{6.9, color.White}, {6, ink}, {5.1, colourOf(class)}} {
		fillDots(c, ring.colour, ring.radius, at)
	}
	var mark vg.Path
	addMark(&mark, class, at, 2.2)
	c.SetLineStyle(draw.LineStyle{Color: color.White, Width: 1.1})
	c.Stroke(mark)
}
