package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
)

// checkMemory refuses a fit that needs more memory than the limit or, if limit
// is 0, than the machine can give; remedy is what may be done about that besides a
// selection of rows, or "".
func checkMemory(file string, rows int, plan discriminant.Plan, limit float64, remedy string) error {
	what := "--max-memory allows"
	if limit == 0 {
		what = "the machine has"
		if limit = availableMemory(); limit == 0 {
			return nil // not known
		}
	} else {
		remedy = ""
	}
	if plan.Bytes <= limit {
		return nil
	}
	needs := bytesText(plan.Bytes)
	if kernel := 8 * float64(rows) * float64(rows); plan.Bytes > kernel && kernel > plan.Bytes/2 {
		needs += fmt.Sprintf(" (one %d×%d matrix needs %s)", rows, rows, bytesText(kernel))
	}
	return fmt.Errorf("%s: a fit of %d rows needs %s of memory, %s %s; select fewer rows with --rows%s", file, rows, needs, what, bytesText(limit), remedy)
}

var byteUnits = []struct {
	name  string
	bytes float64
}{
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"B", 1}, {"", 1},
}

// parseBytes reads an amount of memory such as 500MB or 1.5GiB; bytes without a
// unit.
func parseBytes(s string) (float64, error) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	for _, u := range byteUnits {
		if err == nil && v > 0 && !math.IsInf(v, 0) && strings.EqualFold(s[len(digits):], u.name) {
			return v * u.bytes, nil
		}
	}
	return 0, fmt.Errorf("%q: want an amount such as 500MB, 8GB or 8GiB", s)
}

// bytesText shows an amount of memory, as in "320 GB".
func bytesText(b float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	for b >= 999.5 && len(units) > 1 {
		b /= 1000
		units = units[1:]
	}
	return fmt.Sprintf("%.3g %s", b, units[0])
}
