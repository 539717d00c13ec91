package main

import (
	"cmp"
	"slices"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
)

// writeWeights prints the weights of kernels, the largest first.
func (r *tuneReport) writeWeights(p *printer) {
	w := r.Search.Weighed
	if w == nil {
		return
	}
	p.printf("\nkernel weights at the relative ridge %.4g, of %s; %s, objective %.4g, at most %.1g above the least\n",
		float64(w.Ridge), plural.Count(len(w.Kernels), "kernel"), plural.Count(w.Steps, "step"), float64(w.Objective), float64(w.Gap))
	all := slices.Clone(w.Kernels)
	slices.SortStableFunc(all, func(a, b cv.WeighedKernel) int { return cmp.Compare(b.Weight, a.Weight) })
	useless, zeros := 0, 0
	for _, k := range all {
		switch {
		case k.Useless:
			useless++
		case k.Weight == 0:
			zeros++
		case k.Column >= 0:
			p.printf("%11.4f  %s, columns(%d, …) of the kernel\n", float64(k.Weight), r.names(k.Column), k.Column)
		default:
			p.printf("%11.4f  %s\n", float64(k.Weight), shortKernel(k.Kernel))
		}
	}
	if useless+zeros > 0 {
		p.printf("%11d  the other %d: of %d it is proved that they weigh nothing at the least objective\n", 0, useless+zeros, useless)
	}
}
