package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// trial is a candidate of a search in a picture.
type trial struct {
	cv.Candidate
	x, y  float64 // what was searched beside γ, and γ
	value float64 // the share of wrong rows, or the RMSE
	best  bool
}

// Search shows the share of wrong rows, or of a regression the RMSE, of all that a search tried with its first classifier: over
// γ and what was searched beside it a panel for each kernel and scaling, over the one that was
// searched a line for each.
func Search(title string, r cv.Record, notes ...string) *Figure {
	f := &Figure{Title: title, Notes: notes, Columns: 3, width: 300, height: 280}
	groups, order := trialsOf(r)
	across := cmp.Or(r.Candidates[0].Parameter, "relative ridge")
	if across == "relative ridge" && r.Candidates[0].Ridge == 0 {
		across = "gamma"
	}
	if !slices.ContainsFunc(r.Candidates, func(c cv.Candidate) bool { return c.Gamma != r.Candidates[0].Gamma }) {
		f.Columns, f.width = 1, 390
		f.searchLines(groups, order, across, valueName(r))
		return f
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range groups {
		for _, t := range g {
			if t.Failed == 0 {
				low, high = min(low, t.value), max(high, t.value)
			}
		}
	}
	shade := shades{low, high, math.Sqrt, func(v float64) string { return fmt.Sprintf("%.1f", 100*v) }}
	shown := "Wrong rows in %"
	if r.Regression() {
		shade.of = func(share float64) float64 {
			return math.Log1p(share*(high/max(low, 1e-300)-1)) / math.Log(high/max(low, 1e-300))
		}
		shade.text, shown = func(v float64) string { return fmt.Sprintf("%.4g", v) }, "RMSE"
	}
	for _, key := range order {
		f.panels = append(f.panels, surface(key, groups[key], across, shade))
	}
	f.Notes = append(f.Notes, shown+": the darker, the more; framed cells are finer grids. The star is the best of all.")
	if slices.ContainsFunc(r.Candidates, func(c cv.Candidate) bool { return c.Sample > 0 }) {
		f.Notes = append(f.Notes, "Not all cells are of all rows: of those in parts of them the largest part is shown.")
	}
	return f
}

// valueName says what the values of trials are.
func valueName(r cv.Record) string {
	if r.Regression() {
		return "RMSE"
	}
	return "share of wrong rows"
}

// trialsOf divides the candidates by kernel and scaling; other classifiers, tried at the best of
// the grid, are left out.
func trialsOf(r cv.Record) (groups map[string][]trial, order []string) {
	groups = make(map[string][]trial)
	for i, c := range r.Candidates {
		if c.Classifier != r.Candidates[0].Classifier && i != r.Best {
			continue
		}
		key := "columns scaled: " + c.Scaling.String()
		if c.Kernel != "" {
			kernel, _, _ := strings.Cut(c.Kernel, "(gamma=default)")
			key = Name(strings.TrimSuffix(kernel, "()")) + ", " + key
		}
		t := trial{Candidate: c, x: float64(c.Ridge), y: float64(c.Gamma), best: i == r.Best}
		if c.Parameter != "" {
			t.x = float64(c.Value)
		}
		switch {
		case r.Regression():
			t.value = math.Sqrt(float64(c.Score))
		case c.Rows > 0:
			t.value = float64(c.Errors) / float64(c.Rows)
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], t)
	}
	return groups, order
}

// scale is an axis for values that are searched: logarithmic where they can be.
type scale struct{ log bool }

func scaleOf(values []float64) scale {
	low, high := slices.Min(values), slices.Max(values)
	return scale{low > 0 && high/low >= 20}
}

func (s scale) of(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

func (s scale) ticks(low, high float64) (ticks []plot.Tick) {
	if !s.log {
		return rounded(low, high)
	}
	step := math.Ceil((math.Floor(high) - math.Ceil(low) + 1) / 6)
	for v := math.Ceil(low); v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: decade(v)})
	}
	return ticks
}

// decade writes a power of ten.
func decade(exponent float64) string {
	format := byte('f')
	if exponent < -3 || exponent > 5 {
		format = 'g'
	}
	return strconv.FormatFloat(math.Pow(10, exponent), format, -1, 64)
}

// steps returns half the least step between the values of each round.
func steps(trials []trial, value func(trial) float64) map[int]float64 {
	half := make(map[int]float64)
	rounds := make(map[int][]float64)
	for _, t := range trials {
		rounds[t.Round] = append(rounds[t.Round], value(t))
	}
	for round, v := range rounds {
		slices.Sort(v)
		least := math.Inf(1)
		for i := 1; i < len(v); i++ {
			if d := v[i] - v[i-1]; d > 1e-9*math.Abs(v[i]) && d > 1e-12 {
				least = min(least, d)
			}
		}
		if math.IsInf(least, 1) {
			least = 0.5
		}
		half[round] = least / 2
	}
	return half
}

// shades are those of the values between low and high, by their share of the way, and their texts.
type shades struct {
	low, high float64
	of        func(share float64) float64
	text      func(float64) string
}

