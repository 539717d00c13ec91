package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// testReport is what test prints. Its figures are those of the gamma with the smallest p-value.
type testReport struct {
	File    string   `json:"file"`
	N       int      `json:"n"`
	Classes []string `json:"classes"`
	Counts  []int    `json:"counts"`
	Dropped int      `json:"dropped"`
	Scale   string   `json:"scale"`
	Seed    uint64   `json:"seed"`
	kernelTest
	Columns []testColumn `json:"columns"`         // the largest correlation first
	Tests   []kernelTest `json:"tests,omitempty"` // of several gammas
}

// kernelTest is what a kernel says.
type kernelTest struct {
	kernelParameters
	kernel         string
	Landmarks      *landmarkReport `json:"landmarks,omitempty"`
	Ridge          float64         `json:"ridge"`
	Statistic      float64         `json:"statistic"`
	RelativeError  float64         `json:"relative_error"`
	KernelRounding float64         `json:"kernel_rounding"` // what that of kernel values may change, relative
	Eigenvalues    []float64       `json:"eigenvalues"`
	Normalised     float64         `json:"normalised"`
	D1             float64         `json:"d1"`
	D2             float64         `json:"d2"`
	Between        float64         `json:"between"`
	MMD            *float64        `json:"mmd2,omitempty"` // of two groups
	UnbiasedMMD    *float64        `json:"mmd2_unbiased,omitempty"`

	Truncated  []float64 `json:"truncated"`
	Degrees    []int     `json:"degrees"`
	Asymptotic []float64 `json:"p_asymptotic"`

	P *float64 `json:"p_permutation,omitempty"`
	permutationTest
	Corrected *float64 `json:"p_corrected,omitempty"` // for several gammas

	Accuracy *accuracyTest `json:"accuracy,omitempty"`
	Rows     []testRow     `json:"rows"` // the furthest along the leading direction

	projections []float64
}

// permutationTest is what permutations say beside the p-value.
type permutationTest struct {
	Permutations int         `json:"permutations"`
	AsLarge      int         `json:"as_large"`
	Interval     *[2]float64 `json:"p_interval,omitempty"`
	Distinct     *float64    `json:"distinct,omitempty"` // labellings, where that is a number
	Null         *histogram  `json:"null,omitempty"`     // of the statistics of permutations
}

// histogram counts values in equal steps from the smallest to the largest.
type histogram struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Counts []int   `json:"counts"`
}

// histogramSteps is fine enough for a picture.
const histogramSteps = 60

// newHistogram returns nil of no values. Values that are multiples of a unit, 0 for others, lie in the
// middle of steps, as many in each.
func newHistogram(values []float64, unit float64) *histogram {
	if len(values) == 0 {
		return nil
	}
	h, steps := &histogram{Low: slices.Min(values), High: slices.Max(values)}, histogramSteps
	if unit > 0 {
		apart := int(math.Round((h.High-h.Low)/unit)) + 1
		each := (apart + histogramSteps - 1) / histogramSteps
		steps = (apart + each - 1) / each
		h.Low -= unit / 2
		h.High = h.Low + float64(steps*each)*unit
	}
	h.Counts = make([]int, steps)
	for _, v := range values {
		at := 0
		if h.High > h.Low {
			at = min(steps-1, int((v-h.Low)/(h.High-h.Low)*float64(steps)))
		}
		h.Counts[at]++
	}
	return h
}

func (h *histogram) bars() picture.Histogram { return picture.Histogram(*h) }

type accuracyTest struct {
	Accuracy float64  `json:"accuracy"`
	LeftOut  string   `json:"left_out,omitempty"` // whether it is of rows or of groups that are left out
	P        *float64 `json:"p_permutation,omitempty"`
	permutationTest
	Corrected *float64 `json:"p_corrected,omitempty"` // for several gammas
}

type testRow struct {
	Row        int     `json:"row"` // from 0, as in other commands
	Line       int     `json:"line"`
	Label      string  `json:"label"`
	Projection float64 `json:"projection"` // in standard deviations within the groups, of variance plus ridge/n
}

