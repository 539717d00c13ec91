// Package block runs tile kernels over whole matrices: packing, cache blocking,
// an epilogue on finished rows, symmetric and triangular results, and the
// workers.
//
// Every entry of a result is one chain of the kernel's steps in the order of k,
// as package f64 defines it. Blocks, panels and workers only choose which
// entries are computed side by side, and the partition into tasks depends on
// sizes alone; so a result has the same bits for any number of workers.
package block
