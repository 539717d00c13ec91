package cv

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Search says what to search for the best scaling, γ, relative ridge and classifier of a kernel
// discriminant. The zero value is the search that is right where nothing is known.
//
// The first round tries every combination of Scalings, Gammas and Ridges; where
// refinements follow, of more than 1000 rows in about 1000, of each class its share but
// at least 10, at random with Seed. Each refinement tries γ times ½, 1 and 2 and the
// ridge times 0.3, 1 and 3, or 0.1, 0.3, 1, 3 and 10 on the coefficients, around the best so far,
// and the next a third as much on a logarithmic scale. Where the best of a round is at an
// edge, the same steps (4 for γ in the first round, 10 or 100 for the ridge) are taken
// around it, at most four times; [Record.Edges] says where that did not end it. At last
// the other classifiers are tried at the best.
type Search struct {
	// Method has the settings that are not searched. A Kernel other than nil and an
	// rbf kernel without γ is kept as it is, and only scalings and ridges are
	// searched; with [gram.Precomputed] only ridges. The relative ridge is one in the
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
	Method discriminant.KFDA

	// Scalings are tried in the first round; nil means NoScaling, Standard and MinMax.
	Scalings []discriminant.Scaling

	// Gammas are tried in the first round; nil means γ₀·4ᵏ, k = −3 … 3, with γ₀ that
	// of [gram.GammaScale] for all rows, scaled.
	Gammas []float64

	// Ridges are tried in the first round; nil means 10⁻³, 10⁻², …, 10² in the RKHS and
	// 10⁻⁸, 10⁻⁶, …, 10² on the coefficients.
	Ridges []float64

	// Refinements is the number of rounds after the first. 0 means 1 where neither
	// Gammas nor Ridges are given, and none where they are; −1 means none.
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
	// "classifier centroid", …, "fit"), and how many of its fits are done.
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
// The best is the candidate with the best criterion; of several the one with the
// best mean of it in its neighbourhood of the grid, of these the one with the largest ridge,
// of these the one with the smallest γ, which are the smoother discriminants, of these the
// first scaling of NoScaling, Standard and MinMax. One that was tried on a sample of the rows is
// never it, and another classifier only where its criterion is better. Neither the order in which candidates
// are given nor the number of workers plays a part. A candidate with a fold that has no
// result, because a parameter is not legal or a fit was refused, is recorded with
// the reason and never wins, and so are those of a scaling whose rows have no default γ,
// with a *[ScalingError]; where all are such the error is a *[NoCandidateError], and where
// the best can't be fitted to all rows a *[BestFitError].
//
// The scaling and the ridge's unit are those of a fold's training rows. All ridges of a
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
// ctx can cancel the search.
func Tune[L discriminant.Label](ctx context.Context, s Search, x *matrix.Dense, labels []L) (*Tuned[L], error) {
	folds := s.Folds
	if folds == nil {
		var err error
		if folds, err = DefaultFolds(labels, s.Seed); err != nil {
			return nil, err
		}
	}
	classes, codes, err := prepare(x, labels, folds)
	if err != nil {
		return nil, err
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	if s.precomputed() {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	s, others := s.resolved(len(classes))
	grid, refused := s.firstGrid(x)
	t := newTuning(s, x, codes, folds, classes, refused)
	record := Record{Folds: folds.String(), Criterion: s.Criterion.String(), Rows: x.Rows, Features: x.Cols}
	some, from := t, 0
	if s.refinements() > 0 && x.Rows > sampleRows {
		some = newTuning(s, x, codes, folds, classes, refused).sampled()
	}
	if err := some.tryRound(ctx, &record, 0, grid, 0); err != nil {
		return nil, err
	}
	if some != t {
		from = len(record.Candidates)
	}
	for round := 1; round <= s.refinements(); round++ {
		if err := t.tryRound(ctx, &record, from, s.around(record.Candidates[record.Best], s.steps(round)), round); err != nil {
			return nil, err
		}
	}
	if s.Method.Classifier, err = t.tryClassifiers(ctx, &record, others); err != nil {
		return nil, err
	}
	t.memory.free, some.memory.free = nil, nil
	t.collect(x.Rows, debug.FreeOSMemory) // the matrix of all rows does not fit into what is free
	s.progress("fit", 0, 1)
	m, err := discriminant.Fit(ctx, s.method(record.Candidates[record.Best]), x, labels)
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
	if s.Method.Regularizer == discriminant.Shrink(s.Method.Regularizer.Value()) {
		return &ParameterError{Field: "Method.Regularizer", Value: s.Method.Regularizer.String(), Reason: "only ridges are searched"}
	}
	if s.Method.Scaling != discriminant.NoScaling {
		return &ParameterError{Field: "Method.Scaling", Value: s.Method.Scaling.String(), Reason: "the scaling is searched: give it in Scalings"}
	}
	if !s.tunesGamma() && s.Gammas != nil {
		return &ParameterError{Field: "Gammas", Value: fmt.Sprint(s.Gammas), Reason: fmt.Sprintf("the kernel %v is not searched: want a nil kernel or an rbf kernel without gamma", s.Method.Kernel)}
	}
	if s.precomputed() && s.Scalings != nil && !slices.Equal(s.Scalings, []discriminant.Scaling{discriminant.NoScaling}) {
		return &ParameterError{Field: "Scalings", Value: fmt.Sprint(s.Scalings), Reason: "a precomputed kernel matrix can't be scaled by columns"}
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
	case s.Ridges != nil && len(s.Ridges) == 0:
		return "Ridges"
	}
	return ""
}

// tunesGamma reports whether the kernel is an rbf kernel whose γ is searched.
func (s Search) tunesGamma() bool { return s.Method.Kernel == nil || s.Method.Kernel == gram.RBF{} }

func (s Search) precomputed() bool { return s.Method.Kernel == gram.Precomputed{} }

func (s Search) inRKHS() bool {
	switch r := s.Method.Regularizer; r {
	case discriminant.Regularizer{}:
		return s.Method.Scatter == discriminant.SummedScatter
	case discriminant.LeaveOneOutRKHS(), discriminant.RKHS(r.Value()), discriminant.RelativeRKHS(r.Value()):
		return true
	}
	return false
}

func (s Search) refinements() int {
	switch {
	case s.Refinements > 0:
		return s.Refinements
	case s.Refinements < 0 || s.Gammas != nil || s.Ridges != nil:
		return 0
	}
	return 1
}

// method returns the method of a candidate.
func (s Search) method(c Candidate) discriminant.KFDA {
	m := s.Method
	m.Scaling = c.Scaling
	m.Regularizer = s.regularizer(float64(c.Ridge))
	if s.tunesGamma() {
		m.Kernel = gram.RBF{Gamma: float64(c.Gamma)}
	}
	return m
}

func (s Search) regularizer(ridge float64) discriminant.Regularizer {
	if s.inRKHS() {
		return discriminant.RelativeRKHS(ridge)
	}
	return discriminant.RelativeRidge(ridge)
}
