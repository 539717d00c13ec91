package section

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Write writes a model file and returns the number of bytes written. A name that
// is used twice or is not allowed is a *NameError, found before anything is
// written; any other error comes from w.
func Write(w io.Writer, sections []Section) (int64, error) {
	seen := make(map[string]bool, len(sections))
	for _, s := range sections {
		if reason := checkName(s.Name); reason != "" {
			return 0, &NameError{Name: s.Name, Reason: reason}
		}
		if seen[s.Name] {
			return 0, &NameError{Name: s.Name, Reason: "used twice"}
		}
		seen[s.Name] = true
	}

	count := &countingWriter{w: w}
	out := &writer{w: bufio.NewWriter(count)}
	out.put([]byte(magic))
	out.put(binary.LittleEndian.AppendUint32(nil, version))
	for _, s := range sections {
		var flags byte
		if s.Critical {
			flags |= flagCritical
		}
		head := []byte{tagSection, flags, byte(len(s.Name))}
		head = binary.LittleEndian.AppendUint64(head, uint64(s.size()))
		out.put(head)
		out.put([]byte(s.Name))
		out.checksum()
		if s.Put != nil {
			e := Encoder{name: s.Name, pass: out.put}
			s.Put(&e)
			out.put(e.data)
		} else {
			out.put(s.Data)
		}
		out.checksum()
	}
	out.put(binary.LittleEndian.AppendUint64([]byte{tagEnd}, uint64(len(sections))))
	out.checksum()
	err := out.w.Flush() // reports the first error of all writes
	return count.n, err
}

// writer keeps the running checksum. Errors stay in w until Flush.
type writer struct {
	w   *bufio.Writer
	sum uint32
}

func (w *writer) put(p []byte) {
	w.sum = crc32.Update(w.sum, castagnoli, p)
	w.w.Write(p)
}

func (w *writer) checksum() {
	w.w.Write(binary.LittleEndian.AppendUint32(nil, w.sum))
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Marshal returns what [Write] writes.
func Marshal(sections []Section) ([]byte, error) {
	size := 64
	for _, s := range sections {
		size += s.size() + len(s.Name) + 32
	}
	var b bytes.Buffer
	b.Grow(size)
	if _, err := Write(&b, sections); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
