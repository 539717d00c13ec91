package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// labels returns the last cells of a table, which have no commas or quotes, after the header.
func labels(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		all = append(all, line[strings.LastIndexByte(line, ',')+1:])
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return all[1:], lines.Err()
}

// decision is the flag for the values of two classes.
func decision(test string) []string {
	of, err := labels(test)
	slices.Sort(of)
	if err == nil && len(slices.Compact(of)) == 2 {
		return []string{"--decision-values"}
	}
	return nil
}

// judge returns the share of the rows of a test table whose predictions in out, row by row the
// number, the class and perhaps the value, are wrong, and the area under the curve.
func judge(test, out string) (wrong float64, auc string, err error) {
	truth, err := labels(test)
	if err != nil {
		return 0, "", err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return 0, "", err
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	if len(rows) != len(truth) {
		return 0, "", fmt.Errorf("%d predictions of %d rows", len(rows), len(truth))
	}
	type scored struct {
		value float64
		later bool
	}
	var values []scored
	later := slices.Max(truth)
	for i, row := range rows {
		cells := strings.Split(row, ",")
		if cells[1] != truth[i] {
			wrong++
		}
		if len(cells) == 3 {
			v, err := strconv.ParseFloat(cells[2], 64)
			if err != nil {
				return 0, "", err
			}
			values = append(values, scored{v, truth[i] == later})
		}
	}
	wrong /= float64(len(rows))
	if values == nil {
		return wrong, "", nil
	}
	// Mann and Whitney: pairs in the right order, halves of ties.
	slices.SortFunc(values, func(a, b scored) int { return cmp.Compare(a.value, b.value) })
	var pairs, earlier, of float64
	for from := 0; from < len(values); {
		to, ties, hits := from, 0.0, 0.0
		for ; to < len(values) && values[to].value == values[from].value; to++ {
			if values[to].later {
				hits++
			} else {
				ties++
			}
		}
		pairs += hits * (earlier + ties/2)
		earlier, of, from = earlier+ties, of+hits, to
	}
	return wrong, fmt.Sprintf("%.4f", pairs/(earlier*of)), nil
}
