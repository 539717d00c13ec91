package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
)

// searchKind is a model of the command line that tune can search.
type searchKind struct {
	name     string
	searches string
	foreign  []string // flags of tune that don't apply to it
	// set checks the flags and sets what is searched of the model, all but what others have.
	set func(f *tuneFlags, q *cv.Search, given func(flag string) bool) error
}

var searchKinds = []searchKind{
	{"kfda", "the scaling, gamma and the ridge", []string{"components"}, (*tuneFlags).kfda},
	{"svm", "the scaling, gamma and C", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C"}, (*tuneFlags).svm},
	{"ridge", "the scaling, gamma and the relative ridge lambda", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C", "weights", "tolerance", "probability"}, (*tuneFlags).kernelRidge},
	{"lda", "the scaling and the intensity of --shrink", []string{"regularizer", "refinements", "components", "kernels", "kernel-weights"}, (*tuneFlags).lda},
	{"kpca", "the scaling, gamma and the number of components", []string{"regularizer", "refinements"}, (*tuneFlags).kpca},
}

// searchNames are the models that --model takes.
func searchNames() (names []string) {
	for _, k := range searchKinds {
		names = append(names, k.name)
	}
	return append(names, "all")
}

// setMethod checks the flags of the model, and sets what is searched.
func (f *tuneFlags) setMethod(q *cv.Search, given func(flag string) bool) error {
	if given("C") && f.model != "svm" && f.classifier.name != "svm" {
		return usage("--C is for --classifier svm; tune --model svm searches C itself")
	}
	at := slices.IndexFunc(searchKinds, func(k searchKind) bool { return k.name == f.model })
	if at < 0 {
		return usage("--model %q: want one of %s", f.model, strings.Join(searchNames(), ", "))
	}
	kind := searchKinds[at]
	if i := slices.IndexFunc(kind.foreign, given); i >= 0 {
		return usage("--%s does not apply to tune --model %s, which searches %s", kind.foreign[i], f.model, kind.searches)
	}
	var err error
	if q.Kernels, err = f.kernelList(); err != nil {
		return err
	}
	if err := f.weigh(q, given); err != nil {
		return err
	}
	if f.model != "kfda" {
		q.Refinements = 0
	}
	if err := kind.set(f, q, given); err != nil {
		return err
	}
	if err := q.Method.Validate(); err != nil {
		return explainSetting(err)
	}
	return nil
}

func (f *tuneFlags) kfda(q *cv.Search, given func(string) bool) error {
	m := discriminant.KFDA{LeaveOneOut: f.regularizer == "rkhs"}
	var err error
	if m.Classifier, err = f.classifier.classifier(given, m.LeaveOneOut); err != nil {
		return err
	}
	switch f.regularizer {
	case "rkhs":
		m.Regularizer = discriminant.RelativeRKHS(1)
	case "ridge":
		m.Regularizer = discriminant.RelativeRidge(1)
	default:
		return usage("--regularizer %q: want rkhs or ridge", f.regularizer)
	}
	q.Method = m
	return nil
}

func (f *tuneFlags) svm(q *cv.Search, _ func(string) bool) error {
	m, err := f.classifier.machine.machine()
	q.Method = m
	return err
}

func (f *tuneFlags) kernelRidge(q *cv.Search, _ func(string) bool) error {
	q.Method = discriminant.KernelRidge{}
	return nil
}

func (f *tuneFlags) lda(q *cv.Search, given func(string) bool) error {
	classifier, err := f.classifier.classifier(given, true)
	q.Method = discriminant.LDA{Classifier: classifier}
	return err
}

func (f *tuneFlags) kpca(q *cv.Search, given func(string) bool) error {
	for text := range strings.SplitSeq(f.components, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return usage("--components %q: want numbers of components, 1 or more, as in 2,4,8", f.components)
		}
		q.Values = append(q.Values, float64(n))
	}
	classifier, err := f.classifier.classifier(given, false)
	q.Method = discriminant.KernelPCA{Classifier: classifier}
	return err
}

// byDefault is --kernel-weights without a ridge.
const byDefault = "default"

// weigh sets what --kernel-weights say.
func (f *tuneFlags) weigh(q *cv.Search, given func(flag string) bool) (err error) {
	switch f.kernelWeights {
	case "":
		return nil
	case byDefault:
		if q.KernelWeights = cv.WeighColumns; q.Kernels != nil {
			q.KernelWeights = cv.WeighKernels
		}
	default:
		const least, most = 1e-6, 1e6 // beyond them rounding decides
		if q.KernelWeights, err = strconv.ParseFloat(f.kernelWeights, 64); err != nil || !(q.KernelWeights >= least && q.KernelWeights <= most) {
			return usage("--kernel-weights=%s: want a relative ridge from %g to %g, as in --kernel-weights=10", f.kernelWeights, least, most)
		}
	}
	if slices.Contains(q.Kernels, gram.Kernel(gram.NewSigmoid())) {
		return usage("--kernel-weights: kernels must be positive semidefinite: leave sigmoid out of --kernels %s", f.kernels)
	}
	for _, flag := range []string{"weight", "class-weight"} {
		if given(flag) {
			return usage("--kernel-weights: kernels are weighed by rows that count the same: leave --%s out", flag)
		}
	}
	switch {
	case !given("scale"):
		q.Scalings = []discriminant.Scaling{discriminant.Standard}
	case len(q.Scalings) > 1:
		return usage("--kernel-weights: the weights are those of columns that are scaled in one way: say --scale standard")
	}
	return nil
}

// kernelList returns the kernels of --kernels, with the defaults of their parameters; none is the
// rbf alone.
func (f *tuneFlags) kernelList() (kernels []gram.Kernel, err error) {
	if f.kernels == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(f.kernels, ",") {
		of := kernelFlags{name: strings.TrimSpace(name), degree: 3}
		kind, err := of.kind()
		if err != nil {
			return nil, err
		}
		if kind.name == "precomputed" {
			return nil, usage("--kernels %s: there is nothing to search of kernel values but the ridge, which 'kfda fit' chooses", f.kernels)
		}
		kernel, err := kind.make(of, func(string) bool { return false })
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, kernel)
	}
	return kernels, nil
}
