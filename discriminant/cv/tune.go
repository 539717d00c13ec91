package cv

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Search says what to search for the best setting of a method. The zero value is the search of
// a kernel discriminant that is right where nothing is known; Search{Method: discriminant.SVM{}}
// is that of a machine.
//
// Of a [discriminant.KFDA] the first round tries every combination of Kernels, Scalings, Gammas
// and Values. Each refinement tries γ times ½, 1 and 2 and the
// ridge times 0.3, 1 and 3, or 0.1, 0.3, 1, 3 and 10 on the coefficients, around the best so far,
// and the next a third as much on a logarithmic scale. Where the best of a round is at an
// edge, the same steps (4 for γ in the first round, 10 or 100 for the ridge) are taken
// around it, at most four times; [Record.Edges] says where that did not end it.
//
// Where refinements follow, a search of n rows tries kernels, with scalings and γ, in n/3^j, …, n/9,
// n/3 and n rows, 150 at least, of each class its share but at least 10, at random with Seed
// (successive halving: Jamieson and Talwalkar, AISTATS 2016). Of each part a third of the kernels
// goes on, each with its best ridge and the next smaller one. Where n/3 is 500 or more, the
// refinements are made there, and three kernels, of different scalings first, are tried in all
// rows; then γ times 1 and 2 and the last ridges up to 1 around the best. In parts the log loss
// stands for errors and balanced accuracies, if the Classifier is Gaussian; those that go on are
// the best by either in turn. A part in which no candidate is better than the commonest class by
// three standard deviations, or none has a result, decides nothing.
// Of other methods there is the first round alone. At last the other classifiers are tried at
// the best.
type Search struct {
	// Method has the settings that are not searched; nil means KFDA{}. A Kernel other than nil
	// and an rbf kernel without γ is kept as it is, where there are no Kernels.
	//
	// Of a KFDA the relative ridge is one in the
	// RKHS, [discriminant.RelativeRKHS], unless the Regularizer is a ridge on the
	// coefficients: then [discriminant.RelativeRidge] is searched. A nil Classifier is searched:
	// [discriminant.Gaussian], or NearestCentroid with a ridge on the coefficients, in the
	// grid, and at its best the other of these, Gaussian with PerClass and KNN, as far as they
	// have the posteriors that the criterion needs; with LeaveOneOut in the RKHS. In a tie
	// the first stays. A Classifier that is given is kept.
	//
	// By balanced accuracy, nil Priors mean equal ones: with those of the rows the frequent
	// classes would win the doubtful rows. By log loss, the posteriors of the default are
	// calibrated.
	Method discriminant.Method

	// Kernels are tried in place of the Method's; of one without γ that has one it is searched.
	Kernels []gram.Kernel

	// Classifiers are tried in place of the Method's, the first in the grid and the others at
	// its best.
	Classifiers []discriminant.Classifier

	// Scalings are tried in the first round; nil means NoScaling, Standard and MinMax.
	Scalings []discriminant.Scaling

	// Gammas are tried in the first round; nil means γ₀·4ᵏ, k = −3 … 3, with γ₀ the default of
	// the kernel for all rows, scaled: of an rbf kernel [gram.GammaScale].
	Gammas []float64

	// Values of what is searched beside the kernel are tried in the first round: of KFDA and
	// KernelRidge the relative ridge, of SVM its C, of LDA the intensity of
	// [discriminant.Shrink], 0 for none, and of KernelPCA the number of Components. nil
	// means for KFDA 10⁻³, 10⁻², …, 10² in the RKHS; on the coefficients, and for KernelRidge,
	// 10⁻⁸, 10⁻⁶, …, 10²; for C 0.1, 1, …, 1000; 0, 0.001, 0.01, 0.1, 0.2, 0.5 and 1 for the
	// intensity; 1, 2, 4, …, 32 components.
	Values []float64

	// KernelWeights, where not 0, is the relative ridge at which the weights of kernels are found by
	// [inference.WeighKernels], see [WeighColumns], before the search; their sum is the kernel that is
	// searched, which has no γ. Of Kernels all are weighed in place of being tried in turn, each with all γ
	// that would be; where there are none, one kernel for each column of the table, as that of the Method.
	// There is one of Scalings, nil for Standard. The weights are those of all rows, so that the errors of
	// candidates are more optimistic than without; [Nested] finds weights anew in each training side.
	KernelWeights float64

	// Refinements is the number of rounds after the first. 0 means 1 where neither
	// Gammas nor Values are given, and none where they are; −1 means none. Only a KFDA has any.
	Refinements int

	// Folds divide the rows; nil means as many stratified folds as the smallest class
	// has rows, but at most 5, with Seed.
	Folds *Folds
	Seed  uint64

	// Criterion says what makes a candidate the best.
	Criterion Criterion

	// Workers is how many goroutines fit at a time; 0 leaves it to the size of the
	// problem. The result does not depend on it.
	Workers int

	// Progress, where it is not nil, is called after each fold, from the goroutine
	// that called Tune: the stage ("search", "search, shift 1", …, "refinement 1", …,
	// "classifiers", "fit"), and how many of its fits are done.
	Progress func(stage string, done, total int)
}

