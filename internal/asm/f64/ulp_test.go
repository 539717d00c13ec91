package f64

import (
	"math"
	"math/big"
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

// maxULP returns the largest error of f over the arguments, and where.
func maxULP(f func(float64) float64, ref func(float64) *big.Float, args []float64) (worst, at float64) {
	for _, x := range args {
		if e := ulpError(f(x), ref(x)); !(e <= worst) {
			worst, at = e, x
		}
	}
	return worst, at
}
