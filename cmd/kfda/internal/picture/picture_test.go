package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant/cv"
)

// examples are a figure of each kind, and of those with the most to fit in.
func examples(t *testing.T) map[string]*Figure {
	long := strings.Repeat("a long name ", 5)
	r := rand.New(rand.NewPCG(0, 1))
	cloud := func(classes, axes, n int) Rows {
		rows := Rows{Values: make([][]float64, axes)}
		for c := range classes {
			rows.Classes = append(rows.Classes, fmt.Sprintf("class %d %s", c, long[:min(len(long), 6*c)]))
		}
		for a := range axes {
			rows.Axes = append(rows.Axes, fmt.Sprintf("axis %d", a))
			for i := range n {
				rows.Values[a] = append(rows.Values[a], float64(i%classes)*float64(a+1)+r.NormFloat64())
			}
		}
		for i := range n {
			rows.Class = append(rows.Class, i%classes)
		}
		return rows
	}
	classify := func(x, y []float64) ([]int, error) {
		class := make([]int, len(x))
		for i := range x {
			if x[i]*x[i]+y[i]*y[i] < 4 {
				class[i] = 1
			}
		}
		return class, nil
	}
	regions, err := Regions(long+"regions", cloud(2, 2, 60), classify, "a note")
	if err != nil {
		t.Fatal(err)
	}
	counts := func(n int) (classes []string, c [][]int) {
		for i := range n {
			classes = append(classes, fmt.Sprintf("%d %s", i, long[:min(len(long), 2*i)]))
			c = append(c, make([]int, n))
			for j := range n {
				c[i][j] = (i*7 + j*3) % 11 * (1 + 998*(i%2))
			}
		}
		return classes, c
	}
	few, fewCounts := counts(3)
	many, manyCounts := counts(26)
	most, mostCounts := counts(80)
	numbers := cloud(1, 2, 100)
	rows := cloud(2, 1, 200)
	positive := make([]bool, 200)
	for i := range positive {
		positive[i] = rows.Class[i] == 1
	}
	curve := assess.NewCurve(rows.Values[0], positive)
	values, shares := make([]float64, 30), make([]float64, 30)
	for i := range values {
		values[i], shares[i] = 1000/float64(i+1), 0.4/math.Pow(float64(i+1), 1.8)
	}
	return map[string]*Figure{
		"densities":        Projection("densities", rows, []float64{0.5}, "a note"),
		"scatter":          Projection(long, cloud(3, 2, 90), nil, long),
		"pairs":            Projection("pairs", cloud(10, 5, 200), nil),
		"regions":          regions,
		"confusion":        Confusion("confusion", few, fewCounts),
		"large confusion":  Confusion("confusion", many, manyCounts, long),
		"ROC":              ROC("roc", few[:1], []*assess.Curve{curve}),
		"ROC of many":      ROC("roc", many[:12], []*assess.Curve{curve, nil, curve, curve, curve, curve, curve, curve, curve, curve, curve, curve}),
		"calibration":      Calibration("calibration", "probability", "share", []assess.Bin{{Rows: 20, Hits: 1, Probability: 0.04, Middle: 0.05}, {Rows: 9, Hits: 9, Probability: 0.97, Middle: 0.95}}),
		"eigenvalues":      Eigenvalues("eigenvalues", "component", "eigenvalue", values, shares),
		"few eigenvalues":  Eigenvalues("eigenvalues", "component", "eigenvalue", values[:2], shares[:2]),
		"learning":         Learning("learning", "share of wrong rows", "Wilson", []Size{{10, 0.4, 0.3, 0.5}, {100, 0.1, 0.05, 0.2}}, "the commonest class", 0.6, "a note"),
		"null":             Null(long, "statistic", Histogram{2, 5, []int{1, 0, 7, 9, 3}}, 9.5, long, long),
		"null of ties":     Null("null", "statistic", Histogram{2, 2, []int{99}}, 2),
		"p-values":         PValues(long, []float64{0.05, 0.1, 0.5, 1, 1, 1}, 20, 0.05, long),
		"sets":             Sets(long, []int{3, 50, 12, 0, 0}, []Share{{few[0], 9, 10}, {few[1], 0, 3}, {few[2], 5, 5}}, 0.9, long),
		"sets of many":     Sets("sets", nil, append(sharesOf(many), sharesOf(most)...), 0.9),
		"sizes of many":    Sets("sets", make([]int, 60), nil, 0.9),
		"changes":          Changes(long, long, "score", []float64{1, 4, 2, 9, -2, 1}, 2, []int{4, 5}, &values[3], long),
		"no change":        Changes("changes", "rows", "statistic", []float64{1, 1, 1}, 2, nil, nil),
		"many classes":     Projection("many", cloud(70, 3, 300), nil),
		"many lines":       Confusion("confusion", most, mostCounts),
		"predicted":        Predicted(long, numbers, long),
		"residuals":        Residuals(long, numbers, assess.Tenths(numbers.Values[0], numbers.Values[1], nil)),
		"search":           Search("search", record(3, true)),
		"search of a line": Search("search", record(2, false)),
	}
}

// sharesOf are some of classes.
func sharesOf(classes []string) (all []Share) {
	for i, c := range classes {
		all = append(all, Share{c, 20 - i%7, 20})
	}
	return all
}

// record is one of a search in a grid, or along a line.
func record(scalings int, gammas bool) cv.Record {
	r := cv.Record{Folds: "5 stratified folds, seed 0", Rows: 100, Best: 3}
	for s := range scalings {
		for g := range 7 {
			for k := range 6 {
				c := cv.Candidate{Ridge: cv.Number(math.Pow10(k - 3)), Errors: (s + g*3 + k*5) % 30, Rows: 100, Classifier: "gaussian"}
				switch s {
				case 1:
					c.Scaling = 1
				case 2:
					c.Scaling = 2
				}
				if c.Gamma = 0.1; gammas {
					c.Gamma = cv.Number(math.Ldexp(0.1, 2*g))
				} else if g > 0 {
					continue
				}
				r.Candidates = append(r.Candidates, c)
			}
		}
	}
	return r
}

