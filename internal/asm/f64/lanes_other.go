//go:build purego || !(amd64 || arm64)

package f64

func addLanes(s *Lanes, x []float64)           { addLanesGo(s, x) }
func addProductLanes(s *Lanes, x, y []float64) { addProductLanesGo(s, x, y) }
func addScaledProductLanes(s *Lanes, x, y []float64, sx, sy float64) {
	addScaledProductLanesGo(s, x, y, sx, sy)
}
func maxAbsBits(x []float64) uint64 { return maxAbsBitsGo(x) }
func allFinite(x []float64) bool    { return allFiniteGo(x) }
