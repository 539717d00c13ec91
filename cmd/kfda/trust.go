package main

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

// addTrust says in words how far the model and its scores can be trusted.
func (p *pageData) addTrust(u *subject, r *score) error {
	say := func(format string, args ...any) { p.Trust = append(p.Trust, fmt.Sprintf(format, args...)) }
	warn := func(format string, args ...any) { p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...)) }
	if u.trained {
		warn("These are the rows that the model was fitted to. That it gets them right says little about new rows: score rows that it has not seen.")
	} else {
		say("These are not the rows that the model was fitted to. As far as none of them was, and none belongs to the same patient, speaker or day as one that was, the scores hold for new rows of the same kind.")
	}
	class, baseline := r.Baseline.Class, 1-r.Baseline.Accuracy
	switch low, high := assess.Wilson(r.Errors, r.N); {
	case high < baseline:
		say("The model is better than always answering %s: even the upper end of the interval of its errors, %s, is below %s.", show.Name(class), percentText(high), percentText(baseline))
	case low > baseline:
		warn("The model is worse than always answering %s.", show.Name(class))
	default:
		warn("In %s the model can't be told from always answering %s: %s of the rows lie within the interval of its errors.", plural.Count(r.N, "row"), show.Name(class), percentText(baseline))
	}
	if text, ok := u.Note(cv.RecordNote); ok {
		if record, err := parseRecord([]byte(text)); err == nil {
			best := record.Candidates[record.Best]
			say("The settings are the best of %s in a search by cross-validation (%s), where %d of %d rows were wrong; as they were chosen for that, the number is optimistic, and the scores on this page are not if the search has not seen these rows.",
				plural.Count(len(record.Candidates), "candidate"), record.Folds, best.Errors, best.Rows)
		}
	}
	if u.scores == nil {
		say("The model has no probabilities; it answers with a class alone.")
	}
	if u.isLocal() {
		far, err := u.Far(nil, u.t.X)
		if err != nil {
			return explainNew(u.t, err)
		}
		count := 0
		for _, f := range far {
			if f {
				count++
			}
		}
		if count > 0 {
			warn("%s so far from all training rows that the model knows nothing about them.", rowsAre(count))
		}
	}
	if u.Method() != "svm" {
		p.addCertificate(certificateOf(u.model), say, warn)
	}
	return nil
}

func rowsAre(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

// addCertificate says what the bounds of the errors of the computation come to.
func (p *pageData) addCertificate(c discriminant.Certificate, say, warn func(string, ...any)) {
	if e := max(c.Forward, c.Backward); e > 0 {
		say("The equations of the fit are solved to about %.0f digits (%s: relative error at most %.1e).", digits(e), solverText(c), e)
	}
	switch k := c.KernelRounding; {
	case k > mostRounding:
		warn("The rounding of the kernel values alone changes the solution by about %.0e: a larger ridge or scaled columns make it more certain.", k)
	case k > 0:
		say("The rounding of the kernel values to 16 digits changes the solution by about %.0e, which plays no part.", k)
	}
	if c.EigenvalueError >= 1 {
		warn("No digit of the smallest eigenvalue is certain: its direction may be rounding.")
	}
	if c.CutsCluster {
		warn("A direction that was left out has the same eigenvalue as the last one kept: the data do not determine which are kept.")
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
