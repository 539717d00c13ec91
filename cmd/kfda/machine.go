package main

import (
	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
)

// machineFlags are the settings of a support vector machine, as a model or as a
// classifier.
type machineFlags struct {
	c           float64
	weights     string
	tolerance   float64
	probability bool
}

var machineNames = []string{"C", "weights", "tolerance", "probability"}

func (f *machineFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.c, "C", 1, "`price` of a violated margin (svm)")
	flags.StringVar(&f.weights, "weights", "", "`factors` of C for the classes (svm): w1,w2,... in class order, or class=w,... (default 1)")
	flags.Float64Var(&f.tolerance, "tolerance", 1e-3, "`violation` of its conditions with which the fit of a machine stops (svm)")
	flags.BoolVar(&f.probability, "probability", false, "make --posteriors possible, by fits to four fifths of the rows (svm)")
}

// machine checks the flags and returns the machine, all but its kernel, its scaling
// and the weights.
func (f *machineFlags) machine() (discriminant.SVM, error) {
	m := discriminant.SVM{C: f.c, Tolerance: f.tolerance, Probability: f.probability}
	if !(f.c > 0) {
		return m, usage("--C %v: want a number above 0", f.c)
	}
	if !(f.tolerance > 0) {
		return m, usage("--tolerance %v: want a number above 0", f.tolerance)
	}
	return m, nil
}
