package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
)

func (u *subject) eigenvalues() (*picture.Figure, error) {
	d, ok := u.Details().(interface{ Eigenvalues() []float64 })
	if !ok {
		return nil, undrawable("%s: a model %s has no eigenvalues; those of --model kfda, lda and kpca have", u.path, u.Method())
	}
	values := d.Eigenvalues()
	if pca, ok := d.(discriminant.KernelPCADetails); ok {
		return picture.Eigenvalues(u.title("eigenvalues of %s", plural.Count(len(values), "component")), "principal component", "eigenvalue of the centred kernel matrix",
			values, pca.ExplainedRatio(), u.note(), "Shares of "+newSpectrum(u.model).of+" in the kernel's feature space."), nil
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
	r, err := u.record, error(nil)
	if r == nil {
		if r, err = searchOf(u.learnt); err != nil {
			return nil, fmt.Errorf("%s: %w", u.path, err)
		}
	}
	if r == nil {
		return nil, undrawable("%s: this model was not found by a search; 'kfda tune TRAIN -o MODEL' writes one that keeps its record, and 'kfda tune TRAIN --json' prints it for 'kfda plot search'", u.path)
	}
	best := r.Candidates[r.Best]
	title := u.title("search of %s in %s", plural.Count(len(r.Candidates), "candidate"), plural.Count(r.Rows, "row"))
	note := fmt.Sprintf("%s; the best of %s has %d wrong of %d rows tested.", r.Folds, criterionText(r.Criterion), best.Errors, best.Rows)
	if r.Regression() {
		note = fmt.Sprintf("%s; the best has an RMSE of %s in %s tested.", r.Folds, digitsText(rmseOf(best)), plural.Count(best.Rows, "row"))
	}
	if r.Weighed != nil {
		note += " These errors are " + weightsSaw + "."
	}
	return picture.Search(title, *r, note), nil
}

func criterionText(criterion string) string {
	if criterion == "" || criterion == cv.ByErrors.String() {
		return "all by errors"
	}
	return "all by " + criterion
}

// searchOf returns the record of the search that a model was found by, nil without.
func searchOf(m learnt) (*cv.Record, error) {
	text, ok := m.Note(cv.RecordNote)
	if !ok {
		return nil, nil
	}
	return parseRecord([]byte(text))
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
