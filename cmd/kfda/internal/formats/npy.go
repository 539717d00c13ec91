package formats

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

const maxColumns = 1 << 20 // of a record of a table

// array is an array of NumPy with one or two dimensions.
type array struct {
	in         *input
	name       string // in an archive
	rows, cols int
	flat       bool // one dimension
	fortran    bool // column by column
	item       item
	data       *io.SectionReader
}

// item is how an element is stored.
type item struct {
	size int
	cell func([]byte) table.Cell
}

// The entries of a head, a dictionary of Python.
var (
	descr   = regexp.MustCompile(`'descr': *('[^']*'|"[^"]*"|\[[^\]]*\])`)
	fortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shape   = regexp.MustCompile(`'shape': *\(([0-9, L]*)\)`)
)

// array reads the head of the array in size bytes.
func (in *input) array(name string, at io.ReaderAt, size int64) (a *array, err error) {
	what := "array"
	if name != "" {
		what += " " + name
	}
	err = in.guarded(what, func() error {
		head, err := arrayHead(io.NewSectionReader(at, 0, size))
		if err != nil {
			return err
		}
		dtype, order, shape := descr.FindSubmatch(head), fortran.FindSubmatch(head), shape.FindSubmatch(head)
		if dtype == nil || order == nil || shape == nil {
			return fmt.Errorf("its head is %s", show.Text(strings.TrimSpace(string(head[10:]))))
		}
		var sizes []int
		for _, digits := range bytes.FieldsFunc(shape[1], func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(string(digits))
			if err != nil {
				return err
			}
			sizes = append(sizes, n)
		}
		a = &array{in: in, name: name, fortran: string(order[1]) == "True", flat: len(sizes) == 1, cols: 1}
		name := strings.Trim(string(dtype[1]), "'\"")
		if a.item, err = itemOf(name); err != nil {
			return in.refuse("the %s has elements of type %s; kfda reads numbers, truth values and text: X.astype(float) or X.astype(str) makes such ones", what, strconv.Quote(name))
		}
		switch len(sizes) {
		case 1:
			a.rows = sizes[0]
		case 2:
			a.rows, a.cols = sizes[0], sizes[1]
		default:
			return in.refuse("the %s has %d dimensions, want rows and columns: X.reshape(len(X), -1) has two", what, len(sizes))
		}
		left := size - int64(len(head))
		if a.rows < 1 || a.cols < 1 || a.cols > maxColumns {
			return in.refuse("the %s has %d rows and %d columns; kfda reads 1 row or more and at most %d columns", what, a.rows, a.cols, maxColumns)
		}
		row := int64(a.cols) * int64(a.item.size)
		if int64(a.rows) > left/row {
			return in.refuse("the %s is truncated: %d×%d elements of %d bytes in %d bytes", what, a.rows, a.cols, a.item.size, left)
		}
		if more := left - int64(a.rows)*row; more > 0 {
			return in.refuse("%d bytes follow the %s", more, what)
		}
		a.data = io.NewSectionReader(at, int64(len(head)), left)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// arrayHead returns the bytes before the elements.
func arrayHead(r io.Reader) ([]byte, error) {
	const most = 1 << 20 // bytes; NumPy's own limit is below
	start := make([]byte, 10, 12)
	if _, err := io.ReadFull(r, start); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	n := int64(binary.LittleEndian.Uint16(start[8:]))
	if start[6] > 1 {
		start = start[:12]
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		n = int64(binary.LittleEndian.Uint32(start[8:]))
	}
	if n > most {
		return nil, fmt.Errorf("a head of %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return append(start, text...), nil
}

// itemOf reads a type as NumPy writes it, such as <f8.
func itemOf(dtype string) (item, error) {
	unknown := fmt.Errorf("type %q", dtype)
	if len(dtype) < 3 || strings.IndexByte("<>|=", dtype[0]) < 0 {
		return item{}, unknown
	}
	var order binary.ByteOrder = binary.LittleEndian
	if dtype[0] == '>' {
		order = binary.BigEndian
	}
	n, err := strconv.Atoi(dtype[2:])
	if err != nil || n < 1 || n > 1<<16 {
		return item{}, unknown
	}
	switch dtype[1:] {
	case "b1":
		return item{1, asText(func(b []byte) string { return strconv.FormatBool(b[0] != 0) })}, nil
	case "i1", "i2", "i4", "i8":
		return item{n, asText(func(b []byte) string {
			return strconv.FormatInt(int64(unsigned(order, b)<<(64-8*len(b)))>>(64-8*len(b)), 10)
		})}, nil
	case "u1", "u2", "u4", "u8":
		return item{n, asText(func(b []byte) string { return strconv.FormatUint(unsigned(order, b), 10) })}, nil
	case "f2":
		return item{n, asNumber(func(b []byte) float64 { return half(order.Uint16(b)) })}, nil
	case "f4":
		return item{n, asNumber(func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) })}, nil
	case "f8":
		return item{n, asNumber(func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) })}, nil
	}
	switch dtype[1] {
	case 'S':
		return item{n, asText(func(b []byte) string { return string(bytes.TrimRight(b, "\x00")) })}, nil
	case 'U':
		return item{4 * n, asText(func(b []byte) string {
			var s strings.Builder
			for ; len(b) > 0; b = b[4:] {
				if r := order.Uint32(b); r != 0 {
					s.WriteRune(rune(r))
				}
			}
			return s.String()
		})}, nil
	}
	return item{}, unknown
}

// half is the number of 16 bits.
func half(bits uint16) float64 {
	fraction, exponent := float64(bits&0x3ff), int(bits>>10&0x1f)
	v := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		v = math.Inf(1)
	case exponent == 31:
		v = math.NaN()
	}
	return math.Copysign(v, float64(1-2*int(bits>>15)))
}

