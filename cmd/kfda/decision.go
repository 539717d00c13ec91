package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// decision is a way to the class of a projection. A model file remembers the one
// of its fit, so that predict and score agree.
type decision string

const (
	centroid decision = "centroid" // of the class with the nearest mean
	gaussian decision = "gaussian" // by the sign of the decision value of two classes
)

// decisionNote is the key under which a model file keeps its decision; without
// it the decision is centroid.
const decisionNote = "decision"

const decisionHelp = "`how` a projection becomes a class: centroid (the nearest class mean) or gaussian (two classes; the threshold between two normal densities, which priors move) "

// addDecision adds the flag that overrides the decision of a model.
func addDecision(cmd *cobra.Command, d *string) {
	cmd.Flags().StringVar(d, "decision", "", decisionHelp+"(default the one of the fit)")
}

// parseDecision reads the value of --decision; "" stands for what is given as
// the default.
func parseDecision(s string, byDefault decision) (decision, error) {
	switch d := decision(s); d {
	case "":
		return byDefault, nil
	case centroid, gaussian:
		return d, nil
	}
	return "", usage("--decision %q: want centroid or gaussian", s)
}

// check returns an error where the classes are too many for d.
func (d decision) check(file string, classes int) error {
	if d == gaussian && classes != 2 {
		return fmt.Errorf("%s: the gaussian decision is between two classes, and there are %d; use --decision centroid", file, classes)
	}
	return nil
}

// decide returns the class of each row of t, by the decision that the flag asks
// for, and warns of rows about which the model knows nothing.
func (m *savedModel) decide(s streams, flag string, t *table.Table) ([]string, error) {
	d, err := parseDecision(flag, m.decision)
	if err != nil {
		return nil, err
	}
	if err := d.check(m.path, len(m.Classes())); err != nil {
		return nil, err
	}
	predicted, err := m.classify(d, t.X)
	if err != nil {
		return nil, explainNew(t, err)
	}
	if m.isLocal() {
		z, err := m.Project(nil, t.X)
		if err != nil {
			return nil, explainNew(t, err)
		}
		m.warnOfFarRows(s, t, z)
	}
	return predicted, nil
}

// classify returns the class of each row of x.
func (m *savedModel) classify(d decision, x *matrix.Dense) ([]string, error) {
	if d == centroid {
		return m.Predict(nil, x)
	}
	values, err := m.Decision(nil, x)
	if err != nil {
		return nil, err
	}
	classes := m.Classes()
	predicted := make([]string, len(values))
	for i, v := range values {
		predicted[i] = classes[0]
		if v > 0 {
			predicted[i] = classes[1]
		}
	}
	return predicted, nil
}
