package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// modelReport is what fit and inspect say of a model.
type modelReport struct {
	Target  *columnReport `json:"target,omitempty"` // of a regression, which has no label and no classes
	Label   *columnReport `json:"label"`            // null if it is no column, as in libsvm
	Classes []string      `json:"classes"`
	Counts  []int         `json:"counts"`
	Method  string        `json:"method"`
	kernelParameters
	Regularizer   string          `json:"regularizer"`
	RelativeRidge *float64        `json:"relative_ridge,omitempty"`
	Shrink        *float64        `json:"shrink,omitempty"`
	Ridge         float64         `json:"ridge"`
	Scatter       string          `json:"scatter"`
	Scale         string          `json:"scale"`
	Classifier    string          `json:"classifier"`
	LeaveOneOut   bool            `json:"leave_one_out"`
	Priors        []float64       `json:"priors"`
	ClassWeight   string          `json:"class_weight,omitempty"` // as it was given
	PriorsGiven   bool            `json:"priors_given"`           // and not the shares of the rows
	Components    int             `json:"components"`
	Eigenvalues   []float64       `json:"eigenvalues"`
	Spectrum      *spectrum       `json:"spectrum,omitempty"` // kpca
	Certificate   certificate     `json:"certificate"`
	Machines      *machines       `json:"machines,omitempty"` // svm
	Landmarks     *landmarkReport `json:"landmarks,omitempty"`

	kernel  string
	weighed string // the weights in it, where they are to be printed
}

// spectrum is what the eigenvalues of a kpca mean.
type spectrum struct {
	// ExplainedRatio is each component's share of the sum of all eigenvalues.
	// It is null where that sum is not positive: an indefinite kernel can have that.
	ExplainedRatio []float64 `json:"explained_ratio"`
	// Least is the smallest of all eigenvalues, or a bound that it is not above.
	Least      float64 `json:"least_eigenvalue"`
	LeastKnown bool    `json:"least_eigenvalue_known"`
	Indefinite bool    `json:"indefinite"` // the kernel is known to be that

	of string // "the variance", of what
}

func newSpectrum(m *model) *spectrum {
	d, ok := m.Details().(discriminant.KernelPCADetails)
	if !ok {
		return nil
	}
	s := &spectrum{ExplainedRatio: d.ExplainedRatio(), Indefinite: d.Indefinite(), of: "the variance"}
	if isStreamed(m) {
		s.of += " that the landmarks span"
	}
	s.Least, s.LeastKnown = d.Least()
	return s
}

// together is the share of the variance that the components explain.
func (s *spectrum) together() (sum float64) {
	for _, v := range s.ExplainedRatio {
		sum += v
	}
	return sum
}

// write prints the shares, where there are any, and the smallest eigenvalue where that is known or says
// that the kernel is indefinite.
func (s *spectrum) write(p *printer) {
	if s.ExplainedRatio != nil {
		p.printf("explained\t%s", numberList(s.ExplainedRatio, "%.4g"))
		if len(s.ExplainedRatio) > 1 {
			p.printf(", together %.4g", s.together())
		}
		p.printf(" of %s\n", s.of)
	}
	switch {
	case s.Indefinite && s.LeastKnown:
		p.printf("least\t%.6g of all eigenvalues: the kernel is indefinite\n", s.Least)
	case s.Indefinite:
		p.printf("least\tat most %.6g of all eigenvalues: the kernel is indefinite\n", s.Least)
	case s.LeastKnown:
		p.printf("least\t%.2g of all eigenvalues\n", s.Least)
	}
}

// machines are the support vector machines of a model.
type machines struct {
	C           float64   `json:"C"`
	Weights     []float64 `json:"weights"` // of the classes, or null
	Tolerance   float64   `json:"tolerance"`
	Probability bool      `json:"probability"`
	Kernel      string    `json:"kernel"`
	Support     int       `json:"support"` // rows that support any of them
	Pairs       []pair    `json:"pairs"`
}

// pair is the machine of two classes.
type pair struct {
	First      string  `json:"first"`
	Second     string  `json:"second"`
	Support    int     `json:"support"`
	Bias       float64 `json:"bias"`
	Objective  float64 `json:"objective"`
	Gap        float64 `json:"gap"`
	Iterations int     `json:"iterations"`
}

