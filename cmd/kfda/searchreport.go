package main

import (
	"github.com/seed92411348/kfda/discriminant/cv"
)

// searchReport is a cv.Record as it stands in --json.
type searchReport struct {
	Folds      string            `json:"folds"`
	Criterion  string            `json:"criterion"`
	Rows       int               `json:"rows"`
	Features   int               `json:"features"`
	Candidates []candidateReport `json:"candidates"`
	Best       int               `json:"best"`
	Edges      []string          `json:"edges,omitempty"` // where the best is at an edge
}

// candidateReport is a cv.Candidate as it stands in --json: a number that was searched or
// found is there, although it be 0.
type candidateReport struct {
	Scaling   string     `json:"scaling"`
	Round     int        `json:"round"`
	Gamma     cv.Number  `json:"gamma"`
	Ridge     cv.Number  `json:"ridge"`
	Parameter string     `json:"parameter,omitempty"`
	Value     *cv.Number `json:"value,omitempty"` // of the parameter
	// Classifier is that of the projections, and Sample the number of the rows that were tried
	// where these are not all.
	Classifier string `json:"classifier,omitempty"`
	Sample     int    `json:"sample,omitempty"`

	Errors   int        `json:"errors"`
	Rows     int        `json:"rows"`
	Balanced cv.Number  `json:"balanced_accuracy"`
	Score    *cv.Number `json:"score,omitempty"` // where it is the criterion
	Around   cv.Number  `json:"around"`
	Failed   int        `json:"failed,omitempty"`
	Reason   string     `json:"reason,omitempty"`
}

func newSearchReport(r cv.Record) searchReport {
	report := searchReport{Folds: r.Folds, Criterion: r.Criterion, Rows: r.Rows, Features: r.Features, Best: r.Best, Edges: r.Edges()}
	scored := r.Criterion == cv.ByLogLoss.String() || r.Criterion == cv.ByAUC.String()
	for _, c := range r.Candidates {
		one := candidateReport{
			Scaling: c.Scaling.String(), Round: c.Round, Gamma: c.Gamma, Ridge: c.Ridge, Parameter: c.Parameter, Classifier: c.Classifier, Sample: c.Sample,
			Errors: c.Errors, Rows: c.Rows, Balanced: c.Balanced, Around: c.Around, Failed: c.Failed, Reason: c.Reason,
		}
		if c.Parameter != "" {
			one.Value = &c.Value
		}
		if scored && c.Failed == 0 {
			one.Score = &c.Score
		}
		report.Candidates = append(report.Candidates, one)
	}
	return report
}
