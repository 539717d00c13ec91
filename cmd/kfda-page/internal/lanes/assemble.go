package lanes

import (
	"encoding/binary"
	"math"
)

// expr is instructions that leave a value: of operands first, as WebAssembly wants them.
type expr []byte

const (
	i32  = 0x7f
	v128 = 0x7b
)

// Instructions by their codes in the specification of WebAssembly 2.0, section 5.4.
func op(code byte, operands ...expr) expr { return append(join(operands), code) }

// opLanes is op for those of vectors.
func opLanes(code uint64, operands ...expr) expr {
	return binary.AppendUvarint(append(join(operands), 0xfd), code)
}

func join(parts []expr) expr {
	var all expr
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func constant(v int64) expr    { return appendSigned(expr{0x41}, v) }
func addInt(a, b expr) expr    { return op(0x6a, a, b) }
func mulInt(a, b expr) expr    { return op(0x6c, a, b) }
func lessInt(a, b expr) expr   { return op(0x48, a, b) }
func add(a, b expr) expr       { return opLanes(0xf0, a, b) }
func sub(a, b expr) expr       { return opLanes(0xf1, a, b) }
func mul(a, b expr) expr       { return opLanes(0xf2, a, b) }
func abs(a expr) expr          { return opLanes(0xec, a) }
func less(a, b expr) expr      { return opLanes(0x49, a, b) }
func differ(a, b expr) expr    { return opLanes(0x48, a, b) }
func and(a, b expr) expr       { return opLanes(0x4e, a, b) }
func or(a, b expr) expr        { return opLanes(0x50, a, b) }
func xor(a, b expr) expr       { return opLanes(0x51, a, b) }
func anyOf(a expr) expr        { return opLanes(0x53, a) }
func sameBits(a, b expr) expr  { return opLanes(0xd6, a, b) }
func addBits(a, b expr) expr   { return opLanes(0xce, a, b) }
func signs(a expr) expr        { return opLanes(0xcc, a, constant(63)) } // all bits of the lane
func lowestBit(mask expr) expr { return opLanes(0xcd, mask, constant(63)) }
func loadTwo(at expr, offset uint64) expr {
	return binary.AppendUvarint(append(opLanes(0, at), 3), offset)
}
func loadTwice(at expr, offset uint64) expr { // one number in both lanes
	return binary.AppendUvarint(append(opLanes(0x0a, at), 3), offset)
}
func two(v float64) expr {
	e := opLanes(0x0c)
	for range 2 {
		e = binary.LittleEndian.AppendUint64(e, math.Float64bits(v))
	}
	return e
}

func appendSigned(b []byte, v int64) []byte {
	for ; v < -64 || v > 63; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

// function is a function whose parameters and result are integers.
type function struct {
	params int
	locals []byte // their types
	body   []byte
}

// local is a variable of a function.
type local struct {
	expr
	f  *function
	at uint64
}

func (f *function) param(i int) local {
	return local{binary.AppendUvarint(expr{0x20}, uint64(i)), f, uint64(i)}
}

func (f *function) variable(kind byte) local {
	f.locals = append(f.locals, kind)
	return f.param(f.params + len(f.locals) - 1)
}

func (v local) set(e expr) {
	v.f.body = binary.AppendUvarint(append(append(v.f.body, e...), 0x21), v.at)
}

// let is a new variable of two lanes.
func (f *function) let(e expr) expr {
	v := f.variable(v128)
	v.set(e)
	return v.expr
}

func (f *function) store(at expr, offset uint64, e expr) {
	f.body = append(f.body, opLanes(0x0b, at, e)...)
	f.body = binary.AppendUvarint(append(f.body, 3), offset)
}

func (f *function) when(e expr, then func()) {
	f.body = append(append(f.body, e...), 0x04, 0x40)
	then()
	f.body = append(f.body, 0x0b)
}

// repeat does something at least once, and again while the expression is not 0.
func (f *function) repeat(do func(), while expr) {
	f.body = append(f.body, 0x03, 0x40)
	do()
	f.body = append(append(f.body, while...), 0x0d, 0, 0x0b)
}

func (f *function) giveBack(e expr) { f.body = append(append(f.body, e...), 0x0f) }

// module returns the bytes of a module of one function, of the memory that it imports.
func module(name string, f *function) []byte {
	vector := func(items ...[]byte) []byte {
		b := binary.AppendUvarint(nil, uint64(len(items)))
		for _, item := range items {
			b = append(b, item...)
		}
		return b
	}
	sized := func(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }
	text := func(s string) []byte { return sized([]byte(s)) }
	kinds := binary.AppendUvarint([]byte{0x60}, uint64(f.params))
	for range f.params {
		kinds = append(kinds, i32)
	}
	var locals [][]byte
	for _, kind := range f.locals {
		locals = append(locals, []byte{1, kind})
	}
	b := []byte("\x00asm\x01\x00\x00\x00")
	for _, section := range []struct {
		id   byte
		item []byte
	}{
		{1, append(kinds, 1, i32)},
		{2, append(append(text("go"), text("mem")...), 2, 0, 0)},
		{3, []byte{0}},
		{7, append(text(name), 0, 0)},
		{10, sized(append(append(vector(locals...), f.body...), 0x0b))},
	} {
		b = append(append(b, section.id), sized(vector(section.item))...)
	}
	return b
}
