package lanes

import (
	"encoding/binary"
	"math"
)

// expr is instructions that leave a value: those of its operands come first, as WebAssembly wants it.
type expr []byte

// The instructions, by their codes in section 5.4 of the specification of WebAssembly 2.0.

func instruction(code byte, operands ...expr) expr { return append(join(operands), code) }

// lanes is an instruction for vectors.
func lanes(code uint64, operands ...expr) expr {
	return binary.AppendUvarint(append(join(operands), 0xfd), code)
}

func join(parts []expr) expr {
	var all expr
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// Integers of 32 bits.
func number(v int) expr            { return appendSigned(expr{0x41}, v) }
func plus(a, b expr) expr          { return instruction(0x6a, a, b) }
func times(a, b expr) expr         { return instruction(0x6c, a, b) }
func lessInt(a, b expr) expr       { return instruction(0x48, a, b) }
func isZero(a expr) expr           { return instruction(0x45, a) }
func andInt(a expr, bits int) expr { return instruction(0x71, a, number(bits)) }

// Two numbers, with all bits or none for a truth.
func add(a, b expr) expr      { return lanes(0xf0, a, b) }
func sub(a, b expr) expr      { return lanes(0xf1, a, b) }
func mul(a, b expr) expr      { return lanes(0xf2, a, b) }
func abs(a expr) expr         { return lanes(0xec, a) }
func less(a, b expr) expr     { return lanes(0x49, a, b) }
func differ(a, b expr) expr   { return lanes(0x48, a, b) }
func atMost(a, b expr) expr   { return lanes(0xf6, a, b) } // b < a ? b : a
func atLeast(a, b expr) expr  { return lanes(0xf7, a, b) } // a < b ? b : a
func and(a, b expr) expr      { return lanes(0x4e, a, b) }
func or(a, b expr) expr       { return lanes(0x50, a, b) }
func xor(a, b expr) expr      { return lanes(0x51, a, b) }
func anyBit(a expr) expr      { return lanes(0x53, a) } // an integer
func sameBits(a, b expr) expr { return lanes(0xd6, a, b) }
func addBits(a, b expr) expr  { return lanes(0xce, a, b) }
func subBits(a, b expr) expr  { return lanes(0xd1, a, b) }

func left(a expr, n int) expr        { return lanes(0xcb, a, number(n)) }
func right(a expr, n int) expr       { return lanes(0xcd, a, number(n)) }
func rightSigned(a expr, n int) expr { return lanes(0xcc, a, number(n)) }

func two(v float64) expr { return twoBits(math.Float64bits(v)) }

func twoBits(v uint64) expr {
	e := lanes(0x0c)
	for range 2 {
		e = binary.LittleEndian.AppendUint64(e, v)
	}
	return e
}

// Memory, 2³ bytes a number.
func load(at expr, place int) expr      { return memory(lanes(0x00, at), place) }
func loadTwice(at expr, place int) expr { return memory(lanes(0x0a, at), place) } // one number

func memory(e expr, place int) expr { return binary.AppendUvarint(append(e, 3), uint64(place*size)) }

// word is the lower half of a lane, as an integer.
func word(a expr, lane byte) expr { return append(lanes(0x1b, a), 2*lane) }

// of returns lane i of a and lane i of b.
func of(i byte, a, b expr) expr {
	e := lanes(0x0d, a, b)
	for _, from := range []byte{8 * i, 16 + 8*i} {
		for at := range byte(8) {
			e = append(e, from+at)
		}
	}
	return e
}

func appendSigned(b []byte, v int) []byte {
	for ; v < -64 || v > 63; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

// function is a function whose parameters and result are integers.
type function struct {
	name   string
	params int
	locals [][]byte // the types of its other variables
	body   []byte
}

// variable is a variable of a function, an expr being its value.
type variable struct {
	expr
	of *function
	at uint64
}

const integer, vector = 0x7f, 0x7b

func (f *function) variable(at int) variable {
	return variable{binary.AppendUvarint(expr{0x20}, uint64(at)), f, uint64(at)}
}

func (f *function) parameter() variable {
	f.params++
	return f.variable(f.params - 1)
}

func (f *function) begin(kind byte, e expr) variable {
	f.locals = append(f.locals, []byte{1, kind})
	v := f.variable(f.params + len(f.locals) - 1)
	v.set(e)
	return v
}

// let returns a value that is computed here, once.
func (f *function) let(e expr) expr { return f.begin(vector, e).expr }

func (f *function) add(parts ...[]byte) {
	for _, p := range parts {
		f.body = append(f.body, p...)
	}
}

func (v variable) set(e expr) { v.of.add(e, binary.AppendUvarint([]byte{0x21}, v.at)) }

func (f *function) store(at expr, place int, e expr) { f.add(memory(lanes(0x0b, at, e), place)) }

func (f *function) when(e expr, then func()) {
	f.add(e, []byte{0x04, 0x40})
	then()
	f.add([]byte{0x0b})
}

// repeat does something, and again while an integer is not 0.
func (f *function) repeat(do func(), again expr) {
	f.add([]byte{0x03, 0x40})
	do()
	f.add(again, []byte{0x0d, 0, 0x0b})
}

func (f *function) giveBack(e expr) { f.add(e, []byte{0x0f}) }

// module returns a module of functions that work on the memory go.mem, sections after its head.
func module(functions ...*function) []byte {
	var kinds, which, exports, code [][]byte
	for i, f := range functions {
		kind := binary.AppendUvarint([]byte{0x60}, uint64(f.params))
		for range f.params {
			kind = append(kind, integer)
		}
		kinds = append(kinds, append(kind, 1, integer))
		which = append(which, []byte{byte(i)})
		exports = append(exports, append(sized([]byte(f.name)), 0, byte(i)))
		code = append(code, sized(append(list(f.locals), append(f.body, 0x0b)...)))
	}
	imports := append(append(sized([]byte("go")), sized([]byte("mem"))...), 2, 0, 0)
	b := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id    byte
		items [][]byte
	}{{1, kinds}, {2, [][]byte{imports}}, {3, which}, {7, exports}, {10, code}} {
		b = append(append(b, s.id), sized(list(s.items))...)
	}
	return b
}

func list(items [][]byte) []byte {
	b := binary.AppendUvarint(nil, uint64(len(items)))
	for _, item := range items {
		b = append(b, item...)
	}
	return b
}

func sized(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }
