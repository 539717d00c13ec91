// Package solve has dense solvers for symmetric matrices, which know no kernels and no
// labels.
//
//	f, err := solve.FactorCholesky(ctx, a)         // A = LLᵀ, in place of a
//	f.Solve(b)                                     // b becomes A⁻¹b
//	s, err := solve.FactorShifted(ctx, k, sigma)   // K − iσI = LDLᵀ, in place of k
//	values, vectors, err := solve.Eigen(ctx, a)    // all eigenpairs; a is destroyed
//	u, singular, v, err := solve.SVD(b)            // of any matrix
//
// [Leading] finds a few eigenpairs, [Jacobi] small ones to high relative accuracy,
// [Pencil] those of a small definite pencil. [Lanczos] and [Reduce] bring a matrix to a
// form in which it is solved for many shifts at once, [SMO] trains a support vector
// machine, [RowFactor] finds the triangular factor of a matrix whose rows arrive in blocks.
// Factorizations refine solutions with residuals of doubled precision.
//
// Every entry of a factor or a solution is one chain of fused multiply-adds in the order
// of the textbook loops, so results have the same bits on every platform and, but for
// reflections, which are taken in panels, for every block size. Complex numbers are kept as separate real and imaginary parts.
//
// Shapes that do not fit are a programmer's error and panic with both shapes in the
// message; what depends on the data is a typed error.
package solve
