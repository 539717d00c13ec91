package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// parseNumber reads a cell by the rules of the package comment. The reason of a
// refusal continues the sentence that the cell begins.
func parseNumber(cell string, comma bool) (v float64, reason string) {
	s := strings.Trim(cell, " \t")
	mark := byte('.')
	if comma {
		mark = ','
	}
	integer, ok := scanNumber(s, mark)
	if !ok {
		return 0, refusal(s, mark)
	}
	plain := s
	if comma {
		plain = strings.Replace(s, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(plain, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, "is beyond the range of float64, ±1.8e308"
	}
	if integer && math.Abs(v) >= 1<<53 && !exactInteger(s, v) {
		return 0, "is an integer beyond 2^53 and would lose digits as a number"
	}
	return v, ""
}

// isNumber reports whether a cell has the form of a number, whatever its size.
func isNumber(cell string, comma bool) bool {
	mark := byte('.')
	if comma {
		mark = ','
	}
	_, ok := scanNumber(strings.Trim(cell, " \t"), mark)
	return ok
}

// scanNumber matches [+-] digits [mark digits] [e [+-] digits] with at least one
// digit around the mark, and tells whether there is neither mark nor exponent.
func scanNumber(s string, mark byte) (integer, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	digits := func() int {
		start := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i - start
	}
	n := digits()
	integer = true
	if i < len(s) && s[i] == mark {
		integer = false
		i++
		n += digits()
	}
	if n == 0 {
		return false, false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		integer = false
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if digits() == 0 {
			return false, false
		}
	}
	return integer, i == len(s)
}

// exactInteger reports whether v is the integer that s spells.
func exactInteger(s string, v float64) bool {
	digits := strings.TrimLeft(strings.TrimLeft(s, "+-"), "0")
	return strconv.FormatFloat(math.Abs(v), 'f', 0, 64) == digits
}

const notNumber = "is not a number"

// refusal says why s is not a number.
func refusal(s string, mark byte) string {
	lower := strings.ToLower(strings.TrimLeft(s, "+-"))
	switch lower {
	case "nan", "inf", "infinity":
		return "is not a finite number"
	}
	if strings.HasPrefix(lower, "0x") {
		return "is not a decimal number"
	}
	for _, r := range s {
		if r > unicode.MaxASCII && (unicode.IsDigit(r) || unicode.Is(unicode.Pd, r) || unicode.IsSpace(r) || r == '−') {
			return fmt.Sprintf("is not a number: it holds %U, not an ASCII digit or sign", r)
		}
	}
	if strings.Contains(s, "_") {
		if _, ok := scanNumber(strings.ReplaceAll(s, "_", ""), mark); ok {
			return "is not a number: no underscores between digits"
		}
	}
	if mark == '.' && strings.Contains(s, ",") {
		if _, ok := scanNumber(s, ','); ok {
			return "is not a number; if the comma is the decimal mark, say --decimal-comma"
		}
		if _, ok := scanNumber(strings.ReplaceAll(s, ",", ""), '.'); ok {
			return "is not a number: no separators of thousands"
		}
	}
	if strings.ContainsAny(s, ",.") {
		if _, ok := scanNumber(strings.NewReplacer(".", "", ",", ".").Replace(s), '.'); ok {
			if mark == ',' {
				return "is not a number: with --decimal-comma no point may stand in it"
			}
			return "is not a number: no separators of thousands"
		}
	}
	return notNumber
}

// isMissing reports whether a cell is a missing-value marker.
func isMissing(text string) bool {
	switch strings.Trim(text, " \t") {
	case "", "?", "NA", "N/A", "null", "NULL":
		return true
	}
	return false
}

// isPlainRefusal reports whether a reason of parseNumber says that the cell is
// text, and not an attempt at a number.
func isPlainRefusal(reason string) bool { return reason == notNumber }

// isInteger reports whether a cell has the form of an integer.
func isInteger(cell string) bool {
	integer, ok := scanNumber(strings.Trim(cell, " \t"), '.')
	return integer && ok
}
