package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
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
	flags.StringVar(&f.name, "classifier", "", "`name` of the classifier of projections: "+strings.Join(classifierNames, ", ")+" (default gaussian or centroid, see above)")
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
