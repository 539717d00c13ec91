package lanes

import "math"

// The formulas are those of fma in internal/asm/f64, where they are explained, but for what is in doubt.

const (
	below, above = 1 - 0x1p-51, 1 + 0x1p-51
	leastFactor  = 0x1p-400
	half         = 1 << 26 // of the last digit of the upper half of a number
)

// factor is a number of both lanes, as the sum of two of half its digits.
type factor struct{ all, high, low expr }

// split rounds to the upper half of the digits: in its bits, a number is an integer.
func (f *function) split(x expr) factor {
	x = f.let(x)
	high := f.let(and(addBits(x, twoBits(half)), twoBits(-2*half&math.MaxUint64)))
	return factor{x, high, f.let(sub(x, high))}
}

// fma returns F(x, y, s), of factors that are 0 or not small, or a number that is not finite.
func (f *function) fma(x, y factor, s expr) expr {
	s = f.let(s)
	p := f.let(mul(x.all, y.all))
	h := f.let(add(p, s))
	a := f.let(f.sumError(p, s, h))
	b := f.let(add(add(add(sub(mul(x.high, y.high), p), mul(x.high, y.low)), mul(y.high, x.low)), mul(x.low, y.low)))
	t := f.let(add(a, b))
	r := f.begin(vector, add(h, mul(t, two(below))))
	f.when(anyBit(differ(r.expr, add(h, mul(t, two(above))))), func() {
		// a + b rounded to odd, which can be rounded again (Boldo and Melquiond 2008): towards 0, and where something
		// is lost the last digit is 1. So h + that is F: b is at most a unit in the last place of h where a is not 0.
		// t − t is 0, or makes a lane that is not finite stay so.
		rest := f.let(f.sumError(a, b, t))
		lost := f.let(differ(rest, two(0)))
		towards0 := addBits(t, and(rightSigned(xor(t, rest), 63), lost))
		r.set(add(h, add(or(towards0, right(lost, 63)), sub(t, t))))
	})
	return r.expr
}

// sumError returns p + s − h for h = fl(p + s).
func (f *function) sumError(p, s, h expr) expr {
	b := f.let(sub(h, p))
	return add(sub(p, sub(h, b)), sub(s, b))
}

// small says which lanes are too small for fma, but not 0.
func small(v expr) expr { return and(less(abs(v), two(leastFactor)), differ(v, two(0))) }

func isMinusZero(s expr) expr { return sameBits(s, two(math.Copysign(0, -1))) }
func notFinite(s expr) expr   { return sub(s, s) } // 0 of what is

func each(s four, of func(s expr) expr) []expr {
	var all []expr
	for _, v := range s {
		all = append(all, of(v.expr))
	}
	return all
}
