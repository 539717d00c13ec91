package lanes

import "math"

// The formulas are those of internal/asm/f64/fma.go.

const (
	splitter     = 1<<27 + 1
	below, above = 1 - 0x1p-51, 1 + 0x1p-51
	leastFactor  = 0x1p-400
)

var minusZero = math.Copysign(0, -1)

// refuseSmall gives 0 back where a number of a panel is small, but not 0: then a product may underflow.
func (f *function) refuseSmall(panel local, end expr) {
	at, small := f.variable(i32), f.variable(v128)
	at.set(panel.expr)
	small.set(two(0))
	f.repeat(func() {
		for i := range uint64(columns / 2) {
			v := f.let(loadTwo(at.expr, i*2*size))
			small.set(or(small.expr, and(less(abs(v), two(leastFactor)), differ(v, two(0)))))
		}
		at.set(addInt(at.expr, constant(columns*size)))
	}, lessInt(at.expr, end))
	f.when(anyOf(small.expr), func() { f.giveBack(constant(0)) })
}

// refuse gives a number back where a bit is set in what a test says of one of the sums.
func (f *function) refuse(number expr, s []local, test func(s expr) expr) {
	any := test(s[0].expr)
	for _, v := range s[1:] {
		any = or(any, test(v.expr))
	}
	f.when(anyOf(any), func() { f.giveBack(number) })
}

// factor is a number of two lanes as the sum of two of half its digits.
type factor struct{ all, high, low expr }

func (f *function) split(x expr) factor {
	x = f.let(x)
	c := f.let(mul(two(splitter), x))
	high := f.let(sub(c, sub(c, x)))
	return factor{x, high, f.let(sub(x, high))}
}

// steps runs the k steps of the chains of some rows.
func (f *function) steps(s []local, a, b, k local, step func(f *function, s []local, x, y []expr)) {
	x, y, l := f.variable(i32), f.variable(i32), f.variable(i32)
	x.set(a.expr)
	y.set(b.expr)
	l.set(constant(0))
	f.repeat(func() {
		var xs, ys []expr
		for i := range uint64(side) {
			xs = append(xs, f.let(loadTwice(x.expr, i*size)))
		}
		for j := range uint64(columns / 2) {
			ys = append(ys, f.let(loadTwo(y.expr, 2*j*size)))
		}
		step(f, s, xs, ys)
		x.set(addInt(x.expr, constant(rows*size)))
		y.set(addInt(y.expr, constant(columns*size)))
		l.set(addInt(l.expr, constant(1)))
	}, lessInt(l.expr, k.expr))
}

func productStep(f *function, s []local, x, y []expr) {
	var xs []factor
	for _, v := range x {
		xs = append(xs, f.split(v))
	}
	for j, v := range y {
		w := f.split(v)
		for i, v := range xs {
			f.fma(s[i*len(y)+j], v, w)
		}
	}
}

func squareStep(f *function, s []local, x, y []expr) {
	for i, v := range x {
		for j, w := range y {
			d := f.split(sub(v, w))
			f.fma(s[i*len(y)+j], d, d)
		}
	}
}

// fma adds a product to a sum.
func (f *function) fma(s local, x, y factor) {
	p := f.let(mul(x.all, y.all))
	h := f.let(add(p, s.expr))
	a := f.let(f.sumError(p, s.expr, h))
	b := f.let(add(add(add(sub(mul(x.high, y.high), p), mul(x.high, y.low)), mul(x.low, y.high)), mul(x.low, y.low)))
	t := f.let(add(a, b))
	s.set(add(h, mul(t, two(below))))
	f.when(anyOf(differ(s.expr, add(h, mul(t, two(above))))), func() {
		// a + b rounded to odd (Boldo and Melquiond 2008): towards 0, with the last bit set where something is lost.
		rest := f.let(f.sumError(a, b, t))
		lost := f.let(differ(rest, two(0)))
		odd := or(addBits(t, and(signs(xor(t, rest)), lost)), lowestBit(lost))
		s.set(add(h, odd))
	})
}

// sumError is p + s − h for h = fl(p + s).
func (f *function) sumError(p, s, h expr) expr {
	b := f.let(sub(h, p))
	return add(sub(p, sub(h, b)), sub(s, b))
}
