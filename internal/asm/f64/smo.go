package f64

import (
	"fmt"
	"math"
)

// The two passes of a step of sequential minimal optimisation. Both look for the
// first of the largest of some values; an entry that may not be chosen is taken out
// by a term that is infinite there and 0 elsewhere.

// PairUpdate follows a step in which two entries of a vector change by di and dj:
// for every t,
//
//	g[t] ← F(−dj, kj[t], F(−di, ki[t], g[t]))
//
// It returns the largest g[t] + rise[t] and the first t that has it, or −Inf and −1
// where none is above −Inf. rise[t] is 0 or −Inf.
func PairUpdate(g, rise []float64, di float64, ki []float64, dj float64, kj []float64) (best float64, at int) {
	n := len(g)
	if len(rise) != n || len(ki) != n || len(kj) != n {
		panic(fmt.Sprintf("f64: PairUpdate: slices of %d, %d, %d and %d", n, len(rise), len(ki), len(kj)))
	}
	c := noCandidates(math.Inf(-1))
	for lo := 0; lo < n; {
		hi := stretch(lo, n)
		if hi-lo >= 8 {
			pairUpdate(&c, lo, g[lo:hi], rise[lo:hi], -di, ki[lo:hi], -dj, kj[lo:hi])
		} else {
			pairUpdateGo(&c, lo, g[lo:hi], rise[lo:hi], -di, ki[lo:hi], -dj, kj[lo:hi])
		}
		lo = hi
	}
	return c.first()
}

// LeastCurvature stands in for a curvature that is not positive.
const LeastCurvature = 1e-12

// LargestGain returns, with
//
//	d = gi − (g[t] + fall[t]),   a = F(−2, ki[t], kii + kd[t]), LeastCurvature where that is not positive,
//
// the largest fl(d·d)/a of the t with d > 0 and the first t that has it, or 0 and −1
// where none is above 0; and gap, the largest d, −Inf where none is above that.
// fall[t] is 0 or +Inf.
func LargestGain(g, fall []float64, gi float64, ki, kd []float64, kii float64) (gap, best float64, at int) {
	n := len(g)
	if len(fall) != n || len(ki) != n || len(kd) != n {
		panic(fmt.Sprintf("f64: LargestGain: slices of %d, %d, %d and %d", n, len(fall), len(ki), len(kd)))
	}
	c, gaps := noCandidates(0), noCandidates(math.Inf(-1)).value
	for lo := 0; lo < n; {
		hi := stretch(lo, n)
		if hi-lo >= 8 {
			largestGain(&c, &gaps, lo, g[lo:hi], fall[lo:hi], gi, ki[lo:hi], kd[lo:hi], kii)
		} else {
			largestGainGo(&c, &gaps, lo, g[lo:hi], fall[lo:hi], gi, ki[lo:hi], kd[lo:hi], kii)
		}
		lo = hi
	}
	gap = gaps[0]
	for _, v := range gaps[1:] {
		if v > gap {
			gap = v
		}
	}
	best, at = c.first()
	return gap, best, at
}

// stretch returns where a stretch of n entries that starts at lo ends: it has whole
// blocks of eight, bounded for the time that a call of assembly takes, or fewer
// entries than a block.
func stretch(lo, n int) int {
	if n-lo < 8 {
		return n
	}
	return lo + min((n-lo)&^7, 1<<13)
}

// candidates are the first largest values of eight interleaved parts; at is −1
// while nothing was larger than the value to begin with.
type candidates struct {
	value [8]float64
	at    [8]int64
}

func noCandidates(value float64) (c candidates) {
	for l := range c.value {
		c.value[l], c.at[l] = value, -1
	}
	return c
}

// first returns the first of the largest.
func (c *candidates) first() (value float64, at int) {
	best := 0
	for l, v := range c.value {
		if v > c.value[best] || v == c.value[best] && uint64(c.at[l]) < uint64(c.at[best]) { // −1 comes last
			best = l
		}
	}
	return c.value[best], int(c.at[best])
}

// The Go forms of the kernels below, which take whole blocks of eight; first is the
// index of the first entry, a multiple of eight.

func pairUpdateGo(c *candidates, first int, g, rise []float64, di float64, ki []float64, dj float64, kj []float64) {
	rise, ki, kj = rise[:len(g)], ki[:len(g)], kj[:len(g)]
	for t, v := range g {
		v = FMA(dj, kj[t], FMA(di, ki[t], v))
		g[t] = v
		if l := t % 8; v+rise[t] > c.value[l] {
			c.value[l], c.at[l] = v+rise[t], int64(first+t)
		}
	}
}

func largestGainGo(c *candidates, gaps *[8]float64, first int, g, fall []float64, gi float64, ki, kd []float64, kii float64) {
	fall, ki, kd = fall[:len(g)], ki[:len(g)], kd[:len(g)]
	for t, v := range g {
		l, d := t%8, gi-(v+fall[t])
		if d > gaps[l] {
			gaps[l] = d
		}
		if !(d > 0) {
			continue
		}
		a := FMA(-2, ki[t], kii+kd[t])
		if !(a > 0) {
			a = LeastCurvature
		}
		if gain := float64(d*d) / a; gain > c.value[l] {
			c.value[l], c.at[l] = gain, int64(first+t)
		}
	}
}