type testColumn struct {
	Column      string  `json:"column"`
	Correlation float64 `json:"correlation"`
}

func newPermutationTest(p *inference.Permutations) (value *float64, r permutationTest) {
	if p == nil {
		return nil, r
	}
	r = permutationTest{Permutations: p.Count, AsLarge: p.AsLarge, Interval: &p.Interval, Null: newHistogram(p.Null, 0)}
	if !math.IsInf(p.Distinct, 0) {
		r.Distinct = &p.Distinct
	}
	return &p.P, r
}

func newKernelTest(kernel gram.Kernel, found *inference.TestResult[string]) kernelTest {
	r := kernelTest{
		kernelParameters: parametersOf(kernel), kernel: briefKernel(kernel), Ridge: found.Ridge,
		Statistic: found.Statistic, RelativeError: found.RelativeError, KernelRounding: found.Certificate.KernelRounding, Eigenvalues: found.Eigenvalues,
		Normalised: found.Normalised, D1: found.D1, D2: found.D2, Between: found.Between,
		Truncated: []float64{}, Degrees: []int{}, Asymptotic: []float64{}, projections: found.Projections,
	}
	r.P, r.permutationTest = newPermutationTest(found.Permuted)
	if found.MMD != nil {
		r.MMD, r.UnbiasedMMD = &found.MMD.Biased, &found.MMD.Unbiased
	}
	return r
}

// What is left out.
const (
	rowsLeftOut   = "rows left out"
	groupsLeftOut = "rows of groups left out"
)

func newAccuracyTest(found *inference.AccuracyResult[string], leftOut string) *accuracyTest {
	r := &accuracyTest{Accuracy: found.Accuracy, LeftOut: leftOut}
	if r.P, r.permutationTest = newPermutationTest(found.Permuted); r.P != nil {
		r.Null = newHistogram(found.Permuted.Null, 1/float64(len(found.Predicted)))
	}
	return r
}

// furthest is how many rows are shown.
const furthest = 10

