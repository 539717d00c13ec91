// Package export writes a model down for programs without this one: as source in Go or C, as a
// graph of ONNX, or as a card in Markdown.
package export

import (
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/formula"
	"github.com/seed92411348/kfda/internal/table"
)

// Model is a model to be written down.
type Model struct {
	*formula.Model
	Labels  []string       // of the classes; nil of a regression
	Names   []string       // of the columns of the table; nil without
	Columns []table.Column // what they are; nil where they are numbers

	// Prepared are the columns that the model sees, nil where they are those of the table.
	// Fills says that missing cells have values in these.
	Prepared []discriminant.PreparedColumn
	Fills    bool
	Inputs   int // columns of the table
}

// MaxNumbers is how many numbers a source may hold, about 2.5 MB of text.
const MaxNumbers = 100_000

// check refuses what can't be written down, with its name.
func (m *Model) check() error {
	if m.Kernel != nil {
		if err := checkKernel(m.Kernel); err != nil {
			return err
		}
	}
	for _, machines := range []*formula.Machines{m.Machines, m.Rule.Machines} {
		if machines != nil {
			if err := checkKernel(machines.Kernel); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKernel refuses kernels that are not functions of two rows that are known here.
func checkKernel(k gram.Kernel) error {
	switch k := k.(type) {
	case gram.RBF, gram.Laplacian, gram.ChiSquared, gram.Linear, gram.Polynomial, gram.Sigmoid, gram.Cosine:
		return nil
	case gram.Sum:
		return checkKernels(k.Terms)
	case gram.Product:
		return checkKernels(k.Factors)
	case gram.Scaled:
		return checkKernel(k.Kernel)
	case gram.Columns:
		return fmt.Errorf("a model with a kernel of some columns, columns(…), as those of 'kfda tune --kernel-weights' without --kernels, is exported to a card only: one with kernels of all columns can be")
	case gram.Precomputed:
		return fmt.Errorf("a model with the kernel precomputed cannot be exported: its rows are kernel values, which another program would have to compute")
	}
	return fmt.Errorf("a model with the kernel %v cannot be exported", k)
}

func checkKernels(all []gram.Kernel) error {
	for _, k := range all {
		if err := checkKernel(k); err != nil {
			return err
		}
	}
	return nil
}
