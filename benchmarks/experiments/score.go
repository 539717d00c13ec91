package main

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// scores are the figures of the final fits, one a split.
type scores struct {
	errors []float64 // test error in %

	// The worst over the fits' certificates.
	backward, rounding, condition, growth float64
}

// score fits the chosen candidate to the training rows of each split and applies
// it to the test rows.
func score(ctx context.Context, set dataSet, chosen candidate, workers int) (scores, error) {
	s := scores{errors: make([]float64, len(set.splits))}
	certificates := make([]discriminant.Certificate, len(set.splits))
	err := parallel(ctx, len(set.splits), workers, func(i int) error {
		split := set.splits[i]
		x, labels := set.at(split.train)
		model, err := discriminant.Fit(ctx, discriminant.KFDA{
			Kernel:      gram.RBF{Gamma: chosen.gamma},
			Regularizer: discriminant.RelativeRidge(chosen.ridge),
			Classifier:  chosen.rule.classifier(),
		}, x, labels)
		if err != nil {
			return fmt.Errorf("split %d: %w", split.number, err)
		}
		certificates[i] = model.Details().(discriminant.KFDADetails).Certificate()
		x, labels = set.at(set.testRows(split))
		wrong, err := countWrong(model, x, labels)
		if err != nil {
			return fmt.Errorf("split %d: %w", split.number, err)
		}
		s.errors[i] = 100 * float64(wrong) / float64(len(labels))
		return nil
	})
	for _, c := range certificates {
		s.backward = max(s.backward, c.Backward)
		s.rounding = max(s.rounding, c.KernelRounding)
		s.condition = max(s.condition, c.CondBound)
		s.growth = max(s.growth, c.Growth)
	}
	return s, err
}

// meanAndStandardError returns the mean of the values and its standard error, the
// sample standard deviation over the root of their number; it is 0 for one value.
func meanAndStandardError(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}
