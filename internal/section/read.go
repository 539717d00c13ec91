package section

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/seed92411348/kfda/internal/plural"
)

// Read reads a model file to its end. Whatever is wrong with the file itself is a
// *FormatError: another format or version, any truncation or changed bit, a name
// used twice, bytes after the end marker. An error of r other than io.EOF is
// returned wrapped.
//
// Memory stays below a small multiple of the bytes that r really delivers,
// whatever sizes the file claims.
func Read(r io.Reader) ([]Section, error) { return ReadLarge(r, "", nil) }

// ReadLarge is Read, but that a section of that name is not held: decode is called when it begins, with
// those before it and a decoder of its data, which are not yet known to be undamaged. They are
// when ReadLarge has returned without an error.
func ReadLarge(r io.Reader, name string, decode func(before []Section, d *Decoder)) ([]Section, error) {
	in := &reader{r: bufio.NewReader(r)}
	if err := in.start(); err != nil {
		return nil, err
	}
	var sections []Section
	seen := make(map[string]bool)
	for {
		at := in.offset
		tag, err := in.take(1)
		if err != nil {
			return nil, err
		}
		switch tag[0] {
		case tagSection:
			s, err := in.section(func(d *Decoder) bool {
				large := d.name == name && decode != nil && !seen[name]
				if large {
					decode(sections, d)
				}
				return large
			})
			if err != nil {
				return nil, err
			}
			if seen[s.Name] {
				return nil, &FormatError{Offset: at, Section: s.Name, Reason: "a second section of this name"}
			}
			if len(sections) == maxSections {
				return nil, &FormatError{Offset: at, Section: s.Name, Reason: fmt.Sprintf("more than %d sections", maxSections)}
			}
			seen[s.Name] = true
			sections = append(sections, s)
		case tagEnd:
			if err := in.end(len(sections)); err != nil {
				return nil, err
			}
			return sections, nil
		default:
			return nil, &FormatError{Offset: at, Reason: fmt.Sprintf("neither a section nor the end marker, but byte %#02x: the file is damaged", tag[0])}
		}
	}
}

// reader keeps the offset and the running checksum.
type reader struct {
	r      *bufio.Reader
	offset int64
	sum    uint32
	name   string // of the section that is read, once its header is verified
}

// start reads the magic and the version.
func (in *reader) start() error {
	head, err := in.take(len(magic))
	if err != nil {
		return err
	}
	if string(head) != magic {
		return &FormatError{Reason: fmt.Sprintf("not a kfda model: it starts with %q instead of %q", head, magic)}
	}
	at := in.offset
	v, err := in.take(4)
	if err != nil {
		return err
	}
	if got := binary.LittleEndian.Uint32(v); got != version {
		return &FormatError{Offset: at, Reason: fmt.Sprintf("format version %d, but this program reads version %d", got, version)}
	}
	return nil
}

// section reads a section after its tag, of which large may decode the data.
func (in *reader) section(large func(*Decoder) bool) (Section, error) {
	at := in.offset
	head, err := in.take(10)
	if err != nil {
		return Section{}, err
	}
	flags, nameLength, size := head[0], int(head[1]), binary.LittleEndian.Uint64(head[2:])
	name, err := in.take(nameLength)
	if err != nil {
		return Section{}, err
	}
	if err := in.checksum("the header"); err != nil {
		return Section{}, err
	}
	// The header is as it was written; what is wrong from here on is not damage.
	s := Section{Name: string(name), Critical: flags&flagCritical != 0}
	if reason := checkName(s.Name); reason != "" {
		return Section{}, &FormatError{Offset: at, Reason: "section name: " + reason}
	}
	if flags&^flagCritical != 0 {
		return Section{}, &FormatError{Offset: at, Section: s.Name, Reason: fmt.Sprintf("unknown flags %#02x", flags)}
	}
	if size > math.MaxInt {
		return Section{}, &FormatError{Offset: at, Section: s.Name, Reason: fmt.Sprintf("declares %d bytes, more than this machine can address", size)}
	}
	in.name = s.Name
	d := &Decoder{name: s.Name, in: in, size: int(size)}
	if !large(d) {
		s.Data, err = in.take(int(size))
	} else if err = d.failed; err == nil {
		err = in.skip(int(size) - d.pos)
	}
	if err != nil {
		return Section{}, err
	}
	if err := in.checksum("the data"); err != nil {
		return Section{}, err
	}
	in.name = ""
	return s, nil
}

// end reads the end marker after its tag, after which nothing may follow.
func (in *reader) end(sections int) error {
	at := in.offset
	b, err := in.take(8)
	if err != nil {
		return err
	}
	if err := in.checksum("the end marker"); err != nil {
		return err
	}
	if count := binary.LittleEndian.Uint64(b); count != uint64(sections) {
		return &FormatError{Offset: at, Reason: fmt.Sprintf("the end marker counts %s, the file has %d", plural.Count(count, "section"), sections)}
	}
	at = in.offset
	switch _, err := in.r.ReadByte(); {
	case err == nil:
		return &FormatError{Offset: at, Reason: "data after the end of the model; a file holds exactly one model"}
	case err != io.EOF:
		return fmt.Errorf("model file: %w", err)
	}
	return nil
}

// skip reads n bytes that nobody wants.
func (in *reader) skip(n int) (err error) {
	for ; n > 0 && err == nil; n -= step {
		_, err = in.take(min(n, step))
	}
	return err
}

// step is how much memory take allocates before the first byte arrived, and how many bytes an Encoder
// passes on at a time.
const step = 64 << 10

// take reads n bytes. The buffer grows with the bytes that arrive.
func (in *reader) take(n int) ([]byte, error) {
	at := in.offset
	buf := make([]byte, 0, min(n, step))
	for len(buf) < n {
		if len(buf) == cap(buf) {
			// Twice as much, at most n; n − cap cannot overflow.
			grown := make([]byte, len(buf), cap(buf)+min(cap(buf), n-cap(buf)))
			copy(grown, buf)
			buf = grown
		}
		got, err := io.ReadFull(in.r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+got]
		in.offset += int64(got)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, in.truncated(at, n, len(buf))
		}
		if err != nil {
			return nil, fmt.Errorf("model file: %w", err)
		}
	}
	in.sum = crc32.Update(in.sum, castagnoli, buf)
	return buf, nil
}

// checksum compares the checksum that follows with that of the bytes before it.
func (in *reader) checksum(what string) error {
	at, want := in.offset, in.sum
	b, err := in.take(4)
	if err != nil {
		return err
	}
	in.sum = want // a checksum is not part of the next one
	if got := binary.LittleEndian.Uint32(b); got != want {
		return &FormatError{Offset: at, Section: in.name, Reason: fmt.Sprintf("the checksum of %s does not match: the file is damaged; copy it again or save the model again", what)}
	}
	return nil
}

func (in *reader) truncated(at int64, want, got int) error {
	reason := fmt.Sprintf("the file ends where %s should follow, of which it has %d: it is incomplete; copy it again or save the model again", plural.Count(want, "byte"), got)
	if at == 0 && got == 0 {
		reason = "the file is empty"
	}
	return &FormatError{Offset: at, Section: in.name, Reason: reason}
}
