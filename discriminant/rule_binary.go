package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// binaryRule is the decision of two classes on the coordinate of
//
//	α_b = (N + εI)⁻¹(M₂ − M₁) = ±√q α,   λ = (l₁l₂/n) q  (λ = q for averaged scatter)
//
// on which the later class always lies higher, whatever the sign of α. The threshold
// is the midpoint of the class means μ₁ and μ₂ and, with given priors p₁ and p₂, the
// boundary between two Gaussians of common variance s²
//
//	(μ₁ + μ₂)/2 + s² ln(p₁/p₂)/(μ₂ − μ₁)
//
// with s² the pooled within-class sum of squares over n − 2.
type binaryRule struct {
	scale     float64 // ±√q: the α_b coordinate of a row is scale·z
	threshold float64
}

func newBinaryRule(p projections) (*binaryRule, error) {
	l1, l2 := float64(p.counts[0]), float64(p.counts[1])
	n := l1 + l2
	r := &binaryRule{scale: math.Sqrt(p.lambda[0])}
	if p.scatter == SummedScatter {
		r.scale = math.Sqrt(float64(p.lambda[0]*n) / float64(l1*l2))
	}
	if p.negated {
		r.scale = -r.scale
	}
	b := make([]float64, p.z.Rows)
	for i := range b {
		b[i] = float64(r.scale * p.z.At(i, 0))
	}
	mu := make([]float64, 2)
	fisher.ClassMeans(mu, b, p.codes, p.counts)
	squares := make([]float64, len(b))
	for i, v := range b {
		d := v - mu[p.codes[i]]
		squares[i] = float64(d * d)
	}
	r.threshold = mu[0] + float64(0.5*(mu[1]-mu[0]))
	if p.priors != nil && p.priors[0] != p.priors[1] && n > 2 {
		// Leave-one-out means may coincide, or lie in the wrong order: then the prior
		// alone decides.
		variance := matrix.Sum(squares) / (n - 2)
		gap := math.Max(mu[1]-mu[0], float64(u*math.Sqrt(variance)))
		if gap > 0 {
			r.threshold += float64(variance*(f64.Log(p.priors[0])-f64.Log(p.priors[1]))) / gap
		}
	}
	if r.scale == 0 || !finite(r.scale) || !finite(r.threshold) {
		return nil, &DecisionRangeError{Scale: r.scale, Threshold: r.threshold}
	}
	return r, nil
}

func finite(v float64) bool { return v-v == 0 }

// decide returns scale·z − threshold, positive for the later class.
func (r *binaryRule) decide(z float64) float64 { return math.FMA(r.scale, z, -r.threshold) }
