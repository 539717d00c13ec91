// Command kfda runs the benchmark's tasks with this project's packages.
package main

import (
	"runtime"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/matrix"
)

func main() { program.Main() }

var program = worker.Program{
	About: func() string { return "kfda, " + runtime.Version() + ", instruction set " + matrix.InstructionSet() },
	Tasks: map[string]func(*worker.Params) (*worker.Task, error){
		"product":   product,
		"rankk":     rankK,
		"cholesky":  cholesky,
		"shifted":   shifted,
		"gram":      gramMatrix,
		"exp":       exponential,
		"transform": transform,
		"fit":       fit,
		"pca":       kernelPCA,
		"machine":   machine,
		"choose":    choose,
		"read":      read,
	},
	Rates: map[string]func() worker.Rate{
		"peak":  func() worker.Rate { return worker.Rate{Value: asmtest.PeakFMA(), Name: isa.Current().String()} },
		"clock": func() worker.Rate { return worker.Rate{Value: clock(), Name: runtime.GOARCH} },
	},
}
