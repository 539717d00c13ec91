package cv

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Good values of [Search.KernelWeights]: for one kernel a column, where most useless columns then
// have the weight 0, and for kernels of all columns. docs/choosing.md has figures.
const (
	WeighColumns = 10
	WeighKernels = 1
)

// WeighedKernels is what a search found out about the weights of kernels, see
// [inference.WeighKernels].
type WeighedKernels struct {
	Ridge     Number          `json:"relative_ridge"` // with tr(HKH) = n the ridge itself
	Objective Number          `json:"objective"`      // Σ1/(1+λ)
	Gap       Number          `json:"gap"`            // that it may be above the least
	Steps     int             `json:"steps"`
	Kernels   []WeighedKernel `json:"kernels"`

	// Kernel is their sum, of columns of the table, as [gram.Parse] reads it.
	Kernel string `json:"kernel"`
}

// WeighedKernel is a kernel in a sum of scaled kernels.
type WeighedKernel struct {
	Kernel  string `json:"kernel"` // with its parameters
	Column  int    `json:"column"` // of the table, that it is of alone; −1 for a kernel of all
	Weight  Number `json:"weight"`
	Useless bool   `json:"useless,omitempty"` // the weight is proved to be 0, or nothing varies
}

// weigh returns the search of the kernel whose weights the rows of x, prepared, and their labels
// give, and these weights.
func weigh[L discriminant.Label](ctx context.Context, s Search, x *matrix.Dense, learnt *discriminant.Preparation, labels []L) (Search, *WeighedKernels, error) {
	if s.Scalings == nil {
		s.Scalings = []discriminant.Scaling{discriminant.Standard}
	}
	scaler, err := discriminant.FitScaler(s.Scalings[0], x)
	if err != nil {
		return s, nil, learnt.OfTable(err)
	}
	if x, err = scaler.Transform(nil, x); err != nil {
		return s, nil, learnt.OfTable(err)
	}
	s.progress("weights", 0, 1)
	w := &WeighedKernels{}
	var kernels []gram.Kernel
	var at []int // what they are in w.Kernels
	if s.Kernels != nil {
		kernels, err = s.ofAll(x)
	} else {
		kernels, at, err = s.ofColumns(x, learnt, w)
	}
	if err != nil {
		return s, nil, err
	}
	found, err := inference.WeighKernels(ctx, kernels, s.KernelWeights, x, labels, nil)
	if err != nil {
		return s, nil, learnt.OfTable(err)
	}
	w.Ridge, w.Objective, w.Gap, w.Steps = Number(found.Ridge), Number(found.Objective), Number(found.Gap), found.Steps
	for j, k := range found.Kernels {
		one := WeighedKernel{Kernel: tableKernel(k, learnt).String(), Column: -1, Weight: Number(found.Weights[j]), Useless: found.Useless[j]}
		if at == nil {
			w.Kernels = append(w.Kernels, one)
		} else {
			one.Column = at[j]
			w.Kernels[at[j]] = one
		}
	}
	settings := s.base().Settings()
	settings.Kernel = tableKernel(found.Kernel, learnt)
	w.Kernel = settings.Kernel.String()
	s.Method, s.Kernels, s.Gammas = s.base().With(settings), nil, nil
	s.progress("weights", 1, 1)
	return s, w, nil
}

// tableKernel returns the kernel with columns of the table in place of prepared ones.
func tableKernel(k gram.Kernel, learnt *discriminant.Preparation) gram.Kernel {
	if learnt == nil {
		return k
	}
	columns := learnt.Columns()
	return gram.EachColumns(k, func(at int) []int { return []int{columns[at].From} })
}

// ofAll returns the Kernels, those whose γ is searched with each of Gammas, or of the default ones.
func (s Search) ofAll(x *matrix.Dense) (all []gram.Kernel, err error) {
	for _, name := range s.kernelNames() {
		kernel, tuned := s.kernelOf(name, 0)
		gammas := []float64{0}
		if tuned {
			if gammas = s.Gammas; gammas == nil {
				if gammas, err = defaultGammas(kernel, discriminant.NoScaling, x, nil); err != nil {
					return nil, err
				}
			}
		}
		for _, gamma := range gammas {
			with, _ := s.kernelOf(name, gamma)
			all = append(all, with)
		}
	}
	return all, nil
}

// ofColumns returns, for each column of the table that varies, the kernel of the method on what is
// made of it alone, and which it is; it notes the columns that do not vary.
func (s Search) ofColumns(x *matrix.Dense, learnt *discriminant.Preparation, w *WeighedKernels) (all []gram.Kernel, at []int, err error) {
	columns := x.Cols
	if learnt != nil {
		columns = 0
		for _, c := range learnt.Columns() {
			columns = c.From + 1
		}
	}
	of := s.base().Settings().Kernel
	for j := range columns {
		kernel := gram.Kernel(gram.Columns{At: []int{j}, Of: of})
		w.Kernels = append(w.Kernels, WeighedKernel{Kernel: kernel.String(), Column: j, Useless: true})
		if learnt != nil {
			if kernel, err = learnt.Kernel(kernel); err != nil {
				return nil, nil, err
			}
		}
		var parameter *gram.ParameterError
		kernel, err := gram.Resolve(kernel, x)
		switch {
		case errors.As(err, &parameter) && parameter.Parameter == "Gamma": // a constant column has no default
		case err != nil:
			return nil, nil, learnt.OfTable(err)
		default:
			all, at = append(all, kernel), append(at, j)
		}
	}
	return all, at, nil
}

// checkKernelWeights refuses searches that can't weigh kernels.
func (s Search) checkKernelWeights(weighed bool) error {
	if s.KernelWeights == 0 {
		return nil
	}
	reason := ""
	kernel := s.base().Settings().Kernel
	switch {
	case !(s.KernelWeights > 0) || math.IsInf(s.KernelWeights, 0):
		reason = "want a ridge above 0, or 0 for no weights"
	case kernel == nil || s.precomputed():
		reason = "want a method with kernels of the rows"
	case weighed:
		reason = "kernels are not weighed in rows that have weights"
	case len(s.Scalings) > 1:
		reason = "want one of Scalings: the weights are those of columns so scaled"
	case s.Kernels == nil && s.Gammas != nil:
		reason = "a kernel of one column has its default γ: leave Gammas out, or give Kernels"
	}
	if reason == "" {
		return nil
	}
	return &ParameterError{Field: "KernelWeights", Value: fmt.Sprint(s.KernelWeights), Reason: reason}
}

// PlanKernelWeights returns what the weights of a search of n rows, d columns and that many classes
// will need at most, beside its fits.
func (s Search) PlanKernelWeights(n, d, classes int) discriminant.Plan {
	kernels := d
	if s.Kernels != nil {
		kernels = 7 * len(s.Kernels)
	}
	return inference.PlanWeighKernels(s.base().Settings().Kernel, n, d, classes, kernels)
}
