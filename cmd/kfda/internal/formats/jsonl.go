package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

const maxLine = 64 << 20 // bytes, as of a record of text

// jsonLines reads an object a line. It goes through the file once for the keys.
func (in *input) jsonLines() (*table.Source, error) {
	at, size, err := in.bytes()
	if err != nil {
		return nil, err
	}
	var names []string
	position := map[string]int{}
	first := in.objects(at, size)
	for {
		err := first.next(func(key string) (int, error) {
			j, ok := position[key]
			if !ok {
				if j = len(names); j == maxColumns {
					return 0, first.wrong(0, key, "more than %d keys", maxColumns)
				}
				position[key] = j
				names = append(names, key)
			}
			return j, nil
		}, nil)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	r := in.objects(at, size)
	cells := append([]string{}, names...)
	started := false
	return &table.Source{
		Header: table.WithHeader,
		Part:   func() float64 { return min(1, float64(r.read)/float64(size)) },
		Next: table.Texts(func() (int, []string, error) {
			if !started {
				started = true
				return 0, cells, nil
			}
			clear(cells)
			err := r.next(func(key string) (int, error) { return position[key], nil }, cells)
			return r.line, cells, err
		}),
	}, nil
}

// objects reads the objects of a text, each on its line.
type objects struct {
	in    *input
	lines *bufio.Scanner
	line  int
	read  int64       // bytes
	seen  map[int]int // the line on which a key was last
}

func (in *input) objects(at io.ReaderAt, size int64) *objects {
	s := bufio.NewScanner(io.NewSectionReader(at, 0, size))
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	return &objects{in: in, lines: s, seen: map[int]int{}}
}

func (o *objects) wrong(column int, name, format string, args ...any) error {
	return o.in.at("", o.line, column, name, format, args...)
}

// next reads the next object; column is the position of a key. The values go to cells unless
// that is nil.
func (o *objects) next(column func(key string) (int, error), cells []string) error {
	for o.lines.Scan() {
		o.line++
		o.read += int64(len(o.lines.Bytes())) + 1
		text := o.lines.Bytes()
		if o.line == 1 {
			text = bytes.TrimPrefix(text, mark)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return o.object(text, column, cells)
		}
	}
	if err := o.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		o.line++
		return o.wrong(0, "", "more than %d bytes in a line", maxLine)
	} else if err != nil {
		return o.in.unreadable(err)
	}
	return io.EOF
}

func (o *objects) object(text []byte, column func(key string) (int, error), cells []string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	bad := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return o.wrong(0, "", "the line ends before its object does; each object stands on one line (jq -c . FILE writes them so)")
		}
		return o.wrong(0, "", "no JSON: %v", err)
	}
	if start, err := d.Token(); err != nil {
		return bad(err)
	} else if start != json.Delim('{') {
		return o.wrong(0, "", "the line holds no object of JSON")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return bad(err)
		}
		name := key.(string)
		j, err := column(name)
		if err != nil {
			return err
		}
		if o.seen[j] == o.line {
			return o.wrong(j+1, name, "the key stands twice in the object")
		}
		o.seen[j] = o.line
		value, err := d.Token()
		if err != nil {
			return bad(err)
		}
		var cell string
		switch v := value.(type) {
		case json.Delim:
			return o.wrong(j+1, name, "the value is nested: %s%c…; kfda reads numbers, text, truth values and null", show.Text(name)+": ", rune(v))
		case string:
			cell = v
		case json.Number:
			cell = v.String()
		case bool:
			cell = map[bool]string{true: "true", false: "false"}[v]
		}
		if cells != nil {
			cells[j] = cell
		}
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return o.wrong(0, "", "more text follows the object; each object stands on a line of its own")
	}
	return nil
}
