package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
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

// machinesOf reports whether m trains machines, and whether
// m scales the columns or could: kernel values can't be scaled.
func machinesOf(m method) (has, scaled bool) {
	s := m.Settings()
	_, has = s.Classifier.(discriminant.SVM)
	_, precomputed := s.Kernel.(gram.Precomputed)
	return has, precomputed || s.Scaling != discriminant.NoScaling
}

// remedyForMachines says what makes the machines of m easier to train.
func remedyForMachines(m method) string {
	if _, scaled := machinesOf(m); scaled {
		return "a larger --tolerance or a smaller --C helps"
	}
	return "--scale standard helps, as a rule; so does a larger --tolerance, a smaller --C, or --ignore of a column that only numbers the rows"
}

// machinePatience is the time after which a fit of machines that has not ended is
// explained.
var machinePatience = 5 * time.Second

// explainWait tells the user of a long fit what it may be that takes so long. The
// function that it returns ends the wait.
func explainWait(w io.Writer, m method) (stop func()) {
	if has, _ := machinesOf(m); !has {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(machinePatience, func() {
		defer close(told)
		notice(w, "the support vector machines are still being trained, which takes ten million steps and more for a pair of classes before it is given up; %s; Ctrl-C stops it", remedyForMachines(m))
	})
	return func() {
		if !timer.Stop() {
			<-told
		}
	}
}
