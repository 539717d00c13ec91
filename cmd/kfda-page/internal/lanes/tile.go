// Package lanes writes a WebAssembly module that does the tiles of internal/asm/f64 two lanes at a time, for which
// Go's compiler has no instructions.
package lanes

const (
	rows, columns = 8, 8 // of a tile
	side          = 2    // rows that are done side by side, so that the chains need not wait
	size          = 8    // bytes of a number
)

// Module returns the bytes of the module. It imports the memory go.mem and exports
//
//	tile(op, c, ldc, a, b, k, load) rows
//
// which is f64.Tile for whole tiles of 8×8 and the ops product (0) and squared distance (1), with addresses in place of
// slices. It ends before a row, and returns its number, where the formulas may not hold: 8 when all is done.
func Module() []byte {
	f := &function{params: 7}
	square, c, ldc, a, b, k, load := f.param(0), f.param(1), f.param(2), f.param(3), f.param(4), f.param(5), f.param(6)
	ldc.set(mulInt(ldc.expr, constant(size)))
	for _, panel := range []local{a, b} {
		f.refuseSmall(panel, addInt(panel.expr, mulInt(k.expr, constant(rows*size))))
	}
	row := f.variable(i32)
	f.repeat(func() {
		at := []expr{c.expr}
		for range side - 1 {
			next := f.variable(i32)
			next.set(addInt(at[len(at)-1], ldc.expr))
			at = append(at, next.expr)
		}
		s := make([]local, side*columns/2)
		for i := range s {
			s[i] = f.variable(v128)
			s[i].set(two(0))
		}
		f.when(load.expr, func() {
			for i := range s {
				s[i].set(loadTwo(at[i/4], uint64(i%4*2*size)))
			}
		})
		f.refuse(row.expr, s, func(s expr) expr { return sameBits(s, two(minusZero)) })
		f.when(square.expr, func() { f.steps(s, a, b, k, squareStep) })
		f.when(op(0x45, square.expr), func() { f.steps(s, a, b, k, productStep) })
		f.refuse(row.expr, s, func(s expr) expr { return sub(s, s) }) // of all that is finite 0
		for i := range s {
			f.store(at[i/4], uint64(i%4*2*size), s[i].expr)
		}
		c.set(addInt(at[side-1], ldc.expr))
		a.set(addInt(a.expr, constant(side*size)))
		row.set(addInt(row.expr, constant(side)))
	}, lessInt(row.expr, constant(rows)))
	f.body = append(f.body, row.expr...)
	return module("tile", f)
}
