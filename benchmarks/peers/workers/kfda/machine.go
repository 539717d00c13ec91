package main

import (
	"context"
	"slices"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// machine is a support vector machine. The numbers to check are the rows that support
// it or, of a linear one, the objectives.
func machine(p *worker.Params) (*worker.Task, error) {
	n, d := p.Int("n"), p.Int("d")
	x, labels := table(n, d, p.Numbers("rows", 0, n*d)), make([]int, n)
	for i, v := range p.Numbers("labels", 0, n) {
		labels[i] = int(v)
	}
	method := discriminant.SVM{Kernel: gram.Linear{}, C: p.Float("C"), CacheBytes: 200 << 20}
	linear := p.Has("kernel")
	if !linear {
		method.Kernel = gram.RBF{Gamma: p.Float("gamma")}
	}
	var model *discriminant.Model[int]
	return &worker.Task{
		Run: func() {
			var err error
			model, err = discriminant.Fit(context.Background(), method, x, labels)
			must(err)
		},
		Check: func() []float64 {
			var support, objectives []float64
			for _, m := range model.Machines() {
				objectives = append(objectives, m.Objective)
				for _, i := range m.Support {
					support = append(support, float64(i))
				}
			}
			if linear {
				return objectives
			}
			slices.Sort(support)
			return slices.Compact(support)
		},
	}, nil
}
