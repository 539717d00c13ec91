package section

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed92411348/kfda/internal/must"
)

// sample has a critical and a skippable section, one without data, and names of
// the smallest and the largest length.
func sample() []Section {
	return []Section{
		{Name: "weights", Critical: true, Data: []byte("0123456789abcdef\x00\xff")},
		{Name: "k", Data: nil},
		{Name: strings.Repeat("n", maxName), Critical: true, Data: []byte{'E'}},
	}
}

func file(t testing.TB, sections []Section) []byte {
	t.Helper()
	var b bytes.Buffer
	n := must.Get(Write(&b, sections))(t)
	if n != int64(b.Len()) {
		t.Fatalf("Write reports %d bytes of %d", n, b.Len())
	}
	return b.Bytes()
}

func equal(a, b []Section) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Critical != b[i].Critical || !bytes.Equal(a[i].Data, b[i].Data) {
			return false
		}
	}
	return true
}

// refused checks that reading fails with a *FormatError and returns it.
func refused(t *testing.T, b []byte, what string) *FormatError {
	t.Helper()
	sections, err := Read(bytes.NewReader(b))
	var fe *FormatError
	if !errors.As(err, &fe) || sections != nil {
		t.Errorf("%s: sections %v, error %v, want a *FormatError alone", what, sections, err)
		return &FormatError{}
	}
	if fe.Offset < 0 || fe.Offset > int64(len(b)) {
		t.Errorf("%s: offset %d in a file of %d bytes", what, fe.Offset, len(b))
	}
	return fe
}

func TestRoundTrip(t *testing.T) {
	big := make([]byte, 3*step+17) // several steps of growth
	for i := range big {
		big[i] = byte(i * i >> 3)
	}
	for _, want := range [][]Section{nil, sample(), {{Name: "big", Data: big}, {Name: "after"}}} {
		b := file(t, want)
		for name, r := range map[string]io.Reader{
			"whole":        bytes.NewReader(b),
			"halves":       iotest.HalfReader(bytes.NewReader(b)),
			"EOF with end": iotest.DataErrReader(bytes.NewReader(b)),
		} {
			got, err := Read(r)
			if err != nil || !equal(got, want) {
				t.Errorf("%s: %d sections come back as %d, error %v", name, len(want), len(got), err)
			}
		}
	}
}

// The layout is fixed: this is the file of package doc, byte by byte.
func TestLayout(t *testing.T) {
	want := []byte("KFDA\x01\x00\x00\x00")
	all := bytes.Clone(want) // the bytes under the checksums
	put := func(s string) { want, all = append(want, s...), append(all, s...) }
	sum := func() {
		want = binary.LittleEndian.AppendUint32(want, crc32.Checksum(all, crc32.MakeTable(crc32.Castagnoli)))
	}
	put("S\x01\x02\x03\x00\x00\x00\x00\x00\x00\x00ab")
	sum()
	put("xyz")
	sum()
	put("E\x01\x00\x00\x00\x00\x00\x00\x00")
	sum()
	if got := file(t, []Section{{Name: "ab", Critical: true, Data: []byte("xyz")}}); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

// With the flips, the appended models, the garbage, the empty file and the CSV
// below this is the container's part of case 82, damaged-model-file.
func TestEveryTruncationIsRefused(t *testing.T) {
	b := file(t, sample())
	for n := range b {
		fe := refused(t, b[:n], fmt.Sprintf("first %d bytes", n))
		if want := "incomplete"; n > 0 && !strings.Contains(fe.Reason, want) {
			t.Errorf("first %d bytes: %v, want %q", n, fe, want)
		}
	}
	if fe := refused(t, nil, "no bytes"); fe.Reason != "the file is empty" {
		t.Errorf("no bytes: %v", fe)
	}
}

func TestEveryBitFlipIsRefused(t *testing.T) {
	b := file(t, sample())
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		refused(t, b, fmt.Sprintf("bit %d of byte %d", i%8, i/8))
		b[i/8] ^= 1 << (i % 8)
	}
}

