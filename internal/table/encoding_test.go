package table

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed92411348/kfda/internal/must"
)

func inUTF16(order binary.AppendByteOrder, text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

// Text of fixed width is known by its content, however it is encoded, and read by what all lines have in common.
func TestFixedWidth(t *testing.T) {
	const rows = "1.0 22  ä\n2.5     ä\n3.5 1   ä\n7.5 3   b\n8.5 4   b\n"
	for _, data := range [][]byte{[]byte(rows), inUTF16(binary.LittleEndian, rows)} {
		said := ""
		tab := must.Get(ReadFrom("t.txt", bytes.NewReader(data), Options{Missing: DropMissing, Notice: func(text string) { said += text }}))(t)
		want(t, tab, "ä|ä|b|b", []float64{1, 22}, []float64{3.5, 1}, []float64{7.5, 3}, []float64{8.5, 4})
		if !strings.Contains(said, "columns of fixed width, characters 1-3, 5-6, 9;") {
			t.Errorf("notices: %s", said)
		}
	}
	if _, err := ReadFrom("t.txt", strings.NewReader("1 2 a\n1 234\n"), Options{Format: Fixed, Widths: []int{2, 2}}); err == nil || !strings.Contains(err.Error(), "t.txt:1: character 5") {
		t.Errorf("a character outside: %v", err)
	}
}

// Text in UTF-16 is read as the same text in UTF-8, also where a pair of units lies on both sides of what is read at
// a time, with a mark and without, and within gzip; what is cut off is said.
func TestUTF16(t *testing.T) {
	const rows = "x,y\n1,p\U0001F600\n2,p\U0001F600\n3,q\n4,q\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for lead := range 2 {
			want := strings.Repeat("a", lead) + strings.Repeat("\U0001F600", 5000) + "\ufffd"
			units := order.AppendUint16(inUTF16(order, want[:len(want)-len("\ufffd")]), 0xd800) // half a pair
			got := must.Get(io.ReadAll(FromUTF16(bytes.NewReader(units), order.(binary.ByteOrder))))(t)
			if string(got) != want {
				t.Errorf("%v, after %d: not the text", order, lead)
			}
		}
		for _, mark := range []string{"", "\ufeff"} {
			data := inUTF16(order, mark+rows)
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			must.Get(z.Write(data))(t)
			must.Get(0, z.Close())(t)
			for name, file := range map[string][]byte{"t.csv": data, "t.csv.gz": packed.Bytes()} {
				tab := must.Get(ReadFrom(name, bytes.NewReader(file), Options{}))(t)
				want(t, tab, "p\U0001F600|p\U0001F600|q|q", []float64{1}, []float64{2}, []float64{3}, []float64{4})
				if _, err := ReadFrom(name, bytes.NewReader(file[:len(file)-1]), Options{}); err == nil || !strings.Contains(err.Error(), "truncated") {
					t.Errorf("%s without its last byte: %v", name, err)
				}
			}
		}
	}
}