func newMachines(m *model) *machines {
	s, ok := m.SVM()
	if !ok {
		return nil
	}
	r := &machines{C: s.C, Weights: s.Weights, Tolerance: s.Tolerance, Probability: s.Probability, Kernel: s.Kernel.String()}
	support := make(map[int]bool)
	for _, one := range m.Machines() {
		r.Pairs = append(r.Pairs, pair{
			First: m.Classes()[one.First], Second: m.Classes()[one.Second], Support: len(one.Support),
			Bias: one.Bias, Objective: one.Objective, Gap: one.Gap, Iterations: one.Iterations,
		})
		for _, i := range one.Support {
			support[i] = true
		}
	}
	r.Support = len(support)
	return r
}

// certificate is a discriminant.Certificate as it stands in --json.
type certificate struct {
	Solver          string  `json:"solver"`
	Backward        float64 `json:"backward_error"`
	Forward         float64 `json:"forward_error"`
	EigenvalueError float64 `json:"eigenvalue_error"`
	Refinements     int     `json:"refinements"`
	CondBound       float64 `json:"condition_bound"`
	Growth          float64 `json:"growth"`
	KernelRounding  float64 `json:"kernel_rounding"`
	Rank            int     `json:"rank"`
	Passes          int     `json:"passes"`
	CutsCluster     bool    `json:"cuts_cluster"`
}

// planReport is a discriminant.Plan as it stands in --json, of whole numbers.
type planReport struct {
	Bytes      float64 `json:"bytes"`
	ModelBytes float64 `json:"model_bytes"`
	Flops      float64 `json:"flops"`
}

func newPlanReport(p discriminant.Plan) planReport {
	return planReport{math.Ceil(p.Bytes), math.Ceil(p.ModelBytes), math.Ceil(p.Flops)}
}

func newModelReport(m learnt, layout table.Layout) modelReport {
	r := modelReport{
		Method:      m.Method(),
		Scatter:     discriminant.SummedScatter.String(),
		Scale:       discriminant.NoScaling.String(),
		Components:  m.Components(),
		Certificate: certificate(certificateOf(m)),
	}
	if k := ofTable(kernelOf(m), m.Preparation()); k != nil {
		r.kernelParameters, r.kernel = parametersOf(k), briefKernel(k)
	}
	if s := m.Scaler(); s != nil {
		r.Scale = s.Kind().String()
	}
	r.addDetails(detailsOf(m))
	r.Landmarks = landmarksOf(m)
	of := &columnReport{Position: layout.Label + 1, Name: layout.LabelName}
	c, classes := m.(*model)
	if !classes {
		r.Target = of
		return r
	}
	if layout.Label >= 0 {
		r.Label = of
	}
	r.Classes, r.Counts, r.Spectrum, r.Machines = c.Classes(), c.Counts(), newSpectrum(c), newMachines(c)
	w := weighedOf(m, r.Counts)
	r.ClassWeight = w.ByClass
	if r.PriorsGiven = r.Priors != nil; !r.PriorsGiven && (layout.Weight == "" || !isStreamed(m)) { // a stream has no sums of weights
		r.Priors = sharesOf(w.All)
	}
	return r
}

// detailsOf returns what has the methods that only models of some methods have.
func detailsOf(m learnt) any {
	if d, ok := m.(interface{ Details() discriminant.Details }); ok {
		return d.Details()
	}
	return m
}

// kernelOf returns the kernel of a model, nil where it has none.
func kernelOf(m learnt) gram.Kernel {
	if d, ok := detailsOf(m).(interface{ Kernel() gram.Kernel }); ok {
		return d.Kernel()
	}
	return nil
}

// certificateOf returns that of a model, zero where it has none.
func certificateOf(m learnt) discriminant.Certificate {
	if d, ok := detailsOf(m).(interface {
		Certificate() discriminant.Certificate
	}); ok {
		return d.Certificate()
	}
	return discriminant.Certificate{}
}

// addDetails adds what only models of some methods have.
func (r *modelReport) addDetails(details any) {
	if d, ok := details.(discriminant.KFDADetails); ok {
		r.Scatter, r.LeaveOneOut = d.Scatter().String(), d.LeaveOneOut()
	}
	if d, ok := details.(interface{ Eigenvalues() []float64 }); ok {
		r.Eigenvalues = d.Eigenvalues()
	}
	if d, ok := details.(interface {
		Classifier() discriminant.Classifier
		Priors() []float64
	}); ok {
		r.Classifier, r.Priors = d.Classifier().String(), d.Priors()
	}
	r.Regularizer = "none" // kpca, svm
	if d, ok := details.(interface {
		Regularizer() discriminant.Regularizer
		Ridge() float64
	}); ok {
		r.Ridge = d.Ridge()
		r.addRegularizer(d.Regularizer(), details)
	}
}

