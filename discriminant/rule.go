package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// rule classifies embedded rows.
type rule interface {
	// kind names the rule in a file.
	kind() string
	// classify writes the class of each row of w.z to codes. It may use the rest
	// of the workspace.
	classify(codes []int, w *workspace) error
	// encode appends the rule's sections.
	encode(w *fileWriter) error
}

// centroidRule takes the class whose centroid is nearest, the first of them in a
// tie.
type centroidRule struct {
	centroids *matrix.Dense // c×p
}

const centroidRuleKind = "centroid"

func (r *centroidRule) kind() string { return centroidRuleKind }

func (r *centroidRule) classify(codes []int, w *workspace) error {
	for i := range codes {
		codes[i] = nearest(r.centroids, w.z.Row(i))
	}
	return nil
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

func (r *centroidRule) encode(w *fileWriter) error {
	w.section("centroids", true).Matrix("centroids", r.centroids)
	return nil
}

func decodeCentroidRule(r *fileReader, s fileShape) (*centroidRule, error) {
	d := r.section("centroids")
	rule := &centroidRule{centroids: d.Matrix("centroids")}
	d.Shape("centroids", rule.centroids, s.classes, s.components)
	return rule, d.Close()
}
