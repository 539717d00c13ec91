package main

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// writeJSON writes one object, indented, on lines of its own.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// showLabel shows a label in a text for people: as it is, or quoted where that
// would be unclear.
func showLabel(s string) string {
	q := strconv.Quote(s)
	if q != `"`+s+`"` || strings.Trim(s, " ") != s || strings.ContainsAny(s, ",") {
		return q
	}
	return s
}
