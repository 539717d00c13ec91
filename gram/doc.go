// Package gram evaluates kernel functions k(x, y), which say how alike two rows of
// features are: [Linear], [Polynomial], [RBF], [Laplacian], [Sigmoid], [Cosine],
// [ChiSquared], a matrix that is given ([Precomputed]), functions of the caller's ([Func],
// and [FeatureMap], which can be saved), their [Sum], [Product] and [Scaled], and those of
// some [Columns].
//
//	k := gram.RBF{Gamma: 0.5}
//	e, err := gram.NewEvaluator(k, x)    // x: n×d, a row an observation
//	K, err := e.Matrix(nil)              // n×n, exactly symmetric
//	T, err := e.Cross(nil, y)            // m×n, k(yᵢ, xⱼ)
//
// A kernel is a plain value; a parameter of 0 stands for its default. γ multiplies in all
// exponentials, as in exp(−γ‖x−y‖²): [GammaFromSigma], [GammaScale] and [GammaMedian] give
// values for it.
//
// A kernel value is one documented sequence of rounded operations on its two
// rows of features. It has the same bits on every platform, in a whole matrix, a
// block of rows or a single new row, and in either order of the two rows.
//
// [Evaluator.Landmarks] draws rows that stand for all of them, [Features] maps rows to as many
// numbers as there are landmarks, whose products approximate the kernel, and [Sample] draws
// rows from a stream that does not fit memory.
//
// Format and Parse write and read kernels as exact text.
package gram
