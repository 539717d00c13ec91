package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// centroidRule takes the class whose centroid is nearest, the first of them in a
// tie.
type centroidRule struct {
	centroids *matrix.Dense // c×p
	binary    *binaryRule   // decides between two classes, or nil
}

const centroidRuleKind = "centroid"

func (NearestCentroid) fitRule(_ context.Context, p projections) (rule, error) {
	return &centroidRule{centroids: fisher.Centroids(p.z, p.codes, p.counts), binary: p.binary}, nil
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
