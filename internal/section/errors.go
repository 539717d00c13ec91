package section

import (
	"fmt"
	"strings"
)

// FormatError says what is wrong with a model file.
type FormatError struct {
	Offset  int64  // where: in the file, or in the section's data when Field is set
	Section string // "" where the fault lies outside the sections
	Field   string // "" where the fault is in the container
	Reason  string
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("model file: ")
	if e.Section != "" {
		fmt.Fprintf(&b, "section %q: ", e.Section)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, "field %q: ", e.Field)
	}
	fmt.Fprintf(&b, "%s (at byte %d)", e.Reason, e.Offset)
	return b.String()
}

// ValueError says that a value cannot be stored in a model file.
type ValueError struct {
	Section, Field string
	Reason         string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("model file: section %q: field %q: %s; nothing was written", e.Section, e.Field, e.Reason)
}

// NameError says that a section's name cannot be used.
type NameError struct {
	Name   string
	Reason string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("model file: section name %q: %s", e.Name, e.Reason)
}
