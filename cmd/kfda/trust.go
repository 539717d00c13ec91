package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/trust"
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
	search, _ := searchOf(u)
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
			p.say("Whether the model is better than always %s these rows can't tell: rows that it has not seen can, or '%s' with the flags of the fit%s.", always, estimateLine(search), cautionOf(u.learnt))
		}
	}
	if r := search; r != nil {
		why := ", as they were chosen for that"
		if r.Weighed != nil {
			why = ""
		}
		p.say("The settings are the best of %s in a search by cross-validation (%s): %s%s; the scores on this page are not optimistic if the search has not seen these rows.",
			plural.Count(len(r.Candidates), "candidate"), r.Folds, estimateText(r), why)
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
	said, warnings := trust.Words(c)
	p.Trust, p.Warnings = append(p.Trust, said...), append(p.Warnings, warnings...)
}

// doubtful reports whether a user should see the bounds of the errors of a fit.
func doubtful(c discriminant.Certificate) bool {
	return c.KernelRounding > trust.MostRounding || c.Forward > trust.MostRounding || c.EigenvalueError >= 1
}