func (r *modelReport) addRegularizer(reg discriminant.Regularizer, details any) {
	v := reg.Value()
	switch reg {
	case discriminant.Ridge(0):
	case discriminant.Ridge(v):
		r.Regularizer = "ridge"
	case discriminant.RelativeRidge(v):
		r.Regularizer, r.RelativeRidge = "ridge", &v
	case discriminant.RKHS(v):
		r.Regularizer = "rkhs"
	case discriminant.RelativeRKHS(v):
		r.Regularizer, r.RelativeRidge = "rkhs", &v
	case discriminant.Shrink(v):
		r.Regularizer, r.Shrink = "shrink", &v
	case discriminant.LedoitWolf():
		s := details.(interface{ Shrinkage() float64 }).Shrinkage()
		r.Regularizer, r.Shrink = "ledoit-wolf", &s
	}
}

func (r *modelReport) writeClasses(p *printer) {
	if r.Target != nil {
		p.printf("target\t%s\n", r.Target.text())
		return
	}
	if r.Label != nil {
		p.printf("label\t%s\n", table.ColumnText(r.Label.Position, r.Label.Name))
	}
	var classes []string
	for j, c := range r.Classes {
		text := fmt.Sprintf("%s %d", show.Name(c), r.Counts[j])
		if r.PriorsGiven {
			text += fmt.Sprintf(" (prior %.4g)", r.Priors[j])
		}
		classes = append(classes, text)
	}
	p.printf("classes\t%s\n", show.List(classes, listed))
}

// writeSettings prints the settings of the fit, with all defaults resolved.
func (r *modelReport) writeSettings(p *printer) {
	switch {
	case r.kernel == "":
		p.printf("method\t%s, columns scaled: %s\n", r.Method, r.Scale)
	case r.Method != "kfda":
		p.printf("method\t%s, kernel %s, columns scaled: %s\n", r.Method, r.kernel, r.Scale)
	default:
		p.printf("kernel\t%s, columns scaled: %s\n", r.kernel, r.Scale)
	}
	if r.weighed != "" {
		p.printf("\tweights: %s\n", r.weighed)
	}
	r.Landmarks.write(p)
	if r.hasRidge() {
		p.printf("ridge\t%.6g (%s", r.Ridge, r.Regularizer)
		if r.RelativeRidge != nil {
			p.printf(", %g relative", *r.RelativeRidge)
		}
		if r.Shrink != nil {
			p.printf(" %.6g", *r.Shrink)
		}
		p.printf(")\n")
	}
	if r.Scatter != discriminant.SummedScatter.String() {
		p.printf("scatter\t%s\n", r.Scatter)
	}
	switch {
	case r.LeaveOneOut:
		p.printf("classifier\t%s, of leave-one-out projections\n", r.Classifier)
	case r.Classifier != "" && r.Classifier != (discriminant.NearestCentroid{}).String():
		p.printf("classifier\t%s\n", r.Classifier)
	}
	if m := r.Machines; m != nil {
		m.write(p, r.Method == "svm")
	}
}

// hasRidge reports whether the method has one; 0 is one too.
func (r *modelReport) hasRidge() bool { return r.Method != "kpca" && r.Method != "svm" }

// write prints the settings of the machines, where the name of the classifier does
// not say them, and what came of the fit.
func (m *machines) write(p *printer, settings bool) {
	if settings {
		p.printf("C\t%.6g", m.C)
		if m.Weights != nil {
			p.printf(", times %v for the classes", m.Weights)
		}
		if m.Probability {
			p.printf(", with probabilities")
		}
		p.printf("\n")
	}
	gap, steps := 0.0, 0
	for _, one := range m.Pairs {
		gap = max(gap, one.Gap)
		steps += one.Iterations
	}
	p.printf("machines\t%d, supported by %s, gap %.2g, %s\n", len(m.Pairs), plural.Count(m.Support, "row"), gap, plural.Count(steps, "step"))
}

func (r *modelReport) writeEigenvalues(p *printer) {
	if len(r.Eigenvalues) == 0 {
		return
	}
	p.printf("eigenvalues\t%s\n", numberList(r.Eigenvalues, "%.6g"))
	if r.Spectrum != nil {
		r.Spectrum.write(p)
	}
}

// fitReport is what fit prints.
type fitReport struct {
	Train    string `json:"train"` // of a stream, all files
	Model    string `json:"model"`
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Dropped  int    `json:"dropped"`
	modelReport
	Chosen  string             `json:"chosen,omitempty"` // what the data settled
	Plan    planReport         `json:"plan"`
	Seconds map[string]float64 `json:"seconds"`
	HeldOut *heldOut           `json:"held_out,omitempty"`

	verbose  bool
	next     []string // command lines
	baseline string   // what always the same answer comes to in the rows of the fit
	streamed bool
}

