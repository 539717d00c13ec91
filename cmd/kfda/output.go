package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed92411348/kfda/internal/show"
)

// notice tells the user something beside the result.
func notice(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "kfda: "+format+"\n", args...)
}

// report is a pointer to a struct that says what came of a command.
type report interface {
	write(w io.Writer) error // for people
}

func writeReport(w io.Writer, asJSON bool, r report) error {
	if asJSON {
		return writeJSON(w, r)
	}
	return r.write(w)
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

// printer writes text for people and keeps the first error of many writes.
type printer struct {
	w   io.Writer
	err error
}

// printf is fmt.Fprintf with each argument that is text on one line and printable.
func (p *printer) printf(format string, args ...any) {
	if p.err != nil {
		return
	}
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = show.Text(a)
		case error:
			args[i] = show.Text(a.Error())
		}
	}
	_, p.err = io.WriteString(p.w, show.Lines(fmt.Sprintf(format, args...)))
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
