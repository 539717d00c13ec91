package f64

import "unsafe"

// goTile is fullTile in Go, for tiles of any shape.
func goTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool) {
	rows := shape.Rows
	cs := unsafe.Slice(c, (rows-1)*ldc+width)
	as := unsafe.Slice(a, k*rows)
	bs := unsafe.Slice(b, k*width)
	for i := range rows {
		// Four chains at a time, so that they run side by side.
		for j := 0; j < width; j += 4 {
			s := (*[4]float64)(cs[i*ldc+j:])
			if !load {
				*s = [4]float64{}
			}
			switch op {
			case Product:
				productGo(s, as[i:], rows, bs[j:], width, k)
			case SquaredDistance:
				sqDistGo(s, as[i:], rows, bs[j:], width, k)
			case ManhattanDistance:
				l1DistGo(s, as[i:], rows, bs[j:], width, k)
			case ChiSquared:
				chiSqGo(s, as[i:], rows, bs[j:], width, k)
			}
		}
	}
}
