package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// machineEmbedding maps rows to the values of the machines.
type machineEmbedding struct{ *machines }

const machineEmbeddingKind = "machines"

func (e *machineEmbedding) kernel() gram.Kernel { return e.svm.Kernel }

func (e *machineEmbedding) kind() string    { return machineEmbeddingKind }
func (e *machineEmbedding) components() int { return len(e.fits) }
func (e *machineEmbedding) batch() int      { return max(1, batchValues/max(len(e.support), len(e.fits))) }

func (e *machineEmbedding) dim() int { return e.machines.dim }

func (e *machineEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	return e.evaluate(&w.z, w, rows)
}

func (e *machineEmbedding) fields(c *codec) {
	if e.machines.fields(c, c.cols); c.ok() && uint64(len(e.fits)) != c.components {
		c.keep(&section.FormatError{Section: "model", Field: "components", Reason: fmt.Sprintf("%d components of %d machines", c.components, len(e.fits))})
	}
}
