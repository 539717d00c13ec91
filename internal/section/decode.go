package section

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// Decoder reads the data of a section in the order in which an [Encoder] stored
// it. After the first error every method returns a zero value; Close returns that
// error. So a caller reads all fields, closes, and only then uses them.
type Decoder struct {
	name   string
	data   []byte
	in     *reader // of which the data come, or nil
	size   int     // of the data
	pos    int
	last   int // where the value read last starts
	err    error
	failed error // of in
}

// NewDecoder returns a decoder of the section's data.
func NewDecoder(s Section) *Decoder { return &Decoder{name: s.Name, data: s.Data, size: len(s.Data)} }

// Close returns the first error, a *FormatError with section and field. Data that
// was not read is an error too.
func (d *Decoder) Close() error {
	if rest := d.size - d.pos; d.err == nil && rest != 0 {
		return &FormatError{Offset: int64(d.pos), Section: d.name, Reason: fmt.Sprintf("%s after the last field", plural.Count(rest, "byte"))}
	}
	return d.err
}

// Err returns the first error so far.
func (d *Decoder) Err() error { return d.err }

// Fail records that the value of a field just read is not allowed, for what only
// the caller can judge.
func (d *Decoder) Fail(field, reason string) {
	if d.err == nil {
		d.err = &FormatError{Offset: int64(d.last), Section: d.name, Field: field, Reason: reason}
	}
}

// Uint64 reads what Encoder.Uint64 stored.
func (d *Decoder) Uint64(field string) uint64 {
	b := d.take(field, 8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Int64 reads what Encoder.Int64 stored.
func (d *Decoder) Int64(field string) int64 { return int64(d.Uint64(field)) }

// Int reads a number that Encoder.Count stored and that need not be a length.
func (d *Decoder) Int(field string) int {
	v := d.Uint64(field)
	if v > math.MaxInt32 {
		d.Fail(field, fmt.Sprintf("%d is too large", v))
		return 0
	}
	return int(v)
}

// Bool reads what Encoder.Bool stored; other numbers than 0 and 1 are refused.
func (d *Decoder) Bool(field string) bool {
	v := d.Uint64(field)
	if v > 1 {
		d.Fail(field, fmt.Sprintf("%d is neither 0 (false) nor 1 (true)", v))
	}
	return v == 1
}

// Float64 reads what Encoder.Float64 stored; NaN and infinities are refused.
func (d *Decoder) Float64(field string) float64 {
	v := math.Float64frombits(d.Uint64(field))
	if !finite(v) {
		d.Fail(field, fmt.Sprintf("the value is %v, and only finite numbers are allowed", v))
		return 0
	}
	return v
}

// String reads what Encoder.String stored.
func (d *Decoder) String(field string) string {
	return string(d.take(field, d.Count(field, 1)))
}

// Floats reads what Encoder.Floats stored.
func (d *Decoder) Floats(field string) []float64 {
	return d.floats(field, d.Count(field, 8))
}

// Matrix reads what Encoder.Matrix stored.
func (d *Decoder) Matrix(field string) *matrix.Dense {
	rows, cols := d.Uint64(field), d.Uint64(field)
	if d.err != nil {
		return matrix.New(0, 0)
	}
	// rows·cols ≤ numbers, by division: the product may overflow.
	numbers := uint64(d.size-d.pos) / 8
	if (rows == 0) != (cols == 0) || rows > 0 && cols > numbers/rows {
		d.Fail(field, fmt.Sprintf("declares a %d×%d matrix, in %s", rows, cols, plural.Count(numbers, "number")))
		return matrix.New(0, 0)
	}
	x := d.floats(field, int(rows*cols))
	if x == nil {
		return matrix.New(0, 0)
	}
	return &matrix.Dense{Rows: int(rows), Cols: int(cols), Stride: int(cols), Data: x}
}

// Shape refuses a matrix just read that is not rows×cols.
func (d *Decoder) Shape(field string, a *matrix.Dense, rows, cols uint64) {
	if uint64(a.Rows) != rows || uint64(a.Cols) != cols {
		d.Fail(field, fmt.Sprintf("a %d×%d matrix, want %d×%d", a.Rows, a.Cols, rows, cols))
	}
}

// Count reads the length of a list whose elements take at least size bytes each.
// It is at most what the rest of the data can hold, so a slice of that length may
// be made.
func (d *Decoder) Count(field string, size int) int {
	n := d.Uint64(field)
	if rest := d.size - d.pos; n > uint64(rest/size) {
		d.Fail(field, fmt.Sprintf("declares %s of %s or more, in %s", plural.Count(n, "element"), plural.Count(size, "byte"), plural.Count(rest, "byte")))
		return 0
	}
	return int(n)
}

// floats returns the next n numbers, nil after an error. They take memory as they arrive.
func (d *Decoder) floats(field string, n int) []float64 {
	start, x := d.pos, make([]float64, 0, min(n, max(step, len(d.data))/8))
	for d.err == nil && len(x) < n {
		b := d.take(field, 8*min(n-len(x), step/8))
		if d.last = start; len(x)+len(b)/8 > cap(x) {
			x = slices.Grow(x, min(len(x), n-len(x)))
		}
		for ; len(b) > 0; b = b[8:] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b))
			if !finite(v) {
				d.Fail(field, fmt.Sprintf("element %d is %v, and only finite numbers are allowed", len(x), v))
				return nil
			}
			x = append(x, v)
		}
	}
	if d.err != nil {
		return nil
	}
	return x
}

// take returns the next n bytes, nil after an error.
func (d *Decoder) take(field string, n int) (b []byte) {
	d.last = d.pos
	if rest := d.size - d.pos; n > rest {
		d.Fail(field, fmt.Sprintf("%s expected, %d found", plural.Count(n, "byte"), rest))
	}
	switch {
	case d.err != nil:
		return nil
	case d.in == nil:
		b = d.data[d.pos : d.pos+n : d.pos+n]
	default:
		if b, d.failed = d.in.take(n); d.failed != nil {
			d.err = d.failed
			return nil
		}
	}
	d.pos += n
	return b
}
