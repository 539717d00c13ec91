package discriminant

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

func (KNN) wanted(int) fisher.Wanted { return fisher.Wanted{Equal: true} }

func (k KNN) fitRule(_ context.Context, p projections) (rule, error) {
	if p.classes.Weights != nil {
		return nil, &ParameterError{Field: "Classifier", Value: k.String(), Reason: "neighbours have no weights: want another classifier for rows with weights"}
	}
	n := len(p.classes.Codes)
	if k.K > n {
		return nil, &ParameterError{Field: "Classifier", Value: k.String(), Reason: fmt.Sprintf("want at most as many neighbours as the %d training rows", n)}
	}
	if k.K == 0 {
		k.K = min(defaultNeighbors, n)
	}
	scaling, t, err := standardiseProjections(p.z, nil)
	if err != nil {
		return nil, err
	}
	r := &knnRule{
		k:         k.K,
		centroids: p.classes.Centroids(p.z),
		scaling:   scaling,
		rows:      t,
		codes:     p.classes.Codes,
		weights:   make([]float64, len(p.classes.Counts)),
	}
	for j, count := range p.classes.Counts {
		r.weights[j] = 1
		if p.priors != nil {
			r.weights[j] = p.priors[j] / (float64(count) / float64(n))
		}
	}
	return r, nil
}

// knnRule takes the class with most of the k nearest training rows.
type knnRule struct {
	k         int
	centroids *matrix.Dense // of the projections as they are
	scaling   standardised
	rows      *matrix.Dense // standardised training projections, n×p
	codes     []int
	weights   []float64 // of a vote, by class
}

const knnRuleKind = "knn"

func (r *knnRule) kind() string           { return knnRuleKind }
func (r *knnRule) classifier() Classifier { return KNN{K: r.k} }
func (r *knnRule) means() *matrix.Dense   { return r.centroids }

func (r *knnRule) classify(codes []int, w *workspace) error {
	classifyByPosteriors(r, codes, w)
	return nil
}

func (r *knnRule) hasPosteriors() bool { return true }

func (r *knnRule) posteriors(w *workspace) {
	r.scaling.apply(&w.standard, &w.z)
	resize(&w.posteriors, w.z.Rows, len(r.weights))
	resize(&w.distances, 1, r.rows.Rows)
	resize(&w.nearest, 1, r.k)
	for i := range w.z.Rows {
		for l := range w.distances.Data {
			w.distances.Data[l] = squaredDistance(r.rows.Row(l), w.standard.Row(i))
		}
		r.vote(w.posteriors.Row(i), w.distances.Data, kthSmallest(w.nearest.Data, w.distances.Data))
	}
}

// vote writes the share of the votes of each class to p. Of tied rows at the k-th
// least distance, and votes left for them, each has left/tied; times tied all
// votes are whole numbers.
func (r *knnRule) vote(p, distances []float64, kth float64) {
	nearer, tied := 0, 0
	for _, d := range distances {
		if d < kth {
			nearer++
		} else if d == kth {
			tied++
		}
	}
	left := r.k - nearer
	clear(p)
	for i, d := range distances {
		if d < kth {
			p[r.codes[i]] += float64(tied)
		} else if d == kth {
			p[r.codes[i]] += float64(left)
		}
	}
	sum := 0.0
	for j, weight := range r.weights {
		p[j] = float64(p[j] * weight)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
}

// kthSmallest returns the k-th least of the values, k = len(heap) ≤ len(values).
// The heap, the largest first, holds the k least so far.
func kthSmallest(heap, values []float64) float64 {
	k := len(heap)
	copy(heap, values[:k])
	for root := k/2 - 1; root >= 0; root-- {
		siftDown(heap, root)
	}
	for _, v := range values[k:] {
		if v < heap[0] {
			heap[0] = v
			siftDown(heap, 0)
		}
	}
	return heap[0]
}

func siftDown(heap []float64, root int) {
	for {
		child := 2*root + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[root] >= heap[child] {
			return
		}
		heap[root], heap[child] = heap[child], heap[root]
		root = child
	}
}

func (r *knnRule) decide(values []float64, w *workspace) {
	r.posteriors(w)
	for i := range values {
		values[i] = w.posteriors.At(i, 1) - w.posteriors.At(i, 0)
	}
}

func (r *knnRule) fields(c *codec) {
	centroidFields(c, &r.centroids)
	c.section("neighbours")
	if c.int("k", &r.k); r.k < 1 || uint64(r.k) > c.rows {
		c.fail("k", "%s of %s", plural.Count(r.k, "neighbour"), plural.Count(c.rows, "row"))
	}
	r.scaling.fields(c)
	if c.floats("weights", &r.weights); uint64(len(r.weights)) != c.classes {
		c.fail("weights", "not one for each class")
	}
	for _, v := range r.weights {
		if v <= 0 || v > maxRows {
			c.fail("weights", "not the weight of a vote")
		}
	}
	c.shaped("rows", &r.rows, c.rows, c.components)
	c.bounded("rows", r.rows.Data, farthest)
	if r.codes == nil {
		r.codes = make([]int, r.rows.Rows)
	}
	for i := range r.codes {
		if c.number("class", &r.codes[i]) >= c.classes {
			c.fail("class", "there is no such class")
			break
		}
	}
}
