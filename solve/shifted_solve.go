package solve

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// solveBlock is the number of consecutive unknowns whose products are taken
// together. It decides the order of memory accesses, never a result.
const solveBlock = 32

// Solve overwrites the n×r right-hand sides B = re + i·im by the solution X of
// (K − iσI)X = B. Each entry is one chain of complex multiply-subtracts:
//
//	i ↑:  z_i = B_i;  k = 0 … i-1 ↑: z_i −= L(i,k) z_k
//	i ↓:  x_i = z_i / D(i);  k = n-1 … i+1 ↓: x_i −= L(k,i) x_k
//
// Cost: 8n²r flops.
func (s *Shifted) Solve(re, im *matrix.Dense) {
	n := s.Order()
	mustBe("Shifted.Solve", "real part", re, n, re.Cols)
	mustBe("Shifted.Solve", "imaginary part", im, n, re.Cols)
	var l [2 * solveBlock]float64
	for lo := 0; lo < n; lo += solveBlock {
		hi := min(lo+solveBlock, n)
		for i := lo + 1; i < n; i++ {
			m := min(i, hi) - lo
			for t := range m {
				l[2*t], l[2*t+1] = s.a.Row(i)[lo+t], s.a.Row(lo + t)[i]
			}
			subRows(re, im, i, lo, 1, l[:2*m])
		}
	}
	for i := range n {
		d := pair{s.a.Row(i)[i], s.e[i]}
		t := squaredModulus(d)
		ri, ii := re.Row(i), im.Row(i)
		for r := range ri {
			w := cdiv(pair{ri[r], ii[r]}, d, t)
			ri[r], ii[r] = w.re, w.im
		}
	}
	for hi := n; hi > 0; hi -= solveBlock {
		lo := max(hi-solveBlock, 0)
		for i := hi - 2; i >= 0; i-- {
			m := hi - max(lo, i+1)
			for t := range m {
				l[2*t], l[2*t+1] = s.a.Row(hi - 1 - t)[i], s.a.Row(i)[hi-1-t]
			}
			subRows(re, im, i, hi-1, -1, l[:2*m])
		}
	}
}

// subRows subtracts l_t times row k0 + t·step, for t ↑, from row i. l holds real
// and imaginary parts alternating.
func subRows(re, im *matrix.Dense, i, k0, step int, l []float64) {
	ri, ii := re.Row(i), im.Row(i)
	r := 0
	for ; r+4 <= len(ri); r += 4 {
		subRows4(ri[r:r+4], ii[r:r+4], re, im, r, k0, step, l)
	}
	for ; r < len(ri); r++ {
		x := pair{ri[r], ii[r]}
		k := k0
		for t := 0; t+1 < len(l); t += 2 {
			x = cmac(x, pair{l[t], l[t+1]}, pair{re.Data[k*re.Stride+r], im.Data[k*im.Stride+r]})
			k += step
		}
		ri[r], ii[r] = x.re, x.im
	}
}

// subRows4 is subRows for the four columns from r on.
func subRows4(ri, ii []float64, re, im *matrix.Dense, r, k0, step int, l []float64) {
	r0, r1, r2, r3 := ri[0], ri[1], ri[2], ri[3]
	i0, i1, i2, i3 := ii[0], ii[1], ii[2], ii[3]
	k := k0
	for t := 0; t+1 < len(l); t += 2 {
		lr, li := -l[t], l[t+1]
		u := re.Data[k*re.Stride+r:][:4]
		v := im.Data[k*im.Stride+r:][:4]
		r0 = math.FMA(li, v[0], math.FMA(lr, u[0], r0))
		r1 = math.FMA(li, v[1], math.FMA(lr, u[1], r1))
		r2 = math.FMA(li, v[2], math.FMA(lr, u[2], r2))
		r3 = math.FMA(li, v[3], math.FMA(lr, u[3], r3))
		i0 = math.FMA(-li, u[0], math.FMA(lr, v[0], i0))
		i1 = math.FMA(-li, u[1], math.FMA(lr, v[1], i1))
		i2 = math.FMA(-li, u[2], math.FMA(lr, v[2], i2))
		i3 = math.FMA(-li, u[3], math.FMA(lr, v[3], i3))
		k += step
	}
	ri[0], ri[1], ri[2], ri[3] = r0, r1, r2, r3
	ii[0], ii[1], ii[2], ii[3] = i0, i1, i2, i3
}
