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

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// pageData is what a report shows.
type pageData struct {
	Model, File       string
	Headline          string
	Trust             []string // sentences
	Warnings          []string
	Data, Fit, Scores []labelled
	Classes           []classLine
	Columns           []columnLine
	MoreColumns       int
	FewColumns        bool // to be shown at once
	Pictures          []template.HTML
	Wrong             []wrongLine
	WrongNote         string
	IDNames           []string
	Commands, Hashes  []labelled
	Version           string
}

// labelled is a text with a name.
type labelled struct{ Name, Text string }

type classLine struct {
	Name              string
	Trained, Here     int
	Recall, Precision string
}

type columnLine struct {
	Name, Kind        string
	Least, Mean, Most string
	Values            int // that differ
	Missing           int
}

type wrongLine struct {
	Row, Label, Taken, Probability, Loss string
	IDs                                  []string
	loss                                 float64
}

// mostColumns and mostWrong bound the tables of a page.
const (
	mostColumns = 60
	mostWrong   = 20
)

func newPageData(u *subject) (*pageData, error) {
	p := &pageData{Model: filepath.Base(u.path), File: filepath.Base(u.t.File), IDNames: u.t.IDNames}
	for k, name := range p.IDNames {
		p.IDNames[k] = cmp.Or(show.Text(name), "id")
	}
	r := newScore(u.Classes(), u.predicted, u.t)
	r.Baseline = u.baseline(u.t.Labels)
	p.addHeadline(u, r)
	p.addData(u, r)
	p.addFit(u)
	if err := p.addTrust(u, r); err != nil {
		return nil, err
	}
	p.addScores(u, r)
	p.addWrong(u)
	return p, p.addPictures(u)
}

// shareText is a share of rows with its interval.
func shareText(k, n int) string {
	low, high := assess.Wilson(k, n)
	return fmt.Sprintf("%s (95 %% interval %s to %s)", percentText(float64(k)/float64(max(1, n))), percentText(low), percentText(high))
}

