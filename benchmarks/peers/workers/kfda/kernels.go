package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// gramMatrix is the rbf kernel matrix of n rows of d features, in a buffer that is
// given or, with fresh=1, in memory that the system hands out anew each time.
func gramMatrix(p *worker.Params) (*worker.Task, error) {
	n, d := p.Int("n"), p.Int("d")
	x := table(n, d, p.Numbers("numbers", 0, n*d))
	kernel := gram.RBF{Gamma: p.Float("gamma")}
	var k *matrix.Dense
	t := &worker.Task{
		Run: func() {
			var err error
			k, err = gram.Matrix(k, kernel, x)
			must(err)
		},
		Check: func() []float64 { return []float64{k.At(1, 0), k.At(n-1, n/2), k.At(n-1, n-1)} },
	}
	if p.Has("fresh") {
		t.Before = func() {
			k = nil
			debug.FreeOSMemory()
		}
	}
	return t, nil
}

// classified returns n rows of d features and their classes.
func classified(p *worker.Params) (x *matrix.Dense, labels []int) {
	n, d, classes := p.Int("n"), p.Int("d"), p.Int("classes")
	labels = make([]int, n)
	for i := range labels {
		labels[i] = i % max(classes, 1)
	}
	return table(n, d, p.Numbers("rows", 0, n*d)), labels
}

// fit is a whole fit of classes. The numbers to check are the largest and the smallest
// eigenvalue of kernel discriminants, and two coefficients of kernel ridge regression.
func fit(p *worker.Params) (*worker.Task, error) {
	x, labels := classified(p)
	kernel := gram.RBF{Gamma: p.Float("gamma")}
	var method discriminant.Method
	switch epsilon, name := p.Float("epsilon"), p.Text("method"); name {
	case "ridge":
		method = discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Ridge(epsilon), Classifier: discriminant.NearestCentroid{}}
	case "rkhs":
		method = discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(epsilon), Classifier: discriminant.NearestCentroid{}}
	case "default":
		method = discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(epsilon)}
	case "kernelridge":
		method = discriminant.KernelRidge{Kernel: kernel, Regularizer: discriminant.Ridge(epsilon), Intercept: discriminant.NoIntercept()}
	default:
		return nil, fmt.Errorf("no such method: %q", name)
	}
	var model *discriminant.Model[int]
	return &worker.Task{
		Before: func() {
			if model = nil; p.Has("fresh") {
				debug.FreeOSMemory()
			} else {
				runtime.GC()
			}
		},
		Run: func() {
			var err error
			model, err = discriminant.Fit(context.Background(), method, x, labels)
			must(err)
		},
		Check: func() []float64 {
			if d, ok := model.Details().(discriminant.KFDADetails); ok {
				lambda := d.Eigenvalues()
				return []float64{lambda[0], lambda[len(lambda)-1]}
			}
			alpha := model.Details().(discriminant.KernelRidgeDetails).Alpha()
			return []float64{alpha.At(0, 0), alpha.At(alpha.Rows-1, alpha.Cols-1)}
		},
	}, nil
}

// kernelPCA is a fit of the leading principal components. The numbers to check are the
// first and the last eigenvalue.
func kernelPCA(p *worker.Params) (*worker.Task, error) {
	x, _ := classified(p)
	method := discriminant.KernelPCA{Kernel: gram.RBF{Gamma: p.Float("gamma")}, Components: p.Int("components")}
	var model *discriminant.PCA
	return &worker.Task{
		Before: func() {
			model = nil
			runtime.GC()
		},
		Run: func() {
			var err error
			model, err = discriminant.FitKernelPCA(context.Background(), method, x)
			must(err)
		},
		Check: func() []float64 {
			lambda := model.Eigenvalues()
			return []float64{lambda[0], lambda[len(lambda)-1]}
		},
	}, nil
}

// transform projects rows with a model that is fitted in the setup, or read from the
// file that an earlier setup wrote. For the other programs it writes the model's
// coefficients as a file of numbers.
func transform(p *worker.Params) (*worker.Task, error) {
	model, err := stored(p)
	if err != nil {
		return nil, err
	}
	n, d, m, turns := p.Int("n"), p.Int("d"), p.Int("new"), p.Int("turns")
	y := table(m, d, p.Numbers("rows", n*d, m*d))
	z, err := model.Project(nil, y)
	if err != nil {
		return nil, err
	}
	return &worker.Task{
		Run: func() {
			for range turns {
				_, err := model.Project(z, y)
				must(err)
			}
		},
		Check: func() []float64 { return []float64{z.At(0, 0), z.At(m-1, z.Cols-1)} },
	}, nil
}

func stored(p *worker.Params) (*discriminant.Model[int], error) {
	name := p.Text("model")
	if file, err := os.Open(name); err == nil {
		defer file.Close()
		return discriminant.Load[int](file)
	}
	x, labels := classified(p)
	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{
		Kernel:      gram.RBF{Gamma: p.Float("gamma")},
		Regularizer: discriminant.Ridge(p.Float("epsilon")),
	}, x, labels)
	if err != nil {
		return nil, err
	}
	data, err := model.MarshalBinary()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return nil, err
	}
	return model, worker.WriteNumbers(p.Text("alpha"), model.Details().(discriminant.KFDADetails).Alpha().Data)
}
