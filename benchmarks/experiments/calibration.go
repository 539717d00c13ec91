package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/matrix"
)

// calibration counts rows by their largest posterior, in ten bins of equal width.
type calibration [10]struct {
	rows, right int
	sum         float64 // of the largest posteriors
}

// add counts the rows of p, whose columns are the classes.
func (c *calibration) add(p *matrix.Dense, labels []int) {
	for i, label := range labels {
		row := p.Row(i)
		largest := slices.Max(row)
		bin := &c[min(int(10*largest), 9)]
		bin.rows++
		bin.sum += largest
		if row[label] == largest {
			bin.right++
		}
	}
}

func (c *calibration) merge(o calibration) {
	for k := range c {
		c[k].rows += o[k].rows
		c[k].right += o[k].right
		c[k].sum += o[k].sum
	}
}

// writeCalibration prints the calibration of fit over all sets, if it has posteriors.
func writeCalibration(b *strings.Builder, all []comparison) {
	var c calibration
	for _, set := range all {
		for _, m := range set.Marks {
			if m.Name == "fit" {
				c.merge(m.posteriors)
			}
		}
	}
	if c == (calibration{}) {
		return
	}
	b.WriteString("\n| largest posterior of fit | rows | mean posterior | share right |\n|---|--:|--:|--:|\n")
	for k, bin := range c {
		if bin.rows > 0 {
			n := float64(bin.rows)
			fmt.Fprintf(b, "| %.1f – %.1f | %d | %.3f | %.3f |\n", float64(k)/10, float64(k+1)/10, bin.rows, bin.sum/n, float64(bin.right)/n)
		}
	}
}

// logLoss returns the mean of −ln of the posteriors of the rows' classes, each at least 2⁻⁵².
func logLoss(p *matrix.Dense, labels []int) float64 {
	sum := 0.0
	for i, label := range labels {
		sum -= math.Log(max(p.At(i, label), 0x1p-52))
	}
	return sum / float64(len(labels))
}