func newFitReport(t *table.Table, output string, m learnt, by method) *fitReport {
	r := &fitReport{
		Train:       t.File,
		Model:       output,
		Rows:        t.X.Rows,
		Features:    t.X.Cols,
		Dropped:     t.DroppedRows(),
		modelReport: newModelReport(m, t.Layout),
		Chosen:      chosenBy(by),
	}
	return r
}

// chosenBy says which settings of a method, nil for one that a search settled, the data settle.
func chosenBy(m method) string {
	if m == nil {
		return ""
	}
	s := m.Settings()
	var chosen []string
	if s.Scaling == discriminant.AutoScaling {
		chosen = append(chosen, "scaling")
	}
	if choosesRidge(m) {
		chosen = append(chosen, "ridge")
	}
	return strings.Join(chosen, " and ")
}

// choosesRidge reports whether a method has no ridge until the data choose one.
func choosesRidge(m method) bool {
	reg := m.Settings().Regularizer
	return reg == discriminant.LeaveOneOutRKHS() || reg == discriminant.LeaveOneOutRidge()
}

// writeTable prints what the table holds.
func (r *fitReport) writeTable(p *printer) {
	p.printf("rows\t%d, with %s", r.Rows, plural.Count(r.Features, "feature"))
	if r.Dropped > 0 {
		p.printf(" (%s dropped)", plural.Count(r.Dropped, "incomplete row"))
	}
	p.printf("\n")
	r.writeClasses(p)
}

func (r *fitReport) write(p *printer) {
	r.writeTable(p)
	if r.baseline != "" {
		p.printf("baseline\t%s\n", r.baseline)
	}
	r.HeldOut.write(p)
	r.writeSettings(p)
	r.writeChosen(p)
	switch {
	case r.verbose || r.Spectrum != nil && r.Spectrum.Indefinite:
		r.writeEigenvalues(p)
	case r.Spectrum != nil && r.Spectrum.ExplainedRatio != nil:
		p.printf("explained\t%.4g of %s by %s\n", r.Spectrum.together(), r.Spectrum.of, plural.Count(r.Components, "component"))
	}
	if c := r.Certificate; c.Solver == conjugateSolver {
		p.printf("errors\tof the eigenvalues %.2g at most, after %s of conjugate gradients\n", c.EigenvalueError, plural.Count(c.Refinements, "step"))
	} else if r.Method != "svm" && (r.verbose || doubtful(discriminant.Certificate(r.Certificate))) {
		r.writeErrors(p)
	}
	if peak := peakMemory(); r.verbose && r.Landmarks != nil && r.Plan.Bytes > 0 && peak > 0 {
		p.printf("memory\t%s at most, %s planned for\n", bytesText(peak), bytesText(r.Plan.Bytes))
	}
	if r.verbose {
		p.printf("seconds\tread %.3g, fit %.3g\n", r.Seconds["read"], r.Seconds["fit"])
	}
	p.printf("model\t%s\n", r.Model)
	writeNext(p, r.next)
}

// writeChosen prints what the data settled, and how.
func (r *fitReport) writeChosen(p *printer) {
	switch {
	case r.Chosen == "":
		return
	case r.streamed:
		how := strings.NewReplacer("scaling", "scaling by leaving out rows of the sample", "ridge", fmt.Sprintf("ridge by %d folds", discriminant.StreamFolds))
		p.printf("chosen\t%s\n", how.Replace(r.Chosen))
	default:
		p.printf("chosen\t%s, by leaving out rows\n", r.Chosen)
	}
	const edge = "edge\tthe %s ridge that is tried: --relative-ridge %g may predict better\n"
	tried := discriminant.RelativeRidges()
	switch v, least, most := r.RelativeRidge, tried[len(tried)-1], tried[0]; {
	case v == nil || !strings.Contains(r.Chosen, "ridge"):
	case *v <= least:
		p.printf(edge, "smallest", least/10)
	case *v >= most:
		p.printf(edge, "largest", 10*most)
	}
}

// writeErrors prints how accurate the solution is.
func (r *fitReport) writeErrors(p *printer) {
	c := r.Certificate
	p.printf("errors\t%s, ", c.Solver)
	if r.hasRidge() {
		p.printf("forward %.2g, ", c.Forward)
	}
	p.printf("backward %.2g", c.Backward)
	if r.kernel != "" {
		p.printf(", of the rounding of the kernel %.2g", c.KernelRounding)
	}
	if c.CondBound > 1 {
		p.printf(", condition below %.2g", c.CondBound)
	}
	p.printf("\n")
}
