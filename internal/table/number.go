package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed92411348/kfda/internal/decimal"
)

// notation is how a file writes numbers.
type notation struct {
	mark      byte // of decimals: '.' or ','
	separator byte // of cells; 0 where the file is not separated text
}

// parseNumber reads a cell by the rules of rules.txt. The reason of a refusal
// continues the sentence that the cell begins.
func parseNumber(cell string, n notation) (v float64, reason string) {
	v, trouble := readNumber(cell, n)
	if trouble == notNumber {
		trouble = n.refusal(strings.Trim(cell, " \t"))
	}
	return v, trouble
}

// readNumber is parseNumber, with notNumber for the reason of all that has not the form of one.
func readNumber(cell string, n notation) (v float64, reason string) {
	s := strings.Trim(cell, " \t")
	if v, end, ok := decimal.Prefix(s, 0); ok && end == len(s) && n.mark == '.' {
		return v, ""
	}
	integer, ok := scanNumber(s, n.mark)
	if !ok {
		return 0, notNumber
	}
	plain := s
	if n.mark == ',' {
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

// numberReason says why a text is no number, "" for one.
func (b *builder) numberReason(s string) string {
	_, reason := parseNumber(s, b.numbers)
	return reason
}

// isNumber reports whether a cell has the form of a number, whatever its size.
func isNumber(cell string, n notation) bool {
	_, ok := scanNumber(strings.Trim(cell, " \t"), n.mark)
	return ok
}

// numberText returns the one text of all spellings of a number, 1 for +1 and 1.0,
// and any other text as it is.
func numberText(s string) string {
	if integer, ok := scanNumber(s, '.'); ok && integer {
		digits := strings.TrimLeft(s, "+-0")
		switch {
		case digits == "":
			return "0"
		case s[0] == '-':
			return "-" + digits
		}
		return digits
	}
	v, reason := readNumber(s, notation{mark: '.'})
	if reason != "" {
		return s
	}
	return formatNumber(v)
}

func formatNumber(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v+0, 'f', 0, 64) // v+0 is 0 for -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
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

// notNumber is the reason of text that is no attempt at a number.
const notNumber = "is not a number"

// refusal says why s is not a number.
func (n notation) refusal(s string) string {
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
		if _, ok := scanNumber(strings.ReplaceAll(s, "_", ""), n.mark); ok {
			return "is not a number: no underscores between digits"
		}
	}
	const thousands = "is not a number: no separators of thousands"
	_, withComma := scanNumber(s, ',')
	switch {
	case !strings.ContainsAny(s, ",."):
	case n.mark == '.' && withComma && n.separator == ',' && threeDigits(s):
		return thousands + "; write " + strings.Replace(s, ",", "", 1) + ", or if it is " + strings.Replace(s, ",", ".", 1) + ", say " + n.commaFlags()
	case n.mark == '.' && withComma:
		return "is not a number; if the comma is the decimal mark, say " + n.commaFlags()
	case n.mark == '.' && isGrouped(s, ',', '.'):
		return thousands
	case isGrouped(s, '.', ','):
		if n.mark == ',' {
			return "is not a number: with --decimal-comma no point may stand in it"
		}
		return thousands
	}
	return notNumber
}

// isGrouped reports whether s is a number with the mark once it has no groups.
func isGrouped(s string, group, mark byte) bool {
	_, ok := scanNumber(strings.ReplaceAll(s, string(group), ""), mark)
	return ok && strings.IndexByte(s, group) >= 0
}

// threeDigits reports whether exactly three digits follow the comma of s.
func threeDigits(s string) bool {
	_, after, ok := strings.Cut(s, ",")
	return ok && len(after) == 3 && strings.Trim(after, "0123456789") == ""
}

// commaFlags are what to type to read numbers with a decimal comma.
func (n notation) commaFlags() string {
	if n.separator == ',' {
		return "--decimal-comma --separator comma"
	}
	return "--decimal-comma"
}

// isMissing reports whether a cell is a missing-value marker.
func isMissing(text string) bool {
	switch strings.Trim(text, " \t") {
	case "", "?", ".", "NA", "N/A", "NaN", "nan", "null", "NULL":
		return true
	}
	return false
}
