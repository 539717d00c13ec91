package main

import (
	"fmt"
	"math"
)

// choices compares searches for the best γ and ridge by cross-validation. What is
// timed is a part of the search, and the times are those of the whole.
func (b planner) choices() group {
	const gammas, ridges, folds = 20, 30, 10
	g := group{
		title: "Model choice",
		note: fmt.Sprintf("A grid of %d γ × %d ridges in %d folds. Times are those of the whole grid: kfda is timed with 2 of the γ, "+
			"or all with -full, scikit-learn with 2 γ and 3 ridges in all folds, and the times are multiplied. scikit-learn: GridSearchCV "+
			"over KernelRidge on a column of zeros and ones a class, as it is (one fit at a time, with threads in products) and with "+
			"n_jobs=2 and one thread for each; the processors of its jobs are not counted.", gammas, ridges, folds),
	}
	if t := b.digits(); t.n > 0 {
		gamma := func(k int) float64 { return t.gamma * math.Pow(4, float64(6*k)/(gammas-1)-3) }
		some := []int{5, 14}
		if b.full {
			some = some[:0]
			for k := range gammas {
				some = append(some, k)
			}
		}
		data := fmt.Sprintf("choose n=%d d=%d rows=%s labels=%s folds=%d", t.n, t.d, t.rows, t.labels, folds)
		kfda := fmt.Sprintf("%s ridges=%d gammas=", data, ridges)
		for i, k := range some {
			if i > 0 {
				kfda += ","
			}
			kfda += fmt.Sprint(gamma(k))
		}
		peer := fmt.Sprintf("%s ridges=3 gammas=%v,%v", data, gamma(5), gamma(14))
		share := 2. * 3 / (gammas * ridges)
		g.rows = append(g.rows, row{
			what: fmt.Sprintf("%s, %s", t.name, size(t.n, most())), threads: most(),
			entries: []entry{
				{label: "kfda", program: "kfda", task: kfda, share: float64(len(some)) / gammas},
				{label: "scikit-learn GridSearchCV", program: "python", task: peer + " jobs=1", share: share, unlike: true},
				{label: "scikit-learn GridSearchCV, n_jobs=2", program: "python", env: []string{"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"},
					task: peer + " jobs=2", share: share, unlike: true},
			},
		})
	}
	return g
}

// digits returns the table of that name, or an empty one where it is not there.
func (b planner) digits() labelled {
	for _, t := range b.files.tables {
		if t.name == "digits" {
			return t
		}
	}
	return labelled{}
}
