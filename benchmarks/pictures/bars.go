package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// bars shows the first table of docs/benchmarks.md: the time of each peer over that of kfda.
func bars(_ context.Context, root string) (*picture, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "benchmarks.md"))
	if err != nil {
		return nil, err
	}
	_, table, ok := strings.Cut(string(text), "| job | kfda | peer | its time | × |")
	if !ok {
		return nil, errors.New("docs/benchmarks.md has no summary")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(table, "\n")[2:] // after the heads and the line below them
	p := &picture{width: 640, height: 60 + 24*float64(len(lines))}
	h := axis{min: 0.5, max: 10, from: 330, to: 530, log: true}
	bottom := p.height - 26
	for _, v := range []float64{0.5, 1, 2, 5, 10} {
		p.line(h.at(v), 30, h.at(v), bottom, faint)
		p.text(h.at(v), bottom+16, "middle", "%g", v)
	}
	p.text(14, 20, "start", "time of the peer over that of kfda; right of 1 kfda is faster")
	for i, line := range lines {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		ratio, err := strconv.ParseFloat(cells[4], 64)
		if err != nil {
			return nil, err
		}
		y := 34 + 24*float64(i)
		from, to := h.at(min(1, ratio)), h.at(max(1, ratio))
		colour := colours[0]
		if ratio < 1 {
			colour = colours[1]
		}
		p.bar(from, y, max(to-from, 1), 16, colour, 1)
		p.text(h.from-10, y+12, "end", "%s", cells[0])
		p.text(max(to, h.at(1))+6, y+12, "start", "%s %s", cells[4], cells[2])
	}
	p.line(h.at(1), 30, h.at(1), bottom, ink)
	return p, nil
}
