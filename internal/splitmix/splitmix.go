// Package splitmix makes the project's random numbers: the same ones for a seed on every
// platform, for ever.
package splitmix

import "math/bits"

// Random is the SplitMix64 generator (Steele, Lea & Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014); its value in the beginning is the seed.
type Random uint64

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// At returns number i, from 0, of those that Next returns for a seed.
func At(seed, i uint64) uint64 {
	r := Random(seed + i*0x9e3779b97f4a7c15)
	return r.Next()
}

// Below returns a number from 0 to n−1, all equally likely: the high half of n times a
// random word, where low halves below 2⁶⁴ mod n are drawn again (Lemire 2019).
func (r *Random) Below(n int) int {
	for {
		hi, lo := bits.Mul64(r.Next(), uint64(n))
		if lo >= -uint64(n)%uint64(n) {
			return int(hi)
		}
	}
}

// Shuffle puts v into a random order: its first k places, by as many steps of a
// Fisher–Yates shuffle from the front.
func (r *Random) Shuffle(v []int, k int) {
	for i := range k {
		j := i + r.Below(len(v)-i)
		v[i], v[j] = v[j], v[i]
	}
}
