package matrix

import "github.com/seed92411348/kfda/internal/asm/f64"

// The inner loops of small products and solves. Which entries run side by side,
// and in which order memory is walked, is free; the chain of an entry is not.

// dotRows continues the chains dst[i] over k with a[i,k]·x[k], eight rows at a
// time.
func dotRows(dst []float64, a *Dense, x []float64) {
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		dots8(dst[i:i+8], a, i, x)
	}
	for ; i < len(dst); i++ {
		s := dst[i]
		for k, v := range a.Row(i) {
			s = f64.FMA(v, x[k], s)
		}
		dst[i] = s
	}
}

func dots8(dst []float64, a *Dense, i int, x []float64) {
	n := len(x)
	r0, r1, r2, r3 := a.Row(i)[:n], a.Row(i + 1)[:n], a.Row(i + 2)[:n], a.Row(i + 3)[:n]
	r4, r5, r6, r7 := a.Row(i + 4)[:n], a.Row(i + 5)[:n], a.Row(i + 6)[:n], a.Row(i + 7)[:n]
	s0, s1, s2, s3, s4, s5, s6, s7 := dst[0], dst[1], dst[2], dst[3], dst[4], dst[5], dst[6], dst[7]
	for k, v := range x {
		s0 = f64.FMA(r0[k], v, s0)
		s1 = f64.FMA(r1[k], v, s1)
		s2 = f64.FMA(r2[k], v, s2)
		s3 = f64.FMA(r3[k], v, s3)
		s4 = f64.FMA(r4[k], v, s4)
		s5 = f64.FMA(r5[k], v, s5)
		s6 = f64.FMA(r6[k], v, s6)
		s7 = f64.FMA(r7[k], v, s7)
	}
	dst[0], dst[1], dst[2], dst[3], dst[4], dst[5], dst[6], dst[7] = s0, s1, s2, s3, s4, s5, s6, s7
}
