package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

// nestedSet is a data set on which a whole search is judged: by outer folds around
// it or, where there is a number of training rows, in the rows after those.
type nestedSet struct {
	name  string
	train int
}

func (s nestedSet) title() string { return s.name }

var nestedSets = []nestedSet{{name: "iris"}, {name: "wine"}, {name: "sonar"}, {name: "ionosphere"}, {name: "digits"}, {"letter", 5000}}

// outerFolds is the number of stratified folds around a search, whose seed is 0.
const outerFolds = 10

// nested runs searches with no settings on the data sets in that folder, and prints
// their estimates.
func nested(ctx context.Context, folder string, names []string, stdout, stderr io.Writer) error {
	sets, err := choose(nestedSets, names)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, "| data set | rows | classes | searches | right of those tested | accuracy % | standard error | optimistic % | scalings chosen | seconds |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|---|--:|\n")
	for _, s := range sets {
		start := time.Now()
		x, labels, err := plain(s.name + ".csv")(folder)
		if err != nil {
			return err
		}
		r, err := estimate(ctx, s, x, labels, stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		p := float64(r.right) / float64(r.tested)
		fmt.Fprintf(stdout, "| %s | %d | %d | %d | %d of %d | %.2f | %.2f | %.2f | %s | %.0f |\n", s.name, x.Rows, r.classes, r.searches, r.right, r.tested,
			100*p, 100*math.Sqrt(p*(1-p)/float64(r.tested)), 100*r.optimistic, r.scalings, time.Since(start).Seconds())
	}
	return nil
}

// nestedResult is a line of the table.
type nestedResult struct {
	classes, searches, right, tested int
	optimistic                       float64 // the mean accuracy of the best candidates in their searches
	scalings                         string  // of the best, and how often
}

func estimate(ctx context.Context, s nestedSet, x *matrix.Dense, labels []string, progress io.Writer) (nestedResult, error) {
	outer, err := s.divide(labels)
	if err != nil {
		return nestedResult{}, err
	}
	e, err := cv.Nested(ctx, cv.Search{}, x, labels, outer)
	if err != nil {
		return nestedResult{}, err
	}
	if len(e.Failures) > 0 {
		return nestedResult{}, e.Failures[0]
	}
	r := nestedResult{classes: len(e.Classes), searches: outer.Len(), right: e.Rows - e.Errors, tested: e.Rows}
	count := map[string]int{}
	for k, record := range e.Records {
		best := record.Candidates[record.Best]
		fmt.Fprintf(progress, "%s, fold %d: %.2f %% wrong; %v\n", s.name, k, 100*e.FoldErrors[k], best)
		r.optimistic += best.Accuracy() / float64(outer.Len())
		count[best.Scaling.String()]++
	}
	for _, name := range []string{"none", "standard", "minmax"} {
		if count[name] > 0 {
			if r.scalings != "" {
				r.scalings += ", "
			}
			r.scalings += fmt.Sprintf("%s %d", name, count[name])
		}
	}
	return r, nil
}

// divide returns the outer folds.
func (s nestedSet) divide(labels []string) (*cv.Folds, error) {
	if s.train == 0 {
		return cv.Stratified(labels, outerFolds, 0)
	}
	return firstRows(s.train, len(labels))
}

// firstRows is the division into the first train of n rows and those to test, the rest.
func firstRows(train, n int) (*cv.Folds, error) {
	fold := make([]int, n)
	for i := range min(train, n) {
		fold[i] = -1
	}
	return cv.Given(fold)
}