// Every pair of changed bits within 32 of each other, and every missing or doubled
// byte.
func TestSmallDamageIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of files; the single flips run always")
	}
	b := file(t, sample())
	for i := range 8 * len(b) {
		for j := i + 1; j < min(i+32, 8*len(b)); j++ {
			b[i/8] ^= 1 << (i % 8)
			b[j/8] ^= 1 << (j % 8)
			refused(t, b, fmt.Sprintf("bits %d and %d", i, j))
			b[i/8] ^= 1 << (i % 8)
			b[j/8] ^= 1 << (j % 8)
		}
	}
	for i := range b {
		refused(t, append(bytes.Clone(b[:i]), b[i+1:]...), fmt.Sprintf("without byte %d", i))
		refused(t, append(bytes.Clone(b[:i+1]), b[i:]...), fmt.Sprintf("byte %d twice", i))
	}
}

// A checksum covers everything before it, so whole sections, each intact, cannot
// be swapped, left out, repeated or taken from another file.
func TestMovedSectionsAreRefused(t *testing.T) {
	a := Section{Name: "a", Data: []byte("first")}
	b := Section{Name: "b", Data: []byte("other")}
	both := file(t, []Section{a, b})
	one := file(t, []Section{a})
	start, length := 8, len(one)-8-13 // the end marker has 13 bytes
	first, second := both[start:start+length], both[start+length:start+2*length]
	end := both[start+2*length:]
	join := func(parts ...[]byte) []byte { return append([]byte("KFDA\x01\x00\x00\x00"), bytes.Join(parts, nil)...) }
	if !bytes.Equal(join(first, second, end), both) {
		t.Fatal("the parts are not those of the file")
	}
	refused(t, join(second, first, end), "swapped")
	refused(t, join(first, end), "second left out")
	refused(t, join(second, end), "first left out")
	refused(t, join(first, first, end), "repeated")
	other := file(t, []Section{{Name: "a", Data: []byte("First")}, b})
	refused(t, join(other[start:start+length], second, end), "first of another file")
}

// raw writes a file with whatever the fields say and good checksums, to reach what
// lies behind them.
type raw struct {
	data []byte
	sum  uint32
}

func newRaw() *raw { return (&raw{}).put("KFDA\x01\x00\x00\x00") }

func (r *raw) put(s string) *raw {
	r.data = append(r.data, s...)
	r.sum = crc32.Update(r.sum, castagnoli, []byte(s))
	return r
}

func (r *raw) checksum() *raw {
	r.data = binary.LittleEndian.AppendUint32(r.data, r.sum)
	return r
}

func (r *raw) header(flags byte, name string, size uint64) *raw {
	return r.put("S").put(string([]byte{flags, byte(len(name))})).
		put(string(binary.LittleEndian.AppendUint64(nil, size))).put(name).checksum()
}

func (r *raw) section(flags byte, name, data string) *raw {
	return r.header(flags, name, uint64(len(data))).put(data).checksum()
}

func (r *raw) end(count uint64) []byte {
	return r.put("E").put(string(binary.LittleEndian.AppendUint64(nil, count))).checksum().data
}

func TestWellFormedButWrong(t *testing.T) {
	if _, err := Read(bytes.NewReader(newRaw().section(1, "a", "x").end(1))); err != nil {
		t.Fatalf("a right file of raw: %v", err)
	}
	good := file(t, sample())
	tests := []struct {
		name, section, reason string
		file                  []byte
	}{
		{"CSV", "", "not a kfda model", []byte("a,b,label\n1,2,x\n")},
		{"version 2", "", "format version 2, but this program reads version 1", []byte("KFDA\x02\x00\x00\x00")},
		{"name twice", "a", "a second section of this name", newRaw().section(1, "a", "x").section(0, "a", "y").end(2)},
		{"unknown flag", "a", "unknown flags 0x03", newRaw().section(3, "a", "x").end(1)},
		{"no name", "", "a name has 1 to 64 characters, this one 0", newRaw().section(0, "", "x").end(1)},
		{"long name", "", "a name has 1 to 64 characters, this one 65", newRaw().section(0, strings.Repeat("x", 65), "x").end(1)},
		{"space in name", "", "character 1 is not printable ASCII", newRaw().section(0, "a b", "x").end(1)},
		{"non-ASCII name", "", "character 0 is not printable ASCII", newRaw().section(0, "é", "x").end(1)},
		{"count too small", "", "counts 0 sections, the file has 1", newRaw().section(0, "a", "x").end(0)},
		{"count too large", "", "counts 2 sections, the file has 1", newRaw().section(0, "a", "x").end(2)},
		{"bad tag", "", "neither a section nor the end marker", newRaw().put("X").data},
		{"trailing byte", "", "data after the end", append(bytes.Clone(good), '\n')},
		{"two models", "", "data after the end", append(bytes.Clone(good), good...)},
	}
	for _, c := range tests {
		fe := refused(t, c.file, c.name)
		if fe.Section != c.section || !strings.Contains(fe.Error(), c.reason) {
			t.Errorf("%s: section %q, %v; want section %q, %q", c.name, fe.Section, fe, c.section, c.reason)
		}
	}
}