func percentText(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

func (p *pageData) addHeadline(u *subject, r *score) {
	class, wrong := r.Baseline.Class, r.Baseline.Errors
	p.Headline = fmt.Sprintf("%d of %s are wrong: %s. Always answering %s is wrong in %s.",
		r.Errors, plural.Count(r.N, "row"), shareText(r.Errors, r.N), show.Name(class), percentText(float64(wrong)/float64(max(1, r.N))))
}

func (p *pageData) addData(u *subject, r *score) {
	t := u.t
	p.Data = []labelled{
		{"file", show.Text(t.File)},
		{"rows", fmt.Sprintf("%d used of %d in the file", t.X.Rows, t.Seen)},
		{"columns", fmt.Sprintf("%d that the model uses", t.X.Cols)},
	}
	if u.layout.Label >= 0 {
		p.Data = append(p.Data, labelled{"label", show.Text(cmp.Or(u.layout.LabelName, fmt.Sprintf("column %d", u.layout.Label+1)))})
	}
	missing := "none in the rows used"
	if n := gaps(t); n > 0 {
		missing = fmt.Sprintf("%s filled in as in training (--missing %s)", plural.Count(n, "cell"), t.Layout.Missing)
	}
	if t.Dropped != nil {
		missing = t.Dropped.String() + "; these rows were left out"
	}
	p.Data = append(p.Data, labelled{"missing cells", show.Text(missing)})
	here := make([]int, len(r.Classes))
	taken := make([]int, len(r.Classes))
	for i, row := range r.Confusion {
		for j, n := range row {
			here[i] += n
			taken[j] += n
		}
	}
	for j, c := range r.Classes {
		p.Classes = append(p.Classes, classLine{
			Name: show.Name(c), Trained: u.Counts()[j], Here: here[j],
			Recall: orDash(r.Confusion[j][j], here[j]), Precision: orDash(r.Confusion[j][j], taken[j]),
		})
	}
	if u.bareKernelValues() {
		return
	}
	p.FewColumns = t.X.Cols <= 12
	p.MoreColumns = max(0, t.X.Cols-mostColumns)
	for j := range min(t.X.Cols, mostColumns) {
		p.Columns = append(p.Columns, u.columnLine(j))
	}
}

// orDash is a share of rows with its interval, or a dash of none.
func orDash(k, n int) string {
	if n == 0 {
		return "–"
	}
	low, high := assess.Wilson(k, n)
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
func (u *subject) columnLine(j int) columnLine {
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
	c := columnLine{Name: u.column(j), Kind: "numbers", Values: len(values), Missing: missing, Least: "–", Mean: "–", Most: "–"}
	if columns := u.layout.Columns; columns != nil && columns[j].Kind != table.Numbers {
		c.Kind = columns[j].Kind.String()
		if levels := columns[j].Levels; levels != nil {
			c.Kind += " " + show.List(levels, 6)
		}
	} else if len(values) > 0 {
		c.Least, c.Most = fmt.Sprintf("%.4g", least), fmt.Sprintf("%.4g", most)
		c.Mean = fmt.Sprintf("%.4g", sum/float64(u.t.X.Rows-missing))
	}
	return c
}

// methodNames say what the methods are.
var methodNames = map[string]string{
	"kfda": "kernel Fisher discriminant", "lda": "linear discriminant", "kpca": "kernel principal components and a classifier on them",
	"ridge": "kernel ridge regression on the classes", "svm": "support vector machines, one for each pair of classes",
}

func (p *pageData) addFit(u *subject) {
	r := newModelReport(u.model, u.layout)
	p.Fit = append(p.Fit, labelled{"method", methodNames[r.Method]})
	if r.kernel != "" {
		p.Fit = append(p.Fit, labelled{"kernel", shortKernel(r.kernel)})
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

func (p *pageData) addScores(u *subject, r *score) {
	class, wrong := r.Baseline.Class, r.Baseline.Errors
	p.Scores = []labelled{
		{"wrong rows", fmt.Sprintf("%d of %d: %s", r.Errors, r.N, shareText(r.Errors, r.N))},
		{"always " + show.Name(class), fmt.Sprintf("%d of %d: %s", wrong, r.N, shareText(wrong, r.N))},
	}
	if !math.IsNaN(r.balanced) {
		p.Scores = append(p.Scores, labelled{"balanced accuracy", percentText(r.balanced) + ", the mean of the classes' shares of right rows"})
	}
	if u.scores != nil {
		loss, prior, n := 0.0, 0.0, 0
		counts := u.Counts()
		for i, c := range u.class {
			if c >= 0 {
				loss, n = loss+assess.LogLoss(u.scores.At(i, c)), n+1
				prior += assess.LogLoss(float64(counts[c]) / float64(u.Training().Rows))
			}
		}
		if n > 0 {
			p.Scores = append(p.Scores, labelled{"log loss", fmt.Sprintf("%.4f; the shares of the classes in training have %.4f", loss/float64(n), prior/float64(n))})
		}
	}
	for _, v := range r.Unknown {
		p.Scores = append(p.Scores, labelled{"label " + show.Name(v.Label), plural.Count(v.Count, "row") + "; the model does not know it, and they count as wrong"})
	}
}

// addWrong lists rows of another class than predicted, by descending log loss or, without
// probabilities, by how far they are on the wrong side of two classes.
func (p *pageData) addWrong(u *subject) {
	p.WrongNote = "Rows of another class than predicted"
	switch {
	case u.scores != nil:
		p.WrongNote += ", by log loss: −ln of the probability of their own class."
	case u.decision != nil:
		p.WrongNote += ", by the size of their decision value."
	default:
		p.WrongNote += ", in the order of the file."
	}
	var lines []wrongLine
	for i, label := range u.t.Labels {
		if label == u.predicted[i] {
			continue
		}
		w := wrongLine{Row: strconv.Itoa(u.t.Rows[i]), Label: show.Name(label), Taken: show.Name(u.predicted[i]), loss: math.Inf(1)}
		for _, id := range u.t.IDs {
			w.IDs = append(w.IDs, show.Text(id[i]))
		}
		switch c := u.class[i]; {
		case c < 0:
			w.Probability, w.Loss = "–", "unknown label"
		case u.scores != nil:
			w.loss = assess.LogLoss(u.scores.At(i, c))
			w.Probability, w.Loss = fmt.Sprintf("%.3g", u.scores.At(i, c)), fmt.Sprintf("%.3f", w.loss)
		case u.decision != nil:
			w.loss = math.Abs(u.decision[i])
			w.Probability, w.Loss = "–", fmt.Sprintf("%.4g", w.loss)
		default:
			w.Probability, w.Loss = "–", "–"
		}
		lines = append(lines, w)
	}
	slices.SortStableFunc(lines, func(a, b wrongLine) int { return cmp.Compare(b.loss, a.loss) })
	if n := len(lines); n > mostWrong {
		lines = lines[:mostWrong]
		p.WrongNote += fmt.Sprintf(" The first %d of %d.", mostWrong, n)
	}
	p.Wrong = lines
}

// addPictures draws what applies, panels below each other.
func (p *pageData) addPictures(u *subject) error {
	for _, kind := range pictureKinds {
		if kind.name == "learning" && !u.quickToRefit() || kind.name == "eigenvalues" && u.Components() < 2 {
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
	return u.trained && slices.Min(u.Counts()) > 1 &&
		settingsOf(u.model, u.t.X.Rows/10).Plan(u.t.X.Rows, u.t.X.Cols, len(u.Classes())).Flops < longFit/100
}
