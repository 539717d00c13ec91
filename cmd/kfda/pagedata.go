package main

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/wilson"
)

// pageData is what a report shows.
type pageData struct {
	Model, File       string
	Headline          string
	Trust             []string // sentences
	Warnings          []string
	Data, Fit, Scores []labelled
	Classes           *pageTable // of a model of classes
	Intervals         string     // what they are
	Columns           *pageTable
	MoreColumns       int
	FewColumns        bool // to be shown at once
	Pictures          []template.HTML
	Wrong             *pageTable
	WrongNote         string
	Commands, Hashes  []labelled
	Version           string
}

// labelled is a text with a name.
type labelled struct{ Name, Text string }

type pageTable struct {
	Head []heading
	Rows [][]string
}

type heading struct {
	Name   string
	Number bool // whether the cells are
}

// headings are those of names; one of numbers begins with #.
func headings(names ...string) (all []heading) {
	for _, name := range names {
		text, number := strings.CutPrefix(name, "#")
		all = append(all, heading{text, number})
	}
	return all
}

// mostColumns, mostClasses and mostWrong bound the tables of a page.
const (
	mostColumns = 60
	mostClasses = 60
	mostWrong   = 20
)

func newPageData(u *subject) (*pageData, error) {
	p := &pageData{Model: filepath.Base(u.path), File: filepath.Base(u.t.File)}
	p.addData(u)
	p.addFit(u)
	var err error
	if u.numbers != nil {
		err = p.addNumbers(u)
	} else {
		err = p.addClasses(u)
	}
	if err != nil {
		return nil, err
	}
	return p, p.addPictures(u)
}

// shareText is a share of rows with its interval.
func shareText(k, n int) string {
	low, high := wilson.Of(k, n)
	return fmt.Sprintf("%s (95 %% interval %s to %s)", percentText(float64(k)/float64(max(1, n))), percentText(low), percentText(high))
}

