package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// tuneReport is what tune prints.
type tuneReport struct {
	*fitReport
	Group    string `json:"-"` // what to say about rows that belong together
	names    func(column int) string
	Search   cv.Record `json:"search"`
	Accuracy float64   `json:"accuracy"`         // of the best, in cross-validation
	Nested   *cvReport `json:"nested,omitempty"` // of the search
}

func (r *tuneReport) write(p *printer) {
	r.writeTable(p)
	p.printf("folds\t%s\n", r.Search.Folds)
	r.writeWeights(p)
	grids := slices.DeleteFunc(slices.Clone(r.Search.Candidates), r.another)
	for rest := grids; len(rest) > 0; {
		other := func(c cv.Candidate) bool {
			return c.Round != rest[0].Round || c.Sample != rest[0].Sample || c.Kernel != rest[0].Kernel || c.Scaling != rest[0].Scaling
		}
		r.writeGrid(p, slices.DeleteFunc(slices.Clone(rest), other))
		rest = slices.DeleteFunc(slices.Clone(rest), func(c cv.Candidate) bool { return !other(c) })
	}
	r.writeFailures(p)
	best := r.Search.Candidates[r.Search.Best]
	why := fmt.Sprintf(": the best of %d candidates, so optimistic", len(r.Search.Candidates))
	if r.Search.Weighed != nil {
		why = ", " + weightsSaw
	}
	p.printf("\nbest\t%d wrong of %d, accuracy %.4f%s%s\n", best.Errors, best.Rows, r.Accuracy, why, r.Group)
	r.HeldOut.write(p)
	if n := r.Nested; n != nil {
		p.printf("nested\t%d wrong of %d, accuracy %.4f ± %.4f: the search itself, by %s around it\n", n.Errors, n.N, n.Accuracy, n.StandardError, n.Folds)
	}
	r.writeClassifiers(p)
	if edges := r.Search.Edges(); len(edges) > 0 {
		p.printf("edge\tthe best has the %s that was tried: a better one may lie beyond\n", strings.Join(edges, " and the "))
	}
	r.writeEnd(p)
}

// writeEnd prints the settings of the best and what became of it.
func (r *tuneReport) writeEnd(p *printer) {
	r.writeSettings(p)
	if best := r.Search.Candidates[r.Search.Best]; best.Parameter == "components" {
		p.printf("components\t%d\n", int(best.Value))
	}
	p.printf("seconds\t%.3g\n", r.Seconds["all"])
	if r.Model != "" {
		p.printf("model\t%s\n", r.Model)
	}
}

// another reports whether a candidate is another classifier at the best of the grid.
func (r *tuneReport) another(c cv.Candidate) bool {
	return c.Classifier != r.Search.Candidates[0].Classifier
}

// writeClassifiers prints the errors of the classifiers at the best of the grid.
func (r *tuneReport) writeClassifiers(p *printer) {
	at := slices.IndexFunc(r.Search.Candidates, r.another)
	if at < 0 {
		return
	}
	others := r.Search.Candidates[at:]
	i := slices.IndexFunc(r.Search.Candidates, func(c cv.Candidate) bool {
		return c.Kernel == others[0].Kernel && c.Scaling == others[0].Scaling && c.Gamma == others[0].Gamma && c.Ridge == others[0].Ridge && c.Sample == 0
	})
	texts := []string{r.Search.Candidates[i].Classifier + " " + strings.TrimRight(r.textOf(i), "* ")} // its star is in the grid
	for i, c := range others {
		texts = append(texts, c.Classifier+" "+strings.TrimSpace(r.textOf(at+i)))
	}
	p.printf("classifiers\t%s, wrong at the best of the grid\n", strings.Join(texts, ", "))
}

// kernelName is the name on the command line of a candidate's kernel where a search has kernels,
// else "".
func kernelName(c cv.Candidate) string {
	name, _, _ := strings.Cut(c.Kernel, "(")
	for _, k := range kernelKinds {
		kernel, err := k.make(kernelFlags{}, func(string) bool { return false })
		if own, _, _ := strings.Cut(fmt.Sprint(kernel), "("); err == nil && own == name {
			return k.name
		}
	}
	return name
}

// candidateText is a candidate with the name of its kernel.
func candidateText(c cv.Candidate) string {
	c.Kernel = kernelName(c)
	return c.String()
}

