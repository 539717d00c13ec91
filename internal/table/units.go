package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// parseMeasure reads a number that a unit follows, such as 60 kg or 5%.
func parseMeasure(s string, n notation) (v float64, unit string, ok bool) {
	const longest, blanks = 20, " \t\u00a0\u202f"
	s = strings.Trim(s, blanks)
	end := strings.LastIndexAny(s, "0123456789") + 1
	if end < len(s) && s[end] == n.mark {
		end++
	}
	number, unit := strings.TrimRight(s[:end], blanks), strings.TrimLeft(s[end:], blanks)
	known := strings.ContainsFunc(unit, func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%‰°€$£¥", r) })
	if !known || len(unit) > longest {
		return 0, "", false
	}
	v, reason := readNumber(number, n)
	return v, unit, reason == ""
}

// sameUnit reports whether two texts are one unit: in any case, but that of m and M before one
// letter or two more (milli, mega), and with or without the s of a plural.
func sameUnit(a, b string) bool {
	const prefixed = 3
	one := func(s string) string {
		if len(s) > 2 {
			s = strings.TrimSuffix(strings.TrimSuffix(s, "s"), "S")
		}
		return s
	}
	if a, b = one(a), one(b); !strings.EqualFold(a, b) {
		return false
	}
	return a == b || a[0] == b[0] || len(a) > prefixed || !strings.ContainsAny(a[:1], "mM")
}

// knownUnits are those of which a column has no two.
var knownUnits = strings.Fields("kg g mg µg t lb oz km m dm cm mm µm mi mile yd ft foot feet in inch nm ha acre l dl cl ml gal pt" +
	" h hr hour min minute s sec second ms day week month yr year % ‰ ° °C °F K € $ £ ¥ EUR USD GBP CHF JPY kB MB GB TB" +
	" W kW MW GW V mV A mA Hz kHz MHz GHz Pa hPa kPa MPa bar mbar psi J kJ cal kcal kWh km/h mph m/s")

// units returns the one unit of all texts, "" if they are not numbers with such, and what is wrong
// where they are in several that are known.
func (b *builder) units(c *contents) (one, mixed string) {
	var found, places []string
	known := true
	for k, text := range c.kinds {
		_, unit, ok := parseMeasure(text, b.numbers)
		if !ok {
			return "", ""
		}
		same := func(other string) bool { return sameUnit(unit, other) }
		if !slices.ContainsFunc(found, same) {
			found, places = append(found, unit), append(places, fmt.Sprintf("%s in line %d", quoteCell(unit), b.lines[c.firsts[k]]))
			known = known && slices.ContainsFunc(knownUnits, same)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) == 0 || !known || c.more:
		return "", ""
	}
	return "", "has mixed units: " + shortList(places) + "; convert them to one"
}

// inOneUnit reads the numbers of a column that is no feature, all in the unit of the first, which
// may be none.
func (b *builder) inOneUnit(unit *string, first bool, text string) (v float64, reason string) {
	v, reason = parseNumber(text, b.numbers)
	w, found, measure := parseMeasure(text, b.numbers)
	switch {
	case measure && first:
		*unit = found
		return w, ""
	case measure && *unit != "" && sameUnit(found, *unit):
		return w, ""
	case measure && *unit != "":
		return 0, "has another unit than " + *unit + ", that of the first"
	case reason == "" && *unit != "" && b.opt.Layout == nil:
		return 0, "has no unit, and the first has " + *unit
	}
	return v, reason
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
		if _, unit, ok := parseMeasure(s, b.numbers); ok && sameUnit(unit, most) {
			return ""
		}
		return notIn + most
	}
}
