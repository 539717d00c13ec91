package discriminant_test

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// A fit reads nothing of the memory that others left, and a model keeps nothing of the memory
// that its fit leaves.
func TestMemoryOfFits(t *testing.T) {
	const n = 300
	x, labels := matrix.New(n, 3), make([]int, n)
	for i := range x.Data {
		x.Data[i] = math.Mod(float64(i)*math.Phi, 1) + float64(i/3%4%3)
		labels[i/3] = i / 3 % 4 % 3
	}
	spoil := func() []*[]float64 {
		var all []*[]float64
		for range 6 {
			memory := pages.Take(n * n)
			for i := range *memory {
				(*memory)[i] = math.NaN()
			}
			all = append(all, memory)
		}
		for _, memory := range all {
			pages.Leave(memory)
		}
		return all
	}
	ctx, rbf := context.Background(), gram.RBF{Gamma: 0.5}
	fit := func(m discriminant.Method) func() func() []float64 {
		return func() func() []float64 {
			model := must.Get(discriminant.Fit(ctx, m, x, labels))(t)
			return func() []float64 { return must.Get(model.Project(nil, x))(t).Data }
		}
	}
	for name, numbers := range map[string]func() func() []float64{
		"rkhs":       fit(discriminant.KFDA{Kernel: rbf}),
		"ridge":      fit(discriminant.KFDA{Kernel: rbf, Regularizer: discriminant.Ridge(0.1)}),
		"regression": fit(discriminant.KernelRidge{Kernel: rbf}),
		"components": fit(discriminant.KernelPCA{Kernel: rbf, Components: 3}),
		"left out": func() func() []float64 {
			values := must.Get(discriminant.LeaveOneOut(ctx, discriminant.KernelRidge{Kernel: rbf}, x, labels))(t)
			return func() []float64 { return values.Data }
		},
	} {
		want := numbers()()
		before := spoil()
		read := numbers()
		after := spoil()
		must.EqualSlices(t, name, read(), want)
		runtime.KeepAlive(before)
		runtime.KeepAlive(after)
	}
}