// writeGrid prints the errors of the candidates of one round, kernel and scaling.
func (r *tuneReport) writeGrid(p *printer, candidates []cv.Candidate) {
	round := r.roundOf(candidates[0])
	across := cmp.Or(candidates[0].Parameter, "relative ridge")
	by := "gamma (down) and " + across + " (across)"
	if candidates[0].Gamma == 0 {
		by = across
	}
	if kernel := kernelName(candidates[0]); kernel != "" {
		round += ", kernel " + kernel
	}
	p.printf("\n%s, columns scaled: %v; wrong rows by %s\n", round, candidates[0].Scaling, by)
	var gammas, values []cv.Number
	for _, c := range candidates {
		gammas, values = append(gammas, c.Gamma), append(values, acrossOf(c))
	}
	slices.Sort(gammas)
	slices.Sort(values)
	gammas, values = slices.Compact(gammas), slices.Compact(values)
	lines := [][]string{{""}}
	for _, value := range values {
		lines[0] = append(lines[0], fmt.Sprintf("%.3g", float64(value)))
	}
	for _, gamma := range gammas {
		line := []string{""}
		if gamma != 0 {
			line[0] = fmt.Sprintf("%.4g", float64(gamma))
		}
		for _, value := range values {
			line = append(line, r.cell(candidates[0], gamma, value))
		}
		lines = append(lines, line)
	}
	width := 0
	for _, line := range lines {
		for _, cell := range line[1:] {
			width = max(width, len(cell)+2)
		}
	}
	for _, line := range lines {
		text := fmt.Sprintf("%11s", line[0])
		for _, cell := range line[1:] {
			text += fmt.Sprintf("%*s", width, cell)
		}
		p.printf("%s\n", strings.TrimRight(text, " "))
	}
}

// roundOf names the round of a candidate and the rows that it was tried on.
func (r *tuneReport) roundOf(c cv.Candidate) string {
	inPart := func(round int) bool {
		return slices.ContainsFunc(r.Search.Candidates, func(d cv.Candidate) bool { return d.Round == round && d.Sample > 0 })
	}
	name := "search"
	switch {
	case c.Round > 1 && c.Sample == 0 && inPart(c.Round-1):
		name = "the best of these"
	case c.Round > 0:
		name = fmt.Sprintf("refinement %d", c.Round)
	}
	switch {
	case c.Sample > 0:
		return fmt.Sprintf("%s in %d of the rows", name, c.Sample)
	case inPart(0):
		return name + " in all rows"
	}
	return name
}

// acrossOf returns what the columns of a grid stand for: the ridge, or what is searched in
// its place.
func acrossOf(c cv.Candidate) cv.Number {
	if c.Parameter != "" {
		return c.Value
	}
	return c.Ridge
}

// cell shows the errors of a candidate of this or an earlier round in the same rows, with the
// scaling of one; the best has a star, others a blank there.
func (r *tuneReport) cell(one cv.Candidate, gamma, value cv.Number) string {
	i := slices.IndexFunc(r.Search.Candidates, func(c cv.Candidate) bool {
		return c.Kernel == one.Kernel && c.Scaling == one.Scaling && c.Sample == one.Sample && c.Gamma == gamma && acrossOf(c) == value
	})
	if i < 0 {
		return ""
	}
	return r.textOf(i)
}

func (r *tuneReport) textOf(i int) string {
	c := r.Search.Candidates[i]
	text := strconv.Itoa(c.Errors)
	switch {
	case c.Failed > 0:
		text = "-"
	case r.Search.Criterion == cv.ByBalancedAccuracy.String():
		text = fmt.Sprintf("%d (%.4f)", c.Errors, float64(c.Balanced))
	case r.Search.Criterion != cv.ByErrors.String():
		text = fmt.Sprintf("%d (%.4f)", c.Errors, float64(c.Score))
	}
	if i == r.Search.Best {
		return text + "*"
	}
	return text + " "
}

// writeFailures says which candidates failed, the first of those with the same reason.
func (r *tuneReport) writeFailures(p *printer) {
	const most = 5
	var first []cv.Candidate
	same := make(map[string]int) // failed candidates of a reason
	for _, c := range r.Search.Candidates {
		if c.Failed == 0 {
			continue
		}
		if same[c.Reason]++; same[c.Reason] == 1 {
			first = append(first, c)
		}
	}
	if len(first) > 0 {
		p.printf("\n")
	}
	rest := 0
	for i, c := range first {
		switch n := same[c.Reason]; {
		case i >= most:
			rest += n
		case n > 1:
			p.printf("failed\t%s, and %d more: %s\n", candidateText(c), n-1, c.Reason)
		default:
			p.printf("failed\t%s: %s\n", candidateText(c), c.Reason)
		}
	}
	if rest > 0 {
		p.printf("failed\tand %d more, which --json shows\n", rest)
	}
}
