package gram

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Linear is k(x, y) = x·y, one chain of fused multiply-adds over the features.
type Linear struct{}

func (Linear) Validate() error                                    { return nil }
func (Linear) validate(int) error                                 { return nil }
func (k Linear) resolve(*matrix.Dense, []float64) (Kernel, error) { return k, nil }
func (Linear) rows(x *matrix.Dense) (rows, error)                 { return rows{x: x}, nil }

func (Linear) op() f64.Op { return f64.Product }

func (Linear) apply([]float64, rows, int, rows, int) {}

func (k Linear) String() string { return toString(k) }
func (Linear) write(w *writer)  { w.open("linear"); w.close() }
