package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/matrix"
)

// shortKernel writes the parameters of a kernel with few digits.
func shortKernel(text string) string {
	return regexp.MustCompile(`\d+\.\d{5,}(e[-+]?\d+)?`).ReplaceAllStringFunc(text, func(s string) string {
		v, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(v, 'g', 4, 64)
	})
}

// known returns the rows with a class of the model, and notes how many there are besides.
func (u *subject) known() (rows []int, notes []string) {
	for i, c := range u.class {
		if c >= 0 {
			rows = append(rows, i)
		}
	}
	if n := len(u.class) - len(rows); n > 0 {
		notes = []string{fmt.Sprintf("Without %s of labels that the model does not know.", plural.Count(n, "row"))}
	}
	return rows, notes
}

// direction names a column of the projections.
func (u *subject) direction(k int) string {
	switch classes := u.Classes(); {
	case u.Method() == "kpca":
		return fmt.Sprintf("principal component %d", k+1)
	case u.Method() == "ridge" && u.Components() == len(classes):
		return "value of " + show.Text(classes[k])
	case u.Method() == "ridge":
		return "value, positive for " + show.Text(classes[1])
	case u.Method() == "svm":
		one := u.Machines()[k]
		return fmt.Sprintf("machine %s / %s", show.Text(classes[one.First]), show.Text(classes[one.Second]))
	}
	return fmt.Sprintf("discriminant %d", k+1)
}

// projections returns the known rows on the directions of the model.
func (u *subject) projections() (picture.Rows, []string, error) {
	rows := picture.Rows{Classes: u.Classes()}
	known, notes := u.known()
	if len(known) == 0 {
		return rows, nil, undrawable("%s: no row has a label that the model knows", u.file)
	}
	z, err := u.Project(nil, u.t.X)
	if err != nil {
		return rows, nil, explainNew(u.t, err)
	}
	for k := range z.Cols {
		values := make([]float64, len(known))
		for r, i := range known {
			values[r] = z.At(i, k)
		}
		rows.Values, rows.Axes = append(rows.Values, values), append(rows.Axes, u.direction(k))
	}
	for _, i := range known {
		rows.Class = append(rows.Class, u.class[i])
	}
	return rows, notes, nil
}

func (u *subject) projection() (*picture.Figure, error) {
	rows, notes, err := u.projections()
	if err != nil {
		return nil, err
	}
	var thresholds []float64
	if len(rows.Values) == 1 {
		if thresholds, err = u.thresholds(rows.Values[0]); err != nil {
			return nil, err
		}
	}
	title := u.title("projections of %s", plural.Count(len(rows.Class), "row"))
	return picture.Projection(title, rows, thresholds, append([]string{u.note()}, notes...)...), nil
}

// thresholds returns where on the one direction of a model the class changes in the range of
// values: places of a fine grid, each made exact by halving.
func (u *subject) thresholds(values []float64) (at []float64, err error) {
	const steps = 2000
	low, high := slices.Min(values), slices.Max(values)
	grid := matrix.New(steps+1, 1)
	for k := range grid.Data {
		grid.Data[k] = low + (high-low)*float64(k)/steps
	}
	classes, err := u.PredictProjections(nil, grid)
	if err != nil {
		return nil, err
	}
	one := matrix.New(1, 1)
	for k := 1; k <= steps; k++ {
		a, b := grid.Data[k-1], grid.Data[k]
		if classes[k] == classes[k-1] {
			continue
		}
		for range 50 {
			one.Data[0] = a + (b-a)/2
			c, err := u.PredictProjections(nil, one)
			if err != nil {
				return nil, err
			}
			if c[0] == classes[k-1] {
				a = one.Data[0]
			} else {
				b = one.Data[0]
			}
		}
		if math.Abs(b) < 1e-9*(high-low) {
			b = 0
		}
		at = append(at, b)
	}
	return at, nil
}

// regions shows the plane of the two columns of a model or, where it has others, that of its first
// two directions.
func (u *subject) regions() (*picture.Figure, error) {
	rows, notes, err := u.projections()
	if err != nil {
		return nil, err
	}
	where, classify := "on the two directions", u.onDirections(rows)
	switch n := len(rows.Values); {
	case u.t.X.Cols == 2 && len(u.layout.Features) == 2 && !u.layout.Sparse && u.Preparation() == nil:
		known, _ := u.known()
		rows.Values = make([][]float64, 2)
		for _, i := range known {
			rows.Values[0], rows.Values[1] = append(rows.Values[0], u.t.X.At(i, 0)), append(rows.Values[1], u.t.X.At(i, 1))
		}
		rows.Axes = []string{u.column(0), u.column(1)}
		where, classify = "of the two columns", u.onColumns
	case n < 2:
		return nil, undrawable("%s: regions need two columns or two directions, and this model has %s and one direction; 'kfda plot projection' shows its threshold",
			u.path, plural.Count(u.Dim(), "column"))
	case n > 2:
		where = fmt.Sprintf("on the first 2 of %d directions", n)
		notes = append(notes, fmt.Sprintf("The other directions of a place are the means of the %d rows that are nearest to it there.", nearestRows))
	}
	return picture.Regions(u.title("decision regions %s", where), rows, classify, append([]string{u.note()}, notes...)...)
}

