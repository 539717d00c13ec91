// Package inference answers what a fit alone does not: whether groups differ, how sure a prediction
// is, which rows are new, when rows change, and what kernels are worth.
//
//	s, err := inference.NewSample(ctx, inference.Settings{Kernel: gram.RBF{Gamma: 0.1}, Ridge: 1}, x)
//
// All answers come from one factorization of HKH + εI, which knows no labels: with G = ε(HKH + εI)⁻¹
// less its part along the constant, 0 ≼ G ≼ I, and the orthonormal contrasts Q of a labelling, the
// eigenvalues of QᵀGQ are 1/(1 + λ), λ those of kernel Fisher discriminant analysis with a ridge in the
// RKHS. For a new row x with g = k_c(x)/ε, v = Gg + 1/n and τ = 1 + 1/n + k_c(x, x)/ε − gᵀGg, the
// same for the n + 1 rows is, without another factorization,
//
//	G₊ = [G + vvᵀ/τ  −v/τ; −vᵀ/τ  1/τ]
//
// For more rows than such a matrix can have, [NewLandmarkSample] is of the kernel of some landmarks.
package inference
