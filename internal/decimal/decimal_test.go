package decimal

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// same compares a number with what strconv reads.
func same(t *testing.T, s string, must bool) {
	t.Helper()
	v, end, ok := Prefix(s, 0)
	if !ok {
		if must {
			t.Errorf("%q is not read", s)
		}
		return
	}
	want, err := strconv.ParseFloat(s, 64)
	if err != nil || end != len(s) || math.Float64bits(v) != math.Float64bits(want) {
		t.Errorf("%q is %v up to %d, want %v, error %v", s, v, end, want, err)
	}
}

// Numbers are those of strconv: of all lengths and exponents, and those that lie in the middle
// between two of float64, or next to it.
func TestPrefixIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 300000
	if testing.Short() {
		rounds /= 10
	}
	for range rounds {
		digits := strconv.FormatUint(random.Uint64()>>random.IntN(64)%1e19, 10)
		point := random.IntN(len(digits) + 1)
		s := digits[:point] + "." + digits[point:]
		same(t, s, true)
		same(t, "-"+s+"e"+strconv.Itoa(random.IntN(12)-6), len(digits)-point <= 21)
		same(t, "+"+digits+"E"+strconv.Itoa(random.IntN(700)-350), false)
		same(t, strings.Repeat("0", random.IntN(3))+digits, len(digits) < 16)
		v := math.Float64frombits(random.Uint64())
		for _, format := range "efg" {
			same(t, strconv.FormatFloat(v, byte(format), random.IntN(20)-1, 64), false)
		}
		// The middle of two numbers of float64 in at most 19 digits.
		m := new(big.Int).SetUint64(1<<53 | random.Uint64()>>11)
		middle := m.Add(m.Lsh(m, 1), big.NewInt(1)).Uint64()
		for k := range 4 {
			scale := uint64(math.Pow(5, float64(k)))
			if hi := middle / (1e19 / scale); hi > 0 {
				break
			}
			for d := -1; d <= 1; d++ { // middle/2^k in decimal digits
				same(t, strconv.FormatUint(middle*scale+uint64(d), 10)+"e-"+strconv.Itoa(k), true)
			}
		}
	}
}

// Words are no numbers, and where a number ends is told.
func TestPrefixEnds(t *testing.T) {
	for s, end := range map[string]int{"1.5,2": 3, "7 kg": 1, "-.5e3x": 5, "2.": 2, "+0": 2, "9007199254740992": 16, "1e5": 3, "1e-300": 6, "0e999": 5, "0x1p3": 1} {
		if v, at, ok := Prefix(s, 0); at != end || ok != (s != "1e-300") {
			t.Errorf("%q: %v up to %d, %t", s, v, at, ok)
		}
	}
	for _, s := range []string{"", "-", ".", "e5", "+.e1", "x", "1e", "1e+", "1e1234", "nan", "inf", "١", "9007199254740993", "12345678901234567890", "0.00000000000000000001"} {
		if v, _, ok := Prefix(s, 0); ok {
			t.Errorf("%q is %v", s, v)
		}
	}
	if v, end, ok := Prefix("a,-0,b", 2); !ok || end != 4 || v != 0 || !math.Signbit(v) {
		t.Errorf("-0 is %v up to %d, %t", v, end, ok)
	}
}

func BenchmarkPrefix(b *testing.B) {
	for _, s := range []string{"0.37944550", "-1.1253144100000001", "1.234567890123456789e-01"} {
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				Prefix(s, 0)
			}
		})
	}
}
