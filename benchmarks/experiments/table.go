package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// writeTables prints two Markdown tables: the errors, and how far the fits behind
// them can be trusted.
func writeTables(w io.Writer, results []result) error {
	var b strings.Builder
	b.WriteString("| data set | train / test rows | splits | γ | relative ridge | rule | CV error % | test error % | KFD 1999 % | difference in standard errors | floor % |\n")
	b.WriteString("|---|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|\n")
	for _, r := range results {
		mean, standardError := meanAndStandardError(r.errors)
		published := r.deviation / math.Sqrt(float64(r.over))
		c := r.selection.best
		fmt.Fprintf(&b, "| %s | %d / %d | %s | %.3g | %s | %v | %.2f | %.2f ± %.2f | %.1f ± %.2f | %+.1f | %.1f |\n",
			r.name, r.train, r.test, splitsText(r), c.gamma, ridgeText(c.ridge), c.rule,
			r.selection.errorRate(), mean, standardError, r.published, published, (mean-r.published)/math.Hypot(standardError, published), r.floor)
	}
	b.WriteString("\n| data set | fits | candidates refused | backward error | kernel rounding | condition bound | growth |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %d | %d | %.1e | %.1e | %.1e | %.2g |\n",
			r.name, r.selection.fits+r.splits, r.selection.refused, r.backward, r.rounding, r.condition, r.growth)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func splitsText(r result) string {
	if r.benchmark.splits == generatedSplits {
		return fmt.Sprintf("%d, generated", r.splits)
	}
	return fmt.Sprint(r.splits)
}

// ridgeText returns a ridge as in 30 or 3e-07.
func ridgeText(r float64) string {
	if r >= 1 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.1g", r)
}