// onColumns classifies rows of two columns.
func (u *subject) onColumns(x, y []float64) ([]int, error) {
	rows := matrix.New(len(x), 2)
	for i := range x {
		rows.Set(i, 0, x[i])
		rows.Set(i, 1, y[i])
	}
	classes, err := u.Predict(nil, rows)
	if err != nil {
		return nil, explainNew(u.t, err)
	}
	return codesOf(u.Classes(), classes), nil
}

// nearestRows are those that say where a place of a plane lies outside of it.
const nearestRows = 15

// onDirections classifies places on the first two directions of rows.
func (u *subject) onDirections(rows picture.Rows) picture.Classify {
	return func(x, y []float64) ([]int, error) {
		z := matrix.New(len(x), len(rows.Values))
		for i := range x {
			row := z.Row(i)
			row[0], row[1] = x[i], y[i]
			if len(row) == 2 {
				continue
			}
			near := nearest(rows.Values[0], rows.Values[1], x[i], y[i])
			for j := 2; j < len(row); j++ {
				for _, r := range near {
					row[j] += rows.Values[j][r] / float64(len(near))
				}
			}
		}
		classes, err := u.PredictProjections(nil, z)
		if err != nil {
			return nil, explainNew(u.t, err)
		}
		return codesOf(u.Classes(), classes), nil
	}
}

// nearest returns the rows of at most 2000 that are nearest to a place.
func nearest(xs, ys []float64, x, y float64) (rows []int) {
	every := (len(xs) + 1999) / 2000
	var far []float64 // squared distances of rows, ascending
	for i := 0; i < len(xs); i += every {
		d := (xs[i]-x)*(xs[i]-x) + (ys[i]-y)*(ys[i]-y)
		if len(far) == nearestRows && d >= far[len(far)-1] {
			continue
		}
		at, _ := slices.BinarySearch(far, d)
		far, rows = slices.Insert(far, at, d), slices.Insert(rows, at, i)
		if len(far) > nearestRows {
			far, rows = far[:nearestRows], rows[:nearestRows]
		}
	}
	return rows
}

// codesOf returns the numbers of classes.
func codesOf(classes, labels []string) []int {
	codes := make([]int, len(labels))
	for i, l := range labels {
		codes[i] = slices.Index(classes, l)
	}
	return codes
}

// column names feature j.
func (u *subject) column(j int) string {
	if u.layout.Names != nil && u.layout.Names[j] != "" {
		return show.Text(u.layout.Names[j])
	}
	return fmt.Sprintf("column %d", u.layout.Features[j]+1)
}

func (u *subject) confusion() (*picture.Figure, error) {
	_, notes := u.known()
	r := newScore(u.Classes(), u.predicted, u.t)
	low, high := assess.Wilson(r.Errors, r.N)
	title := u.title("%s in %s", plural.Count(r.Errors, "error"), plural.Count(r.N, "row"))
	notes = append([]string{fmt.Sprintf("%s Errors %.1f %%, 95 %% interval %.1f to %.1f %%.", u.note(), 100*float64(r.Errors)/float64(max(1, r.N)), 100*low, 100*high)}, notes...)
	return picture.Confusion(title, r.Classes, r.Confusion, notes...), nil
}

// withoutProbabilities says what a picture of probabilities needs.
func (u *subject) withoutProbabilities() error {
	return undrawable("%s: %s", u.path, strings.Replace(remedyForPosteriors(u.savedModel), " for --posteriors", "", 1))
}

// valuesFor returns what orders rows by how much they are of a class, and what it is.
func (u *subject) valuesFor(class int) (values []float64, what string, err error) {
	classes := u.Classes()
	if len(classes) == 2 {
		values = slices.Clone(u.decision)
		if class == 0 {
			for i := range values {
				values[i] = -values[i]
			}
		}
		return values, "decision value", nil
	}
	from, what := u.scores, "probability"
	if from == nil {
		what = "votes"
		if from, err = u.Votes(nil, u.t.X); err != nil && u.Method() == "ridge" {
			from, err = u.Project(nil, u.t.X)
			what = "value"
		}
		if err != nil {
			return nil, "", u.withoutProbabilities()
		}
	}
	values = make([]float64, from.Rows)
	for i := range values {
		values[i] = from.At(i, class)
	}
	return values, what, nil
}

