// Package fuzz tests the solvers with inputs that nobody chose: a fuzz target for
// each of them in package solve, and one for the triangular solves of package matrix.
//
// The bytes of an input say what a problem looks like, not what its elements are: a
// size (0 to 40, now and then up to 320), one of the kinds of matrices of
// matrices_test.go, the seed of its random numbers, a power of two for all of it, a
// grading of rows and columns, elements that are NaN, infinite, subnormal or huge, the
// gaps between the rows, and the number of workers. So inputs are short, all of them
// mean something, and most of the time goes into solvers.
//
// What is checked, whatever the input:
//
//   - an element that is not finite is a typed error that names it, and no result
//     without an error holds a NaN or an infinity;
//   - nothing outside of a view is written, nor any argument that is only read;
//   - residuals, orthogonality and reconstruction in units of the rounding error, each
//     bound with its reason beside it;
//   - the bits of the textbook loops, where a solver promises them;
//   - two independent routes agree: Eigen, Jacobi and singular values, a shifted
//     system and the real one of twice the order, a reduction and a factorization.
//
// Plain go test runs the inputs below testdata/fuzz, one of each sort and those that
// found a fault; their names say what they are, and TestSeeds holds them to the table
// in seeds_test.go. One target for a minute:
//
//	go test ./fuzz -run '^$' -fuzz '^FuzzEigen$' -fuzztime 1m -parallel 1
//
// All targets for half an hour in total, with the number of executions of each:
//
//	fuzz/run 30m
package fuzz
