package picture

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"image/color"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a picture of one or several panels, all of one size, under a title and over a
// legend. Its text is in points, which are the units of an SVG.
type Figure struct {
	Title   string
	Notes   []string // what there is to know to read it, below the title
	Columns int      // of panels

	panels        []*plot.Plot
	width, height vg.Length // of a panel
	legend        []entry
}

// entry explains a mark.
type entry struct {
	text string
	draw func(c *draw.Canvas, at vg.Point) // the mark, around a point
}

const (
	margin     vg.Length = 10
	between    vg.Length = 14 // panels
	legendLine vg.Length = 15
	thumbnail  vg.Length = 22
)

// Formats are the endings of names of files that a figure can be written to.
var Formats = []string{".svg", ".png", ".pdf"}

// Bytes returns the figure in a format.
func (f *Figure) Bytes(format string) ([]byte, error) {
	w, h := f.size()
	var b bytes.Buffer
	switch format {
	case ".svg":
		c := vgsvg.New(w, h)
		f.draw(c)
		_, err := c.WriteTo(&b)
		return f.tidySVG(b.Bytes(), w, h), err
	case ".png":
		c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
		f.draw(c)
		_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&b)
		return b.Bytes(), err
	case ".pdf":
		// A document of no date, with its parts in one order.
		fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
		fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
		fpdf.SetDefaultCatalogSort(true)
		c := &pdfCanvas{Canvas: vgpdf.New(w, h)}
		f.draw(c)
		if c.lost != "" {
			return nil, fmt.Errorf("the fonts of a PDF lack letters of %q; write .svg or .png", c.lost)
		}
		_, err := c.WriteTo(&b)
		return b.Bytes(), err
	}
	return nil, errors.New("picture: no format " + format)
}

// pdfCanvas encodes text as the fonts of a PDF have it, and keeps one that they lack letters of.
type pdfCanvas struct {
	*vgpdf.Canvas
	lost string
}

func (c *pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	var b strings.Builder
	for _, r := range text {
		v, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c.lost = text
		}
		b.WriteByte(v)
	}
	c.Canvas.FillString(f, at, b.String())
}

// svgFont is what each text of an SVG says of its font.
const svgFont = "\n\tstyle=\"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;"

// tidySVG says the font once, with others of the same widths for where it is not to be had, and
// the title for those who can't see it.
func (f *Figure) tidySVG(text []byte, w, h vg.Length) []byte {
	_, body, _ := strings.Cut(string(text), "<g transform")
	body = strings.ReplaceAll(body, svgFont, ` style="`)
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.5g %.5g" width="%[1]g" height="%g" role="img" font-family="Liberation Sans, Arial, Helvetica, sans-serif">
<title>%s</title>
<g transform`, w.Points(), h.Points(), html.EscapeString(f.Title))
	return []byte(head + body)
}

func (f *Figure) columns() int { return max(1, min(f.Columns, len(f.panels))) }
func (f *Figure) rows() int    { return (len(f.panels) + f.columns() - 1) / f.columns() }

// inner returns the width between the margins.
func (f *Figure) inner() vg.Length {
	n := vg.Length(f.columns())
	return n*f.width + (n-1)*between
}

// heading returns the lines of the title and of the notes.
func (f *Figure) heading() (title, notes []string) {
	title = wrapped(titleStyle, f.Title, f.inner())
	for _, n := range f.Notes {
		notes = append(notes, wrapped(noteStyle, n, f.inner())...)
	}
	return title, notes
}

var (
	titleStyle = writing(13, ink)
	noteStyle  = writing(9.5, pale)
)

const (
	titleLine vg.Length = 16
	noteLine  vg.Length = 12.5
)

func (f *Figure) size() (w, h vg.Length) {
	title, notes := f.heading()
	n := vg.Length(f.rows())
	h = 2*margin + titleLine*vg.Length(len(title)) + noteLine*vg.Length(len(notes)) + 6
	h += n*f.height + (n-1)*between
	if rows, _ := f.legendRows(); len(rows) > 0 {
		h += 8 + legendLine*vg.Length(len(rows))
	}
	return f.inner() + 2*margin, h
}

// draw draws the figure on a canvas of its size.
func (f *Figure) draw(canvas vg.CanvasSizer) {
	c := draw.New(canvas)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	x, y := c.Min.X+margin, c.Max.Y-margin
	title, notes := f.heading()
	for _, line := range title {
		y -= titleLine
		c.FillText(titleStyle, vg.Point{X: x, Y: y + 4}, line)
	}
	for _, line := range notes {
		y -= noteLine
		c.FillText(noteStyle, vg.Point{X: x, Y: y + 3}, line)
	}
	y -= 6
	legend, width := f.legendRows()
	bottom := c.Min.Y + margin
	if len(legend) > 0 {
		bottom += 8 + legendLine*vg.Length(len(legend))
	}
	f.drawPanels(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: bottom}, Max: vg.Point{X: c.Max.X - margin, Y: y}}})
	bottom -= 8
	for _, row := range legend {
		bottom -= legendLine
		at := x
		for _, e := range row {
			e.draw(&c, vg.Point{X: at + thumbnail/2 - 2, Y: bottom + legendLine/2})
			c.FillText(legendStyle, vg.Point{X: at + thumbnail, Y: bottom + 4}, e.text)
			at += width(e)
		}
	}
}

// drawPanels draws the panels with their axes below and beside each other.
func (f *Figure) drawPanels(c draw.Canvas) {
	grid := make([][]*plot.Plot, f.rows())
	for r := range grid {
		grid[r] = make([]*plot.Plot, f.columns())
		for k := range grid[r] {
			if i := r*f.columns() + k; i < len(f.panels) {
				grid[r][k] = f.panels[i]
			}
		}
	}
	tiles := draw.Tiles{Rows: f.rows(), Cols: f.columns(), PadX: between, PadY: between}
	for r, row := range plot.Align(grid, tiles, c) {
		for k, part := range row {
			if grid[r][k] != nil {
				grid[r][k].Draw(part)
			}
		}
	}
}

var legendStyle = writing(10, ink)

func (e entry) width() vg.Length { return thumbnail + legendStyle.Width(e.text) + 12 }

// legendRows divides the entries into as many rows as it takes, and returns the width of each:
// its own where one row is enough, else the same of all.
func (f *Figure) legendRows() (rows [][]entry, width func(entry) vg.Length) {
	sum, most := vg.Length(0), vg.Length(0)
	for _, e := range f.legend {
		sum, most = sum+e.width(), max(most, e.width())
	}
	if sum <= f.inner()+12 {
		if len(f.legend) > 0 {
			rows = [][]entry{f.legend}
		}
		return rows, entry.width
	}
	return slices.Collect(slices.Chunk(f.legend, max(1, int((f.inner()+12)/most)))), func(entry) vg.Length { return most }
}
