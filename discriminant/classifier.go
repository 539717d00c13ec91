package discriminant

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// Classifier says by which rule the classes are predicted from the projections:
// [NearestCentroid], [Gaussian], [KNN] or [SVM].
type Classifier interface {
	// Validate returns an error for a setting that is wrong whatever the data.
	Validate() error
	// String returns the classifier as text, as in "knn(k=5)".
	String() string

	fitRule(ctx context.Context, p projections) (rule, error)
	// wanted says what of the projections on a path has a part in the rule. A rule that keeps
	// projections of training rows wants Equal or Signs: these must have the bits of those of
	// new rows, so that a row that is both is at distance 0.
	wanted(classes int) fisher.Wanted
}

// projections is what a classifier is fitted to.
type projections struct {
	z       *matrix.Dense // n×p
	classes *fisher.Classes
	priors  []float64 // in class order; nil: the classes' shares of the rows
	// unitScatter says that the within-class scatter is I by definition: the
	// regularised one that the method normalised its directions with.
	unitScatter bool

	// Of discriminants, else nil: their eigenvalues, whether the earlier of two classes
	// projects higher, and how the classes were weighed.
	lambda  []float64
	negated bool
	scatter Scatter

	left   *fisher.Solution // for the projections of rows that are left out in place of z, or nil
	fitted *matrix.Dense    // where they are, z as it was
	held   *projections     // or some that are left out, by which posteriors are calibrated; else nil
	binary *binaryRule      // the threshold of two classes, of discriminants; else nil
}

// finish completes a model: the classifier c is fitted to p, the projections of the training
// rows x, which are found where they are not known. Where memory is not nil it is free for
// kernel values.
func (f *fitted) finish(ctx context.Context, c Classifier, x *matrix.Dense, p projections, memory []float64) (*fitted, error) {
	var err error
	if p.z == nil {
		if p.z, err = f.pipeline.all(ctx, x, memory); err != nil {
			return nil, err
		}
	}
	if f.rule, err = p.rule(ctx, c); err != nil {
		return nil, err
	}
	f.solution.priors = slices.Clone(p.priors)
	return f, nil
}

// rule fits the classifier c.
func (p projections) rule(ctx context.Context, c Classifier) (rule, error) {
	if p.left != nil {
		p.fitted, p.z = p.z, p.left.LeaveOut(p.z, p.classes)
	}
	if p.lambda != nil && len(p.classes.Counts) == 2 {
		var err error
		if p.binary, err = newBinaryRule(p); err != nil {
			return nil, err
		}
	}
	return classifierOf(c).fitRule(ctx, p)
}

// prior returns the probability of class j, up to a common factor.
func (p projections) prior(j int) float64 {
	if p.priors != nil {
		return p.priors[j]
	}
	return p.classes.Sizes[j]
}

// classifierOf returns c, and NearestCentroid for nil.
func classifierOf(c Classifier) Classifier {
	if c == nil {
		return NearestCentroid{}
	}
	return c
}

// keepsRows reports whether a model with the classifier keeps projections of training rows.
func keepsRows(c Classifier) bool {
	w := classifierOf(c).wanted(2)
	return w.Equal || w.Signs
}

// NearestCentroid predicts the class whose centroid, the mean of the projected
// training rows, is nearest in Euclidean distance, the first of them in a tie. It
// takes the projections as they are, does not mind how large the classes are, and
// gives no posteriors.
//
// Decision of [KFDA] and [LDA] (two classes) is the projection on α_b = (N + εI)⁻¹(M₂ − M₁)
// minus the midpoint of the class means; with Priors it is minus the threshold between two
// Gaussians of these priors and of the variance within the classes. Of [KernelPCA] it is
// the squared distance from the first centroid minus that from the second. The second class
// is predicted where it is positive. Priors have no part in it for more classes, nor for
// KernelPCA.
type NearestCentroid struct{}

// Validate returns nil.
func (NearestCentroid) Validate() error { return nil }

// String returns "centroid".
func (NearestCentroid) String() string { return "centroid" }

// Gaussian takes the projections of each class for normally distributed, and
// predicts the class of the largest posterior probability
//
//	p_j ∝ π_j |C_j|^(−½) exp(−½ (z − μ_j)ᵀ C_j⁻¹ (z − μ_j))
//
// where μ_j is the class's mean and π_j its prior: the method's Priors or, where
// there are none, its share of the training rows. Pooled, all C_j are the
// within-class scatter over n − c (over 1 where n = c): linear discriminant
// analysis. [LDA] has it from its own, regularised scatter, which its directions
// make the unit matrix. PerClass, C_j is the scatter of class j over l_j − 1:
// quadratic discriminant analysis.
//
// The projections are first standardised by [Standard] scaling. A covariance then
// counts as singular where it has an eigenvalue below n·u (u = 2⁻⁵³): a spread
// within classes of less than √(nu) of the standard deviation of all rows. In
// PerClass, a class of at most p rows, p being the number of components, or with a
// singular covariance takes the pooled one; the pooled one has its eigenvalues
// raised to n·u. A row whose standardised projection is beyond ±2³⁰⁰ counts as one
// at that distance.
//
// With a method's LeaveOneOut the scores ln p_j = ln π_j + d_j, up to a number a row,
// are calibrated on the projections that it is fitted to: they become ln π_j + a·d_j + b_j
// with the most probable a ≥ 0 and b_j, a priori a ~ N(1, 1) and b_j ~ N(0, 1). For two
// classes that is Platt scaling (1999), for more temperature scaling with biases (Guo,
// Pleiss, Sun and Weinberger 2017). The pooled covariance has p degrees of freedom more, of
// a multiple of the unit matrix, and no eigenvalue below 2⁻²⁰. Where the class means of rows that are left out lie the other way round than those
// with the rows, as they do of labels that the rows say nothing of, the coordinate is
// taken to say nothing.
//
// Decision is the log odds ln(p₂/p₁) of the second class.
type Gaussian struct {
	PerClass bool
}

// Validate returns nil.
func (Gaussian) Validate() error { return nil }

// String returns "gaussian" or "gaussian(per-class)".
func (g Gaussian) String() string {
	if g.PerClass {
		return "gaussian(per-class)"
	}
	return "gaussian"
}

// KNN predicts the class that has most of the K nearest training rows, in
// Euclidean distance between projections that are first standardised by
// [Standard] scaling. Where several rows are as far away as the K-th nearest, they
// share the votes that the nearer ones leave, so that the order of the rows plays
// no part. Posteriors are the shares of the votes; with Priors those of a class
// count π_j n/l_j times as much, for a class of l_j of the n training rows. The
// prediction is the class with the largest, the first of them in a tie. A row
// whose standardised projection is beyond ±2³⁰⁰ counts as one at that distance.
//
// Decision is the posterior of the second class minus that of the first. The
// model keeps the projections of the training rows; a prediction costs O(np).
type KNN struct {
	// K is the number of neighbours. 0 means 5, or all training rows where there
	// are fewer; more than there are rows is an error.
	K int
}

const defaultNeighbors = 5

// Validate returns a *[ParameterError] for a negative K.
func (k KNN) Validate() error {
	if k.K < 0 {
		return &ParameterError{Field: "Classifier", Value: k.String(), Reason: "want at least one neighbour, or 0 for the default"}
	}
	return nil
}

// String returns the classifier as in "knn(k=5)".
func (k KNN) String() string {
	if k.K == 0 {
		return fmt.Sprintf("knn(k=%d)", defaultNeighbors)
	}
	return fmt.Sprintf("knn(k=%d)", k.K)
}
