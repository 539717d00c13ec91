// Package lanes writes a WebAssembly module that does what internal/asm/f64 does most, two lanes at a time, for which
// the compiler of Go has no instructions.
package lanes

const (
	rows, columns = 8, 8 // of a tile
	size          = 8    // bytes of a number
)

// four is the variables of a row of a tile.
type four [columns / 2]variable

// Module returns the bytes of the module. Its functions are those of f64.Emulation, addresses and lengths in their
// arguments, and it imports the memory go.mem.
func Module() []byte { return module(tile(), doubled(), exp()) }

// tile(op, c, ldc, a, b, k, load), k ≥ 1
func tile() *function {
	f := &function{name: "tile"}
	square, c, ldc, a, b, k, more := f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter()
	for _, panel := range []expr{a.expr, b.expr} {
		f.refuseSmall(panel, k.expr)
	}
	row := f.begin(integer, number(0))
	f.repeat(func() {
		var s four
		for i := range s {
			s[i] = f.begin(vector, two(0))
		}
		f.when(more.expr, func() {
			for i := range s {
				s[i].set(load(c.expr, 2*i))
			}
		})
		f.refuse(row.expr, each(s, isMinusZero)...)
		steps := func(step func(x expr, y [columns / 2]expr)) {
			f.steps(a.expr, number(rows*size), b.expr, number(columns*size), k.expr, step)
		}
		f.when(square.expr, func() {
			steps(func(x expr, y [columns / 2]expr) {
				for i := range s {
					d := f.split(sub(x, y[i]))
					s[i].set(f.fma(d, d, s[i].expr))
				}
			})
		})
		f.when(isZero(square.expr), func() {
			steps(func(x expr, y [columns / 2]expr) {
				all := f.split(x)
				for i := range s {
					s[i].set(f.fma(all, f.split(y[i]), s[i].expr))
				}
			})
		})
		f.refuse(row.expr, each(s, notFinite)...)
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
	f.refuse(number(0), bad.expr)
}

// refuse gives a number back where one of the others has a bit.
func (f *function) refuse(result expr, bad ...expr) {
	any := bad[0]
	for _, b := range bad[1:] {
		any = or(any, b)
	}
	f.when(anyBit(any), func() { f.giveBack(result) })
}

// steps takes the k steps of four vectors of chains: x is in both lanes, y is eight numbers.
func (f *function) steps(x, dx, y, dy, k expr, step func(x expr, y [columns / 2]expr)) {
	atX, atY, l := f.begin(integer, x), f.begin(integer, y), f.begin(integer, number(0))
	f.repeat(func() {
		var ys [columns / 2]expr
		for i := range ys {
			ys[i] = load(atY.expr, 2*i)
		}
		step(f.let(loadTwice(atX.expr, 0)), ys)
		atX.set(plus(atX.expr, dx))
		atY.set(plus(atY.expr, dy))
		l.set(plus(l.expr, number(1)))
	}, lessInt(l.expr, k))
}
