package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// The colours of three classes, which colour-blind people tell apart, and of text and lines.
var (
	colours = []string{"#0072b2", "#d55e00", "#009e73"}
	ink     = "#333"
	faint   = "#ddd"
)

// picture is a drawing on a light card of its own, to be read on any background.
type picture struct {
	width, height float64
	body          bytes.Buffer
}

func (p *picture) svg() []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%g" font-family="sans-serif" font-size="12" fill="%s">
<rect width="100%%" height="100%%" rx="6" fill="#fff"/>
%s</svg>
`, p.width, p.height, ink, p.body.Bytes())
}

func (p *picture) add(format string, args ...any) { fmt.Fprintf(&p.body, format+"\n", args...) }

// text writes at x, y; anchor is start, middle or end.
func (p *picture) text(x, y float64, anchor, format string, args ...any) {
	p.add(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, html.EscapeString(fmt.Sprintf(format, args...)))
}

func (p *picture) line(x1, y1, x2, y2 float64, colour string) {
	p.add(`<path d="M%.1f %.1fL%.1f %.1f" stroke="%s"/>`, x1, y1, x2, y2, colour)
}

func (p *picture) bar(x, y, width, height float64, colour string, opacity float64) {
	p.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" fill-opacity="%g"/>`, x, y, width, height, colour, opacity)
}

// dot is a filled circle, or a hollow one.
func (p *picture) dot(x, y float64, colour string, filled bool) {
	fill := "none"
	if filled {
		fill = colour
	}
	p.add(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s" stroke="%s"/>`, x, y, fill, colour)
}

// axis maps values to places.
type axis struct {
	min, max float64 // values
	from, to float64 // places
	log      bool
}

func (a axis) at(v float64) float64 {
	min, max := a.min, a.max
	if a.log {
		v, min, max = math.Log10(v), math.Log10(min), math.Log10(max)
	}
	return a.from + (v-min)/(max-min)*(a.to-a.from)
}

// frame draws the axes with their names and the values at ticks.
func (p *picture) frame(x, y axis, xName, yName string, xTicks, yTicks []float64) {
	for _, v := range xTicks {
		p.line(x.at(v), y.from, x.at(v), y.to, faint)
		p.text(x.at(v), y.from+16, "middle", "%s", tick(v, x.log))
	}
	for _, v := range yTicks {
		p.line(x.from, y.at(v), x.to, y.at(v), faint)
		p.text(x.from-6, y.at(v)+4, "end", "%s", tick(v, y.log))
	}
	p.text((x.from+x.to)/2, y.from+34, "middle", "%s", xName)
	p.add(`<text transform="translate(16 %.1f) rotate(-90)" text-anchor="middle">%s</text>`, (y.from+y.to)/2, html.EscapeString(yName))
}

func tick(v float64, log bool) string {
	if !log || v >= 0.01 && v <= 100 {
		return fmt.Sprintf("%.4g", v)
	}
	return fmt.Sprintf("%.0e", v)
}

// key explains colours, in a row that begins at x.
func (p *picture) key(x, y float64, names ...string) {
	for i, name := range names {
		p.dot(x, y-4, colours[i], true)
		p.text(x+8, y, "start", "%s", name)
		x += 30 + 6.5*float64(len([]rune(name)))
	}
}
