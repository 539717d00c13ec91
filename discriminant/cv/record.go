package cv

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
)

// Number is a float64 that JSON can hold whatever its value: one that is not
// finite is a string there.
type Number float64

// MarshalJSON writes the shortest text that reads as the same number.
func (n Number) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(n), 'g', -1, 64)
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		text = strconv.Quote(text)
	}
	return []byte(text), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(text []byte) error {
	s := string(text)
	if quoted, err := strconv.Unquote(s); err == nil {
		s = quoted
	}
	v, err := strconv.ParseFloat(s, 64)
	*n = Number(v)
	return err
}

// Candidate is one combination of settings and how it fared.
type Candidate struct {
	Round   int                  `json:"round"` // 0: the first
	Scaling discriminant.Scaling `json:"-"`
	Gamma   Number               `json:"gamma"` // of the rbf kernel; 0 where γ is not searched, or has no value to begin with
	Ridge   Number               `json:"ridge"` // relative; 0 where no ridge is searched

	// Kernel is that of the candidate, with the parameters that are not searched, where the
	// search has Kernels.
	Kernel string `json:"kernel,omitempty"`

	// Parameter names what is searched in place of a ridge, as "C", "shrink" or
	// "components", and Value is its value.
	Parameter string `json:"parameter,omitempty"`
	Value     Number `json:"value,omitempty"`

	// Classifier is that of the projections, as in "knn(k=5)", of a KFDA or where the search
	// has Classifiers.
	Classifier string `json:"classifier,omitempty"`

	// Sample is the number of the rows that the candidate was tested on, where these are not
	// all; it is then none of those that the best is chosen from.
	Sample int `json:"sample,omitempty"`

	// Errors counts the rows, of all folds with a result, that were taken for another class.
	Errors   int    `json:"errors"`
	Rows     int    `json:"rows"` // tested, in all folds with a result
	Balanced Number `json:"balanced_accuracy"`

	// Weight is what the tested rows weigh together, and Wrong those that were taken for
	// another class, where rows have weights.
	Weight Number `json:"weight,omitempty"`
	Wrong  Number `json:"wrong,omitempty"`

	// Score is the log loss or the mean AUC of the classes, where that is the criterion, or in
	// a sample the log loss in its place.
	Score Number `json:"score,omitempty"`

	// Around is the mean, over the candidate and its neighbours without failures in the
	// grid of its round, which differ in γ or the ridge by one step, of what the
	// criterion compares. It tells a plateau from a lucky point.
	Around Number `json:"around"`

	// Failed counts the folds without a result; Reason is that of the first.
	Failed int    `json:"failed,omitempty"`
	Reason string `json:"reason,omitempty"`

	err error
}

// Accuracy returns the share of the tested rows that were taken for their class.
func (c Candidate) Accuracy() float64 {
	if c.Weight != 0 {
		return float64(c.Weight-c.Wrong) / float64(c.Weight)
	}
	return float64(c.Rows-c.Errors) / float64(c.Rows)
}

// Err returns the [Failure] of the first fold without a result, which Reason puts in words;
// where the criterion has no value, why; else nil. A record that was read has none.
func (c Candidate) Err() error { return c.err }

// String returns the settings, as in "scaling standard, gamma 0.25, relative ridge
// 0.001".
func (c Candidate) String() string {
	text := fmt.Sprintf("scaling %v, ", c.Scaling)
	if c.Gamma != 0 {
		text += fmt.Sprintf("gamma %.6g, ", float64(c.Gamma))
	}
	if c.Kernel != "" {
		text = fmt.Sprintf("kernel %s, ", c.Kernel) + text
	}
	value, name := c.value()
	if c.Parameter == "" {
		name = "relative ridge"
	}
	text += fmt.Sprintf("%s %.3g", name, value)
	if c.Classifier != "" {
		text += ", classifier " + c.Classifier
	}
	return text
}

func (c Candidate) point() point {
	value, _ := c.value()
	return point{line{c.Kernel, c.Scaling}, float64(c.Gamma), value}
}

// candidateFile is a Candidate with the scaling by name.
type candidateFile struct {
	Scaling string `json:"scaling"`
	candidateFields
}

type candidateFields Candidate

// MarshalJSON writes the candidate with its scaling by name.
func (c Candidate) MarshalJSON() ([]byte, error) {
	return json.Marshal(candidateFile{c.Scaling.String(), candidateFields(c)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Candidate) UnmarshalJSON(text []byte) error {
	var f candidateFile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*c = Candidate(f.candidateFields)
	for _, s := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
		if s.String() == f.Scaling {
			c.Scaling = s
			return nil
		}
	}
	return fmt.Errorf("cv: there is no scaling %q", f.Scaling)
}

// Record is what a search tried.
type Record struct {
	Folds     string `json:"folds"` // how the rows were divided
	Criterion string `json:"criterion"`
	Rows      int    `json:"rows"`
	Features  int    `json:"features"`
	// Candidates are in the order of their rounds; in a grid of a KFDA by kernel, scaling, γ and
	// ridge, ascending; of another method from the smoothest value on, then by γ.
	Candidates []Candidate `json:"candidates"`
	Best       int         `json:"best"` // index of the best candidate

	// Weighed are the kernels of the sum that was searched, where they were weighed.
	Weighed *WeighedKernels `json:"kernel_weights,omitempty"`
}

// recordFile is a Record without methods.
type recordFile Record

// MarshalText writes the record as JSON, without numbers that are 0 and need not be said.
func (r Record) MarshalText() ([]byte, error) { return json.Marshal(recordFile(r)) }

// MarshalJSON writes the record with its [Record.Edges], and with all values and scores that
// candidates have.
func (r Record) MarshalJSON() ([]byte, error) {
	type candidate struct {
		candidateFile
		Value *Number `json:"value,omitempty"`
		Score *Number `json:"score,omitempty"`
	}
	file := struct {
		recordFile
		Candidates []candidate `json:"candidates"`
		Edges      []string    `json:"edges,omitempty"`
	}{recordFile: recordFile(r), Edges: r.Edges()}
	for _, c := range r.Candidates {
		one := candidate{candidateFile: candidateFile{c.Scaling.String(), candidateFields(c)}}
		if c.Parameter != "" {
			one.Value = &c.Value
		}
		if (r.by() > ByBalancedAccuracy || c.Score != 0) && c.Failed == 0 {
			one.Score = &c.Score
		}
		file.Candidates = append(file.Candidates, one)
	}
	return json.Marshal(file)
}

// by returns the criterion of the record.
func (r Record) by() Criterion {
	return Criterion(max(0, slices.Index(criteria, r.Criterion)))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Record) UnmarshalJSON(text []byte) error { return r.UnmarshalText(text) }

// UnmarshalText reads what MarshalText writes.
func (r *Record) UnmarshalText(text []byte) error {
	if err := json.Unmarshal(text, (*recordFile)(r)); err != nil {
		return err
	}
	if r.Best < 0 || r.Best >= len(r.Candidates) {
		return fmt.Errorf("cv: the best of %d candidates is number %d", len(r.Candidates), r.Best)
	}
	return nil
}

// Regression reports whether the search is one of [TuneRegression], whose scores are mean squared
// errors.
func (r *Record) Regression() bool { return r.Criterion == bySquaredError.String() }
