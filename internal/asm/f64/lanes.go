package f64

import "math"

// Lanes are eight partial sums, for norms and means, where the order of the
// terms is free. Term i of a sum goes to lane i mod 8; Total combines them as a
// tree. The zero value is a sum without terms.
type Lanes [8]float64

// Total returns ((s₀+s₄) + (s₂+s₆)) + ((s₁+s₅) + (s₃+s₇)).
func (s *Lanes) Total() float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// Add adds the terms of x: s[i mod 8] ← s[i mod 8] + x[i].
func (s *Lanes) Add(x []float64) {
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := len(chunk) &^ 7
		if whole > 0 {
			addLanes(s, chunk[:whole])
		}
		for l, v := range chunk[whole:] {
			s[l] += v
		}
	}
}

// AddProducts adds the products of x and y, of the same length:
// s[i mod 8] ← F(x[i], y[i], s[i mod 8]).
func (s *Lanes) AddProducts(x, y []float64) {
	y = y[:len(x)]
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := len(chunk) &^ 7
		if whole > 0 {
			addProductLanes(s, chunk[:whole], y[:whole])
		}
		for l, v := range chunk[whole:] {
			s[l] = FMA(v, y[whole+l], s[l])
		}
		y = y[len(chunk):]
	}
}

// AddScaledProducts adds the products of the scaled x and y, of the same length:
// v = fl(sx·x[i]), w = fl(sy·y[i]), s[i mod 8] ← F(v, w, s[i mod 8]).
func (s *Lanes) AddScaledProducts(x []float64, sx float64, y []float64, sy float64) {
	y = y[:len(x)]
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := len(chunk) &^ 7
		if whole > 0 {
			addScaledProductLanes(s, chunk[:whole], y[:whole], sx, sy)
		}
		for l, v := range chunk[whole:] {
			s[l] = FMA(float64(sx*v), float64(sy*y[whole+l]), s[l])
		}
		y = y[len(chunk):]
	}
}

// MaxAbs returns the largest magnitude in x: +0 for no entries, +Inf or NaN where
// an entry is not finite.
func MaxAbs(x []float64) float64 {
	var m uint64 // magnitudes order like their bits; NaN is above all
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := len(chunk) &^ 7
		if whole > 0 {
			m = max(m, maxAbsBits(chunk[:whole]))
		}
		m = max(m, maxAbsBitsGo(chunk[whole:]))
	}
	return math.Float64frombits(m)
}

// AllFinite reports whether no entry of x is infinite or NaN.
func AllFinite(x []float64) bool {
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := len(chunk) &^ 7
		if whole > 0 && !allFinite(chunk[:whole]) || !allFiniteGo(chunk[whole:]) {
			return false
		}
	}
	return true
}

// The Go forms of the kernels below; len(x) is a multiple of 8 where lanes are
// added to.

func addLanesGo(s *Lanes, x []float64) {
	for ; len(x) > 0; x = x[8:] {
		for l, v := range x[:8] {
			s[l] += v
		}
	}
}

func addProductLanesGo(s *Lanes, x, y []float64) {
	for ; len(x) > 0; x, y = x[8:], y[8:] {
		for l, v := range x[:8] {
			s[l] = FMA(v, y[l], s[l])
		}
	}
}

func addScaledProductLanesGo(s *Lanes, x, y []float64, sx, sy float64) {
	for ; len(x) > 0; x, y = x[8:], y[8:] {
		for l, v := range x[:8] {
			s[l] = FMA(float64(sx*v), float64(sy*y[l]), s[l])
		}
	}
}

func maxAbsBitsGo(x []float64) uint64 {
	var m uint64
	for _, v := range x {
		m = max(m, math.Float64bits(v)&^(1<<63))
	}
	return m
}

func allFiniteGo(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}
