package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed92411348/kfda/cmd/kfda/internal/show"
)

// writeJSON writes one object, a pointer to a struct, indented and on lines of its own.
// Text is UTF-8 there, and different texts stay different: v has what inUTF8 makes of it.
func writeJSON(w io.Writer, v any) error {
	mapTexts(reflect.ValueOf(v), inUTF8)
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

// mapTexts replaces each text by f of it in what is exported of v and what that points to.
func mapTexts(v reflect.Value, f func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			mapTexts(v.Elem(), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() || field.Anonymous {
				mapTexts(v.Field(i), f)
			}
		}
	case reflect.Slice:
		if v.Len() > 0 && v.CanSet() { // its elements may be those of others too
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			v.Set(own)
		}
		for i := range v.Len() {
			mapTexts(v.Index(i), f)
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

// numbers prints values with commas between them, or only the first of many.
func (p *printer) numbers(values []float64, format string) {
	const most = 20
	for k, v := range values[:min(len(values), most)] {
		if k > 0 {
			p.printf(", ")
		}
		p.printf(format, v)
	}
	if n := len(values) - most; n > 0 {
		p.printf(" and %d more", n)
	}
}

// showLabel shows a label in a text for people: as it is, or quoted where that
// would be unclear.
func showLabel(s string) string { return show.Name(s) }
