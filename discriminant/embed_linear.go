package discriminant

import (
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// linearEmbedding maps rows to z = Wᵀ(x − origin). Each entry is one chain of
// fused multiply-adds over the features.
type linearEmbedding struct {
	origin  []float64
	weights *matrix.Dense // d×p
}

const linearEmbeddingKind = "linear"

func (e *linearEmbedding) kind() string    { return linearEmbeddingKind }
func (e *linearEmbedding) dim() int        { return e.weights.Rows }
func (e *linearEmbedding) components() int { return e.weights.Cols }
func (e *linearEmbedding) batch() int      { return max(1, batchValues/e.weights.Rows) }

func (e *linearEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	resize(&w.kernel, rows.Rows, rows.Cols)
	for i := range rows.Rows {
		to := w.kernel.Row(i)
		for j, v := range rows.Row(i) {
			to[j] = v - e.origin[j]
		}
	}
	matrix.Mul(&w.z, &w.kernel, matrix.NoTrans, e.weights, matrix.NoTrans)
	return nil
}

func (e *linearEmbedding) fields(c *codec) {
	c.section("linear")
	c.floats("origin", &e.origin)
	c.shaped("weights", &e.weights, c.cols, c.components)
	if uint64(len(e.origin)) != c.cols {
		c.fail("origin", "%s for %s", plural.Count(len(e.origin), "number"), plural.Count(c.cols, "column"))
	}
}
