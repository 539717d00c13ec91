package f64

import (
	"encoding/csv"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"
)

// refPrec is the precision of the references below. Their own error is some
// units of 2^-refPrec, relative to the result or to 1: at least 100 bits remain
// where a logarithm or a hyperbolic tangent cancels.
const refPrec = 240

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(refPrec).SetFloat64(x) }

func newBig() *big.Float { return new(big.Float).SetPrec(refPrec) }

// bigLn2 is ln 2 = 2 artanh(1/3).
var bigLn2 = func() *big.Float {
	y := bigArtanh(newBig().Quo(bigFloat(1), bigFloat(3)))
	return y.Mul(y, bigFloat(2))
}()

// bigArtanh returns artanh s for |s| ≤ 1/3 by its power series.
func bigArtanh(s *big.Float) *big.Float {
	w := newBig().Mul(s, s)
	pow := newBig().Copy(s)
	sum := newBig().Copy(s)
	for i := 3; pow.Sign() != 0 && pow.MantExp(nil) > sum.MantExp(nil)-refPrec; i += 2 {
		pow.Mul(pow, w)
		sum.Add(sum, newBig().Quo(pow, bigFloat(float64(i))))
	}
	return sum
}

// bigExpm1 returns e^x - 1: the power series of x/2^h, h times doubled by
// (1+y)² - 1 = y(2 + y).
func bigExpm1(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return newBig()
	}
	h := max(0, x.MantExp(nil)+8)
	y := newBig().SetMantExp(x, -h)
	sum, term := newBig().Copy(y), newBig().Copy(y)
	for i := 2; term.MantExp(nil) > sum.MantExp(nil)-refPrec; i++ {
		term.Mul(term, y)
		term.Quo(term, bigFloat(float64(i)))
		sum.Add(sum, term)
	}
	for range h {
		sum.Mul(sum, newBig().Add(sum, bigFloat(2)))
	}
	return sum
}

func bigExp(x float64) *big.Float {
	// e^x = 2^n·e^r keeps the doublings few.
	n := math.Round(x / math.Ln2)
	r := newBig().Sub(bigFloat(x), newBig().Mul(bigFloat(n), bigLn2))
	y := newBig().Add(bigExpm1(r), bigFloat(1))
	return y.SetMantExp(y, int(n))
}

func bigTanh(x float64) *big.Float {
	e := bigExpm1(bigFloat(2 * x))
	return newBig().Quo(e, newBig().Add(e, bigFloat(2)))
}

func bigLog(x float64) *big.Float {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := newBig().Quo(newBig().Sub(bigFloat(m), bigFloat(1)), newBig().Add(bigFloat(m), bigFloat(1)))
	y := bigArtanh(s)
	y.Mul(y, bigFloat(2))
	return y.Add(y, newBig().Mul(bigFloat(float64(k)), bigLn2))
}

// ulpError returns |got - want| in units of the last place of want: the
// distance of the two float64 numbers that enclose it, 2^-1074 in the subnormal range.
// Where want overflows, +Inf has error 0 beyond the rounding boundary.
func ulpError(got float64, want *big.Float) float64 {
	if math.IsInf(got, 0) || math.IsNaN(got) {
		if w, _ := want.Float64(); w == got {
			return 0
		}
		return math.Inf(1)
	}
	exp := max(want.MantExp(nil)-53, -1074)
	d := newBig().Sub(bigFloat(got), want)
	d.SetMantExp(d.Abs(d), -exp)
	e, _ := d.Float64()
	return e
}

// same reports that a and b are the same number with the same sign, or both NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// A row of a table of golden values.
type goldenRow struct {
	x, want float64
	note    string
}

// goldenTable reads golden values of one function: x and f(x) in hexadecimal
// (columns 1 and 3) and a note (column 6).
func goldenTable(t *testing.T, name string) []goldenRow {
	t.Helper()
	file, err := os.Open("../../golden/testdata/math/" + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	r.FieldsPerRecord = 6
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []goldenRow
	for i, line := range lines[1:] {
		x, err1 := strconv.ParseFloat(line[0], 64)
		want, err2 := strconv.ParseFloat(line[2], 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s.csv, row %d: %v %v", name, i, err1, err2)
		}
		rows = append(rows, goldenRow{x, want, line[5]})
	}
	if len(rows) < 100 {
		t.Fatalf("%s.csv: only %d rows", name, len(rows))
	}
	return rows
}

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
	rows := goldenTable(t, name)
	for _, row := range rows {
		got := f(row.x)
		if got == row.want || same(got, row.want) {
			rounded++
			continue
		}
		exact := row.want-row.want != 0 || row.want == 0 || math.Abs(row.want) == 1 && row.note == "special"
		if exact || got != got || math.Signbit(got) != math.Signbit(row.want) || ulpDistance(got, row.want) > 1 {
			t.Errorf("%s(%x) = %x, want %x (%s)", name, row.x, got, row.want, row.note)
		}
	}
	t.Logf("%s: %d of %d golden values correctly rounded", name, rounded, len(rows))
}

// maxULP returns the largest error of f over the arguments, and where.
func maxULP(f func(float64) float64, ref func(float64) *big.Float, args []float64) (worst, at float64) {
	for _, x := range args {
		if e := ulpError(f(x), ref(x)); !(e <= worst) {
			worst, at = e, x
		}
	}
	return worst, at
}
