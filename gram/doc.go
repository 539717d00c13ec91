// Package gram evaluates kernel functions: kernel matrices of training rows,
// kernel values of new rows with them, single rows and diagonals.
package gram
