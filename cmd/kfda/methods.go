package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
)

type method = discriminant.Method

// methodKind is a method of the command line.
type methodKind struct {
	name    string
	help    string
	foreign []string // flags of fit that don't apply to it, or flags with a value
	// make checks the flags and returns the settings, all but the priors.
	make func(f *fitFlags, cmd *cobra.Command) (method, error)
}

// methodKinds is the one place that knows them all.
var methodKinds = []methodKind{
	{"kfda", "kernel Fisher discriminant", []string{"regularizer ledoit-wolf", "share"}, (*fitFlags).kfda},
	{"lda", "linear discriminant of the columns themselves, without a kernel",
		[]string{"kernel", "gamma", "sigma", "degree", "coef0", "scatter", "regularizer rkhs", "leave-one-out", "share"}, (*fitFlags).lda},
	{"kpca", "principal components in the kernel's feature space, without regard to the labels",
		[]string{"regularizer", "ridge", "relative-ridge", "shrink", "scatter", "leave-one-out"}, (*fitFlags).kpca},
	{"ridge", "kernel ridge regression on the classes, with an intercept; --ridge is its lambda",
		[]string{"regularizer rkhs", "regularizer shrink", "regularizer ledoit-wolf", "shrink", "scatter", "components", "classifier", "neighbors", "priors", "share", "leave-one-out", "C", "weights", "tolerance", "probability"}, (*fitFlags).kernelRidge},
	{"svm", "support vector machine, one for each pair of classes",
		[]string{"regularizer", "ridge", "relative-ridge", "shrink", "scatter", "components", "share", "classifier", "neighbors", "priors", "leave-one-out"}, (*fitFlags).svm},
}

// refuseFlags refuses flags, or flags with a value, that don't apply to something.
func refuseFlags(cmd *cobra.Command, foreign []string, to string) error {
	for _, flag := range foreign {
		name, value, _ := strings.Cut(flag, " ")
		if given := cmd.Flags().Lookup(name); given != nil && given.Changed && (value == "" || value == given.Value.String()) {
			return usage("--%s does not apply to %s", flag, to)
		}
	}
	return nil
}

func addMethods(cmd *cobra.Command, name *string) {
	var names, help []string
	for _, k := range methodKinds {
		names = append(names, k.name)
		help = append(help, "  "+k.name+" \t"+k.help)
	}
	cmd.Long += "\n\nModels:\n" + aligned(0, help...)
	namesFlag(cmd, name, "model", "kfda", "`name` of the kind of model: %s", names...)
}

// method checks the flags and returns the settings, all but the priors.
func (f *fitFlags) method(cmd *cobra.Command) (method, error) {
	var names []string
	for _, k := range methodKinds {
		names = append(names, k.name)
		if k.name != f.model {
			continue
		}
		if err := refuseFlags(cmd, k.foreign, "--model "+f.model); err != nil {
			return nil, err
		}
		m, err := k.make(f, cmd)
		if err != nil {
			return nil, err
		}
		if err := m.Validate(); err != nil {
			return nil, explainSetting(err)
		}
		return m, nil
	}
	return nil, usage("--model %q: want %s", f.model, strings.Join(names, ", "))
}

// explainSetting explains an error of the settings alone.
func explainSetting(err error) error {
	var ridge *discriminant.RidgeError
	if errors.As(err, &ridge) {
		return usage("%s: %s", explain.Regularizer(ridge.Regularizer), ridge.Reason)
	}
	return usageError{err}
}

// withPriors returns m with the class probabilities.
func withPriors(m method, priors []float64) method {
	s := m.Settings()
	s.Priors = priors
	return m.With(s)
}

// withWeights returns m with the weights of the classes in its machines.
func withWeights(m method, weights []float64) method {
	s := m.Settings()
	machine := s.Classifier.(discriminant.SVM)
	machine.Weights = weights
	s.Classifier = machine
	return m.With(s)
}