// surface shows the trials of a kernel and a scaling as cells.
func surface(title string, trials []trial, across string, s shades) *plot.Plot {
	var xs, ys []float64
	for _, t := range trials {
		xs, ys = append(xs, t.x), append(ys, t.y)
	}
	sx, sy := scaleOf(xs), scaleOf(ys)
	atX, atY := func(t trial) float64 { return sx.of(t.x) }, func(t trial) float64 { return sy.of(t.y) }
	halfX, halfY := steps(trials, atX), steps(trials, atY)
	p := newPanel(across, "gamma")
	p.Title.Text = title
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, t := range trials {
		p.X.Min, p.X.Max = min(p.X.Min, atX(t)-halfX[t.Round]), max(p.X.Max, atX(t)+halfX[t.Round])
		p.Y.Min, p.Y.Max = min(p.Y.Min, atY(t)-halfY[t.Round]), max(p.Y.Max, atY(t)+halfY[t.Round])
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(sx.ticks), plot.TickerFunc(sy.ticks)
	if slices.Max(ys) == 0 { // the kernel has none
		p.Y.Label.Text, p.Y.Tick.Marker = "", plot.ConstantTicks(nil)
	}
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		for _, t := range trials {
			hx, hy := halfX[t.Round], halfY[t.Round]
			box := vg.Rectangle{Min: vg.Point{X: tx(atX(t) - hx), Y: ty(atY(t) - hy)}, Max: vg.Point{X: tx(atX(t) + hx), Y: ty(atY(t) + hy)}}
			drawTrial(&c, box, t, s)
		}
		for _, t := range trials {
			if t.best {
				drawStar(&c, vg.Point{X: tx(atX(t)), Y: ty(atY(t))})
			}
		}
	}))
	return p
}

func drawTrial(c *draw.Canvas, box vg.Rectangle, t trial, s shades) {
	share := 0.0
	if s.high > s.low {
		share = s.of((t.value - s.low) / (s.high - s.low))
	}
	text := s.text(t.value)
	if t.Failed > 0 {
		share, text = 0, "–"
	}
	c.SetColor(tint(palette[0], 0.05+0.8*share))
	c.Fill(box.Path())
	edge := thin(tint(palette[0], 0))
	if t.Round > 0 {
		edge = thin(ink)
	}
	c.SetLineStyle(edge)
	c.Stroke(box.Path())
	style := writing(8, ink)
	if share > 0.55 {
		style.Color = tint(palette[0], 0)
	}
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	size := box.Size()
	if style.Width(text)+2 <= size.X && size.Y >= 9 && !t.best {
		c.FillText(style, box.Min.Add(box.Max).Scale(0.5), text)
	}
}

// drawStar draws a star of five points, dark with a light edge.
func drawStar(c *draw.Canvas, at vg.Point) {
	var path vg.Path
	for k := range 10 {
		radius := vg.Length(6.5)
		if k%2 == 1 {
			radius = 2.7
		}
		sin, cos := math.Sincos(math.Pi * (0.5 + float64(k)/5))
		p := at.Add(vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)})
		if k == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
	c.SetColor(palette[3])
	c.Fill(path)
	c.SetLineStyle(thin(ink))
	c.Stroke(path)
}

// searchLines shows trials over the one thing that was searched.
func (f *Figure) searchLines(groups map[string][]trial, order []string, across, value string) {
	p := newPanel(across, value)
	var all, values []float64
	for _, g := range groups {
		for _, t := range g {
			if t.Failed == 0 {
				all, values = append(all, t.x), append(values, t.value)
			}
		}
	}
	if all == nil {
		all, values = []float64{1}, []float64{0}
	}
	s := scaleOf(all)
	for i, v := range all {
		all[i] = s.of(v)
	}
	p.X.Min, p.X.Max = span(all, 0.04)
	_, p.Y.Max = span(append([]float64{0}, values...), 0.08)
	p.Y.Min = 0
	p.X.Tick.Marker = plot.TickerFunc(s.ticks)
	p.Add(grid)
	for k, key := range order {
		var x, y []float64
		var best []vg.Point
		trials := slices.Clone(groups[key])
		slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(a.x, b.x) })
		for _, t := range trials {
			if t.Failed > 0 || t.Sample > 0 {
				continue
			}
			x, y = append(x, s.of(t.x)), append(y, t.value)
			if t.best {
				best = append(best, vg.Point{X: vg.Length(s.of(t.x)), Y: vg.Length(t.value)})
			}
		}
		p.Add(line(lineOf(k), x, y), drawn(func(c draw.Canvas, p *plot.Plot) {
			drawMarks(&c, k, points(&c, p, x, y), 2.8)
			for _, b := range best {
				drawStar(&c, points(&c, p, []float64{float64(b.X)}, []float64{float64(b.Y)})[0])
			}
		}))
		style := lineOf(k)
		f.legend = append(f.legend, entry{key, func(c *draw.Canvas, at vg.Point) {
			c.StrokeLine2(style, at.X-8, at.Y, at.X+8, at.Y)
			drawMarks(c, k, []vg.Point{at}, 2.8)
		}})
	}
	f.legend = append(f.legend, entry{"best of all", func(c *draw.Canvas, at vg.Point) { drawStar(c, at) }})
	f.panels = []*plot.Plot{p}
}
