package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// centroidRule takes the class whose centroid is nearest, the first of them in a
// tie.
type centroidRule struct {
	centroids *matrix.Dense // c×p
	binary    *binaryRule   // decides between two classes, or nil
}

const centroidRuleKind = "centroid"

func (NearestCentroid) wanted(classes int) fisher.Wanted {
	return fisher.Wanted{Centroids: classes > 2}
}

func (NearestCentroid) fitRule(_ context.Context, p projections) (rule, error) {
	return &centroidRule{centroids: p.classes.Centroids(p.z), binary: p.binary}, nil
}

func (r *centroidRule) kind() string           { return centroidRuleKind }
func (r *centroidRule) classifier() Classifier { return NearestCentroid{} }
func (r *centroidRule) means() *matrix.Dense   { return r.centroids }

func (r *centroidRule) classify(codes []int, w *workspace) error {
	for i := range codes {
		z := w.z.Row(i)
		if r.binary == nil {
			codes[i] = nearest(r.centroids, z)
		} else if codes[i] = 0; r.binary.decide(z[0]) > 0 {
			codes[i] = 1
		}
	}
	return nil
}

func (r *centroidRule) decide(values []float64, w *workspace) {
	for i := range values {
		z := w.z.Row(i)
		v := 0.0
		if r.binary != nil {
			v = r.binary.decide(z[0])
		} else if a, b := squaredDistance(r.centroids.Row(0), z), squaredDistance(r.centroids.Row(1), z); a != b {
			v = a - b // and not Inf − Inf
		}
		values[i] = math.Max(-math.MaxFloat64, math.Min(v, math.MaxFloat64))
	}
}

// nearest returns the row of centroids at the least Euclidean distance from z.
func nearest(centroids *matrix.Dense, z []float64) int {
	best, at := 0.0, 0
	for j := range centroids.Rows {
		if d := squaredDistance(centroids.Row(j), z); j == 0 || d < best {
			best, at = d, j
		}
	}
	return at
}

func squaredDistance(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		d := v - b[k]
		s = math.FMA(d, d, s)
	}
	return s
}

func (r *centroidRule) fields(c *codec) {
	centroidFields(c, &r.centroids)
	c.section("threshold")
	present := r.binary != nil
	if c.bool("present", &present); !present {
		return
	}
	if r.binary == nil {
		r.binary = new(binaryRule)
	}
	c.float64("scale", &r.binary.scale)
	c.float64("threshold", &r.binary.threshold)
	if c.classes != 2 || c.components != 1 || r.binary.scale == 0 {
		c.fail("scale", "not that of a threshold between two classes")
	}
}

func centroidFields(c *codec, centroids **matrix.Dense) {
	c.section("centroids")
	c.shaped("centroids", centroids, c.classes, c.components)
}

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
	l1, l2 := p.classes.Sizes[0], p.classes.Sizes[1]
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
	p.classes.Means(mu, b)
	squares := make([]float64, len(b))
	for i, v := range b {
		d := v - mu[p.classes.Codes[i]]
		squares[i] = float64(float64(p.classes.Weights.Of(i)*d) * d)
	}
	r.threshold = mu[0] + float64(0.5*(mu[1]-mu[0]))
	if p.priors != nil && p.priors[0] != p.priors[1] && len(b) > 2 {
		// Leave-one-out means may coincide, or lie in the wrong order: then the prior
		// alone decides.
		variance := matrix.Sum(squares) / math.Max(1, n-2)
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
