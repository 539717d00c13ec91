package cv

import "math/bits"

// splitMix is the SplitMix64 generator (Steele, Lea & Flood 2014): the same
// numbers for a seed on every platform, for ever.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n−1, all equally likely: the high half of
// n times a random word, where low halves below 2⁶⁴ mod n are drawn again
// (Lemire 2019).
func (s *splitMix) below(n int) int {
	for {
		hi, lo := bits.Mul64(s.next(), uint64(n))
		if lo >= -uint64(n)%uint64(n) {
			return int(hi)
		}
	}
}

// shuffle puts v into a random order (Fisher–Yates, from the front).
func (s *splitMix) shuffle(v []int) {
	for i := range v {
		j := i + s.below(len(v)-i)
		v[i], v[j] = v[j], v[i]
	}
}
