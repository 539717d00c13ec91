package gram

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// tile is a rectangle of a kernel matrix that is being filled.
type tile struct {
	data       []float64
	stride     int
	rows, cols int
}

func (t tile) row(i int) []float64 { return t.data[i*t.stride : i*t.stride+t.cols] }

// each replaces every entry of the tile by f of it.
func (t tile) each(f func(float64) float64) {
	for i := range t.rows {
		row := t.row(i)
		for j, v := range row {
			row[j] = f(v)
		}
	}
}

// The pair loops fill a tile with one number for each pair of a row
// x = a[i0+i] and a row y = b[j0+j]. Each entry is one chain over the features
// in ascending order, started at +0, and does not depend on which of the two
// rows comes first, so kernel matrices are symmetric to the last bit. Several
// columns run side by side, which changes no chain; a tile whose last group
// is not full repeats its last row.

// width is the number of columns that run side by side.
const width = 8

// group returns rows j, …, j+7 of b, or its last row (end-1) in their stead.
func group(b *matrix.Dense, j, end int) (y [width][]float64) {
	for t := range y {
		y[t] = b.Row(min(j+t, end-1))
	}
	return y
}

// dots: s = FMA(x_k, y_k, s).
func dots(dst tile, a *matrix.Dense, i0 int, b *matrix.Dense, j0 int) {
	for j := 0; j < dst.cols; j += width {
		y := group(b, j0+j, j0+dst.cols)
		for i := range dst.rows {
			x := a.Row(i0 + i)
			s := dots8(x, &y)
			copy(dst.row(i)[j:], s[:])
		}
	}
}

func dots8(x []float64, y *[width][]float64) [width]float64 {
	n := len(x)
	y0, y1, y2, y3 := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	y4, y5, y6, y7 := y[4][:n], y[5][:n], y[6][:n], y[7][:n]
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range x {
		s0 = math.FMA(v, y0[k], s0)
		s1 = math.FMA(v, y1[k], s1)
		s2 = math.FMA(v, y2[k], s2)
		s3 = math.FMA(v, y3[k], s3)
		s4 = math.FMA(v, y4[k], s4)
		s5 = math.FMA(v, y5[k], s5)
		s6 = math.FMA(v, y6[k], s6)
		s7 = math.FMA(v, y7[k], s7)
	}
	return [width]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// squaredDistances: d = x_k − y_k rounded, s = FMA(d, d, s). The relative error
// is at most (d+4)u for d features, wherever the rows lie.
func squaredDistances(dst tile, a *matrix.Dense, i0 int, b *matrix.Dense, j0 int) {
	for j := 0; j < dst.cols; j += width {
		y := group(b, j0+j, j0+dst.cols)
		for i := range dst.rows {
			x := a.Row(i0 + i)
			s := squaredDistances8(x, &y)
			copy(dst.row(i)[j:], s[:])
		}
	}
}

func squaredDistances8(x []float64, y *[width][]float64) [width]float64 {
	n := len(x)
	y0, y1, y2, y3 := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	y4, y5, y6, y7 := y[4][:n], y[5][:n], y[6][:n], y[7][:n]
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range x {
		d0, d1, d2, d3 := v-y0[k], v-y1[k], v-y2[k], v-y3[k]
		d4, d5, d6, d7 := v-y4[k], v-y5[k], v-y6[k], v-y7[k]
		s0 = math.FMA(d0, d0, s0)
		s1 = math.FMA(d1, d1, s1)
		s2 = math.FMA(d2, d2, s2)
		s3 = math.FMA(d3, d3, s3)
		s4 = math.FMA(d4, d4, s4)
		s5 = math.FMA(d5, d5, s5)
		s6 = math.FMA(d6, d6, s6)
		s7 = math.FMA(d7, d7, s7)
	}
	return [width]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// absoluteDistances: s = s + |x_k − y_k|.
func absoluteDistances(dst tile, a *matrix.Dense, i0 int, b *matrix.Dense, j0 int) {
	for j := 0; j < dst.cols; j += width {
		y := group(b, j0+j, j0+dst.cols)
		for i := range dst.rows {
			x := a.Row(i0 + i)
			s := absoluteDistances8(x, &y)
			copy(dst.row(i)[j:], s[:])
		}
	}
}

func absoluteDistances8(x []float64, y *[width][]float64) [width]float64 {
	n := len(x)
	y0, y1, y2, y3 := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	y4, y5, y6, y7 := y[4][:n], y[5][:n], y[6][:n], y[7][:n]
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, v := range x {
		s0 += math.Abs(v - y0[k])
		s1 += math.Abs(v - y1[k])
		s2 += math.Abs(v - y2[k])
		s3 += math.Abs(v - y3[k])
		s4 += math.Abs(v - y4[k])
		s5 += math.Abs(v - y5[k])
		s6 += math.Abs(v - y6[k])
		s7 += math.Abs(v - y7[k])
	}
	return [width]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// chiSquared: d = x_k − y_k, q = d/(x_k + y_k) rounded twice, or 0 for d = 0,
// s = FMA(d, q, s). With features ≥ 0, |q| ≤ 1 and nothing overflows on the way.
func chiSquared(dst tile, a *matrix.Dense, i0 int, b *matrix.Dense, j0 int) {
	for i := range dst.rows {
		x, row := a.Row(i0+i), dst.row(i)
		for j := range row {
			s := 0.0
			for k, w := range b.Row(j0 + j) {
				d, q := x[k]-w, 0.0
				if d != 0 {
					q = d / (x[k] + w)
				}
				s = math.FMA(d, q, s)
			}
			row[j] = s
		}
	}
}
