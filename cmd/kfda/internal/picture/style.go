package picture

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/internal/show"
)

// palette is that of Okabe and Ito, with a grey in place of the yellow, which is too pale for
// lines on white.
var palette = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x9e, 0x73, 0xff}, // green
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0xcc, 0x79, 0xa7, 0xff}, // purple
	{0x00, 0x00, 0x00, 0xff}, // black
	{0x8c, 0x8c, 0x8c, 0xff}, // grey
}

var (
	ink   = color.RGBA{0x26, 0x26, 0x26, 0xff}
	pale  = color.RGBA{0x59, 0x59, 0x59, 0xff} // text of less weight
	faint = color.RGBA{0xe0, 0xe0, 0xe0, 0xff} // the grid
)

// dashes are those of the lines of classes.
var dashes = [][]vg.Length{nil, {6, 2.5}, {2, 2}, {8, 2, 2, 2}, {10, 4}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}, {1, 3}}

// MostTold is how many classes colours and marks tell apart.
const MostTold = 56

func colourOf(class int) color.RGBA { return palette[class%len(palette)] }

// tint mixes a colour with white; share is that of the colour.
func tint(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 - share*(255-float64(v)))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

func lineOf(class int) draw.LineStyle {
	return draw.LineStyle{Color: colourOf(class), Width: 1.6, Dashes: dashes[class%len(dashes)]}
}

func thin(c color.Color, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: 0.8, Dashes: dashes}
}

// writing is the style of text of a size.
func writing(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

// Name makes a text from a file fit for a picture, and cuts what is long.
func Name(s string) string { return cut(s, 22) }

// Names are the names of texts that differ: longer ones, or with their numbers, where they
// would be alike.
func Names(texts []string) []string {
	short := make([]string, len(texts))
	for most := 22; most <= 66; most += 11 {
		alike := make(map[string]bool, len(texts))
		for i, s := range texts {
			short[i] = cut(s, most)
			alike[short[i]] = true
		}
		if len(alike) == len(texts) {
			return short
		}
	}
	for i, s := range texts {
		short[i] = fmt.Sprintf("%d: %s", i+1, Name(s))
	}
	return short
}

func cut(s string, most int) string {
	r := []rune(show.Text(s))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most*2/3]) + "…" + string(r[len(r)-most/3+1:])
}

// words are those of a text; of one that is wider than that, parts.
func words(s draw.TextStyle, text string, width vg.Length) (all []string) {
	for _, word := range strings.Fields(text) {
		start := 0
		for i, r := range word {
			if i > start && s.Width(word[start:i]+string(r)) > width {
				all, start = append(all, word[start:i]), i
			}
		}
		all = append(all, word[start:])
	}
	return all
}

// wrapped divides text into lines of a width.
func wrapped(s draw.TextStyle, text string, width vg.Length) (lines []string) {
	line := ""
	for _, word := range words(s, text, width) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && s.Width(longer) > width {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	return append(lines, line)
}
