package discriminant

import (
	"fmt"
	"io"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// codec writes the sections of a model file, or reads them: each part of a model names its
// fields once, in their order. Writing changes nothing in the model, which others may use. The first error stays. After it all that is read is zero, so
// that checks may follow each other; before something is made of what was read, ok says
// whether it may be.
type codec struct {
	fileShape
	read     map[string]section.Section // to read; nil for writing
	arriving *section.Decoder           // of the large section, which is read as it comes, or nil
	order    []string
	used     map[string]bool
	size     int               // bytes of the sections to read
	written  []section.Section // so far
	encoder  *section.Encoder  // of the section at hand, or
	decoder  *section.Decoder  // that
	critical bool
	err      error
}

func newReader(sections []section.Section) *codec {
	c := &codec{read: make(map[string]section.Section), used: make(map[string]bool)}
	c.more(sections)
	return c
}

// readLarge returns a reader of the sections of a file, of which fields has read those up to the
// large one of that name, as it came.
func readLarge(r io.Reader, name string, fields func(*codec)) (c *codec, err error) {
	sections, err := section.ReadLarge(r, name, func(before []section.Section, d *section.Decoder) {
		c = newReader(before)
		c.arriving = d
		fields(c)
		c.end()
	})
	switch {
	case err != nil:
		return nil, err
	case c == nil: // there is none of that name
		c = newReader(sections)
		fields(c)
	default:
		c.more(sections[len(c.order):])
	}
	return c, nil
}

// more adds sections to read.
func (c *codec) more(sections []section.Section) {
	for _, s := range sections {
		c.read[s.Name] = s
		c.order = append(c.order, s.Name)
		c.size += len(s.Data)
	}
}

func (c *codec) reading() bool { return c.read != nil }

// ok ends the section at hand and reports whether there was no error so far.
func (c *codec) ok() bool {
	c.end()
	return c.err == nil
}

func (c *codec) keep(err error) {
	if c.err == nil {
		c.err = err
	}
}

// end ends the section at hand.
func (c *codec) end() {
	if c.encoder != nil {
		s, err := c.encoder.Section(c.critical)
		c.keep(err)
		c.written = append(c.written, s)
	}
	if c.decoder != nil {
		c.keep(c.decoder.Close())
	}
	c.encoder, c.decoder = nil, nil
}

// section begins a section; one that is missing reads as an error.
func (c *codec) section(name string) { c.begin(name, true) }

// optional begins a section that need not be critical, where it is present in what is
// written or read, and reports that.
func (c *codec) optional(name string, present, critical bool) bool {
	if c.reading() {
		_, present = c.read[name]
	}
	if present {
		c.begin(name, critical)
	}
	return present
}

// large is a section of many numbers, which are neither written nor read as a whole.
func (c *codec) large(name string, fields func(*codec)) {
	c.end()
	switch {
	case !c.reading():
		s, err := section.Large(name, func(e *section.Encoder) { fields(&codec{encoder: e}) })
		c.keep(err)
		c.written = append(c.written, s)
	case c.arriving != nil && c.err == nil:
		c.used[name], c.decoder = true, c.arriving
		fields(c)
	default:
		c.section(name)
		fields(c)
	}
}

func (c *codec) begin(name string, critical bool) {
	c.end()
	if !c.reading() {
		c.encoder, c.critical = section.NewEncoder(name), critical
		return
	}
	s, ok := c.read[name]
	c.used[name] = true
	c.decoder = section.NewDecoder(section.Section{Name: name, Data: s.Data})
	if !ok || c.err != nil {
		c.decoder.Fail("", "the section is missing")
	}
}

// finish returns what was written, or the first error. Of what was read it refuses critical
// sections that this program does not know.
func (c *codec) finish() ([]section.Section, error) {
	c.end()
	for _, name := range c.order {
		if !c.used[name] && c.read[name].Critical {
			c.keep(&section.FormatError{Section: name, Reason: "a critical section that this program does not know: the file is of a newer program"})
		}
	}
	return c.written, c.err
}

// fail refuses the value of a field that was read.
func (c *codec) fail(field, format string, values ...any) {
	if c.decoder != nil {
		c.decoder.Fail(field, fmt.Sprintf(format, values...))
	}
}

func visit[T any](c *codec, field string, v *T, put func(*section.Encoder, string, T), get func(*section.Decoder, string) T) {
	if c.encoder != nil {
		put(c.encoder, field, *v)
	} else {
		*v = get(c.decoder, field)
	}
}

func (c *codec) uint64(field string, v *uint64) {
	visit(c, field, v, (*section.Encoder).Uint64, (*section.Decoder).Uint64)
}

// number is an int of any size; it returns what the file has.
func (c *codec) number(field string, v *int) uint64 {
	n := uint64(*v)
	if c.uint64(field, &n); c.reading() {
		*v = int(min(n, math.MaxInt))
	}
	return n
}

func (c *codec) int64(field string, v *int64) {
	visit(c, field, v, (*section.Encoder).Int64, (*section.Decoder).Int64)
}

func (c *codec) int(field string, v *int) {
	visit(c, field, v, (*section.Encoder).Count, (*section.Decoder).Int)
}

func (c *codec) bool(field string, v *bool) {
	visit(c, field, v, (*section.Encoder).Bool, (*section.Decoder).Bool)
}

func (c *codec) float64(field string, v *float64) {
	visit(c, field, v, (*section.Encoder).Float64, (*section.Decoder).Float64)
}

func (c *codec) string(field string, v *string) {
	visit(c, field, v, (*section.Encoder).String, (*section.Decoder).String)
}

func (c *codec) floats(field string, v *[]float64) {
	visit(c, field, v, (*section.Encoder).Floats, (*section.Decoder).Floats)
}

// count is the length of a list whose elements take at least size bytes each.
func (c *codec) count(field string, n, size int) int {
	visit(c, field, &n, (*section.Encoder).Count, func(d *section.Decoder, field string) int { return d.Count(field, size) })
	return n
}

// kindOf is one of a few named values; what is none of them reads as the largest T.
func kindOf[T ~uint8](c *codec, field string, v *T) {
	n := uint64(*v)
	if c.uint64(field, &n); c.reading() {
		*v = T(min(n, 255))
	}
}

// matrix is one of any shape.
func (c *codec) matrix(field string, v **matrix.Dense) {
	visit(c, field, v, (*section.Encoder).Matrix, (*section.Decoder).Matrix)
}

// shaped is a rows×cols matrix.
func (c *codec) shaped(field string, v **matrix.Dense, rows, cols uint64) {
	if c.matrix(field, v); c.decoder != nil {
		c.decoder.Shape(field, *v, rows, cols)
	}
}

// bounded refuses what was just read where an entry is above limit, which no fit makes.
func (c *codec) bounded(field string, values []float64, limit float64) {
	if c.decoder == nil {
		return
	}
	if largest := matrix.MaxAbs(&matrix.Dense{Rows: 1, Cols: len(values), Stride: len(values), Data: values}); largest > limit {
		c.fail(field, "%v is out of range", largest)
	}
}

func (c *codec) kernel(v *gram.Kernel) {
	var text string
	var err error
	if c.encoder != nil {
		text, err = gram.Format(*v)
		c.keep(err)
	}
	if c.string("kernel", &text); c.decoder != nil {
		if *v, err = gram.Parse(text); err != nil {
			c.fail("kernel", "%v", err)
		}
	}
}

// evaluator makes the evaluator of a kernel for the rows of a section.
func (c *codec) evaluator(kernel gram.Kernel, x *matrix.Dense, name string) *gram.Evaluator {
	const most = 8 // bytes for each of the file
	if _, bytes := gram.Kept(kernel, x.Rows, x.Cols); bytes > float64(most*float64(c.size)) {
		c.keep(&section.FormatError{Section: name, Field: "rows", Reason: fmt.Sprintf("the parts of the kernel would take %s of memory for them, which is more than %d times the file", bytesText(bytes), most)})
		return nil
	}
	e, err := gram.NewEvaluator(kernel, x)
	if err != nil {
		c.keep(&section.FormatError{Section: name, Field: "rows", Reason: err.Error()})
	}
	return e
}