func percentText(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

func (p *pageData) addData(u *subject) {
	t := u.t
	p.Data = []labelled{
		{"file", show.Text(t.File)},
		{"rows", fmt.Sprintf("%d used of %d in the file", t.X.Rows, t.Seen)},
		{"columns", fmt.Sprintf("%d that the model uses", t.X.Cols)},
	}
	name := show.Text(cmp.Or(u.layout.LabelName, fmt.Sprintf("column %d", u.layout.Label+1)))
	switch {
	case u.numbers != nil:
		p.Data = append(p.Data, labelled{"target", fmt.Sprintf("%s, from %s to %s", u.target(), digitsText(slices.Min(t.Targets)), digitsText(slices.Max(t.Targets)))})
	case u.layout.Label >= 0:
		p.Data = append(p.Data, labelled{"label", name})
	}
	if u.weights != nil {
		p.Data = append(p.Data, labelled{"weights", show.Text(t.Layout.Weight) + "; errors are weighted by it, pictures that count rows are not"})
	}
	missing := "none in the rows used"
	if n := gaps(t); n > 0 {
		missing = fmt.Sprintf("%s filled in as in training (--missing %s)", plural.Count(n, "cell"), t.Layout.Missing)
	}
	if t.Dropped != nil {
		missing = t.Dropped.String() + "; these rows were left out"
	}
	p.Data = append(p.Data, labelled{"missing cells", show.Text(missing)})
	if u.bareKernelValues() {
		return
	}
	p.FewColumns = t.X.Cols <= 12
	p.MoreColumns = max(0, t.X.Cols-mostColumns)
	p.Columns = &pageTable{Head: headings("column", "what", "#least", "#mean", "#most", "#different values", "#missing")}
	for j := range min(t.X.Cols, mostColumns) {
		p.Columns.Rows = append(p.Columns.Rows, u.columnLine(j))
	}
}

// addClassTable lists the classes, of many those with the most wrong rows.
func (p *pageData) addClassTable(u *subject, r *score) {
	here := make([]int, len(r.Classes))
	taken := make([]int, len(r.Classes))
	for i, row := range r.Confusion {
		for j, n := range row {
			here[i] += n
			taken[j] += n
		}
	}
	order := positions(len(r.Classes))
	p.Intervals = "Intervals are Wilson's, of 95 %, for independent rows"
	if u.weights != nil {
		p.Intervals += "; weighted ones count as as many rows of weight 1 as vary as much. Classes are counted without weights"
	}
	if n := len(order); n > mostClasses {
		wrong := func(j int) int { return here[j] - r.Confusion[j][j] }
		slices.SortStableFunc(order, func(a, b int) int { return wrong(b) - wrong(a) })
		order = order[:mostClasses]
		p.Intervals += fmt.Sprintf(". The %d of %d classes with the most wrong rows", mostClasses, n)
	}
	p.Intervals += "."
	p.Classes = &pageTable{Head: headings("class", "#training rows", "#rows here", "right, of those of the class", "right, of those taken for it")}
	for _, j := range order {
		p.Classes.Rows = append(p.Classes.Rows, []string{
			show.Name(r.Classes[j]), strconv.Itoa(u.Counts()[j]), strconv.Itoa(here[j]),
			orDash(r.Confusion[j][j], here[j]), orDash(r.Confusion[j][j], taken[j]),
		})
	}
}

// orDash is a share of rows with its interval, or a dash of none.
func orDash(k, n int) string {
	if n == 0 {
		return "–"
	}
	low, high := wilson.Of(k, n)
	return fmt.Sprintf("%s (%s to %s)", percentText(float64(k)/float64(n)), percentText(low), percentText(high))
}

// gaps is the number of missing cells.
func gaps(t *table.Table) (n int) {
	for _, v := range t.X.Data {
		if math.IsNaN(v) {
			n++
		}
	}
	return n
}

// columnLine sums up feature j, without its missing cells.
func (u *subject) columnLine(j int) []string {
	least, most, sum, missing := math.Inf(1), math.Inf(-1), 0.0, 0
	values := make(map[float64]bool)
	for i := range u.t.X.Rows {
		v := u.t.X.At(i, j)
		if math.IsNaN(v) {
			missing++
			continue
		}
		least, most, sum = min(least, v), max(most, v), sum+v
		values[v] = true
	}
	name, kind, texts := u.column(j), "numbers", []string{"–", "–", "–"}
	if columns := u.layout.Columns; columns != nil && columns[j].Kind != table.Numbers {
		kind = columns[j].Kind.String()
		if levels := columns[j].Levels; levels != nil {
			kind += " " + show.List(levels, 6)
		}
	} else if len(values) > 0 {
		texts = []string{digitsText(least), digitsText(sum / float64(u.t.X.Rows-missing)), digitsText(most)}
	}
	return append(append([]string{name, kind}, texts...), strconv.Itoa(len(values)), strconv.Itoa(missing))
}

// methodNames say what the methods are.
var methodNames = map[string]string{
	"kfda": "kernel Fisher discriminant", "lda": "linear discriminant", "kpca": "kernel principal components and a classifier on them",
	"ridge": "kernel ridge regression on the classes", "svm": "support vector machines, one for each pair of classes",
}

func (p *pageData) addFit(u *subject) {
	r := newModelReport(u.learnt, u.layout)
	name := methodNames[r.Method]
	if u.numbers != nil {
		name = "kernel ridge regression"
	}
	p.Fit = append(p.Fit, labelled{"method", name})
	if r.kernel != "" {
		p.Fit = append(p.Fit, labelled{"kernel", shortKernel(r.kernel)})
		if text := weightsText(u.learnt, u.layout); text != "" {
			p.Fit = append(p.Fit, labelled{"kernel weights", text})
		}
		if l := r.Landmarks; l != nil {
			p.Fit = append(p.Fit, labelled{"landmarks", l.text() + fmt.Sprintf("; drawn from a sample by randomly pivoted Cholesky, seed %d", startOf(u.learnt).Seed)})
		}
	}
	p.Fit = append(p.Fit, labelled{"training rows", strconv.Itoa(u.Training().Rows)}, labelled{"columns scaled", r.Scale})
	if r.hasRidge() {
		text := fmt.Sprintf("%.4g (%s)", r.Ridge, r.Regularizer)
		if r.RelativeRidge != nil {
			text = fmt.Sprintf("%.4g (%s, %.4g relative)", r.Ridge, r.Regularizer, *r.RelativeRidge)
		}
		p.Fit = append(p.Fit, labelled{"ridge", text})
	}
	if r.Classifier != "" {
		text := r.Classifier
		if r.LeaveOneOut {
			text += ", fitted to the projections that rows have where they are left out"
		}
		p.Fit = append(p.Fit, labelled{"classifier", text})
	}
	if len(r.Eigenvalues) > 0 {
		p.Fit = append(p.Fit, labelled{"eigenvalues", numberList(r.Eigenvalues, "%.4g")})
	}
	if m := r.Machines; m != nil {
		p.Fit = append(p.Fit, labelled{"machines", fmt.Sprintf("%d, C %.4g, supported by %s", len(m.Pairs), m.C, plural.Count(m.Support, "row"))})
	}
}

// addPictures draws what applies, panels below each other.
func (p *pageData) addPictures(u *subject) error {
	for _, kind := range pictureKinds {
		if kind.check(u.savedModel) != nil || kind.name == "learning" && !u.quickToRefit() || kind.name == "eigenvalues" && u.Components() < 2 {
			continue
		}
		f, err := kind.draw(u)
		if errors.As(err, new(*cannotDraw)) {
			continue
		}
		if err != nil {
			return err
		}
		f.Columns = 1
		svg, err := f.Bytes(".svg")
		if err != nil {
			return err
		}
		p.Pictures = append(p.Pictures, template.HTML(svg))
	}
	return nil
}

// quickToRefit reports whether the rows are those of the fit and few, so that a learning curve
// is honest and soon done.
func (u *subject) quickToRefit() bool {
	return u.relation.trained && (u.numbers != nil || slices.Min(u.Counts()) > 1) &&
		settingsOf(u.savedModel, u.t.X.Rows/10).Plan(u.t.X.Rows, u.t.X.Cols, u.outputs()).Flops < longFit/100
}