// Tuned is the result of a search.
type Tuned[L discriminant.Label] struct {
	// Model is the best candidate, fitted to all rows. Its note of the key
	// [RecordNote] is the record of the search.
	Model  *discriminant.Model[L]
	Record Record
}

// RecordNote is the key of the note that holds the record of the search, as
// [Record.MarshalText] writes it, in a model that [Tune] has fitted.
const RecordNote = "search"

// Tune searches by cross-validation for the best candidate and fits it to all rows.
//
// The best is the candidate with the best criterion. Of several KFDAs it is the one with the
// best mean of it in its neighbourhood of the grid, of these the one with the largest ridge,
// of these the one with the smallest γ, which are the smoother discriminants, of these the
// first scaling of NoScaling, Standard and MinMax, then the first kernel by its text. Of
// several of another method it is the one with the smoothest value, which is the largest
// ridge or intensity and the smallest C or number of components; of these the one with the
// smallest γ in units of γ₀, then the first kernel and the first scaling. One that was tried
// on a sample of the rows is
// never it, and another classifier only where its criterion is better. Neither the order in which candidates
// are given nor the number of workers plays a part. A candidate with a fold that has no
// result, because a parameter is not legal or a fit was refused, is recorded with
// the reason and never wins, and so are those of a scaling whose rows have no default γ,
// with a *[ScalingError]; where all are such the error is a *[NoCandidateError], and where
// the best can't be fitted to all rows a *[BestFitError].
//
// The scaling and the ridge's unit are those of a fold's training rows. A method other than
// KFDA is fitted for each candidate and fold by itself. Of a KFDA all ridges of a
// fold and a γ are those of one [discriminant.TestPath]; those that it refuses are fitted
// one by one. For d features,
// d ≤ 64 or d ≤ n/16, kernel matrices are computed anew for each fold and γ; else the
// squared distances between rows are computed once for a scaling and a fold, and once a
// round without scaling, and kernel matrices are maps of parts of them. Memory: an n×n
// matrix for each worker, with distances half a one besides, for each worker where there
// are scalings, and as much as half a matrix for all else. The garbage is collected
// (runtime.GC) before each reduction where these matrices are a quarter or more of the
// memory in use. Cost, n being the training rows of a fold: 2n³/3 flops for each candidate
// and fold with leave-one-out projections in the RKHS, else 4n³/3 for each fold and γ and
// O(n²) for each ridge.
//
// Rows may have weights, as in [Evaluate]; KNN is then not among the classifiers that are tried
// where none are given.
//
// ctx can cancel the search.
func Tune[L discriminant.Label](ctx context.Context, s Search, x *matrix.Dense, labels []L, weights ...float64) (*Tuned[L], error) {
	x, labels, folds, weights, err := weighed(x, labels, s.Folds, weights, s.precomputed())
	if err != nil {
		return nil, err
	}
	if folds == nil {
		if folds, err = DefaultFolds(labels, s.Seed); err != nil {
			return nil, err
		}
	}
	classes, codes, err := prepare(x, labels, folds)
	if err != nil {
		return nil, err
	}
	if folds.withoutEmpty().Len() == 0 {
		return nil, &FoldsError{Rows: x.Rows, Reason: "none of the search tests a row"}
	}
	s.Method = s.base()
	if err := s.validate(); err != nil {
		return nil, err
	}
	if err := s.checkKernelWeights(weights != nil); err != nil {
		return nil, err
	}
	prepared, _, learnt, err := s.prepared(x, nil, weights)
	if err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(prepared); err != nil {
		return nil, err
	}
	var found *WeighedKernels
	if s.KernelWeights != 0 {
		if s, found, err = weigh(ctx, s, prepared, learnt, labels); err != nil {
			return nil, err
		}
	}
	if s.precomputed() {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	s, others := s.resolved(len(classes), weights != nil)
	grid, refused := s.firstGrid(prepared, weights)
	t := newTuning(s, x, codes, weights, folds, classes, refused)
	record := Record{Folds: folds.String(), Criterion: s.Criterion.String(), Rows: x.Rows, Features: x.Cols, Weighed: found}
	if err := t.tryParts(ctx, &record, grid); err != nil {
		return nil, err
	}
	classifier, err := t.tryClassifiers(ctx, &record, others)
	if err != nil {
		return nil, err
	}
	s = s.withClassifier(classifier)
	t.memory.free = nil
	t.collect(x.Rows, debug.FreeOSMemory) // the matrix of all rows does not fit into what is free
	s.progress("fit", 0, 1)
	m, err := discriminant.Fit(ctx, s.Candidate(record.Candidates[record.Best]), x, labels, weights...)
	if err != nil {
		return nil, &BestFitError{Candidate: record.Candidates[record.Best], Err: err}
	}
	s.progress("fit", 1, 1)
	text, err := record.MarshalText()
	if err != nil {
		return nil, err
	}
	return &Tuned[L]{Model: m.WithNote(RecordNote, string(text)), Record: record}, nil
}

func (s Search) progress(stage string, done, total int) {
	if s.Progress != nil {
		s.Progress(stage, done, total)
	}
}

// defaultFoldCount is the largest default number of folds.
const defaultFoldCount = 5

// DefaultFolds makes as many stratified folds as the rarest class has rows, but at most
// 5 and at least 2, for which a class of one row is a *[RareClassError]. They are those
// of [Tune] where no others are given.
func DefaultFolds[L discriminant.Label](labels []L, seed uint64) (*Folds, error) {
	k := defaultFoldCount
	for _, c := range rowsOf(labels) {
		k = min(k, max(2, len(c.rows)))
	}
	return Stratified(labels, k, seed)
}

func (s Search) validate() error {
	if err := s.Criterion.validate(); err != nil {
		return err
	}
	if field := s.emptyList(); field != "" {
		return &ParameterError{Field: field, Value: "[]", Reason: "want one at least, or nil for the default"}
	}
	if s.Refinements < -1 {
		return &ParameterError{Field: "Refinements", Value: fmt.Sprint(s.Refinements), Reason: "want 0 or more, or −1 for none"}
	}
	base := s.Method.Settings()
	if _, ok := s.kfda(); ok && base.Regularizer == discriminant.Shrink(base.Regularizer.Value()) {
		return &ParameterError{Field: "Method.Regularizer", Value: base.Regularizer.String(), Reason: "only ridges are searched"}
	} else if !ok && s.Refinements > 0 {
		return &ParameterError{Field: "Refinements", Value: fmt.Sprint(s.Refinements), Reason: "only the search of a KFDA has any"}
	}
	if base.Scaling != discriminant.NoScaling {
		return &ParameterError{Field: "Method.Scaling", Value: base.Scaling.String(), Reason: "the scaling is searched: give it in Scalings"}
	}
	if s.Gammas != nil && !slices.ContainsFunc(s.kernelNames(), s.tunesGamma) {
		return &ParameterError{Field: "Gammas", Value: fmt.Sprint(s.Gammas), Reason: fmt.Sprintf("the kernel %v is not searched: want a nil kernel or an rbf kernel without gamma", base.Kernel)}
	}
	if s.precomputed() && s.Scalings != nil && !slices.Equal(s.Scalings, []discriminant.Scaling{discriminant.NoScaling}) {
		return &ParameterError{Field: "Scalings", Value: fmt.Sprint(s.Scalings), Reason: "a precomputed kernel matrix can't be scaled by columns"}
	}
	if s.Kernels != nil && (base.Kernel == nil || s.precomputed() || slices.Contains(s.kernelNames(), gram.Precomputed{}.String())) {
		return &ParameterError{Field: "Kernels", Value: fmt.Sprint(s.Kernels), Reason: "want a method with kernels of the rows"}
	}
	for i, k := range s.Kernels {
		if k == nil || slices.ContainsFunc(s.Kernels[:i], func(other gram.Kernel) bool {
			return fmt.Sprint(other) == fmt.Sprint(k) && !reflect.DeepEqual(other, k)
		}) {
			return &ParameterError{Field: "Kernels", Value: fmt.Sprint(s.Kernels), Reason: "want kernels that differ in their texts: give a Func a Name"}
		}
	}
	if slices.Contains(s.Classifiers, nil) {
		return &ParameterError{Field: "Classifiers", Value: fmt.Sprint(s.Classifiers), Reason: "want classifiers, none of them nil"}
	}
	_, machine := s.inner().(discriminant.SVM)
	if _, ridge := s.inner().(discriminant.KernelRidge); s.Classifiers != nil && (machine || ridge) {
		return &ParameterError{Field: "Classifiers", Value: fmt.Sprint(s.Classifiers), Reason: "want a method with classifiers of projections"}
	}
	return s.Method.Validate()
}

// emptyList returns the first of the lists that is given and empty, or "".
func (s Search) emptyList() string {
	switch {
	case s.Scalings != nil && len(s.Scalings) == 0:
		return "Scalings"
	case s.Gammas != nil && len(s.Gammas) == 0:
		return "Gammas"
	case s.Values != nil && len(s.Values) == 0:
		return "Values"
	case s.Kernels != nil && len(s.Kernels) == 0:
		return "Kernels"
	case s.Classifiers != nil && len(s.Classifiers) == 0:
		return "Classifiers"
	}
	return ""
}

// base returns the method without what is searched.
func (s Search) base() discriminant.Method {
	if s.Method == nil {
		return discriminant.KFDA{}
	}
	return s.Method
}

func (s Search) kfda() (m discriminant.KFDA, ok bool) {
	m, ok = s.inner().(discriminant.KFDA)
	return m, ok
}

// inner returns the method of prepared columns.
func (s Search) inner() discriminant.Method {
	if p, ok := s.base().(discriminant.Prepared); ok {
		return p.Method
	}
	return s.base()
}

// withInner returns the search with another method of prepared columns.
func (s Search) withInner(m discriminant.Method) Search {
	if p, ok := s.base().(discriminant.Prepared); ok {
		p.Method = m
		m = p
	}
	s.Method = m
	return s
}

// prepared returns training and test rows, nil for none, as the inner method sees them, and
// what was learnt of the training rows for that, nil for nothing.
func (s Search) prepared(train, test *matrix.Dense, weights []float64) (*matrix.Dense, *matrix.Dense, *discriminant.Preparation, error) {
	p, ok := s.base().(discriminant.Prepared)
	if !ok {
		return train, test, nil, nil
	}
	learnt, err := p.Learn(train, weights...)
	if err != nil {
		return nil, nil, nil, err
	}
	if train, err = learnt.Transform(nil, train); err == nil && test != nil {
		test, err = learnt.Transform(nil, test)
	}
	return train, test, learnt, err
}

func (s Search) precomputed() bool { return s.base().Settings().Kernel == gram.Precomputed{} }

// inRKHS reports whether ridges of a KFDA are searched in the RKHS.
func (s Search) inRKHS() bool {
	m, ok := s.kfda()
	return ok && m.Parameter().Set(1).Settings().Regularizer == discriminant.RelativeRKHS(1)
}

func (s Search) refinements() int {
	_, ok := s.kfda()
	switch {
	case s.Refinements > 0:
		return s.Refinements
	case !ok || s.Refinements < 0 || s.Gammas != nil || s.Values != nil:
		return 0
	}
	return 1
}

// Candidate returns the method of a candidate of the search, with the classifier of Method.
func (s Search) Candidate(c Candidate) discriminant.Method {
	m := s.base()
	settings := m.Settings()
	settings.Scaling = c.Scaling
	settings.Kernel, _ = s.kernelOf(c.Kernel, float64(c.Gamma))
	value, _ := c.value()
	return m.With(settings).Parameter().Set(value)
}

func (s Search) withClassifier(c discriminant.Classifier) Search {
	if settings := s.base().Settings(); c != nil {
		settings.Classifier = c
		s.Method = s.base().With(settings)
	}
	return s
}
