package main

import (
	"fmt"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
)

// formatsBytes is what the libraries that read other formats, draw and so on take, used or
// not, beside what a plan counts for a program.
const formatsBytes = 13e6

// muchMemory is that of a plan where it pays to give up at once what is not in use.
const muchMemory = 128e6

// collectOften makes garbage of matrices small where a plan needs much memory, until undo is
// called. They have no pointers, so that a collection costs little beside what is done with them;
// in small problems it would cost more, for it takes their working memory.
func collectOften(plan discriminant.Plan) (undo func()) {
	if plan.Bytes < muchMemory {
		return func() {}
	}
	return garbage(20)
}

// garbage sets what may be left of it, in percent of what is in use, until undo is called.
func garbage(percent int) (undo func()) {
	former := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(former) }
}

// streamGarbage is that of fits through landmarks: they collect some times a second.
const streamGarbage = 20

// checkMemory refuses a fit that needs more memory than the limit or, if limit
// is 0, than the machine can give; remedy is what may be done about that besides a
// selection of rows, or "".
func checkMemory(file string, rows int, plan discriminant.Plan, limit float64, remedy string) error {
	if limit > 0 {
		remedy = ""
	}
	what, limit := memoryLimit(limit)
	if limit == 0 || plan.Bytes <= limit {
		return nil
	}
	needs := bytesText(plan.Bytes)
	if kernel := 8 * float64(rows) * float64(rows); plan.Bytes > kernel && kernel > plan.Bytes/2 {
		needs += fmt.Sprintf(" (one %d×%d matrix needs %s)", rows, rows, bytesText(kernel))
	}
	const many = 2000 // rows that take seconds
	fewer := ""
	if rows >= 2*many {
		fewer = fmt.Sprintf(", such as --rows ::%d", rows/many)
	}
	return fmt.Errorf("%s: a fit of %d rows needs %s of memory, %s %s; select fewer rows with --rows%s%s", file, rows, needs, what, bytesText(limit), fewer, remedy)
}

// memoryLimit returns a limit or, where that is 0, what the machine has (0 where that is not known),
// and what it is.
func memoryLimit(limit float64) (what string, bytes float64) {
	if limit == 0 {
		return "the machine has", availableMemory()
	}
	return "--max-memory allows", limit
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

// fileText returns the text of a file, "" where it is not there.
func fileText(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// availableMemory returns how many bytes Linux can give without swapping, at most the
// limit of the control group, and 0 elsewhere.
func availableMemory() float64 { return availableIn(fileText) }

// peakMemory returns the most memory, in bytes, that the process has had, and 0 where that
// is not known.
func peakMemory() float64 { return kilobytes(fileText("/proc/self/status"), "VmHWM:") }

// kilobytes returns what a text of /proc says of a name, in bytes.
func kilobytes(text, name string) float64 {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == name && f[2] == "kB" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return float64(1024 * kib)
		}
	}
	return 0
}

// availableIn is availableMemory from the texts of files.
func availableIn(text func(path string) string) float64 {
	available := kilobytes(text("/proc/meminfo"), "MemAvailable:")
	for _, file := range limitFiles(text("/proc/self/cgroup"), text("/proc/self/mountinfo")) {
		// Where there is no limit, version 2 says max and version 1 a number near 2^63.
		limit, err := strconv.ParseFloat(strings.TrimSpace(text(file)), 64)
		if err == nil && limit > 0 && (limit < available || available == 0) {
			available = limit
		}
	}
	return available
}

// limitFiles returns the files in which the limits of a process's control group stand, and
// of those above it, by the texts of its files cgroup and mountinfo. A container sees its
// own group, or that of the machine under another path: then the mounted one counts.
func limitFiles(groups, mounts string) []string {
	const v1, v2 = "memory.limit_in_bytes", "memory.max"
	of := make(map[string]string) // the path of the group by the name of the file
	for line := range strings.Lines(groups) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(f) < 3:
		case f[1] == "":
			of[v2] = f[2]
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			of[v1] = f[2]
		}
	}
	files := []string{"/sys/fs/cgroup/" + v2, "/sys/fs/cgroup/memory/" + v1}
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		mount, system := strings.Fields(before), strings.Fields(after)
		if len(mount) < 5 || len(system) < 3 {
			continue
		}
		name := v2
		if system[0] == "cgroup" && slices.Contains(strings.Split(system[2], ","), "memory") {
			name = v1
		} else if system[0] != "cgroup2" {
			continue
		}
		root, point := mount[3], mount[4]
		below, inside := strings.CutPrefix(of[name], strings.TrimSuffix(root, "/"))
		if !inside || strings.Contains(below, "..") {
			below = ""
		}
		for below = path.Join("/", below); ; below = path.Dir(below) {
			files = append(files, path.Join(point, below, name))
			if below == "/" {
				break
			}
		}
	}
	return files
}
