// Package decimal reads numbers in decimal digits, exact to the bit.
package decimal

import (
	"math"
	"math/bits"
)

// Prefix reads the number that begins at s[i], if there is one of at most 19 digits and not
// too large an exponent, and returns where it ends. It is rounded to the nearest of float64; an
// integer that would be rounded is none.
func Prefix(s string, i int) (v float64, end int, ok bool) {
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	var m uint64 // it may overflow beyond 19 digits
	from := i
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		m = 10*m + uint64(s[i]-'0')
	}
	digits, exponent := i-from, 0
	integer := true
	if i < len(s) && s[i] == '.' {
		integer = false
		i++
		from = i
		for ; i < len(s) && s[i]-'0' <= 9; i++ {
			m = 10*m + uint64(s[i]-'0')
		}
		exponent = from - i
		digits -= exponent
	}
	if digits == 0 || digits > 19 {
		return 0, i, false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		integer = false
		e, after, ok := smallExponent(s, i+1)
		if !ok {
			return 0, i, false
		}
		exponent, i = exponent+e, after
	}
	if integer && m > 1<<53 {
		return 0, i, false
	}
	if v, ok = scaled(m, exponent); negative {
		v = -v
	}
	return v, i, ok
}

// smallExponent reads an exponent of at most three digits.
func smallExponent(s string, i int) (e, end int, ok bool) {
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	from := i
	for ; i < len(s) && i < from+3 && s[i]-'0' <= 9; i++ {
		e = 10*e + int(s[i]-'0')
	}
	if negative {
		e = -e
	}
	return e, i, i > from && (i == len(s) || s[i]-'0' > 9)
}

// powers are those of ten that float64 holds, and powersOf5 those of five of 64 bits.
var (
	powers    [23]float64
	powersOf5 [28]uint64
)

func init() {
	ten, five := 1.0, uint64(1)
	for k := range powers {
		powers[k], ten = ten, float64(10*ten)
	}
	for k := range powersOf5 {
		powersOf5[k], five = five, 5*five
	}
}

// scaled returns m·10^e, rounded to nearest: of two exact factors by one operation of float64, else
// from the leading 64 bits of the product or the quotient with a power of five, of which the last
// is 1 if bits are lost.
func scaled(m uint64, e int) (v float64, ok bool) {
	switch {
	case m == 0:
		return 0, true
	case m <= 1<<53 && 0 <= e && e < len(powers):
		return float64(float64(m) * powers[e]), true
	case m <= 1<<53 && -len(powers) < e && e < 0:
		return float64(m) / powers[-e], true
	case 0 <= e && e < len(powersOf5):
		hi, lo := bits.Mul64(m, powersOf5[e])
		if hi == 0 {
			return timesPower(lo, e), true
		}
		shift := bits.LeadingZeros64(hi)
		lead, lost := hi<<shift|lo>>(64-shift), lo<<shift
		return timesPower(lead|sticky(lost), 64-shift+e), true
	case -len(powersOf5) < e && e < 0:
		divisor := powersOf5[-e]
		up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(divisor)
		m <<= up
		quotient, lost := bits.Div64(m>>1, m<<63, divisor<<down)
		return timesPower(quotient|sticky(lost), down-up-63+e), true
	}
	return 0, false
}

// sticky is 1 if bits are lost.
func sticky(lost uint64) uint64 {
	if lost != 0 {
		return 1
	}
	return 0
}

// timesPower returns m·2^e, which is no subnormal number.
func timesPower(m uint64, e int) float64 {
	return float64(float64(m) * math.Float64frombits(uint64(1023+e)<<52))
}
