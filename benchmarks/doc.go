// Package benchmarks measures with go test -bench what peers/run does not: kernels of
// each tier, and a path of ridges beside one fit. Its tests measure memory.
//
//	go test -run=NONE -bench=. ./benchmarks
//
// The script peers/run compares jobs with other packages; docs/benchmarks.md has its tables.
package benchmarks