// rows sets those of t that are furthest.
func (r *kernelTest) rows(t *table.Table) {
	within := math.Sqrt(float64(len(r.projections) - len(t.Classes)))
	var all []testRow
	for i, z := range r.projections {
		all = append(all, testRow{t.Rows[i], t.Lines[i], t.Labels[i], z * within})
	}
	slices.SortStableFunc(all, func(a, b testRow) int {
		switch x, y := math.Abs(a.Projection), math.Abs(b.Projection); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	r.Rows = all[:min(furthest, len(all))]
}

// choose takes the figures of the smallest p-value or, without one, of the first.
func (r *testReport) choose() {
	best := 0
	for i, t := range r.Tests {
		if t.P != nil && *t.P < *r.Tests[best].P {
			best = i
		}
	}
	r.kernelTest = r.Tests[best]
	if len(r.Tests) == 1 {
		r.Tests = nil
	}
}

// notices tells what the figures alone do not.
func (r *testReport) notices(s streams) {
	if r.RelativeError > 0.01 {
		notice(s.err, "the relative error of the statistic may be %.2g: use a larger ridge", r.RelativeError)
	}
	switch d := r.Distinct; {
	case d != nil && *d*0.05 < 1:
		notice(s.err, "permuted labels make only %s into groups, so that the p-value of all of them is at least %.2g", plural.Count(int(*d), "division"), 1 / *d)
	case r.P != nil && r.Permutations < 19:
		notice(s.err, "with %s no p-value can be below %.2g", plural.Count(r.Permutations, "permutation"), 1/float64(1+r.Permutations))
	}
}

// groups are their names and sizes.
func (r *testReport) groups() (all []string) {
	for i, class := range r.Classes {
		all = append(all, fmt.Sprintf("%s %d", show.Name(class), r.Counts[i]))
	}
	return all
}

// restore completes what was read from JSON.
func (r *testReport) restore() {
	r.kernel = r.kernelParameters.name()
	for i := range r.Tests {
		r.Tests[i].kernel = r.Tests[i].kernelParameters.name()
	}
}

func (r *testReport) write(p *printer) {
	p.printf("groups\t%s of %s\n", show.List(r.groups(), listed), plural.Count(r.N, "row"))
	if r.Dropped > 0 {
		p.printf("dropped\t%s\n", plural.Count(r.Dropped, "incomplete row"))
	}
	p.printf("kernel\t%s, ridge %.6g, scaling %s\n", r.kernel, r.Ridge, r.Scale)
	r.Landmarks.write(p)
	r.kernelTest.write(p)
	if len(r.Columns) > 0 {
		var texts []string
		for _, c := range r.Columns[:min(furthest, len(r.Columns))] {
			texts = append(texts, fmt.Sprintf("%s %+.2f", show.Name(c.Column), c.Correlation))
		}
		p.printf("columns\tby correlation with the leading direction: %s\n", strings.Join(texts, ", "))
	}
	var texts []string
	for _, row := range r.Rows {
		texts = append(texts, fmt.Sprintf("%d (%s) %+.1f", row.Row, show.Name(row.Label), math.Round(10*row.Projection)/10+0)) // + 0: no -0.0
	}
	if texts != nil {
		p.printf("rows\tfurthest along it, in standard deviations with the ridge: %s\n", strings.Join(texts, ", "))
	}
	if r.Tests != nil {
		p.printf("\neach gamma; the smallest p-value is told of above\n")
		for _, t := range r.Tests {
			p.printf("%s\tstatistic %.6g%s\n", t.kernel, t.Statistic, t.pTexts())
		}
	}
}

func (r *kernelTest) write(p *printer) {
	p.printf("statistic\t%.6g, relative error below %.1g", r.Statistic, r.RelativeError)
	if r.KernelRounding > r.RelativeError {
		p.printf(" beside about %.1g by the rounding of kernel values", r.KernelRounding)
	}
	p.printf("\n")
	if r.P != nil {
		p.printf("p-value\t%s\n", r.permutationTest.text(*r.P))
		if r.Corrected != nil {
			p.printf("corrected\t%.4g, for the smallest of several p-values\n", *r.Corrected)
		}
	}
	if r.Accuracy != nil {
		p.printf("accuracy\t%.4f of %s", r.Accuracy.Accuracy, cmp.Or(r.Accuracy.LeftOut, rowsLeftOut))
		if r.Accuracy.P != nil {
			p.printf(", p-value %s", r.Accuracy.text(*r.Accuracy.P))
		}
		if r.Accuracy.Corrected != nil {
			p.printf(", corrected %.4g", *r.Accuracy.Corrected)
		}
		p.printf("\n")
	}
	if r.MMD != nil {
		p.printf("MMD²\t%.6g, unbiased %.6g\n", *r.MMD, *r.UnbiasedMMD)
	} else {
		p.printf("between\t%.6g, the sum of squared distances of group means from that of all, in the feature space\n", r.Between)
	}
	for t, v := range r.Truncated {
		p.printf("T%d\t%.6g", t+1, v)
		if len(r.Asymptotic) > 0 {
			p.printf(", p-value %.3g if the number of rows were large (χ², %s)", r.Asymptotic[t], plural.Count(r.Degrees[t], "degree"))
		}
		p.printf("\n")
	}
}

func (r *kernelTest) pTexts() (text string) {
	if r.P != nil {
		text = fmt.Sprintf(", p-value %.4g", *r.P)
	}
	if r.Corrected != nil {
		text += fmt.Sprintf(", corrected %.4g", *r.Corrected)
	}
	return text
}

// text says the p-value and how sure it is.
func (r *permutationTest) text(p float64) string {
	text := fmt.Sprintf("%.4g: %d of %s are as large", p, r.AsLarge, plural.Count(r.Permutations, "permutation"))
	if r.Interval == nil {
		return text // what was read is not whole
	}
	return text + fmt.Sprintf(" (95 %% interval %.2g to %.2g)", r.Interval[0], r.Interval[1])
}
