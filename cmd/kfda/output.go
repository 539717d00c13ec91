package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// notice tells the user something beside the result.
func notice(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "kfda: "+format+"\n", args...)
}

// report is a pointer to a struct that says what came of a command.
type report interface {
	write(p *printer) // for people
}

func writeReport(w io.Writer, asJSON bool, r report) error {
	if asJSON {
		return writeJSON(w, r)
	}
	p := newPrinter(w)
	r.write(p)
	return p.end()
}

// writeJSON writes one object, a pointer to a struct, indented and on lines of its own.
// Text is UTF-8 there, and different texts stay different: v has what inUTF8 makes of it.
func writeJSON(w io.Writer, v any) error {
	textsInUTF8(reflect.ValueOf(v))
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// looksEscaped matches what inUTF8 makes of a byte.
var looksEscaped = regexp.MustCompile(`\\x[89a-f][0-9a-f]`)

// inUTF8 returns s as it is where it is UTF-8; else each byte that is not becomes \x and
// two digits, and each backslash two. So does a text that could be taken for such a one:
// no two texts become one.
func inUTF8(s string) string {
	if utf8.ValidString(s) && !looksEscaped.MatchString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// textsInUTF8 makes each text UTF-8 in what is exported of v and what that points to.
func textsInUTF8(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(inUTF8(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			textsInUTF8(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() || field.Anonymous {
				textsInUTF8(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Len() > 0 && v.CanSet() { // its elements may be those of others too
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			v.Set(own)
		}
		for i := range v.Len() {
			textsInUTF8(v.Index(i))
		}
	}
}

// printer writes text for people and keeps the first error of many writes. What stands
// before a tab is the name of what follows, and as wide as all names.
type printer struct {
	w   *tabwriter.Writer
	err error
}

func newPrinter(w io.Writer) *printer {
	const names = 13
	return &printer{w: tabwriter.NewWriter(w, names, 0, 1, ' ', 0)}
}

// printf is fmt.Fprintf with each argument that is text on one line and printable.
func (p *printer) printf(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = show.Text(a)
		case error:
			args[i] = show.Text(a.Error())
		}
	}
	p.print(fmt.Sprintf(format, args...))
}

// print writes text with lines and tabs as they are.
func (p *printer) print(text string) {
	cells := strings.Split(text, "\t")
	for i, cell := range cells {
		cells[i] = show.Lines(cell)
	}
	if p.err == nil {
		_, p.err = io.WriteString(p.w, strings.Join(cells, "\t"))
	}
}

// end returns the error of all writes.
func (p *printer) end() error {
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// aligned returns lines with their cells, which tabs end, below each other.
func aligned(flags uint, lines ...string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 0, ' ', flags)
	io.WriteString(w, strings.Join(lines, "\n"))
	w.Flush()
	return b.String()
}

// listed are how many things of a list are shown to people.
const listed = 20

// numberList lists values, or only the first of many.
func numberList(values []float64, format string) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf(format, v))
	}
	return show.List(texts, listed)
}

// rowFlags are those of the commands that write a line for each row of a table.
type rowFlags struct {
	ids    string
	output string
}

func (f *rowFlags) add(cmd *cobra.Command, what string) {
	cmd.Flags().StringVarP(&f.output, "output", "o", "-", "`file` to write to; \"-\" is the standard output")
	cmd.Flags().StringVar(&f.ids, "ids", "", "`columns` to write beside the "+what+", digit by digit: names or positions from 1, as for --ignore")
}

// field is a column that is written.
type field struct {
	name string
	cell func(i int) string
}

func textField(name string, text []string) field {
	return field{name, func(i int) string { return table.Quote(text[i]) }}
}

// numberField writes the shortest decimals that read as the same number.
func numberField(name string, value func(i int) float64) field {
	return field{name, func(i int) string { return strconv.FormatFloat(value(i), 'g', -1, 64) }}
}

// mostPartRows is how many rows are read, and written, at a time at most.
var mostPartRows = 1 << 13

// partRows is how many rows of so many numbers are.
func partRows(cells int) int { return min(mostPartRows, max(1, (1<<22)/max(1, cells))) }

// write reads the table in the file at path for a model, part by part, and writes the fields of its
// rows as CSV with a header, the row's number or id first. When all are read, end says what there is
// to say of them; a file takes its place after that.
func (f *rowFlags) write(ctx context.Context, s streams, read func(take func(*table.Table) error) (*table.Table, error), fields func(*table.Table) ([]field, error), end func(*table.Table) error) error {
	work := func(w io.Writer) error {
		out, rows := rowWriter{w: w, ids: f.ids != ""}, 0
		t, err := read(func(t *table.Table) error {
			columns, err := fields(t)
			if err != nil {
				return err
			}
			if rows += len(t.Rows); s.line != nil {
				s.line.set(fmt.Sprintf("%d rows are done", rows), time.Time{})
			}
			return out.add(t, columns)
		})
		s.line.done()
		if err == nil {
			err = end(t)
		}
		if err != nil {
			return err
		}
		return out.flush()
	}
	if f.output != "-" {
		return saveWritten(ctx, f.output, work, s.out.Flush)
	}
	return work(s.out)
}

// parts reads the table in the file at path for a model, part by part.
func (f *rowFlags) parts(s streams, flags *tableFlags, m *savedModel, path string, opt table.Options) func(take func(*table.Table) error) (*table.Table, error) {
	return func(take func(*table.Table) error) (*table.Table, error) {
		opt.IDs, opt.Batch, opt.Take = f.ids, partRows(m.Dim()), take
		return flags.readFor(s, m, path, opt)
	}
}

// rowWriter writes the rows of a table part by part, each when the next is ready.
type rowWriter struct {
	w     io.Writer
	ids   bool
	begun bool
	text  bytes.Buffer // of the last part
}

func (w *rowWriter) flush() error {
	_, err := w.w.Write(w.text.Bytes())
	w.text.Reset()
	if out, ok := w.w.(*bufio.Writer); ok && err == nil {
		err = out.Flush()
	}
	return err
}

func (w *rowWriter) add(t *table.Table, fields []field) error {
	if err := w.flush(); err != nil {
		return err
	}
	first := []field{{"row", func(i int) string { return strconv.Itoa(t.Rows[i]) }}}
	if w.ids {
		first = nil
		for k, text := range t.IDs {
			first = append(first, textField(cmp.Or(t.IDNames[k], "id"), text))
		}
	}
	fields = append(first, fields...)
	line := func(cell func(c field) string) {
		for j, c := range fields {
			if j > 0 {
				w.text.WriteByte(',')
			}
			w.text.WriteString(cell(c))
		}
		w.text.WriteByte('\n')
	}
	if !w.begun {
		w.begun = true
		line(func(c field) string { return table.Quote(c.name) })
	}
	for i := range t.Rows {
		line(func(c field) string { return c.cell(i) })
	}
	return nil
}