// A claim of many bytes is refused after reading the few that are there, and
// without the memory that it claims.
func TestHugeClaims(t *testing.T) {
	for _, size := range []uint64{1 << 32, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		b := newRaw().header(1, "weights", size).put("123").data
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fe := refused(t, b, fmt.Sprint(size))
		runtime.ReadMemStats(&after)
		if fe.Section != "weights" || !strings.Contains(fe.Reason, fmt.Sprint(size)) {
			t.Errorf("%d bytes claimed: %v", size, fe)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%d bytes claimed: %d allocated", size, grown)
		}
	}
}

// Memory stays a small multiple of what arrives: the buffer doubles, so at most
// four times the data pass through the allocator.
func TestMemoryGrowsWithTheData(t *testing.T) {
	const arrives = 1 << 20
	b := newRaw().header(1, "weights", 1<<40).put(strings.Repeat("x", arrives)).data
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refused(t, b, "1 MiB of 1 TiB")
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 5*arrives {
		t.Errorf("%d bytes allocated for %d that arrive", grown, arrives)
	}
}

func TestWriteRefusesNames(t *testing.T) {
	for _, names := range [][]string{{""}, {"a", "b", "a"}, {"a b"}, {"ä"}, {strings.Repeat("x", maxName+1)}} {
		var sections []Section
		for _, name := range names {
			sections = append(sections, Section{Name: name})
		}
		var b bytes.Buffer
		_, err := Write(&b, sections)
		if ne, ok := errors.AsType[*NameError](err); !ok || ne.Name != names[len(names)-1] || b.Len() > 0 {
			t.Errorf("%q: error %v after %d bytes", names, err, b.Len())
		}
	}
}

// fullDisk fails after n bytes.
type fullDisk struct{ n int }

var errFull = errors.New("disk full")

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.n)
	d.n -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// Errors of the writer and the reader come back as they are, with the count of
// bytes that were really written.
func TestErrorsOfTheMedium(t *testing.T) {
	b := file(t, sample())
	for n := range b {
		if got, err := Write(&fullDisk{n}, sample()); got != int64(n) || !errors.Is(err, errFull) {
			t.Errorf("disk of %d bytes: wrote %d, error %v", n, got, err)
		}
		r := io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(errFull))
		if _, err := Read(r); !errors.Is(err, errFull) {
			t.Errorf("error after %d bytes: %v", n, err)
		}
	}
	r := io.MultiReader(bytes.NewReader(b), iotest.ErrReader(errFull))
	if _, err := Read(r); !errors.Is(err, errFull) {
		t.Errorf("error after the end: %v", err)
	}
}

// The tags of a section and of the end differ in more than one bit, so that a flip
// cannot turn one into the other.
func TestTagsDiffer(t *testing.T) {
	if bits.OnesCount8(tagSection^tagEnd) < 2 {
		t.Error("the tags differ in one bit")
	}
}

// FuzzRead: no input panics, and what is accepted is written back byte for byte.
func FuzzRead(f *testing.F) {
	good := file(f, sample())
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(file(f, nil))
	f.Add(newRaw().header(1, "weights", 1<<40).put("123").data)
	f.Add(newRaw().section(0, "a", "x").section(0, "a", "y").end(2))
	f.Fuzz(func(t *testing.T, b []byte) {
		sections, err := Read(bytes.NewReader(b))
		if err != nil {
			if _, ok := errors.AsType[*FormatError](err); !ok || sections != nil {
				t.Fatalf("error %v, want a *FormatError alone", err)
			}
			return
		}
		var again bytes.Buffer
		if _, err := Write(&again, sections); err != nil || !bytes.Equal(again.Bytes(), b) {
			t.Fatalf("%x is written back as %x, error %v", b, again.Bytes(), err)
		}
	})
}
