package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// refitLine is a command line that fits a model again, with all that was settled in the first
// fit, to the same table: to the same bytes. Where parts were merged with a ridge though they had
// folds to choose one by, or as another kind of model, it is lines for a table in one part.
func (m *savedModel) refitLine(train, output string) string {
	r := newModelReport(m.learnt, m.layout)
	words, start := m.readingFlags(r.ClassWeight), startOf(m.learnt)
	add := func(flag, value string) { words = append(words, "--"+flag, value) }
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	kind := r.Method
	if start.Given {
		kind = start.Model
	}
	if kind != "kfda" && m.numbers == nil {
		add("model", kind)
	}
	if isStreamed(m.learnt) {
		if start.Asked == 0 && r.Landmarks != nil {
			start.Asked = r.Landmarks.Count
		}
		add("landmarks", strconv.Itoa(start.Asked))
		if start.Seed > 0 {
			add("seed", strconv.FormatUint(start.Seed, 10))
		}
	}
	if r.Kernel != "" {
		add("kernel", show.Word(r.Kernel))
		for _, p := range []struct {
			flag  string
			value *float64
		}{{"gamma", r.Gamma}, {"coef0", r.Coef0}} {
			if p.value != nil {
				add(p.flag, number(*p.value))
			}
		}
		if r.Degree != nil {
			add("degree", strconv.Itoa(*r.Degree))
		}
	}
	if r.Kernel != "precomputed" {
		add("scale", r.Scale)
	}
	settings := m.classifierFlags(&r, number)
	switch {
	case !isStreamed(m.learnt) || !start.Chosen || start.Given:
		settings = append(r.ridgeFlags(number), settings...)
	case r.Method == "kfda":
		settings = append([]string{"--regularizer", r.Regularizer}, settings...)
	}
	if start.Given {
		if start.Ridge > 0 {
			add("ridge", number(start.Ridge))
		}
		if start.RelativeRidge > 0 {
			add("relative-ridge", number(start.RelativeRidge))
		}
		if m.numbers == nil {
			settings = append([]string{"--model", r.Method}, settings...)
		}
		return fmt.Sprintf("kfda landmarks %s %s -o L\nkfda accumulate L %[1]s --first-row 0 -o ACC\nkfda merge ACC %[3]s -o %[4]s",
			train, strings.Join(words, " "), strings.Join(settings, " "), output)
	}
	words = append(words, settings...)
	if r.Scatter != discriminant.SummedScatter.String() {
		add("scatter", r.Scatter)
	}
	if r.Certificate.Solver == conjugateSolver {
		add("solver", "conjugate")
	}
	if h := heldOutOf(m.learnt); h != nil {
		add("holdout", number(h.Share))
		add("seed", strconv.FormatUint(h.Seed, 10))
	}
	return strings.Join(append(append([]string{"kfda fit", train}, words...), "-o", output), " ")
}

// readingFlags are those that say what the columns are, and what the rows weigh.
func (m *savedModel) readingFlags(classWeight string) (words []string) {
	add := func(flag, value string) { words = append(words, "--"+flag, value) }
	if m.numbers != nil {
		add("target", show.Word(table.ColumnArgument(m.layout.Label+1, m.layout.LabelName)))
	} else if m.layout.Label >= 0 {
		add("label", show.Word(table.ColumnArgument(m.layout.Label+1, m.layout.LabelName)))
	}
	if ignored := m.ignoredColumns(); ignored != "" {
		add("ignore", ignored)
	}
	if m.layout.Weight != "" {
		add("weight", show.Word(m.layout.Weight))
	}
	if classWeight != "" {
		add("class-weight", show.Word(classWeight))
	}
	if codes := m.numberedCategories(); codes != "" {
		add("categories", codes)
	}
	if rule := m.layout.Missing; rule != "" && rule != table.RefuseMissing {
		add("missing", rule)
	}
	if m.layout.Markers != nil {
		add("missing-values", show.Word(strings.Join(m.layout.Markers, ",")))
	}
	return words
}

// ignoredColumns are the positions of the columns that are neither features nor the label.
func (m *savedModel) ignoredColumns() string {
	var positions []string
	for j := range m.layout.Width {
		if !m.layout.Sparse && j != m.layout.Label && !slices.Contains(m.layout.Features, j) {
			positions = append(positions, strconv.Itoa(j+1))
		}
	}
	return strings.Join(positions, ",")
}

// numberedCategories are the positions of the categories whose levels are numbers.
func (m *savedModel) numberedCategories() string {
	var positions []string
	for i, c := range m.layout.Columns {
		isText := func(level string) bool { _, err := strconv.ParseFloat(level, 64); return err != nil }
		if c.Kind == table.Category && !slices.ContainsFunc(c.Levels, isText) {
			positions = append(positions, strconv.Itoa(m.layout.Features[i]+1))
		}
	}
	return strings.Join(positions, ",")
}

// ridgeFlags are those of the regulariser.
func (r *modelReport) ridgeFlags(number func(float64) string) (words []string) {
	switch {
	case !r.hasRidge() || r.Method == "lda" && r.Ridge == 0 && r.Shrink == nil:
		return nil
	case r.Regularizer == "ledoit-wolf":
		return []string{"--regularizer", r.Regularizer}
	case r.Regularizer == "shrink":
		return []string{"--shrink", number(*r.Shrink)}
	case r.Method == "kfda":
		words = []string{"--regularizer", r.Regularizer}
	}
	if r.RelativeRidge != nil {
		return append(words, "--relative-ridge", number(*r.RelativeRidge))
	}
	return append(words, "--ridge", number(r.Ridge))
}

// classifierFlags are those of the classifier, the machines and the components.
func (m *savedModel) classifierFlags(r *modelReport, number func(float64) string) (words []string) {
	list := func(values []float64) string {
		var texts []string
		for _, v := range values {
			texts = append(texts, number(v))
		}
		return strings.Join(texts, ",")
	}
	d, classified := detailsOf(m.learnt).(interface {
		Classifier() discriminant.Classifier
	})
	if classified {
		switch c := d.Classifier().(type) {
		case discriminant.Gaussian:
			words = append(words, "--classifier", map[bool]string{false: "gaussian", true: "gaussian-per-class"}[c.PerClass])
		case discriminant.KNN:
			words = append(words, "--classifier", "knn", "--neighbors", strconv.Itoa(c.K))
		case discriminant.SVM:
			words = append(words, "--classifier", "svm")
		default:
			words = append(words, "--classifier", "centroid")
		}
		if r.Method == "kfda" && r.Regularizer == "rkhs" && !r.LeaveOneOut && !(isStreamed(m.learnt) && d.Classifier() == discriminant.Classifier(discriminant.NearestCentroid{})) {
			words = append(words, "--leave-one-out=false")
		}
		if most := len(r.Classes) - 1; r.Method == "kpca" || r.Components < most {
			words = append(words, "--components", strconv.Itoa(r.Components))
		}
	}
	if m.numbers != nil {
		return nil
	}
	if s, ok := m.SVM(); ok {
		words = append(words, "--C", number(s.C), "--tolerance", number(s.Tolerance))
		if s.Weights != nil {
			words = append(words, "--weights", list(s.Weights))
		}
		if s.Probability {
			words = append(words, "--probability")
		}
	}
	if r.PriorsGiven {
		words = append(words, "--priors", list(r.Priors))
	}
	return words
}
