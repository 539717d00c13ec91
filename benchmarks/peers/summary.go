package main

import (
	"fmt"
	"io"
	"slices"
)

// line is a row of the summary: a row of a table, kfda beside the first of its peers.
type line struct{ job, title, what string }

// summary returns the lines of the summary.
func summary() []line {
	most := most()
	return []line{
		{"product of matrices, n = 2048", "Products", size(2048, most)},
		{"product of matrices, n = 512", "Products", size(512, most)},
		{"Cholesky, n = 4000", "Factorizations", "Cholesky, " + size(4000, most)},
		{"rbf kernel matrix, n = 5000, d = 64", "Gram matrices", "d = 64, " + size(5000, most)},
		{"fit, ridge on N, n = 2000", "Fits", "Ridge, " + size(2000, most)},
		{"fit, ridge in the feature space, n = 5000", "Fits", "RKHS, " + size(5000, most)},
		{"kernel PCA, 10 of n = 5000", "Kernel PCA", size(5000, most)},
		{"support vector machine, n = 5000, 1 thread", "Support vector machines", "classes, n = 5000, d = 64, C = 1, 1 thread"},
		{"projection of one row, n = 5000, 1 thread", "Transform", "one row, 1 thread"},
		{"search of 600 candidates, digits", "Model choice", "digits, " + size(1797, most)},
	}
}

// writeSummary prints what was measured of the summary's lines, in the form of the first
// table of docs/benchmarks.md, from which benchmarks/pictures draws its bars.
func writeSummary(w io.Writer, results []result) {
	var rows [][]string
	for _, l := range summary() {
		for _, r := range results {
			i := slices.IndexFunc(r.group.rows, func(row row) bool { return r.group.title == l.title && row.what == l.what })
			if i < 0 {
				continue
			}
			row, own, peer := r.group.rows[i], r.timings[i][0], r.timings[i][1]
			if own == nil || peer == nil || len(own.rounds) == 0 || len(peer.rounds) == 0 {
				continue
			}
			units := max(row.units, 1)
			rows = append(rows, []string{l.job, duration(median(own.rounds) / units), row.entries[1].label, duration(median(peer.rounds) / units),
				fmt.Sprintf("%.2f", ratio(peer.rounds, own.rounds)), fmt.Sprintf("%.2f", peer.best/own.best)})
		}
	}
	if rows == nil {
		return
	}
	fmt.Fprint(w, "## Summary\n\nTime of the peer over that of kfda: medians within the rounds, and the best runs.\n\n")
	markdown(w, []string{"job", "kfda:", "peer", "its time:", "×:", "× best:"}, rows)
	fmt.Fprintln(w)
}
