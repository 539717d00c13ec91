package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

// say adds a sentence on how far to trust the model, warn one that stands out.
func (p *pageData) say(format string, args ...any) {
	p.Trust = append(p.Trust, fmt.Sprintf(format, args...))
}
func (p *pageData) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// addTrust says in words how far the model and its scores can be trusted; compare says it of what
// always gives the same answer, by the rows, or by some that were held out where the fit has seen
// these, and is false where it can't.
func (p *pageData) addTrust(u *subject, always string, compare func(held *heldOut) bool) {
	held := heldOutOf(u.learnt)
	if !u.relation.seen() {
		p.say("This is not the table that the model was fitted to. As far as no row of it was, and none belongs to the same patient, speaker or day as one that was, the scores hold for new rows of the same kind.")
		compare(nil)
	} else {
		said, more := u.relation.text("the model's fit"), ""
		if held != nil {
			more = fmt.Sprintf("; the scores of the %s that --holdout left out are in 'kfda inspect'", plural.Count(held.Rows, "row"))
		}
		p.warn("%s. That it gets rows of its fit right says little about new rows: score rows that it has not seen%s.", strings.ToUpper(said[:1])+said[1:], more)
		if held == nil || !compare(held) {
			p.say("Whether the model is better than always %s these rows can't tell: rows that it has not seen can, or 'kfda cv TRAIN' with the flags of the fit.", always)
		}
	}
	if r, _ := searchOf(u); r != nil {
		p.say("The settings are the best of %s in a search by cross-validation (%s): %s, as they were chosen for that; the scores on this page are not if the search has not seen these rows.",
			plural.Count(len(r.Candidates), "candidate"), r.Folds, estimateText(r))
	}
	if l := landmarksOf(u.learnt); l != nil && l.Count > 0 {
		p.say("%s stand for all training rows in the kernel, and leave out %s of it. How much nearer more would come a fit with more --landmarks shows.", plural.Count(l.Count, "landmark"), l.left())
	}
	if u.numbers == nil && u.scores == nil {
		p.say("The model has no probabilities; it answers with a class alone.")
	}
	switch count := trueOf(u.far); count {
	case 0:
	case 1:
		p.warn("1 row is so far from all %s that the model knows nothing about it.", u.keptRows())
	default:
		p.warn("The model knows nothing about %s, so far from all %s.", plural.Count(count, "row"), u.keptRows())
	}
	if u.Method() != "svm" {
		p.addCertificate(certificateOf(u.learnt))
	}
}

// compareClasses says whether the model is better than always answering the commonest class, by
// a score, or by rows that were held out, which have the shares of the classes in training.
func (p *pageData) compareClasses(u *subject, r *score, held *heldOut) bool {
	n, within, baseline, where := r.N, r.Interval, 1-r.Baseline.Accuracy, ""
	if held != nil {
		if held.Accuracy == nil {
			return false
		}
		n, within, baseline, where = held.Rows, [2]float64{held.Accuracy.Low, held.Accuracy.High}, 1-slices.Max(u.shares()), heldText
	}
	class := show.Name(r.Baseline.Class)
	switch low, high := 1-within[1], 1-within[0]; {
	case high < baseline:
		p.say("The model is better than always answering %s%s: even the upper end of the interval of its errors, %s, is below %s.", class, where, percentText(high), percentText(baseline))
	case low > baseline:
		p.warn("The model is worse than always answering %s%s.", class, where)
	default:
		p.warn("In %s%s the model can't be told from always answering %s: %s of the rows lie within the interval of its errors.", plural.Count(n, "row"), where, class, percentText(baseline))
	}
	return true
}

// heldText follows what is said of rows that were held out.
const heldText = " that --holdout left out"

// addCertificate says what the bounds of the errors of the computation come to.
func (p *pageData) addCertificate(c discriminant.Certificate) {
	if c.Solver == conjugateSolver {
		p.say("The fit is by %s of conjugate gradients, after which the relative error of the eigenvalues is at most %.1e.", plural.Count(c.Refinements, "step"), c.EigenvalueError)
	} else if e := max(c.Forward, c.Backward); e > 0 {
		p.say("The equations of the fit are solved to about %.0f digits (%s: relative error at most %.1e).", digits(e), solverText(c), e)
	}
	switch k := c.KernelRounding; {
	case k > mostRounding:
		p.warn("The rounding of the kernel values alone changes the solution by about %.0e: a larger ridge or scaled columns make it more certain.", k)
	case k > 0:
		p.say("The rounding of the kernel values to 16 digits changes the solution by about %.0e, which plays no part.", k)
	}
	if c.EigenvalueError >= 1 {
		p.warn("No digit of the smallest eigenvalue is certain: its direction may be rounding.")
	}
	if c.CutsCluster {
		p.warn("A direction that was left out has the same eigenvalue as the last one kept: the data do not determine which are kept.")
	}
}

// mostRounding is what the rounding of kernel values may change of a solution without a word.
const mostRounding = 1e-6

// doubtful reports whether a user should see the bounds of the errors of a fit.
func doubtful(c discriminant.Certificate) bool {
	return c.KernelRounding > mostRounding || c.Forward > mostRounding || c.EigenvalueError >= 1
}

func solverText(c discriminant.Certificate) string {
	if c.Refinements > 0 {
		return "refined " + map[bool]string{true: "once", false: fmt.Sprintf("%d times", c.Refinements)}[c.Refinements == 1]
	}
	return "not refined"
}

func digits(e float64) float64 { return math.Floor(-math.Log10(e)) }
