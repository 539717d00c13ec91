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
	const digits = "0123456789"
	isSign := func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune("%‰°€$£¥", r) }
	s = strings.Trim(s, blanks)
	end := strings.LastIndexAny(s, digits) + 1
	for i, r := range s[:end] {
		if isSign(r) && isUnit(s[i:]) { // the last digits are a power, as in m2
			end = strings.LastIndexAny(s[:i], digits) + 1
			break
		}
	}
	if end < len(s) && s[end] == n.mark {
		end++
	}
	number, unit := strings.TrimRight(s[:end], blanks), strings.TrimLeft(s[end:], blanks)
	if !strings.ContainsFunc(unit, isSign) || len(unit) > longest {
		return 0, "", false
	}
	v, reason := readNumber(number, n)
	return v, unit, reason == ""
}

// sameUnit reports whether two texts are one unit: in any case, but that of m and M at the begin of
// what is no whole word (milli, mega), and with or without the s of a plural.
func sameUnit(a, b string) bool {
	one := func(s string) string {
		if len(s) > 2 {
			s = strings.TrimSuffix(strings.TrimSuffix(s, "s"), "S")
		}
		return s
	}
	a, b = one(a), one(b)
	return a == b || strings.EqualFold(a, b) && (a[0] == b[0] || !strings.ContainsAny(a[:1], "mM") || isWord(strings.ToLower(a)))
}

// isWord reports whether a unit in small letters begins with a word that is no prefix of others.
func isWord(unit string) bool {
	if end := strings.IndexFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		unit = unit[:end]
	}
	return slices.Contains(strings.Fields("meter metre mile mi min minute month mo mol mole mph micron"), strings.TrimSuffix(unit, "s")) ||
		slices.ContainsFunc([]string{"milli", "mega", "micro"}, func(prefix string) bool { return strings.HasPrefix(unit, prefix) })
}

// knownUnits are those of which a column has no two, lengths those that have powers, as in m2.
var (
	lengths    = strings.Fields("m km dm cm mm µm nm mi yd ft in")
	knownUnits = append(strings.Fields("kg g mg µg ng t lb oz mile foot feet inch ha acre l dl cl ml µl gal pt mol mmol µmol nmol ppm"+
		" h hr hour min minute s sec second ms day week month yr year % ‰ ° °C °F K € $ £ ¥ EUR USD GBP CHF JPY kB MB GB TB"+
		" W kW MW GW V mV A mA Hz kHz MHz GHz Pa hPa kPa MPa bar mbar psi J kJ cal kcal kWh mph"), lengths...)
)

// isUnit reports whether a text is one in brackets, or of known ones with their powers, as in mg/m2.
func isUnit(text string) bool {
	text = strings.Trim(text, " \t\u00a0")
	if n := len(text); n > 2 && slices.Contains([]string{"()", "[]"}, text[:1]+text[n-1:]) {
		return true
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("/·* ", r) })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool {
		base, units := strings.TrimRight(part, "²³^23"), knownUnits
		if base != part {
			units = lengths
		}
		return !slices.ContainsFunc(units, func(u string) bool { return base == u || len(base) > 1 && sameUnit(base, u) })
	})
}

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
			found, places = append(found, unit), append(places, fmt.Sprintf("%s in line %d", quoteCell(unit), c.firsts[k].line))
			known = known && isUnit(unit)
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
