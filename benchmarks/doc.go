// Package benchmarks measures the project's kernels and jobs with go test -bench.
//
//	go test -run=NONE -bench=Product ./benchmarks
//
// Every tier that the machine has is a sub-benchmark. Rates are medians over the
// iterations of the benchmark; "of-peak" is the median as a fraction of the rate
// of independent fused multiply-adds on the same tier, measured just before and
// after (the best of both) and multiplied by the number of workers, "best" the
// same for the fastest iteration: on a machine that is busy with other things it
// says what the code can do.
//
// The script peers/run compares with other packages; docs/benchmarks.md has its tables.
package benchmarks
