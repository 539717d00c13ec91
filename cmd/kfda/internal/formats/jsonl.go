package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

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
	*lines
	seen map[int]int // the line on which a key was last
}

func (in *input) objects(at io.ReaderAt, size int64) *objects {
	return &objects{in.lines(io.NewSectionReader(at, 0, size)), map[int]int{}}
}

// next reads the next object; column is the position of a key. The values go to cells unless
// that is nil.
func (o *objects) next(column func(key string) (int, error), cells []string) error {
	for {
		text, err := o.lines.next()
		if err != nil {
			return err
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return o.object(text, column, cells)
		}
	}
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
