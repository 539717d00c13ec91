package main

import (
	"context"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// table returns a matrix of the numbers in memory that the library allocates.
func table(rows, cols int, data []float64) *matrix.Dense {
	m := matrix.New(rows, cols)
	copy(m.Data, data)
	return m
}

// must ends the program, as the tasks are made so that nothing fails.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// product is C = A·B of n×n matrices.
func product(p *worker.Params) (*worker.Task, error) {
	n := p.Int("n")
	a, b, c := table(n, n, p.Numbers("numbers", 0, n*n)), table(n, n, p.Numbers("numbers", 1000, n*n)), matrix.New(n, n)
	return &worker.Task{
		Run:   func() { matrix.Mul(c, a, matrix.NoTrans, b, matrix.NoTrans) },
		Check: func() []float64 { return []float64{c.At(0, 0), c.At(n/2, 1), c.At(n-1, n-1)} },
	}, nil
}

// rankK is C = A·Aᵀ of an n×n matrix.
func rankK(p *worker.Params) (*worker.Task, error) {
	n := p.Int("n")
	a, c := table(n, n, p.Numbers("numbers", 0, n*n)), matrix.New(n, n)
	return &worker.Task{
		Run:   func() { matrix.SymRankK(c, a, matrix.NoTrans) },
		Check: func() []float64 { return []float64{c.At(n-1, 0), c.At(n-1, n-1)} },
	}, nil
}

// cholesky factors an n×n matrix.
func cholesky(p *worker.Params) (*worker.Task, error) {
	n := p.Int("n")
	a, w := table(n, n, worker.Definite(n, p)), matrix.New(n, n)
	return &worker.Task{
		Before: func() { w.CopyFrom(a) },
		Run: func() {
			_, err := solve.FactorCholesky(context.Background(), w)
			must(err)
		},
		Check: func() []float64 { return []float64{w.At(n-1, 0), w.At(n-1, n-1)} },
	}, nil
}

// shifted factors K − iI for a kernel matrix K of n rows.
func shifted(p *worker.Params) (*worker.Task, error) {
	n, d := p.Int("n"), p.Int("d")
	k, err := gram.Matrix(nil, gram.RBF{Gamma: p.Float("gamma")}, table(n, d, p.Numbers("rows", 0, n*d)))
	if err != nil {
		return nil, err
	}
	w := matrix.New(n, n)
	return &worker.Task{
		Before: func() { w.CopyFrom(k) },
		Run: func() {
			_, err := solve.FactorShifted(context.Background(), w, 1)
			must(err)
		},
		Check: func() []float64 { return []float64{w.At(n-1, 0), w.At(n-1, n-1)} },
	}, nil
}

// exponential replaces n numbers by their e^−x, over and over. They approach the
// number that is its own e^−x.
func exponential(p *worker.Params) (*worker.Task, error) {
	x, turns := p.Numbers("numbers", 0, p.Int("n")), p.Int("turns")
	return &worker.Task{
		Run: func() {
			for range turns {
				f64.ExpNegScale(x, 1)
			}
		},
		Check: func() []float64 { return []float64{x[0], x[len(x)-1]} },
	}, nil
}