// box is a text and where it is, in points from the lower left corner.
type box struct {
	text           string
	x0, y0, x1, y1 float64
}

var rotation = regexp.MustCompile(`rotate\(([-0-9.e+]+)\)`)

// texts returns the texts of an SVG: all that stands in a group that turns it by a quarter is
// turned back.
func texts(t *testing.T, svg []byte) (found []box) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	var turned []float64
	for {
		token, err := d.Token()
		if err != nil {
			if found == nil {
				t.Fatalf("no text: %v", err)
			}
			return found
		}
		switch e := token.(type) {
		case xml.EndElement:
			if e.Name.Local == "g" {
				turned = turned[:len(turned)-1]
			}
		case xml.StartElement:
			attributes := map[string]string{}
			for _, a := range e.Attr {
				attributes[a.Name.Local] = a.Value
			}
			switch e.Name.Local {
			case "g":
				angle := 0.0
				if m := rotation.FindStringSubmatch(attributes["transform"]); m != nil {
					angle, _ = strconv.ParseFloat(m[1], 64)
				}
				turned = append(turned, angle)
			case "text":
				var text string
				if err := d.DecodeElement(&text, &e); err != nil {
					t.Fatal(err)
				}
				x, _ := strconv.ParseFloat(attributes["x"], 64)
				y, _ := strconv.ParseFloat(attributes["y"], 64)
				y = -y
				_, size, _ := strings.Cut(attributes["style"], "font-size:")
				size, _, _ = strings.Cut(size, "px")
				points, err := strconv.ParseFloat(size, 64)
				if err != nil {
					t.Fatalf("size %q of %q", size, text)
				}
				w := writing(vg.Length(points), ink).Width(text).Points()
				b := box{text, x, y - 0.1*points, x + w, y + 0.65*points}
				for _, angle := range turned {
					if math.Abs(angle-90) < 1 { // (x, y) stands at (−y, x)
						b.x0, b.y0, b.x1, b.y1 = -b.y1, b.x0, -b.y0, b.x1
					}
				}
				found = append(found, b)
			}
		}
	}
}

// No text lies over another or beyond the edge, every picture says its title to those who can't
// see it, and the same data make the same bytes in all formats.
func TestFigures(t *testing.T) {
	first, second := examples(t), examples(t)
	for name, f := range first {
		svg, err := f.Bytes(".svg")
		if err != nil {
			t.Fatal(err)
		}
		w, h := f.size()
		all := texts(t, svg)
		for i, a := range all {
			if a.x0 < 0 || a.y0 < 0 || a.x1 > w.Points() || a.y1 > h.Points() {
				t.Errorf("%s: %q is cut: %.0f %.0f to %.0f %.0f in %.0f×%.0f", name, a.text, a.x0, a.y0, a.x1, a.y1, w.Points(), h.Points())
			}
			for _, b := range all[:i] {
				if a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 {
					t.Errorf("%s: %q and %q lie over each other", name, a.text, b.text)
				}
			}
		}
		if !bytes.Contains(svg, []byte("<title>"+strings.TrimSpace(f.Title))) || bytes.Contains(svg, []byte("NaN")) {
			t.Errorf("%s: the SVG has no title, or places that are no numbers", name)
		}
		for _, format := range Formats {
			a, err := f.Bytes(format)
			if err != nil {
				t.Fatalf("%s %s: %v", name, format, err)
			}
			b, err := second[name].Bytes(format)
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s%s: other bytes the second time, error %v", name, format, err)
			}
		}
	}
}

// Two classes have different marks, and different colours or dashes of lines, up to 56.
func TestClassesDiffer(t *testing.T) {
	seen := make(map[string]int)
	for c := range 56 {
		key := fmt.Sprint(colourOf(c), c%len(shapes))
		if other, ok := seen[key]; ok {
			t.Errorf("classes %d and %d look alike", c, other)
		}
		seen[key] = c
	}
}

// Names that are cut still differ, and no word is wider than its line.
func TestNames(t *testing.T) {
	var classes []string
	for i := range 12 {
		classes = append(classes, fmt.Sprintf("class number %d of a dozen", i))
	}
	if got := Names(classes); !slices.Equal(got, classes) {
		t.Errorf("%q are named %q", classes, got)
	}
	alike := Names([]string{strings.Repeat("a", 80) + "b" + strings.Repeat("a", 80), strings.Repeat("a", 161)})
	if alike[0] == alike[1] || len(alike[0]) > 40 {
		t.Errorf("names %q", alike)
	}
	style, text := writing(12, ink), "x "+strings.Repeat("é", 300)+" y"
	lines := wrapped(style, text, 100)
	for _, line := range lines {
		if style.Width(line) > 100 {
			t.Errorf("%q is wider than 100 points", line)
		}
	}
	if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(text, " ", "") {
		t.Errorf("lines %q", lines)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"}, {-0.03, 0.26, "0.00 0.05 0.10 0.15 0.20 0.25"}, {0, 300, "0 50 100 150 200 250 300"}, {-2e-7, 2e-7, "-2e-07 -1e-07 0 1e-07 2e-07"}, {0.3, math.Nextafter(0.3, 1), "0.3"}, {0, 4e6, "0 1e+06 2e+06 3e+06 4e+06"}} {
		var labels []string
		for _, tick := range rounded(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks from %v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