func (u *subject) roc() (*picture.Figure, error) {
	classes := u.Classes()
	known, notes := u.known()
	first, title := 0, "each class against the rest"
	if len(classes) == 2 {
		first = 1
		title = fmt.Sprintf("%s against %s", show.Text(classes[1]), show.Text(classes[0]))
	}
	var curves []*assess.Curve
	some := false
	for j := first; j < len(classes); j++ {
		values, what, err := u.valuesFor(j)
		if err != nil {
			return nil, err
		}
		if j == first {
			notes = append([]string{u.note() + " Rows in the order of the " + what + ", ties counting half."}, notes...)
		}
		scores, positive := make([]float64, len(known)), make([]bool, len(known))
		for r, i := range known {
			scores[r], positive[r] = values[i], u.class[i] == j
		}
		c := assess.NewCurve(scores, positive)
		curves, some = append(curves, c), some || c != nil
	}
	if !some {
		return nil, undrawable("%s: the rows are all of one class, and a curve needs two", u.file)
	}
	return picture.ROC(u.title("%s", title), classes[first:], curves, notes...), nil
}

func (u *subject) calibration() (*picture.Figure, error) {
	if u.scores == nil {
		return nil, u.withoutProbabilities()
	}
	classes := u.Classes()
	known, notes := u.known()
	var p []float64
	var hit []bool
	loss := 0.0
	title, x, y := "", "", ""
	for _, i := range known {
		row, at := u.scores.Row(i), 1
		if len(classes) > 2 {
			at = slices.Index(row, slices.Max(row))
		}
		p, hit = append(p, row[at]), append(hit, u.class[i] == at)
		loss += assess.LogLoss(row[u.class[i]])
	}
	if len(classes) == 2 {
		title = "probability of " + show.Text(classes[1])
		x, y = title, "share of "+show.Text(classes[1])
	} else {
		title, x, y = "probability of the predicted class", "probability of the predicted class", "share of right predictions"
	}
	if len(known) == 0 {
		return nil, undrawable("%s: no row has a label that the model knows", u.file)
	}
	notes = append([]string{fmt.Sprintf("%s Log loss %.4f in %s.", u.note(), loss/float64(len(known)), plural.Count(len(known), "row"))}, notes...)
	return picture.Calibration(u.title("%s", title), x, y, assess.Reliability(p, hit), notes...), nil
}

func (u *subject) eigenvalues() (*picture.Figure, error) {
	d, ok := u.Details().(interface{ Eigenvalues() []float64 })
	if !ok {
		return nil, undrawable("%s: a model %s has no eigenvalues; those of --model kfda, lda and kpca have", u.path, u.Method())
	}
	values := d.Eigenvalues()
	if pca, ok := d.(discriminant.KernelPCADetails); ok {
		return picture.Eigenvalues(u.title("eigenvalues of %s", plural.Count(len(values), "component")), "principal component", "eigenvalue of the centred kernel matrix",
			values, pca.ExplainedRatio(), u.note(), "Shares of the variance in the kernel's feature space."), nil
	}
	sum := 0.0
	shares := make([]float64, len(values))
	for _, v := range values {
		sum += v
	}
	for i, v := range values {
		shares[i] = v / sum
	}
	return picture.Eigenvalues(u.title("eigenvalues of %s", plural.Count(len(values), "discriminant")), "discriminant", "between-class over within-class scatter",
		values, shares, u.note(), "Shares of the sum of these eigenvalues."), nil
}

func (u *subject) search() (*picture.Figure, error) {
	r := u.record
	if r == nil {
		text, ok := u.Note(cv.RecordNote)
		if !ok {
			return nil, undrawable("%s: this model was not found by a search; 'kfda tune TRAIN -o MODEL' writes one that keeps its record, and 'kfda tune TRAIN --json' prints it for 'kfda plot search'", u.path)
		}
		var err error
		if r, err = parseRecord([]byte(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", u.path, err)
		}
	}
	best := r.Candidates[r.Best]
	title := u.title("search of %s in %s", plural.Count(len(r.Candidates), "candidate"), plural.Count(r.Rows, "row"))
	note := fmt.Sprintf("%s; the best of %s has %d wrong of %d rows tested.", r.Folds, criterionText(r.Criterion), best.Errors, best.Rows)
	return picture.Search(title, *r, note), nil
}

func criterionText(criterion string) string {
	if criterion == "" || criterion == cv.ByErrors.String() {
		return "all by errors"
	}
	return "all by " + criterion
}

// parseRecord reads the record of a search, by itself or in what tune --json prints.
func parseRecord(text []byte) (*cv.Record, error) {
	var printed struct {
		Search json.RawMessage `json:"search"`
	}
	if err := json.Unmarshal(text, &printed); err == nil && printed.Search != nil {
		text = printed.Search
	}
	r := new(cv.Record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	if r.Best < 0 || r.Best >= len(r.Candidates) {
		return nil, errors.New("no record of a search")
	}
	return r, nil
}
