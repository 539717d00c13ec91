//go:build !purego && (amd64 || arm64)

package f64

import "math"

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