func unsigned(order binary.ByteOrder, b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func asText[T any](text func(T) string) func(T) table.Cell {
	return func(v T) table.Cell { return table.Cell{Text: text(v)} }
}

func asNumber[T any](number func(T) float64) func(T) table.Cell {
	return func(v T) table.Cell { return table.Cell{Number: number(v), IsNumber: true} }
}

// source returns the rows.
func (a *array) source() *table.Source {
	next := a.byRows()
	if a.fortran && a.cols > 1 {
		next = a.byColumns()
	}
	row := 0
	return &table.Source{
		Header: table.NoHeader,
		Part:   func() float64 { return float64(row) / float64(max(1, a.rows)) },
		Next: func() (int, []table.Cell, error) {
			if row == a.rows {
				return 0, nil, io.EOF
			}
			row++
			cells, err := next()
			if err != nil {
				return 0, nil, a.in.unreadable(err)
			}
			return row, cells, nil
		},
	}
}

// byRows returns the cells of one row after the other.
func (a *array) byRows() func() ([]table.Cell, error) {
	r := bufio.NewReaderSize(a.data, 1<<18)
	raw := make([]byte, a.cols*a.item.size)
	cells := make([]table.Cell, a.cols)
	return func() ([]table.Cell, error) {
		if _, err := io.ReadFull(r, raw); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		for j := range cells {
			cells[j] = a.item.cell(raw[j*a.item.size : (j+1)*a.item.size])
		}
		return cells, nil
	}
}

// byColumns is byRows of elements that are stored column by column: it reads some rows of all
// columns at once.
func (a *array) byColumns() func() ([]table.Cell, error) {
	const block = 1 << 22 // bytes
	size := a.item.size
	rows := max(1, min(a.rows, block/(a.cols*size)))
	raw := make([]byte, rows*a.cols*size)
	cells := make([]table.Cell, a.cols)
	from, row := 0, rows // of the block, and in it
	started := false
	return func() ([]table.Cell, error) {
		if row == rows {
			if started {
				from += rows
			}
			started, row = true, 0
			rows = min(rows, a.rows-from)
			for j := range a.cols {
				at := (int64(j)*int64(a.rows) + int64(from)) * int64(size)
				if _, err := a.data.ReadAt(raw[j*rows*size:(j+1)*rows*size], at); err != nil && err != io.EOF {
					return nil, err
				}
			}
		}
		for j := range cells {
			k := (j*rows + row) * size
			cells[j] = a.item.cell(raw[k : k+size])
		}
		row++
		return cells, nil
	}
}
