package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/show"
)

// classifierFlags say how projections become classes. The model holds what they
// come to, so that predict and score agree.
type classifierFlags struct {
	name      string
	neighbors int
	priors    string
	machine   machineFlags
}

var classifierNames = []string{"centroid", "gaussian", "gaussian-per-class", "knn", "svm"}

func (f *classifierFlags) add(cmd *cobra.Command) {
	cmd.Long += `

A projection becomes a class by --classifier, which the model remembers:
  gaussian            the most probable of normal densities with one covariance
  gaussian-per-class  the same with a covariance for each class
  centroid            the class with the nearest mean
  knn                 most of the --neighbors nearest training rows
  svm                 a support vector machine with an rbf kernel, see --C
Without --classifier it is gaussian for lda and for kfda with --regularizer rkhs,
where it is fitted to the projections that rows have where they are left out; for
kpca and kfda with another regularizer it is centroid.
--priors say how frequent the classes are where the rows to classify come from,
if not as in the table: numbers in class order, or class=number. They matter to
gaussian, gaussian-per-class and knn; with them the default is gaussian.`
	flags := cmd.Flags()
	namesFlag(cmd, &f.name, "classifier", "", "`name` of the classifier of projections: %s (default gaussian or centroid, see 'kfda fit --help')", classifierNames...)
	flags.IntVar(&f.neighbors, "neighbors", 5, "`number` of neighbours of knn; where it is not given, all rows where they are fewer")
	f.machine.add(cmd)
	flags.StringVar(&f.priors, "priors", "", "`probabilities` of the classes: p1,p2,... in class order, or class=p,... (default their shares of the rows)")
}

// classifier checks the flags, all but the priors, and returns the classifier: nil where
// none is given, which means a Gaussian one if gaussian.
func (f *classifierFlags) classifier(given func(flag string) bool, gaussian bool) (discriminant.Classifier, error) {
	none := !given("classifier") && (gaussian || !given("priors"))
	if !given("classifier") {
		if f.name = "centroid"; gaussian || given("priors") {
			f.name = "gaussian"
		}
	}
	switch {
	case !slices.Contains(classifierNames, f.name):
		return nil, usage("--classifier %q: want %s", f.name, strings.Join(classifierNames, ", "))
	case given("neighbors") && f.name != "knn":
		return nil, usage("--neighbors does not apply to --classifier %s", f.name)
	case f.neighbors < 1:
		return nil, usage("--neighbors %d: want 1 or more", f.neighbors)
	case given("priors") && (f.name == "centroid" || f.name == "svm"):
		return nil, usage("--priors do not matter to --classifier %s", f.name)
	}
	for _, name := range machineNames {
		if given(name) && f.name != "svm" {
			return nil, usage("--%s is for --model svm and --classifier svm", name)
		}
	}
	if none {
		return nil, nil
	}
	switch f.name {
	case "gaussian":
		return discriminant.Gaussian{}, nil
	case "gaussian-per-class":
		return discriminant.Gaussian{PerClass: true}, nil
	case "knn":
		if !given("neighbors") {
			return discriminant.KNN{}, nil // 5, or fewer for fewer rows
		}
		return discriminant.KNN{K: f.neighbors}, nil
	case "svm":
		return f.machine.machine()
	}
	return discriminant.NearestCentroid{}, nil
}

// announceNeighbors says where knn has no choice among so many training rows.
func (f *classifierFlags) announceNeighbors(w io.Writer, rows int) {
	if f.name == "knn" && rows <= f.neighbors {
		notice(w, "--classifier knn: all %d training rows are neighbours of every row, so that each is taken for the commonest class; give a smaller --neighbors", rows)
	}
}

// forClasses returns m with the priors and the weights of the flags, which need the
// classes.
func (f *classifierFlags) forClasses(m method, classes []string) (method, error) {
	if f.priors != "" {
		priors, err := parsePriors(f.priors, classes)
		if err != nil {
			return nil, err
		}
		m = withPriors(m, priors)
	}
	if f.machine.weights != "" {
		weights, err := parseWeights(f.machine.weights, classes)
		if err != nil {
			return nil, err
		}
		m = withWeights(m, weights)
	}
	return m, nil
}

// parsePriors reads class probabilities: numbers in class order, or class=number
// in any order. Names of classes may hold commas and equal signs.
func parsePriors(text string, classes []string) ([]float64, error) {
	return parseShares("priors", text, classes, func(priors []float64) error {
		return discriminant.KFDA{Priors: priors}.Validate()
	})
}

// parseWeights reads the factors of C in the same form.
func parseWeights(text string, classes []string) ([]float64, error) {
	return parseShares("weights", text, classes, func(weights []float64) error {
		return discriminant.SVM{Weights: weights}.Validate()
	})
}

// parseShares reads one number for each class, which the library then validates.
func parseShares(flag, text string, classes []string, validate func([]float64) error) ([]float64, error) {
	wrong := func(format string, args ...any) error {
		return usage("--%s %s: %s", flag, text, fmt.Sprintf(format, args...))
	}
	shares, err := numbers(text)
	if err != nil {
		shares, err = namedShares(text, classes, wrong)
	}
	if err != nil {
		return nil, err
	}
	if len(shares) != len(classes) {
		return nil, wrong("%d numbers for %d classes: %s", len(shares), len(classes), classList(classes))
	}
	var parameter *discriminant.ParameterError
	if err := validate(shares); errors.As(err, &parameter) {
		return nil, wrong("%s", parameter.Reason)
	}
	return shares, nil
}

// numbers reads a list with commas.
func numbers(text string) ([]float64, error) {
	var list []float64
	for _, s := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// namedShares reads class=number,… with every class once. wrong makes the error of the flag.
func namedShares(text string, classes []string, wrong func(format string, args ...any) error) ([]float64, error) {
	shares := make([]float64, len(classes))
	given := make([]bool, len(classes))
	for rest, more := text, true; more; {
		j := -1
		for k, c := range classes { // the longest name that fits
			if strings.HasPrefix(rest, c+"=") && (j < 0 || len(c) > len(classes[j])) {
				j = k
			}
		}
		if j < 0 {
			return nil, wrong("%q is neither a list of numbers nor class=number of one of them; the classes are %s", rest, classList(classes))
		}
		if given[j] {
			return nil, wrong("the class %s stands twice", show.Name(classes[j]))
		}
		var number string
		number, rest, more = strings.Cut(rest[len(classes[j])+1:], ",")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return nil, wrong("%q is not a number", number)
		}
		shares[j], given[j] = v, true
		rest = strings.TrimLeft(rest, " ")
	}
	for j, c := range classes {
		if !given[j] {
			return nil, wrong("the class %s is missing", show.Name(c))
		}
	}
	return shares, nil
}

// classList lists classes for a message.
func classList(classes []string) string {
	var names []string
	for _, c := range classes {
		names = append(names, show.Name(c))
	}
	return show.List(names, listed)
}

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

// machinePatience is the time after which a fit of machines that has not ended is
// explained.
var machinePatience = 5 * time.Second

// explainWait tells the user of a long fit what it may be that takes so long. The
// function that it returns ends the wait.
func explainWait(w io.Writer, m method) (stop func()) {
	has, remedy := explain.Machines(m)
	if !has {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(machinePatience, func() {
		defer close(told)
		notice(w, "the support vector machines are still being trained, which takes ten million steps and more for a pair of classes before it is given up; %s; Ctrl-C stops it", remedy)
	})
	return func() {
		if !timer.Stop() {
			<-told
		}
	}
}
