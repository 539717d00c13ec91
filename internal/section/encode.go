package section

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// Encoder builds the data of a section. Integers and floats take eight bytes,
// little-endian; strings, lists and matrices start with their length or shape.
// Every method takes the name of the field for error messages; names are not
// stored. The first error stays and is returned by Section.
type Encoder struct {
	name string
	data []byte
	err  error
	pass func([]byte) // takes the data from time to time, or nil
}

// NewEncoder returns an encoder for a section of that name.
func NewEncoder(name string) *Encoder { return &Encoder{name: name} }

// Large returns a section that put stores when it is written, after it has been called once to count and
// check what it stores.
func Large(name string, put func(*Encoder)) (Section, error) {
	s := Section{Name: name, Critical: true, Put: put}
	e := Encoder{name: name, pass: func(b []byte) { s.Size += len(b) }}
	put(&e)
	e.pass(e.data)
	return s, e.err
}

// Section returns the finished section, or a *ValueError for the first value that
// could not be stored.
func (e *Encoder) Section(critical bool) (Section, error) {
	if e.err != nil {
		return Section{}, e.err
	}
	return Section{Name: e.name, Critical: critical, Data: e.data}, nil
}

// Uint64 stores v.
func (e *Encoder) Uint64(field string, v uint64) {
	e.data = binary.LittleEndian.AppendUint64(e.data, v)
	if e.pass != nil && len(e.data) >= step {
		e.pass(e.data)
		e.data = e.data[:0]
	}
}

// grow makes room for so many bytes where they are kept.
func (e *Encoder) grow(bytes int) {
	if e.pass == nil {
		e.data = slices.Grow(e.data, bytes)
	}
}

// Int64 stores v in two's complement.
func (e *Encoder) Int64(field string, v int64) { e.Uint64(field, uint64(v)) }

// Bool stores 1 for true, 0 for false.
func (e *Encoder) Bool(field string, v bool) {
	var n uint64
	if v {
		n = 1
	}
	e.Uint64(field, n)
}

// Float64 stores the bits of v; NaN and infinities are refused.
func (e *Encoder) Float64(field string, v float64) {
	if !finite(v) {
		e.fail(field, fmt.Sprintf("the value is %v, and only finite numbers can be stored", v))
	}
	e.Uint64(field, math.Float64bits(v))
}

// String stores the bytes of s.
func (e *Encoder) String(field string, s string) {
	e.Count(field, len(s))
	e.data = append(e.data, s...)
}

// Floats stores a list of finite numbers.
func (e *Encoder) Floats(field string, x []float64) {
	e.grow(8 * (1 + len(x)))
	e.Count(field, len(x))
	for i, v := range x {
		if !finite(v) {
			e.fail(field, fmt.Sprintf("element %d is %v, and only finite numbers can be stored", i, v))
		}
		e.Uint64(field, math.Float64bits(v))
	}
}

// Matrix stores a matrix of finite numbers by rows. A matrix without elements must
// be 0×0.
func (e *Encoder) Matrix(field string, a *matrix.Dense) {
	if (a.Rows == 0) != (a.Cols == 0) {
		e.fail(field, fmt.Sprintf("a %d×%d matrix has no elements", a.Rows, a.Cols))
	}
	e.grow(8 * (2 + a.Rows*a.Cols))
	e.Count(field, a.Rows)
	e.Count(field, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			if !finite(v) {
				e.fail(field, fmt.Sprintf("element (%d, %d) is %v, and only finite numbers can be stored", i, j, v))
			}
			e.Uint64(field, math.Float64bits(v))
		}
	}
}

// Count stores the length of a list whose elements follow.
func (e *Encoder) Count(field string, n int) { e.Uint64(field, uint64(n)) }

func (e *Encoder) fail(field, reason string) {
	if e.err == nil {
		e.err = &ValueError{Section: e.name, Field: field, Reason: reason}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
