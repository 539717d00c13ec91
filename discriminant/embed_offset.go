package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// offsetEmbedding adds a number to each component of a kernel embedding.
type offsetEmbedding struct {
	kernelEmbedding
	offset []float64
}

const offsetEmbeddingKind = "kernel+offset"

func (e *offsetEmbedding) kind() string { return offsetEmbeddingKind }

func (e *offsetEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	if err := e.kernelEmbedding.embed(w, rows); err != nil {
		return err
	}
	for i := range w.z.Rows {
		z := w.z.Row(i)
		for j, b := range e.offset {
			z[j] += b
		}
	}
	return nil
}

func (e *offsetEmbedding) fields(c *codec) {
	e.kernelEmbedding.fields(c)
	c.section("offset")
	if c.floats("offset", &e.offset); uint64(len(e.offset)) != c.components {
		c.fail("offset", "%s for %s", plural.Count(len(e.offset), "offset"), plural.Count(c.components, "component"))
	}
}

// intercepts returns the b of f(x) = Σᵢ aᵢ k(xᵢ, x) + b for the kernel as it is: with
// 1ᵀa = 0 the centred kernel's expansion has the constant −Σᵢ aᵢ meanⱼ Kᵢⱼ more.
func (e *offsetEmbedding) intercepts() []float64 {
	b := append([]float64(nil), e.offset...)
	if e.centring == nil {
		return b
	}
	for j := range b {
		for i, m := range e.centring.Means {
			b[j] = math.FMA(-e.alpha.At(i, j), m, b[j])
		}
	}
	return b
}
