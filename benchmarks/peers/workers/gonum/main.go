// Command gonum runs the benchmark's tasks with gonum.
package main

import (
	"runtime/debug"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
)

func main() { program.Main() }

var program = worker.Program{
	About: about,
	Tasks: map[string]func(*worker.Params) (*worker.Task, error){
		"product":  product,
		"cholesky": cholesky,
	},
}

func about() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				return "gonum " + m.Version
			}
		}
	}
	return "gonum, version unknown"
}

func square(n int, data []float64) blas64.General {
	return blas64.General{Rows: n, Cols: n, Stride: n, Data: data}
}

// product is C = A·B of n×n matrices.
func product(p *worker.Params) (*worker.Task, error) {
	n := p.Int("n")
	a, b := square(n, p.Numbers("numbers", 0, n*n)), square(n, p.Numbers("numbers", 1000, n*n))
	c := square(n, make([]float64, n*n))
	return &worker.Task{
		Run:   func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c) },
		Check: func() []float64 { return []float64{c.Data[0], c.Data[n/2*n+1], c.Data[n*n-1]} },
	}, nil
}

// cholesky factors an n×n matrix.
func cholesky(p *worker.Params) (*worker.Task, error) {
	n := p.Int("n")
	a := worker.Definite(n, p)
	w := make([]float64, n*n)
	t := blas64.Symmetric{N: n, Stride: n, Data: w, Uplo: blas.Lower}
	return &worker.Task{
		Before: func() { copy(w, a) },
		Run:    func() { lapack64.Potrf(t) },
		Check:  func() []float64 { return []float64{w[n*(n-1)], w[n*n-1]} },
	}, nil
}
