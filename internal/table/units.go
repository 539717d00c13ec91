package table

import (
	"strings"
	"unicode"
)

// parseMeasure reads a number that a unit follows, such as 60 kg or 5%.
func parseMeasure(s string, n notation) (v float64, unit string, ok bool) {
	const longest = 20
	s = strings.Trim(s, " \t")
	end := strings.LastIndexAny(s, "0123456789") + 1
	if end < len(s) && s[end] == n.mark {
		end++
	}
	unit = strings.TrimLeft(s[end:], " \t")
	known := strings.ContainsFunc(unit, func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%‰°€$£¥", r) })
	if !known || len(unit) > longest {
		return 0, "", false
	}
	v, reason := readNumber(s[:end], n)
	return v, unit, reason == ""
}

// unit returns the one unit of all texts, "" if they are not numbers with such.
func (t *texts) unit(n notation) string {
	one := ""
	for k, text := range t.text {
		_, unit, ok := parseMeasure(text, n)
		if k == 0 {
			one = unit
		}
		if !ok || unit != one {
			return ""
		}
	}
	return one
}

const notIn = "is not a number in "

// measureReason says why a text is not a number in the unit of most cells; it is "" for one.
func (b *builder) measureReason(c *contents) func(string) string {
	count, most := map[string]int{}, ""
	for k, kind := range c.kinds {
		if _, unit, ok := parseMeasure(kind, b.numbers); ok {
			if count[unit] += c.counts[k]; count[unit] > count[most] {
				most = unit
			}
		}
	}
	return func(s string) string {
		if _, unit, ok := parseMeasure(s, b.numbers); ok && unit == most {
			return ""
		}
		return notIn + most
	}
}
