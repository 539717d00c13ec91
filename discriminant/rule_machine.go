package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// machineRule is an SVM on projections.
type machineRule struct {
	machines  *machines
	voting    *voting
	centroids *matrix.Dense
}

const machineRuleKind = "svm"

func (r *machineRule) kind() string         { return machineRuleKind }
func (r *machineRule) means() *matrix.Dense { return r.centroids }

func (r *machineRule) classifier() Classifier {
	m := r.machines.svm
	m.Probability = r.voting.sigmoids != nil
	return m
}

// prepare fills w.values with the values of the machines.
func (r *machineRule) prepare(w *workspace) error {
	if err := r.machines.evaluate(&w.values, w, &w.z); err != nil {
		return err
	}
	for i := range w.values.Rows {
		for j, v := range w.values.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &OverflowError{Row: i, Component: j}
			}
		}
	}
	return nil
}

func (r *machineRule) classify(codes []int, w *workspace) error {
	r.voting.count(codes, w, &w.values)
	return nil
}

func (r *machineRule) decide(values []float64, w *workspace) { decideByMachine(values, &w.values) }
func (r *machineRule) tally(dst *matrix.Dense, first int, w *workspace) error {
	return r.voting.sum(dst, first, w, &w.values)
}

func (r *machineRule) posteriors(w *workspace) { r.voting.couple(w, &w.values) }

func (r *machineRule) fields(c *codec) {
	centroidFields(c, &r.centroids)
	r.machines.fields(c, c.components)
	r.voting.fields(c)
}
