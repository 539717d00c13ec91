// Package discriminant fits and applies Fisher discriminants: with a kernel
// ([KFDA]) and in the features themselves ([LDA]). Beside them stand support vector
// machines ([SVM]), principal components in a kernel's feature space ([KernelPCA]) and
// kernel ridge regression ([KernelRidge]); the last two as classifiers by [Fit] and
// without classes by [FitKernelPCA] and [FitRegression].
//
// A fit takes a table x (n rows, d columns) and one label a row, and returns an
// immutable model that projects new rows onto at most c−1 discriminant
// directions (c classes) and classifies them:
//
//	model, err := discriminant.Fit(ctx, discriminant.KFDA{
//		Kernel:      gram.RBF{Gamma: 0.5},
//		Regularizer: discriminant.Ridge(1e-3),
//	}, x, labels)
//	z, err := model.Project(nil, xNew) // rows × components
//	y, err := model.Predict(nil, xNew) // labels
//
// A [Classifier] turns projections into classes: [NearestCentroid], [Gaussian],
// [KNN] or [SVM], which is a method of its own too. All but the first can give
// posterior probabilities. The scaling of the features, the projection and the
// classifier are one model, which WriteTo writes to one file and [Load] reads.
// [Model.Far] tells of which rows a model with a local kernel knows nothing.
//
// # The problem
//
// With K the n×n kernel matrix, classes of l₁ … l_c rows, Mⱼ the mean of the
// columns of K that belong to class j and M* the mean of all,
//
//	N = Σⱼ Kⱼ(I − 1/lⱼ)Kⱼᵀ             within-class scatter
//	M = Σⱼ lⱼ(Mⱼ − M*)(Mⱼ − M*)ᵀ       between-class scatter
//	M α = λ (N + εI) α,   αᵀ(N + εI)α = 1,   λ₁ ≥ λ₂ ≥ …
//
// and a row x projects to z = Σᵢ αᵢ k(xᵢ, x) (Mika, Rätsch, Weston, Schölkopf
// and Müller 1999; Baudat and Anouar 2000). [Ridge] penalises with εI, [RKHS]
// with εK. N is never formed for a ridge: the factorization is that of the
// complex symmetric matrix K − i√ε I, whose condition number is the square root
// of that of N + εI.
//
// [FitPath] fits with a whole list of ridges at the price of about one: K is
// reduced once to a band matrix that stands for it with every shift. [TestPath] tests
// new rows with all of them, for cross-validation.
//
// # Conventions
//
// Eigenvalues descend. The first αᵢ with |αᵢ| ≥ (1 − 2⁻²⁶)·max|α| is positive.
// Classes are in ascending order of their labels; text labels are ordered as
// numbers where all of them are integers, else bytewise. A tie between classes
// goes to the first; in [KernelRidge] rounding can decide it. Results have the same bits on every platform, for any
// number of workers, and for a row alone or in a batch.
//
// # Errors
//
// What depends on the data is a typed error: [ClassesError], [RowsError],
// [TargetsError], [ComponentsError], [RankError], [CoincidentMeansError],
// [IndefiniteKernelError], [RidgeError], [AccuracyError], [ScatterError],
// [ColumnRangeError], [ParameterError], [FeatureError], [OverflowError],
// [DecisionError], [DecisionRangeError], [PosteriorsError], [PreImageError],
// [MachineError], [LabelTypeError], and those of the packages below. No NaN or
// infinity leaves a model. What only a mistake in the program can do is a panic that
// says so: a nil matrix, a dst of another shape than is wanted, a method of the zero
// value of [Model], [PCA], [Regression] or [Path].
package discriminant
