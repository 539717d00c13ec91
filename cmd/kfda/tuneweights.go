package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// oneTable refuses other arguments than a table, such as a ridge of --kernel-weights.
func (f *tuneFlags) oneTable(cmd *cobra.Command, args []string) error {
	err := cobra.ExactArgs(1)(cmd, args)
	for _, a := range args {
		if _, wrong := strconv.ParseFloat(a, 64); err != nil && wrong == nil && f.kernelWeights == byDefault {
			return fmt.Errorf("--kernel-weights %s: say --kernel-weights=%[1]s", a)
		}
	}
	return err
}

// checkWeights refuses more columns than kernels can be weighed of.
func (k *tuneTask) checkWeights(t *table.Table) error {
	const most = 3333 // a kernel has 10,000 parts at most, three for a column
	if k.search.KernelWeights == 0 || k.search.Kernels != nil || t.X.Cols <= most {
		return nil
	}
	return fmt.Errorf("%s: --kernel-weights weighs at most %d columns, and there are %d: leave some out (--ignore), or weigh kernels of all, as with --kernels rbf", t.File, most, t.X.Cols)
}

// writeWeights prints the weights of kernels, the largest first.
func (r *tuneReport) writeWeights(p *printer) {
	w := r.Search.Weighed
	if w == nil {
		return
	}
	p.printf("\nkernel weights at the relative ridge %.4g, of %s; %s, objective %.4g, at most %.1g above the least\n",
		float64(w.Ridge), plural.Count(len(w.Kernels), "kernel"), plural.Count(w.Steps, "step"), float64(w.Objective), float64(w.Gap))
	useless, zeros := 0, 0
	for _, k := range largestFirst(w) {
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

func largestFirst(w *cv.WeighedKernels) []cv.WeighedKernel {
	all := slices.Clone(w.Kernels)
	slices.SortStableFunc(all, func(a, b cv.WeighedKernel) int { return cmp.Compare(b.Weight, a.Weight) })
	return all
}

// weightsText is those of the search that a model is of in a line, "" of one without.
func weightsText(m learnt, layout table.Layout) string {
	r, _ := searchOf(m)
	if r == nil || r.Weighed == nil {
		return ""
	}
	var texts []string
	for _, k := range largestFirst(r.Weighed) {
		name := shortKernel(k.Kernel)
		if of := (&table.Table{Layout: layout}); k.Column >= 0 {
			at := of.Position(-1, k.Column)
			name = show.Name(cmp.Or(at.Name, fmt.Sprint("column ", at.Column)))
		}
		if k.Weight > 0 {
			texts = append(texts, fmt.Sprintf("%s %.4f", name, float64(k.Weight)))
		}
	}
	text := show.List(texts, listed)
	if zeros := len(r.Weighed.Kernels) - len(texts); zeros > 0 {
		text += fmt.Sprintf("; the other %d weigh nothing", zeros)
	}
	return text
}
