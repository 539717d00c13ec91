package main

import (
	"fmt"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	tables "github.com/seed92411348/kfda/internal/table"
)

// read reads a file. The numbers to check are the first and the last of the features.
func read(p *worker.Params) (*worker.Task, error) {
	file, n, d := p.Text("csv"), p.Int("n"), p.Int("d")
	var t *tables.Table
	return &worker.Task{
		Before: func() { t = nil },
		Run: func() {
			var err error
			t, err = tables.Read(file, nil, tables.Options{Header: tables.NoHeader})
			must(err)
			if t.X.Rows != n || t.X.Cols != d {
				must(fmt.Errorf("%d×%d, want %d×%d", t.X.Rows, t.X.Cols, n, d))
			}
		},
		Check: func() []float64 { return []float64{t.X.At(0, 0), t.X.At(n-1, d-1)} },
	}, nil
}
