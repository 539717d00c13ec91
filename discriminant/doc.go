// Package discriminant separates labelled rows of numbers: it fits kernel Fisher
// discriminants ([KFDA]) and their relatives, projects new rows, and says of which class
// they are and how surely.
//
//	x, err := matrix.FromRows(rows)                                     // n rows of d features
//	model, err := discriminant.Fit(ctx, discriminant.KFDA{}, x, labels) // strings or integers
//	y, err := model.Predict(nil, xNew)                                  // a label a row
//	p, err := model.Posteriors(nil, xNew)                               // rows × classes
//	z, err := model.Project(nil, xNew)                                  // rows × directions
//	_, err = model.WriteTo(file)                                        // and Load[string](file)
//
// The zero value of a method has defaults that suit most tables. The fields say
// otherwise: Kernel (package gram), Regularizer (the ridge, as [RelativeRKHS]), Scaling of
// the features, Priors, and the [Classifier] that turns projections into classes
// ([NearestCentroid], [Gaussian], [KNN] or [SVM]; all but the first can give posteriors).
// Package discriminant/cv chooses them by cross-validation.
//
//   - [KFDA] finds directions through a kernel, [LDA] in the features themselves.
//   - [SVM] keeps the rows that support the widest margin.
//   - [KernelRidge] is kernel ridge regression: on classes with Fit, on numbers with
//     [FitRegression].
//   - [KernelPCA] has the axes of the largest variance: with a classifier by Fit, without
//     labels by [FitKernelPCA].
//
// [Prepared] is any of them for a table with categories and missing cells: what these become
// is learnt from the training rows.
//
// [Stream] and [RegressionStream] fit KFDA, KernelRidge, KernelPCA and LDA to any number of rows, in parts and
// on any number of machines, through landmarks: in memory that does not grow with the table.
//
// A model is immutable, safe for any number of goroutines, and holds scaling, projection
// and classifier in one file. [Model.Far] tells of which rows a model with a local kernel knows nothing.
// [Model.Details] has what a model has by its method: coefficients, eigenvalues, the ridge, a
// certificate:
//
//	alpha := model.Details().(discriminant.KFDADetails).Alpha()
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
// goes to the first; in [KernelRidge] rounding can decide it. Results have the same bits
// on every platform, for any number of workers, and for a row alone or in a batch.
//
// # Errors
//
// What depends on the data is a typed error, for errors.As: [ClassesError], [RowsError],
// [TargetsError], [ComponentsError], [RankError], [CoincidentMeansError],
// [IndefiniteKernelError], [RidgeError], [AccuracyError], [ScatterError],
// [ColumnRangeError], [ParameterError], [FeatureError], [OverflowError],
// [DecisionError], [DecisionRangeError], [PosteriorsError], [PreImageError],
// [MachineError], [LabelTypeError], [UnknownClassError], and those of the packages below. No NaN or
// infinity leaves a model. What only a mistake in the program can do is a panic that
// says so: a nil matrix, a dst of another shape than is wanted, a method of the zero
// value of [Model], [PCA], [Regression], [Path] or [Stream].
package discriminant
