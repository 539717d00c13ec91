package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// writeMachine prints the date, the machine and how busy it was.
func writeMachine(w io.Writer, loadBefore string) {
	fmt.Fprintf(w, "\n- %s, %s/%s, %s, processors: %d, memory: %s\n", time.Now().UTC().Format(time.DateOnly),
		runtime.GOOS, runtime.GOARCH, field("/proc/cpuinfo", "model name"), runtime.NumCPU(), field("/proc/meminfo", "MemTotal"))
	if family := field("/proc/cpuinfo", "cpu family"); family != unknown {
		fmt.Fprintf(w, "- processor family %s, model %s\n", family, field("/proc/cpuinfo", "model"))
	}
	fmt.Fprintf(w, "- load average (1, 5, 15 minutes): %s before, %s after; huge pages: %s\n", loadBefore, loadAverage(),
		field("/sys/kernel/mm/transparent_hugepage/enabled", ""))
}

const unknown = "unknown"

// field returns the value of the first line "name : value" of a file, or its first
// line where the name is empty.
func field(file, name string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(data)) {
		if name == "" {
			return strings.TrimSpace(line)
		}
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}

// loadAverage returns how many processes wanted to run.
func loadAverage() string {
	words := strings.Fields(field("/proc/loadavg", ""))
	return strings.Join(words[:min(3, len(words))], " ")
}
