package solve

// splitMix makes numbers without a pattern, always the same ones (Steele, Lea &
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
type splitMix uint64

// fill fills x with the next numbers, uniform in [-1, 1).
func (s *splitMix) fill(x []float64) {
	for i := range x {
		*s += 0x9e3779b97f4a7c15
		z := uint64(*s)
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		x[i] = float64(float64(int64(z)>>11) * 0x1p-52)
	}
}