func (f *fitFlags) kfda(cmd *cobra.Command) (method, error) {
	given := cmd.Flags().Changed
	var m discriminant.KFDA
	var err error
	if m.Kernel, err = f.kernel.kernel(cmd); err != nil {
		return nil, err
	}
	byDefault := "rkhs"
	if f.kernel.name == "sigmoid" { // it is not positive definite
		byDefault = "ridge"
	}
	switch f.scatter {
	case "sum":
	case "averaged":
		m.Scatter, byDefault = discriminant.AveragedScatter, "ridge"
	default:
		return nil, usage("--scatter %q: want sum or averaged", f.scatter)
	}
	if m.Regularizer, err = f.regularizerOf(given, byDefault); err != nil {
		return nil, err
	}
	if f.regularizer == "rkhs" && f.scatter == "averaged" {
		return nil, usage("--scatter averaged does not go with --regularizer rkhs")
	}
	if m.Classifier, err = f.classifier.classifier(given, f.regularizer == "rkhs"); err != nil {
		return nil, err
	}
	if given("leave-one-out") && f.regularizer != "rkhs" {
		return nil, usage("--leave-one-out goes with --regularizer rkhs only")
	}
	if m.LeaveOneOut = f.leaveOneOut && f.regularizer == "rkhs"; !m.LeaveOneOut && f.regularizer == "rkhs" && m.Classifier == nil {
		m.Classifier = discriminant.Gaussian{} // of the projections as they are
	}
	if m.Components, err = f.componentsOf(given); err != nil {
		return nil, err
	}
	m.Scaling, err = f.kernelScaling(given, "auto")
	return m, err
}

// kernelScaling checks --scale with the default of the kernel, in which standard stands
// for that of the method.
func (f *fitFlags) kernelScaling(given func(string) bool, standard string) (discriminant.Scaling, error) {
	kind, err := f.kernel.kind()
	if err != nil {
		return 0, err
	}
	if kind.scale == "standard" {
		kind.scale = standard
	}
	return f.scalingOf(given, kind)
}

// mostComponents is how many components --model kpca keeps at most where neither their number
// nor their share of the variance is given.
const mostComponents = 100

func (f *fitFlags) kpca(cmd *cobra.Command) (method, error) {
	given := cmd.Flags().Changed
	var m discriminant.KernelPCA
	var errs [4]error
	m.Kernel, errs[0] = f.kernel.kernel(cmd)
	m.Classifier, errs[1] = f.classifier.classifier(given, false)
	m.Components, errs[2] = f.componentsOf(given)
	if !(f.share > 0 && f.share <= 1) {
		return nil, usage("--share %v: want a share of the variance above 0, and 1 at most for all components", f.share)
	}
	if given("share") {
		m.Share = f.share
	} else if !given("components") {
		m.Components, m.Share = mostComponents, f.share
	}
	m.Scaling, errs[3] = f.kernelScaling(given, "standard")
	return m, cmp.Or(errs[:]...)
}

func (f *fitFlags) kernelRidge(cmd *cobra.Command) (method, error) {
	given := cmd.Flags().Changed
	var m discriminant.KernelRidge
	var errs [3]error
	m.Kernel, errs[0] = f.kernel.kernel(cmd)
	m.Regularizer, errs[1] = f.regularizerOf(given, "ridge")
	m.Scaling, errs[2] = f.kernelScaling(given, "auto")
	return m, cmp.Or(errs[:]...)
}

func (f *fitFlags) lda(cmd *cobra.Command) (method, error) {
	given := cmd.Flags().Changed
	var m discriminant.LDA
	var errs [4]error
	if slices.ContainsFunc([]string{"regularizer", "ridge", "relative-ridge", "shrink"}, given) {
		m.Regularizer, errs[0] = f.regularizerOf(given, "ridge")
	}
	m.Classifier, errs[1] = f.classifier.classifier(given, true)
	m.Components, errs[2] = f.componentsOf(given)
	m.Scaling, errs[3] = f.scalingOf(given, kernelKind{scale: "standard"})
	return m, cmp.Or(errs[:]...)
}

func (f *fitFlags) svm(cmd *cobra.Command) (method, error) {
	var errs [3]error
	m, err := f.classifier.machine.machine()
	errs[0] = err
	m.Kernel, errs[1] = f.kernel.kernel(cmd)
	m.Scaling, errs[2] = f.kernelScaling(cmd.Flags().Changed, "standard")
	return m, cmp.Or(errs[:]...)
}
