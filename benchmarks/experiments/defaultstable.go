package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeComparisons prints the tables of errors, of log losses and of the calibration of
// fit. All comparisons have the same contestants.
func writeComparisons(w io.Writer, all []comparison) error {
	var b strings.Builder
	var names []string
	for _, m := range all[0].Marks {
		names = append(names, m.Name)
	}
	fmt.Fprintf(&b, "Errors in %% of the test rows, mean ± standard error over %d stratified halves, the same for all (at most %d rows of a set; sets with a division of their own: that one, and the standard error of a share). tune and the grid search: the first 5 splits, or 1 where it says so.\n\n", halfSplits, mostRows)
	fmt.Fprintf(&b, "| data set | n | d | classes | %s |\n|---|--:|--:|--:|%s\n", strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for _, c := range all {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |", c.Name, c.Rows, c.Features, c.Classes)
		for _, m := range c.Marks {
			fmt.Fprintf(&b, " %s |", errorText(m, c))
		}
		b.WriteString("\n")
	}
	svc := slices.Index(names, "SVC")
	if svc > 0 {
		b.WriteString("| errors / errors of SVC |||| " + overSets(all, func(k int) string { return ratioText(all, k, svc) }))
	}
	b.WriteString("| sets clearly worse than majority |||| " + overSets(all, func(k int) string {
		return countText(all, k, func(c comparison) bool { return clearlyWorse(c.Marks[k].Errors, c.Marks[0].Errors, c.Tested) })
	}))
	b.WriteString("\nThe ratios are geometric means over the sets, of sums over the splits that both have, with half an error added to each sum. Clearly worse: by more than a standard error of the difference over the splits. A contestant with a refused fit has no part in a set.\n")
	writeLogLosses(&b, all, names)
	writeCalibration(&b, all)
	_, err := io.WriteString(w, b.String())
	return err
}

// overSets returns the cells of a last line.
func overSets(all []comparison, text func(k int) string) string {
	var cells []string
	for k := range all[0].Marks {
		cells = append(cells, text(k))
	}
	return strings.Join(cells, " | ") + " |\n"
}

// writeLogLosses prints the mean log loss of those with posteriors on any set.
func writeLogLosses(b *strings.Builder, all []comparison, names []string) {
	var columns []int
	for k := range names {
		if slices.ContainsFunc(all, func(c comparison) bool { return len(c.Marks[k].LogLoss) > 0 }) {
			columns = append(columns, k)
		}
	}
	b.WriteString("\n| log loss |")
	for _, k := range columns {
		fmt.Fprintf(b, " %s |", names[k])
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("--:|", len(columns)))
	for _, c := range all {
		fmt.Fprintf(b, "| %s |", c.Name)
		for _, k := range columns {
			if len(c.Marks[k].LogLoss) == 0 {
				b.WriteString(" – |")
				continue
			}
			mean, standardError := meanAndStandardError(c.Marks[k].LogLoss)
			fmt.Fprintf(b, " %.3f ± %.3f |", mean, standardError)
		}
		b.WriteString("\n")
	}
	b.WriteString("| sets above majority |")
	for _, k := range columns {
		fmt.Fprintf(b, " %s |", countText(all, k, func(c comparison) bool {
			its := c.Marks[k].LogLoss
			mean, _ := meanAndStandardError(its)
			majority, _ := meanAndStandardError(c.Marks[0].LogLoss[:len(its)])
			return len(its) > 0 && mean > majority
		}))
	}
	b.WriteString("\n")
}

func errorText(m marks, c comparison) string {
	if m.Refused > 0 {
		return fmt.Sprintf("%d refused", m.Refused)
	}
	mean, standardError := meanError(m.Errors, c.Tested)
	text := fmt.Sprintf("%.1f ± %.1f", mean, standardError)
	if len(m.Errors) == 1 && len(c.Marks[0].Errors) > 1 {
		text += " (1 split)"
	}
	return text
}

// ratioText returns the geometric mean of the ratios of contestant k's errors to those of
// another.
func ratioText(all []comparison, k, other int) string {
	var ratios []float64
	for _, c := range all {
		if m := c.Marks[k]; m.Refused == 0 {
			ratios = append(ratios, errorRatio(m.Errors, c.Marks[other].Errors))
		}
	}
	if len(ratios) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.3f", geometricMean(ratios))
	if len(ratios) < len(all) {
		text += fmt.Sprintf(" (%d sets)", len(ratios))
	}
	return text
}

// countText returns how many of the sets that contestant k has figures of are such.
func countText(all []comparison, k int, such func(comparison) bool) string {
	count := 0
	for _, c := range all {
		if c.Marks[k].Refused == 0 && such(c) {
			count++
		}
	}
	return fmt.Sprint(count)
}
