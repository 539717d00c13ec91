package f64

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
)

var expArgs = flag.Int("exp.args", 300_000, "the arguments of TestExpMany")

// double is a number as the unevaluated sum of two, with some 104 bits.
type double struct{ hi, lo float64 }

func fastTwoSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func twoSum(a, b float64) double {
	s := a + b
	z := s - a
	return double{s, (a - (s - z)) + (b - z)}
}

func (x double) add(y double) double {
	s := twoSum(x.hi, y.hi)
	return fastTwoSum(s.hi, s.lo+(x.lo+y.lo))
}

func (x double) times(y double) double {
	p := float64(x.hi * y.hi)
	low := math.FMA(x.hi, y.hi, -p)
	return fastTwoSum(p, low+math.FMA(x.hi, y.lo, float64(x.lo*y.hi)))
}

func (x double) big() *big.Float { return newBig().Add(bigFloat(x.hi), bigFloat(x.lo)) }

// doubleOf rounds a big number.
func doubleOf(x *big.Float) double {
	hi, _ := x.Float64()
	lo, _ := newBig().Sub(x, bigFloat(hi)).Float64()
	return double{hi, lo}
}

// ln2Parts are ln 2 in pieces of which the first has 40 bits, so that its multiples by
// exponents are exact, and the second and third are a double.
var ln2Parts = func() (p struct {
	first float64
	rest  double
}) {
	ln2, _ := bigLn2.Float64()
	p.first = math.Round(ln2*0x1p40) * 0x1p-40
	p.rest = doubleOf(newBig().Sub(bigLn2, bigFloat(p.first)))
	return p
}()

var inverseFactorials = func() (c [12]double) {
	f := bigFloat(1)
	for i := range c {
		if i > 1 {
			f.Mul(f, bigFloat(float64(i)))
		}
		c[i] = doubleOf(newBig().Quo(bigFloat(1), f))
	}
	return c
}()

// doubleExp returns e^x = v·2^k with a relative error below 2⁻⁹²: the power series of
// x − k ln 2 divided by 2⁸, eight times squared.
func doubleExp(x float64) (v double, k int) {
	k = int(math.Round(x / math.Ln2))
	n := -float64(k)
	r := fastTwoSum(math.FMA(n, ln2Parts.first, x), 0) // exact: a difference of near numbers
	r = r.add(double{n, 0}.times(ln2Parts.rest))
	r.hi *= 0x1p-8
	r.lo *= 0x1p-8
	v = inverseFactorials[11]
	for i := 10; i >= 0; i-- {
		v = v.times(r).add(inverseFactorials[i])
	}
	for range 8 {
		v = v.times(v)
	}
	return v, k
}

func TestDoubleExp(t *testing.T) {
	rng := testRand()
	worst := 0.0
	for range 3000 {
		x := float64(1400*rng.Float64()) - 700
		v, k := doubleExp(x)
		want := newBig().SetMantExp(bigExp(x), -k)
		e, _ := newBig().Quo(newBig().Sub(v.big(), want), want).Float64()
		worst = max(worst, math.Abs(e))
	}
	t.Logf("largest relative error 2^%.1f", math.Log2(worst))
	if !(worst < 0x1p-92) {
		t.Errorf("relative error of %g", worst)
	}
}

// Exp has an error below 0.6 units in the last place where the result is normal, which
// many arguments are compared for with a reference of some 92 bits.
//
//	go test -run ExpMany -v ./internal/asm/f64 -exp.args=100000000
func TestExpMany(t *testing.T) {
	n := *expArgs
	if testing.Short() {
		n = min(n, 10_000)
	}
	const parts = 8
	var worst, at [parts]float64
	var group sync.WaitGroup
	for part := range parts {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(part)))
			for i := part; i < n; i += parts {
				x := float64(1417*rng.Float64()) - 708
				if i%3 == 0 { // small ones
					x = float64(4*rng.Float64()) - 2
				}
				v, k := doubleExp(x)
				got := math.Ldexp(Exp(x), -k) // exact: v is near 1, and got normal
				_, exp := math.Frexp(v.hi)
				if e := math.Ldexp(math.Abs((got-v.hi)-v.lo), 53-exp); !(e <= worst[part]) {
					worst[part], at[part] = e, x
				}
			}
		})
	}
	group.Wait()
	most := 0
	for part := range parts {
		if worst[part] > worst[most] {
			most = part
		}
	}
	t.Logf("%d arguments: largest error %.4f units in the last place, at %x", n, worst[most], at[most])
	if !(worst[most] < 0.6) {
		t.Errorf("Exp(%x): error of %.4f units, want less than 0.6", at[most], worst[most])
	}
}
