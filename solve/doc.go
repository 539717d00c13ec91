// Package solve holds the dense solvers: Cholesky, the complex symmetric
// factorization of a shifted matrix K − iσI with iterative refinement, Jacobi
// methods for eigenvalues and singular values, the small symmetric definite
// pencil, all or a few leading eigenpairs of a large symmetric matrix, reductions of
// a matrix to a Krylov space or to a band, which solve for many shifts at once, and
// sequential minimal optimization for support vector machines. It knows no kernels and
// no labels.
//
// Every entry of a factor or a solution is one chain of fused multiply-adds in
// the order of the textbook loops, so results have the same bits on every
// platform and for every block size. Complex numbers are kept as separate real
// and imaginary parts.
//
// Shapes that do not fit are a programmer's error and panic with both shapes in
// the message; what depends on the data is a typed error.
package solve
