// Package lanes writes a WebAssembly module that does what internal/asm/f64 does most, two lanes at a time, for which
// the compiler of Go has no instructions.
package lanes

import "math"

const (
	rows, columns = 8, 8 // of a tile
	size          = 8    // bytes of a number
)

// Module returns the bytes of the module. Its functions are those of f64.Emulation, addresses and lengths in their
// arguments, and it imports the memory go.mem.
func Module() []byte { return module(tile(), exp()) }

// tile(op, c, ldc, a, b, k, load)
func tile() *function {
	f := &function{name: "tile"}
	square, c, ldc, a, b, k, more := f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter()
	for _, panel := range []expr{a.expr, b.expr} {
		f.refuseSmall(panel, k.expr)
	}
	row := f.begin(integer, number(0))
	f.repeat(func() {
		var s [columns / 2]variable
		for i := range s {
			s[i] = f.begin(vector, two(0))
		}
		f.when(more.expr, func() {
			for i := range s {
				s[i].set(load(c.expr, 2*i))
			}
		})
		minusZero := two(math.Copysign(0, -1))
		f.refuse(row.expr, s, func(s expr) expr { return sameBits(s, minusZero) })
		f.when(square.expr, func() {
			f.steps(s, a.expr, b.expr, k.expr, func(x expr) func(y, s expr) expr {
				return func(y, s expr) expr {
					d := f.split(sub(x, y))
					return f.fma(d, d, s)
				}
			})
		})
		f.when(isZero(square.expr), func() {
			f.steps(s, a.expr, b.expr, k.expr, func(x expr) func(y, s expr) expr {
				all := f.split(x)
				return func(y, s expr) expr { return f.fma(all, f.split(y), s) }
			})
		})
		f.refuse(row.expr, s, func(s expr) expr { return sub(s, s) }) // 0 of what is finite
		for i := range s {
			f.store(c.expr, 2*i, s[i].expr)
		}
		c.set(plus(c.expr, times(ldc.expr, number(size))))
		a.set(plus(a.expr, number(size)))
		row.set(plus(row.expr, number(1)))
	}, lessInt(row.expr, number(rows)))
	f.giveBack(row.expr)
	return f
}

// refuseSmall gives 0 back where a number of the k steps of a panel is small.
func (f *function) refuseSmall(panel, k expr) {
	at := f.begin(integer, panel)
	bad := f.begin(vector, two(0))
	f.repeat(func() {
		for i := range columns / 2 {
			bad.set(or(bad.expr, small(f.let(load(at.expr, 2*i)))))
		}
		at.set(plus(at.expr, number(columns*size)))
	}, lessInt(at.expr, plus(panel, times(k, number(columns*size)))))
	f.when(anyBit(bad.expr), func() { f.giveBack(number(0)) })
}

// refuse gives a number back where what is said of one of the sums has a bit.
func (f *function) refuse(result expr, sums [columns / 2]variable, of func(s expr) expr) {
	bad := two(0)
	for _, s := range sums {
		bad = or(bad, of(s.expr))
	}
	f.when(anyBit(bad), func() { f.giveBack(result) })
}

// steps takes the k steps of the chains of a row, whose numbers of a panel are at a.
func (f *function) steps(s [columns / 2]variable, a, b, k expr, step func(x expr) func(y, s expr) expr) {
	x, y, l := f.begin(integer, a), f.begin(integer, b), f.begin(integer, number(0))
	f.repeat(func() {
		then := step(f.let(loadTwice(x.expr, 0)))
		for i := range s {
			s[i].set(then(load(y.expr, 2*i), s[i].expr))
		}
		x.set(plus(x.expr, number(rows*size)))
		y.set(plus(y.expr, number(columns*size)))
		l.set(plus(l.expr, number(1)))
	}, lessInt(l.expr, k))
}
