// Package show makes text from files and from the command line fit for a terminal:
// names hold anything, also the codes that clear a screen or move the cursor.
package show

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s on one line: what can't be printed as escapes in Go's manner, all else as
// it is.
func Text(s string) string {
	if printable(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		if one := s[:size]; printable(one) {
			b.WriteString(one)
		} else {
			q := strconv.Quote(one)
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[size:]
	}
	return b.String()
}

// Name returns a name in a list: as it is, or quoted where that would be unclear.
func Name(s string) string {
	if !printable(s) || s == "" || strings.Trim(s, " ") != s || strings.ContainsAny(s, `,"\`) {
		return strconv.Quote(s)
	}
	return s
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}

// List joins the first of many things, and says how many there are more.
func List(things []string, most int) string {
	s := strings.Join(things[:min(most, len(things))], ", ")
	if n := len(things) - most; n > 0 {
		s += " and " + strconv.Itoa(n) + " more"
	}
	return s
}

// Lines returns s with its lines as they are, but for what can't be printed in them.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Text(line)
	}
	return strings.Join(lines, "\n")
}

// Message is Lines, at most a few: of a long text what is in the middle is left out.
func Message(s string) string {
	const lines, head, tail = 12, 1000, 300
	s = Lines(s)
	if all := strings.SplitAfter(s, "\n"); len(all) > lines {
		s = strings.Join(all[:lines-2], "") + "… and " + strconv.Itoa(len(all)-lines) + " lines more\n" + all[len(all)-2] + all[len(all)-1]
	}
	if len(s) <= head+tail {
		return s
	}
	from, to := head, len(s)-tail
	for !utf8.RuneStart(s[from]) {
		from--
	}
	for !utf8.RuneStart(s[to]) {
		to--
	}
	return s[:from] + " … " + strconv.Itoa(to-from) + " bytes more … " + s[to:]
}

// Word quotes a word for a shell where it must be.
func Word(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=,+@%", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
