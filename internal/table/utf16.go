package table

import (
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF16 returns the order of UTF-16 that a text is in, by its first bytes: by a mark, or by the zero bytes of letters
// and digits; nil for other bytes.
func UTF16(head []byte) binary.ByteOrder {
	if len(head) < 2 {
		return nil
	}
	const mark = 0xfeff
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint16(head) == mark {
			return order
		}
	}
	const few = 4 // other characters have such bytes too, as many emoji do
	var zeros [2]int
	start := head[:min(len(head), 256)&^1]
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
	}
	most := len(start) / 4 // half of the characters
	switch {
	case len(start) < 8:
	case few*zeros[0] <= zeros[1] && zeros[1] > most:
		return binary.LittleEndian
	case few*zeros[1] <= zeros[0] && zeros[0] > most:
		return binary.BigEndian
	}
	return nil
}

// FromUTF16 reads a text in UTF-16 as UTF-8, its mark too. What is no character becomes U+FFFD.
func FromUTF16(r io.Reader, order binary.ByteOrder) io.Reader {
	return &fromUTF16{r: r, order: order}
}

type fromUTF16 struct {
	r     io.Reader
	order binary.ByteOrder
	bytes [8 << 10]byte
	kept  int // of the bytes, those of the first half of a pair of units
	text  []byte
	next  int // byte of text
	err   error
}

var errHalf = errors.New("the text is UTF-16 of an odd number of bytes: it is truncated")

func (f *fromUTF16) Read(p []byte) (int, error) {
	for f.next == len(f.text) {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.text[f.next:])
	f.next += n
	return n, nil
}

// fill makes text of the bytes that follow.
func (f *fromUTF16) fill() {
	n, err := f.kept, error(nil)
	for n < len(f.bytes) && err == nil {
		var more int
		more, err = f.r.Read(f.bytes[n:])
		n += more
	}
	if err == io.EOF && n%2 != 0 {
		err = errHalf
	}
	units := make([]uint16, n/2)
	for i := range units {
		units[i] = f.order.Uint16(f.bytes[2*i:])
	}
	f.kept = 0
	if last := len(units) - 1; err == nil && units[last]&^0x3ff == 0xd800 {
		units, f.kept = units[:last], copy(f.bytes[:], f.bytes[2*last:])
	}
	f.text, f.next, f.err = f.text[:0], 0, err
	for _, r := range utf16.Decode(units) {
		f.text = utf8.AppendRune(f.text, r)
	}
}
