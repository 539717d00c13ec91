package f64

import "math"

// Exp returns e^x with an error below 0.6 units in the last place, below 0.8
// of 2⁻¹⁰⁷⁴ where the result is subnormal.
//
// Special values: Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN,
// Exp(±0) = 1 exactly. Arguments above 709.78271289338397 give +Inf,
// arguments below -745.13321910194122 give 0. The sequence of operations is the same on
// every platform, and so are the bits (of every result but NaN).
//
// # Method
//
// With k the integer nearest to 8x/ln 2, k = 8n + j, 0 ≤ j < 8,
//
//	e^x = 2^n · 2^(j/8) · e^r,    r = x - (k/8)·ln 2,    |r| ≤ R = ln 2/16
//
// Reduction. z = fl(x·log₂e + M) with M = 1.5·2⁴⁹ + 2046 is a multiple of 1/8, so
// z - M = k/8 exactly and the low bits of z hold k + 8·2046. The double
// ln2Hi is a multiple of 2⁻⁵³, so (k/8)·ln2Hi is a multiple of 2⁻⁵⁶ and
// rh = x - (k/8)·ln2Hi, of magnitude below 2^(-4.5), is exact as one fused
// operation. Subtracting (k/8)·ln2Lo rounds once, by at most 2⁻⁵⁸.
//
// Polynomial. e^r ≈ 1 + r + r²·q(r), q of degree 5. q interpolates
// (e^r - 1 - r)/r² at the points ±√t, t the three positive zeros of the
// Chebyshev polynomial T₄ moved so that its smallest zero is 0 and its right
// end is R²: with the double zero at 0 the error, close to a multiple of r⁸, is
// then spread evenly and stays below 2^(-58.2). The coefficients are rounded to
// float64; a test computes them again.
//
// Table. 2^(j/8) = T(1 + t), T rounded to float64 and t the relative rest, of
// which 20 bits are kept. The two halves of t's representation are equal, so
// that a lookup of 32-bit words finds it as well.
//
// Result. s = r²q(r) + t, p = r + s, y = T + T·p, times 2^n in two factors,
// of which the first is exact and the second rounds subnormal results.
//
// Error, in units of 2⁻⁵², the last place of a result in [1, 2): 0.5 for the
// last operation; r and p round by 2⁻⁵⁸ each, times T that is T/64 each; the
// polynomial T/72; t·p, which is left out, T·0.05·2⁵²|t|. The sum is largest
// for T = 1.83, 0.59. For T = 1 and r < 0 the unit is half as large, which gives 0.59
// too. A subnormal result is rounded a second time: 0.5 + 0.59/2.
func Exp(x float64) float64 {
	// Outside these bounds the result is 0 or +Inf. NaN passes both.
	if x < expMin {
		x = expMin
	}
	if x > expMax {
		x = expMax
	}
	z := FMA(x, log2e, expShift)
	k := z - expShift // k/8 of the text
	r := FMA(-k, ln2Hi, x)
	r = FMA(-k, ln2Lo, r)

	r2 := float64(r * r)
	q := FMA(FMA(expC7, r, expC6), r2, FMA(expC5, r, expC4))
	q = FMA(q, r2, FMA(expC3, r, expC2))

	u := math.Float64bits(z)
	t := &expTable[u&7]
	p := r + FMA(q, r2, t.rest)

	// 2^n as 2^a · 2^b, a = ⌊n/2⌋: u>>4 ends in the biased exponent a + 1023,
	// u>>3 in n + 2046.
	a := u >> 4 << 52
	b := u>>3<<52 - a
	y := float64(t.pow * math.Float64frombits(a))
	y = FMA(y, p, y)
	return float64(y * math.Float64frombits(b))
}

const (
	log2e = 0x1.71547652b82fep+0
	ln2Hi = 0x1.62e42fefa39efp-1
	ln2Lo = 0x1.abc9e3b39803fp-56 // ln 2 - ln2Hi

	expShift = 0x3p+48 + 2046
	expMin   = -746
	expMax   = 710

	expC2 = 0x1.000000000010fp-1
	expC3 = 0x1.55555555555cep-3
	expC4 = 0x1.55555547f6cccp-5
	expC5 = 0x1.1111110b1ff36p-7
	expC6 = 0x1.6c1cc1860e77bp-10
	expC7 = 0x1.a01f570abd61cp-13
)

// expTable holds 2^(j/8) = pow·(1 + rest), j = 0…7.
var expTable = [8]struct{ pow, rest float64 }{
	{0x1.0000000000000p+0, 0},
	{0x1.172b83c7d517bp+0, -0x1.01b15bc801b15p-55},
	{0x1.306fe0a31b715p+0, +0x1.34d753c834d75p-55},
	{0x1.4bfdad5362a27p+0, +0x1.690ce3c7690cep-56},
	{0x1.6a09e667f3bcdp+0, -0x1.3b3efbc93b3efp-54},
	{0x1.8ace5422aa0dbp+0, +0x1.db7303c8db730p-55},
	{0x1.ae89f995ad3adp+0, +0x1.c1a773c8c1a77p-55},
	{0x1.d5818dcfba487p+0, +0x1.4a3853c74a385p-56},
}

// expConsts holds the constants of Exp and Tanh for the assembly, with the
// lookup tables as its instructions want them. AVX2 takes constants from memory
// as whole vectors, so each is there four times.
type expConsts struct {
	min, max, log2e, shift, ln2Hi, ln2Lo [4]float64
	c7, c6, c5, c4, c3, c2               [4]float64 // of Exp
	t8, t7, t6, t5, t4, t3, t2           [4]float64 // of Tanh
	tanhMax, one                         [4]float64
	exponent, magnitude                  [4]uint64 // masks: sign and exponent field; all but the sign

	lanes [8]int64 // four times -1, four times 0: from lanes[4-n:], a mask of n lanes

	pow, rest    [8]float64 // expTable
	powLo, powHi [8]uint32  // the halves of pow, without the exponent field
	restWord     [8]uint32  // either half of rest
}

var expData = func() *expConsts {
	four := func(c float64) [4]float64 { return [4]float64{c, c, c, c} }
	const exponent, magnitude = 0xfff << 52, 1<<63 - 1
	d := &expConsts{
		min: four(expMin), max: four(expMax), log2e: four(log2e), shift: four(expShift), ln2Hi: four(ln2Hi), ln2Lo: four(ln2Lo),
		c7: four(expC7), c6: four(expC6), c5: four(expC5), c4: four(expC4), c3: four(expC3), c2: four(expC2),
		t8: four(tanhC8), t7: four(tanhC7), t6: four(tanhC6), t5: four(tanhC5), t4: four(tanhC4), t3: four(tanhC3), t2: four(tanhC2),
		tanhMax: four(tanhMax), one: four(1),
		exponent:  [4]uint64{exponent, exponent, exponent, exponent},
		magnitude: [4]uint64{magnitude, magnitude, magnitude, magnitude},
		lanes:     [8]int64{-1, -1, -1, -1},
	}
	for j, t := range expTable {
		d.pow[j], d.rest[j] = t.pow, t.rest
		b := math.Float64bits(t.pow) &^ exponent
		d.powLo[j], d.powHi[j] = uint32(b), uint32(b>>32)
		d.restWord[j] = uint32(math.Float64bits(t.rest))
	}
	return d
}()
