package matrix

import "math"

// The inner loops of small products and solves. Which entries run side by side,
// and in which order memory is walked, is free; the chain of an entry is not.

// axpys runs the chains of one row: c[j] = FMA(coef[k], rows[k*stride+j], c[j])
// for k ascending.
func axpys(c, coef, rows []float64, stride int) {
	n := len(c)
	k := 0
	for ; k+4 <= len(coef); k += 4 {
		axpy4(c, coef[k:k+4],
			rows[k*stride:k*stride+n], rows[(k+1)*stride:(k+1)*stride+n],
			rows[(k+2)*stride:(k+2)*stride+n], rows[(k+3)*stride:(k+3)*stride+n])
	}
	for ; k < len(coef); k++ {
		axpy(c, coef[k], rows[k*stride:k*stride+n])
	}
}

// axpy4 is four steps of the chains of c.
func axpy4(c, coef, r0, r1, r2, r3 []float64) {
	a0, a1, a2, a3 := coef[0], coef[1], coef[2], coef[3]
	r0, r1, r2, r3 = r0[:len(c)], r1[:len(c)], r2[:len(c)], r3[:len(c)]
	for j, s := range c {
		s = math.FMA(a0, r0[j], s)
		s = math.FMA(a1, r1[j], s)
		s = math.FMA(a2, r2[j], s)
		s = math.FMA(a3, r3[j], s)
		c[j] = s
	}
}

// axpy is one step of the chains of c: c[j] = FMA(a, r[j], c[j]).
func axpy(c []float64, a float64, r []float64) {
	r = r[:len(c)]
	for j, s := range c {
		c[j] = math.FMA(a, r[j], s)
	}
}

// axpyRows continues the chains dst[j] over k with x[k]·a[k,j].
func axpyRows(dst []float64, a *Dense, x []float64) {
	if len(dst) > 0 {
		axpys(dst, x, a.Data, a.Stride)
	}
}

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
			s = math.FMA(v, x[k], s)
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
		s0 = math.FMA(r0[k], v, s0)
		s1 = math.FMA(r1[k], v, s1)
		s2 = math.FMA(r2[k], v, s2)
		s3 = math.FMA(r3[k], v, s3)
		s4 = math.FMA(r4[k], v, s4)
		s5 = math.FMA(r5[k], v, s5)
		s6 = math.FMA(r6[k], v, s6)
		s7 = math.FMA(r7[k], v, s7)
	}
	dst[0], dst[1], dst[2], dst[3], dst[4], dst[5], dst[6], dst[7] = s0, s1, s2, s3, s4, s5, s6, s7
}
