// Package gram evaluates kernel functions: kernel matrices of training rows,
// kernel values of new rows with them, single rows and diagonals.
//
// Rows of a matrix are observations, columns are features. γ multiplies in all
// exponentials, as in exp(−γ‖x−y‖²); GammaFromSigma, GammaScale and GammaMedian
// give values for it.
//
//	k := gram.RBF{Gamma: 0.5}
//	e, err := gram.NewEvaluator(k, x)    // x: n×d
//	K, err := e.Matrix(nil)              // n×n, exactly symmetric
//	T, err := e.Cross(nil, y)            // m×n, k(yᵢ, xⱼ)
//
// A kernel value is one documented sequence of rounded operations on its two
// rows of features. It has the same bits on every platform, in a whole matrix, a
// block of rows or a single new row, and in either order of the two rows.
//
// Format and Parse write and read kernels as exact text.
package gram
