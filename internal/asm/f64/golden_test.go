package f64_test

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/golden"
)

func TestExpGolden(t *testing.T)  { checkGolden(t, f64.Exp, "exp") }
func TestTanhGolden(t *testing.T) { checkGolden(t, f64.Tanh, "tanh") }
func TestLogGolden(t *testing.T)  { checkGolden(t, f64.Log, "log") }

// ulpDistance counts the float64 numbers from a to b, of one sign.
func ulpDistance(a, b float64) int64 {
	return abs(int64(math.Float64bits(a)) - int64(math.Float64bits(b)))
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// checkGolden compares f with a table of correctly rounded values: a result
// with an error below 1 unit is one of the two neighbours of the exact value, so it is the
// golden value or next to it. Infinities, NaN, zeros and ones are exact; the
// tables do not tell the sign of a zero.
func checkGolden(t *testing.T, f func(float64) float64, name string) {
	rounded := 0
	rows := golden.Math(t, name)
	for _, row := range rows {
		got := f(row.X)
		if got == row.Want || asmtest.Same(got, row.Want) {
			rounded++
			continue
		}
		exact := row.Want-row.Want != 0 || row.Want == 0 || math.Abs(row.Want) == 1 && row.Note == "special"
		if exact || got != got || math.Signbit(got) != math.Signbit(row.Want) || ulpDistance(got, row.Want) > 1 {
			t.Errorf("%s(%x) = %x, want %x (%s)", name, row.X, got, row.Want, row.Note)
		}
	}
	t.Logf("%s: %d of %d golden values correctly rounded", name, rounded, len(rows))
}
