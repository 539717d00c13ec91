package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// markdown writes a table. Columns whose head ends in a colon are aligned to
// the right.
func markdown(w io.Writer, head []string, rows [][]string) {
	line := make([]string, len(head))
	names := make([]string, len(head))
	for i, h := range head {
		name, right := strings.CutSuffix(h, ":")
		names[i], line[i] = name, "---"
		if right {
			line[i] = "--:"
		}
	}
	for _, cells := range append([][]string{names, line}, rows...) {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// writeResult prints a group.
func (b *bench) writeResult(w io.Writer, r result) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n\n", r.group.title, r.group.note)
	rates := slices.ContainsFunc(r.group.rows, func(r row) bool { return r.flops > 0 })
	head := []string{"", "program", "median:", "best:", "processors:"}
	if rates {
		head = append(head, "GFLOP/s:", "of peak:", "best of peak:")
	}
	head = append(head, "× median:", "× best:", "× processors:", "rounds:")
	if r.group.set != "" {
		head = append(head, r.group.set+":", "of them kfda's:")
	}
	var rows [][]string
	for i, row := range r.group.rows {
		what := row.what
		for j, e := range row.entries {
			t := r.timings[i][j]
			if t == nil || len(t.rounds) == 0 {
				continue
			}
			cells := append([]string{what, e.label}, b.cells(row, r.timings[i][0], t, rates)...)
			if r.group.set != "" {
				cells = append(cells, fmt.Sprint(len(t.check)), sharedWith(r.timings[i][0], t))
			}
			rows = append(rows, cells)
			what = ""
		}
	}
	markdown(w, head, rows)
	for i, row := range r.group.rows {
		for j, e := range row.entries {
			if t := r.timings[i][j]; e.allocations && t != nil {
				fmt.Fprintf(w, "\nAllocations of a run of %s, %s: %g.\n", e.label, row.what, t.allocations)
			}
		}
	}
	b.writeFailed(w, r.group)
}

// sharedWith returns how many of the numbers of the set t are in the first set.
func sharedWith(first, t *timing) string {
	if first == nil || first == t {
		return ""
	}
	return fmt.Sprint(len(common(t.check, first.check)))
}

// cells returns the numbers of a line. Ratios are the time over that of the first
// entry.
func (b *bench) cells(r row, first, t *timing, rates bool) []string {
	units := max(r.units, 1)
	mid := median(t.rounds)
	cells := []string{duration(mid / units), duration(t.best / units), duration(median(t.processor) / units)}
	if rates {
		peak := b.peak(t) * float64(r.threads)
		rate := r.flops / mid / 1e9
		cells = append(cells, fmt.Sprintf("%.1f", rate), fraction(rate, peak), fraction(r.flops/t.best/1e9, peak))
	}
	if first == nil || first == t || len(first.rounds) == 0 {
		return append(cells, "", "", "", fmt.Sprint(len(t.rounds)))
	}
	return append(cells, fmt.Sprintf("%.2f", ratio(t.rounds, first.rounds)), fmt.Sprintf("%.2f", t.best/first.best),
		fmt.Sprintf("%.2f", ratio(t.processor, first.processor)), fmt.Sprint(len(t.rounds)))
}

// writeFailed prints what was left out of a group.
func (b *bench) writeFailed(w io.Writer, g group) {
	for _, line := range b.failed {
		if rest, ok := strings.CutPrefix(line, g.title+", "); ok {
			fmt.Fprintf(w, "\nLeft out or doubtful: %s.\n", rest)
		}
	}
}

func fraction(rate, peak float64) string {
	if peak == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", rate/peak)
}

// duration returns seconds with three digits and a unit.
func duration(seconds float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if seconds >= u.size {
			return digits(seconds/u.size) + " " + u.name
		}
	}
	return digits(seconds*1e9) + " ns"
}

// digits returns a positive number with three digits, or more before the point.
func digits(x float64) string {
	switch {
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// writePrograms prints what the programs say that they are.
func (b *bench) writePrograms(w io.Writer) {
	for _, about := range b.about {
		fmt.Fprintf(w, "- %s\n", about)
	}
	for _, name := range slices.Sorted(maps.Keys(b.absent)) {
		fmt.Fprintf(w, "- %s is left out: %v\n", name, b.absent[name])
	}
	if b.narrowOpenBLAS() {
		fmt.Fprintln(w, "- OpenBLAS chose a core type without AVX-512: its figures are those of AVX2")
	}
}

// narrowOpenBLAS reports whether the machine has AVX-512 and OpenBLAS chose kernels
// for AVX2.
func (b *bench) narrowOpenBLAS() bool {
	wide := b.peaks["avx512"] > 0
	return wide && slices.ContainsFunc(b.about, func(about string) bool {
		_, core, ok := strings.Cut(about, "core type ")
		core, _, _ = strings.Cut(core, ",")
		return ok && !slices.Contains([]string{"SkylakeX", "Cooperlake", "Sapphirerapids"}, core)
	})
}

// writePeaks prints the peaks that rates are compared with.
func (b *bench) writePeaks(w io.Writer) {
	if len(b.peaks) == 0 {
		return
	}
	fmt.Fprint(w, "\nPeak of independent fused multiply-adds on a core, the best run of all beside the measurements below, and the "+
		"clock, from multiplications of integers that wait for each other:\n\n")
	var rows [][]string
	for _, name := range []string{"avx512", "avx2", "neon", "portable"} {
		if peak, ok := b.peaks[name]; ok {
			cells := []string{name, fmt.Sprintf("%.1f", peak), "", ""}
			if b.clock > 0 {
				cells[2], cells[3] = fmt.Sprintf("%.2f", b.clock), fmt.Sprintf("%.1f", peak/b.clock)
			}
			rows = append(rows, cells)
		}
	}
	markdown(w, []string{"instructions", "GFLOP/s:", "GHz:", "operations a cycle:"}, rows)
}

// writeMemory prints the memory of fits.
func writeMemory(w io.Writer, g group, all []footprint) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n\n", g.title, g.note)
	var rows [][]string
	for _, f := range all {
		rows = append(rows, []string{f.row.what, f.entry.label, mib(f.loaded), mib(f.peak), fmt.Sprintf("%.2f", (f.peak-f.loaded)/f.row.units)})
	}
	markdown(w, []string{"", "program", "loaded, MiB:", "peak, MiB:", "of 8n² bytes:"}, rows)
}

func mib(bytes float64) string { return fmt.Sprintf("%.1f", bytes/(1<<20)) }

// writeSize prints the size of a program that embeds the library.
func writeSize(w io.Writer, folder string) error {
	var sizes [2]float64
	for i, name := range []string{"size-fit", "size-empty"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		sizes[i] = float64(info.Size())
	}
	_, err := fmt.Fprintf(w, "\n## Size\n\nA stripped program that fits and predicts has %s MiB, an empty one %s MiB: %s MiB more.\n",
		mib(sizes[0]), mib(sizes[1]), mib(sizes[0]-sizes[1]))
	return err
}
